"""Waiting for the page, however slow the machine, and answers that are made to come late."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 120.0
PATIENCE_MS = 120_000


def wait_until(page: Any, function: str, value: Any = None, seconds: float = PATIENCE_S) -> None:
    """Ask `page` until a JavaScript function of `value` answers true.

    Playwright's own waiting evaluates strings inside the page, which the page's CSP forbids.
    """
    wait_for(page, lambda: bool(page.evaluate(function, value)), function, seconds)


def wait_for(
    page: Any, is_so: Callable[[], object], what: str, seconds: float = PATIENCE_S
) -> None:
    """Let `page` go on until `is_so()` answers true; `what` is said where it never does."""
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends, f"never true: {what}"
        page.wait_for_timeout(30)


def intercept(page: Any, path: str, handler: Callable[[Any], object]) -> None:
    """As `page.route`, and wait until requests of the page do pass through it.

    The browser tells the page's own process of the first route a moment after it has said so here,
    and what the page asks for in between would go past it.
    """
    page.route(path, lambda route: handler(route))
    page.route("**/is-it-held", lambda route: route.fulfill(status=200, body="held"))
    wait_until(page, "async () => (await fetch('/is-it-held')).ok")


class Held:
    """The first answer from an address, held back until it is let go; the others pass.

    Args:
        page: asks for it.
        path: as for `page.route`.
        sent: whether the request reaches the server before it is held back.
        method: of the request; others pass.
    """

    def __init__(self, page: Any, path: str, sent: bool = True, method: str | None = None) -> None:
        """Hold back from now on."""
        self.page, self.path, self.sent, self.method = page, path, sent, method
        self.request: Any = None
        self.others: list[Any] = []
        self._route: Any = None
        self._answer: Any = None
        self._over: list[Any] = []
        for event in ("requestfinished", "requestfailed"):
            page.on(event, lambda request: self._over.append(request))
        intercept(page, path, self._take)

    def _take(self, route: Any) -> None:
        if self.method is not None and route.request.method != self.method:
            route.continue_()
            return
        if self.request is not None:
            self.others.append(route.request)
            route.continue_()
            return
        self.request = route.request
        self._answer = route.fetch() if self.sent else None
        self._route = route

    def arrived(self) -> None:
        """Wait until the page has asked, and the server has answered if it was let through."""
        wait_for(self.page, lambda: self._route is not None, f"asked for {self.path}")

    def let_go(self) -> None:
        """Let it pass, and wait until the page has had the answer and time to take it."""
        self.arrived()
        if self.sent:
            self._route.fulfill(response=self._answer)
        else:
            self._route.continue_()
        wait_for(self.page, lambda: self.request in self._over, f"answered {self.path}")
        self.page.evaluate("() => new Promise((done) => setTimeout(done))")

    def is_abandoned(self) -> None:
        """Wait until the page itself wants the answer no longer."""
        self.arrived()
        gone = f"the page waits on for {self.path}"
        wait_for(self.page, lambda: self.request in self._over, gone)
        assert self.request.failure, "it was answered"
