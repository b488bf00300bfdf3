"""The pictures in a `multipart/x-mixed-replace` stream, cut out of its bytes."""

from __future__ import annotations

LARGEST_PART = 16 * 1024 * 1024
LARGEST_HEAD = 16 * 1024


class BrokenStream(ValueError):
    """The bytes are not what the stream's header promised."""


class PartSplitter:
    """Takes bytes as they come and gives whole parts.

    Examples:
        >>> splitter = PartSplitter("b")
        >>> splitter.feed(b"--b\\r\\nContent-Length: 2\\r\\n\\r\\nhi\\r\\n--b\\r\\n")
        >>> splitter.next_part()
        b'hi'
    """

    def __init__(self, boundary: str) -> None:
        # Cameras write the dashes into the header, or leave them out, as they please.
        self._mark = b"--" + boundary.strip().strip('"').lstrip("-").encode("latin-1", "replace")
        self._data = bytearray()
        self._length: int | None = None
        self._in_part = False
        self._searched = 0

    def feed(self, data: bytes) -> None:
        """Add what has arrived."""
        self._data += data

    def next_part(self) -> bytes | None:
        """The next whole part's body; None when more bytes are needed.

        Raises:
            BrokenStream: No part begins or ends within the sizes a camera could need.
        """
        if not self._in_part and not self._enter_part():
            return None
        if self._length is not None:
            if len(self._data) < self._length:
                return None
            return self._leave_part(self._length)
        end = self._data.find(self._mark, max(0, self._searched - len(self._mark)))
        if end < 0:
            self._searched = len(self._data)
            if len(self._data) > LARGEST_PART:
                raise BrokenStream("a part without end")
            return None
        return self._leave_part(end).removesuffix(b"\n").removesuffix(b"\r")

    def _enter_part(self) -> bool:
        begin = self._data.find(self._mark)
        if begin < 0:
            if len(self._data) > LARGEST_PART:
                raise BrokenStream("no part begins")
            return False
        head_begin = begin + len(self._mark)
        ends = [
            (at, len(gap))
            for gap in (b"\r\n\r\n", b"\n\n")
            if (at := self._data.find(gap, head_begin, head_begin + LARGEST_HEAD)) >= 0
        ]
        if not ends:
            if len(self._data) - head_begin > LARGEST_HEAD:
                raise BrokenStream("a part's header without end")
            return False
        head_end, gap_size = min(ends)
        self._length = _length(bytes(self._data[head_begin:head_end]))
        del self._data[: head_end + gap_size]
        self._in_part = True
        self._searched = 0
        return True

    def _leave_part(self, size: int) -> bytes:
        part = bytes(self._data[:size])
        del self._data[:size]
        self._in_part = False
        return part


def _length(head: bytes) -> int | None:
    for line in head.splitlines():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            size = int(value)
            if size > LARGEST_PART:
                raise BrokenStream(f"a part of {size} bytes")
            return size
    return None
