"""How often one caller may ask: a bucket of requests that fills again with time."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, request

from server.errors import ApiError

MOST_CALLERS = 1024
LIMITED = "/api/"


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class RateLimit:
    """Buckets by caller; the callers seen longest ago are forgotten first.

    Args:
        a_second: requests that come back to a bucket in a second.
        burst: requests a full bucket holds.
        now: a clock in seconds.
    """

    def __init__(
        self, a_second: int, burst: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._a_second = a_second
        self._burst = burst
        self._now = now
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, caller: str) -> float:
        """Take one request; 0.0 when it may pass, else the seconds until one may."""
        with self._lock:
            now = self._now()
            bucket = self._buckets.pop(caller, None) or _Bucket(float(self._burst), now)
            filled = bucket.left + (now - bucket.at) * self._a_second
            bucket.left, bucket.at = min(filled, float(self._burst)), now
            self._buckets[caller] = bucket
            if len(self._buckets) > MOST_CALLERS:
                self._buckets.popitem(last=False)
            if bucket.left < 1:
                return (1 - bucket.left) / self._a_second
            bucket.left -= 1
            return 0.0


def install(app: Flask, limit: RateLimit) -> None:
    """Refuse requests under /api/, and tries of a code, beyond the limit: 429 and Retry-After."""

    @app.before_request
    def check_rate() -> None:
        if not request.path.startswith(LIMITED) and "code" not in request.args:
            return
        wait = limit.take(request.remote_addr or "")
        if wait:
            raise ApiError(
                429,
                "too_many_requests",
                "问得太快了，请稍等再试。",
                "Too many requests at once; wait a moment and try again.",
                retry_after=max(1, math.ceil(wait)),
            )
