"""Reads and changes captures as their format says (tools/clothc/capture/format.h), for the tests of record and play."""
import dataclasses
import struct
import zlib

HEADER = struct.Struct("<8sIIIIII")
BLOCK = struct.Struct("<IIII")
EVENT = struct.Struct("<IHHiI")
RAW, DEFLATED = 0x626C6B30, 0x626C6B31
KINDS = {1: "call", 2: "contents", 3: "hash", 4: "failure", 5: "note", 6: "result", 7: "end"}


@dataclasses.dataclass
class Event:
    kind: str
    function: str
    result: int
    thread: int
    data: bytes


class Capture:
    """A capture in memory: its header with the names of functions, and its events."""

    def __init__(self, data):
        header = HEADER.unpack_from(data)
        end = HEADER.size + header[4]
        self.head = data[:end]
        self.names = data[HEADER.size : end].decode().split("\0")[:-1]
        self.blocks = []
        raw = b""
        while end < len(data):
            kind, stored, _, _ = BLOCK.unpack_from(data, end)
            self.blocks.append(kind)
            payload = data[end + BLOCK.size : end + BLOCK.size + stored]
            raw += zlib.decompress(payload) if kind == DEFLATED else payload
            end += BLOCK.size + stored
        self.events = []
        offset = 0
        while offset < len(raw):
            size, kind, function, result, thread = EVENT.unpack_from(raw, offset)
            data = raw[offset + EVENT.size : offset + size]
            self.events.append(Event(KINDS[kind], self.names[function], result, thread, data))
            offset += size

    def encoded(self):
        """The capture as a file with one block that is not compressed."""
        numbers = {name: number for number, name in KINDS.items()}
        raw = b"".join(
            EVENT.pack(EVENT.size + len(e.data), numbers[e.kind], self.names.index(e.function), e.result, e.thread) + e.data
            for e in self.events)
        return self.head + BLOCK.pack(RAW, len(raw), len(raw), zlib.crc32(raw)) + raw

    def of(self, kind, function=None):
        """The events of a kind, or only those of a function."""
        return [e for e in self.events if e.kind == kind and function in (None, e.function)]
