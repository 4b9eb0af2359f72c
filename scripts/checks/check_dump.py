#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a dump of `jgin moe --dump DIR` against the definition of dispatch and combine.

Shares nothing with jgin: it reads the .npy files with NumPy if that is installed, and with struct
otherwise (or with --plain), and looks at every lane of every token of every rank.

Usage: check_dump.py [--plain] DIR
Ends with 0 if every byte is as it must be, 1 if not, 2 if the dump cannot be read.
"""
import ast
import json
import os
import struct
import sys

try:
    import numpy
except ImportError:
    numpy = None

CODES = {"u1": "B", "i1": "b", "u2": "H", "i2": "h", "i4": "i", "u4": "I", "i8": "q",
         "f2": "e", "f4": "f", "f8": "d"}
BYTES = {"bf16": 2, "fp16": 2, "fp32": 4, "fp8": 1}


class Array:
    """An array as its bytes, and as numbers on request."""

    def __init__(self, shape, kind, raw):
        self.shape, self.kind, self.raw = shape, kind, raw
        self.row_bytes = len(raw) // shape[0] if shape[0] else 0

    def row(self, index):
        return self.raw[index * self.row_bytes:(index + 1) * self.row_bytes]

    def numbers(self):
        return list(struct.unpack("<%d%s" % (len(self.raw) // int(self.kind[1]), CODES[self.kind]),
                                  self.raw))


def load_plain(path):
    with open(path, "rb") as file:
        if file.read(8) != b"\x93NUMPY\x01\x00":
            raise ValueError(path + ": not an .npy file of version 1.0")
        header = ast.literal_eval(file.read(struct.unpack("<H", file.read(2))[0]).decode("latin1"))
        raw = file.read()
    kind, size = header["descr"].lstrip("<|"), 1
    for extent in header["shape"]:
        size *= extent
    if header["fortran_order"] or kind not in CODES or len(raw) != size * int(kind[1]):
        raise ValueError("%s: unexpected header %s for %d bytes" % (path, header, len(raw)))
    return Array(header["shape"], kind, raw)


def load_numpy(path):
    array = numpy.load(path)
    return Array(array.shape, array.dtype.str.lstrip("<|"), array.tobytes())


class PlainRows:
    """FP32 arithmetic on rows: products and sums are exact in binary64 or rounded as if they were."""

    name = "struct"

    @staticmethod
    def zeros(size):
        return [0.0] * size

    @staticmethod
    def single(values):
        return struct.unpack("<%df" % len(values), struct.pack("<%df" % len(values), *values))

    def decode(self, raw, dtype):
        if dtype == "bf16":
            words = struct.unpack("<%dH" % (len(raw) // 2), raw)
            return struct.unpack("<%df" % len(words),
                                 struct.pack("<%dI" % len(words), *(w << 16 for w in words)))
        return struct.unpack("<%d%s" % (len(raw) // BYTES[dtype], {"fp16": "e", "fp32": "f"}[dtype]),
                             raw)

    def encode(self, values, dtype):
        if dtype == "bf16":
            words = struct.unpack("<%dI" % len(values), struct.pack("<%df" % len(values), *values))
            return struct.pack("<%dH" % len(words),
                               *((w + 0x7FFF + (w >> 16 & 1)) >> 16 for w in words))
        return struct.pack("<%d%s" % (len(values), {"fp16": "e", "fp32": "f"}[dtype]), *values)

    def add(self, total, row):
        return self.single([a + b for a, b in zip(total, row)])

    def scale(self, weight, row):
        return self.single([weight * y for y in row])


class NumpyRows:
    """The same in NumPy, whose float32 operations round each result."""

    name = "NumPy"

    @staticmethod
    def zeros(size):
        return numpy.zeros(size, numpy.float32)

    def decode(self, raw, dtype):
        if dtype == "bf16":
            return (numpy.frombuffer(raw, "<u2").astype("<u4") << 16).view("<f4")
        return numpy.frombuffer(raw, {"fp16": "<f2", "fp32": "<f4"}[dtype]).astype("<f4")

    def encode(self, values, dtype):
        if dtype == "bf16":
            words = values.astype("<f4").view("<u4")
            return ((words + 0x7FFF + (words >> 16 & 1)) >> 16).astype("<u2").tobytes()
        return values.astype({"fp16": "<f2", "fp32": "<f4"}[dtype]).tobytes()

    def add(self, total, row):
        return total + row

    def scale(self, weight, row):
        return numpy.float32(weight) * row


class Checker:
    def __init__(self, folder, plain):
        self.folder = folder
        self.load = load_plain if plain else load_numpy
        self.rows = PlainRows() if plain else NumpyRows()
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            self.manifest = json.load(file)
        if self.manifest["schema"] != "jgin.moe.dump/1":
            raise ValueError("unknown schema " + self.manifest["schema"])
        self.ranks, self.experts = self.manifest["ranks"], self.manifest["experts"]
        self.topk, self.hidden = self.manifest["topk"], self.manifest["hidden"]
        self.scaled = self.manifest["scales"] != "none"
        self.expanded = self.manifest["layout"] == "expanded"
        self.compared, self.wrong = 0, []

    def same(self, what, expected, seen):
        self.compared += 1
        if expected != seen:
            self.wrong.append(what)

    def local(self, rank):
        return range(rank * self.experts // self.ranks, (rank + 1) * self.experts // self.ranks)

    def owner(self, expert):
        return next(r for r in range(self.ranks) if expert in self.local(r))

    def run(self):
        iterations = sorted({part["iteration"] for part in self.manifest["parts"]})
        for iteration in iterations:
            parts = {p["rank"]: p for p in self.manifest["parts"] if p["iteration"] == iteration}
            self.same("iteration %d: ranks" % iteration, list(range(self.ranks)), sorted(parts))
            self.iteration([self.read(parts[rank]) for rank in range(self.ranks)], iteration)

    def read(self, part):
        place = os.path.join(self.folder, part["folder"])
        data = {name[:-4]: self.load(os.path.join(place, name))
                for name in os.listdir(place) if name.endswith(".npy")}
        ids, tokens = data["ids"].numbers(), part["tokens"]
        data["lanes"] = [ids[t * self.topk:(t + 1) * self.topk] for t in range(tokens)]
        data["where"] = {}
        return data

    def iteration(self, ranks, iteration):
        for rank, data in enumerate(ranks):
            at = "iteration %d, rank %d: " % (iteration, rank)
            self.plan(at, data)
            (self.dispatch if self.expanded else self.dispatch_one_row)(at, rank, ranks)
        for rank, data in enumerate(ranks):
            for token, lanes in enumerate(data["lanes"]):
                expected = self.rows.encode(self.combined(rank, token, lanes, ranks),
                                            self.manifest["combine_dtype"])
                self.same("iteration %d, rank %d: combined token %d" % (iteration, rank, token),
                          expected, data["combined"].row(token))

    def plan(self, at, data):
        expected, slots = [], [0] * self.ranks
        for token, lanes in enumerate(data["lanes"]):
            for rank in dict.fromkeys(self.owner(e) for e in lanes if e >= 0):
                expected += [token, rank, slots[rank]]
                slots[rank] += 1
        self.same(at + "plan", expected, data["plan"].numbers())

    def dispatch(self, at, rank, ranks):
        data, offsets, counts, rows = ranks[rank], [0], [], []
        for expert in self.local(rank):
            mine = [(source, token, lane)
                    for source, other in enumerate(ranks)
                    for token, lanes in enumerate(other["lanes"])
                    for lane, chosen in enumerate(lanes) if chosen == expert]
            padding = -len(mine) % self.manifest["align"]
            rows += mine + [None] * padding
            offsets.append(len(rows))
            counts.append(len(mine))
        self.same(at + "expert offsets", offsets, data["expert_offsets"].numbers())
        self.same(at + "expert rows", counts, data["expert_rows"].numbers())
        self.same(at + "rows", len(rows), data["dispatched"].shape[0])
        if len(rows) != data["dispatched"].shape[0]:
            return
        origins = data["origins"].numbers()
        for row, origin in enumerate(rows):
            name = at + "row %d, " % row
            self.same(name + "origin", list(origin or (-1, -1, -1)), origins[3 * row:3 * row + 3])
            if origin:
                source, token, lane = origin
                data["where"][origin] = row
                weight = ranks[source]["weights"].raw[4 * (token * self.topk + lane):][:4]
                self.same(name + "weight", weight, data["origin_weights"].row(row))
            self.payload(name, row, origin, data, ranks)

    def dispatch_one_row(self, at, rank, ranks):
        data, mine = ranks[rank], self.local(rank)
        rows = [(source, token)
                for source, other in enumerate(ranks)
                for token, lanes in enumerate(other["lanes"]) if any(e in mine for e in lanes)]
        self.same(at + "rows", len(rows), data["dispatched"].shape[0])
        if len(rows) != data["dispatched"].shape[0]:
            return
        origins, chosen = data["origins"].numbers(), data["lane_experts"].numbers()
        for row, (source, token) in enumerate(rows):
            name = at + "row %d, " % row
            data["where"][source, token] = row
            lanes = ranks[source]["lanes"][token]
            self.same(name + "origin", [source, token, -1], origins[3 * row:3 * row + 3])
            self.same(name + "experts", [e if e in mine else -1 for e in lanes],
                      chosen[row * self.topk:(row + 1) * self.topk])
            weights = ranks[source]["weights"].row(token)
            self.same(name + "weights",
                      b"".join(weights[4 * k:4 * k + 4] if e in mine else bytes(4)
                               for k, e in enumerate(lanes)),
                      data["lane_weights"].row(row))
            self.payload(name, row, (source, token), data, ranks)

    def payload(self, name, row, origin, data, ranks):
        for here, there in (("dispatched", "tokens"), ("dispatched_scales", "scales")):
            if there == "tokens" or self.scaled:
                seen = data[here].row(row)
                expected = ranks[origin[0]][there].row(origin[1]) if origin else bytes(len(seen))
                self.same(name + there, expected, seen)

    def combined(self, rank, token, lanes, ranks):
        dtype, rows = self.manifest["combine_dtype"], self.rows
        weights = struct.unpack("<%df" % self.topk, ranks[rank]["weights"].row(token))
        served = [(k, self.owner(e)) for k, e in enumerate(lanes) if e >= 0]

        def output(owner, origin):
            return rows.decode(
                ranks[owner]["expert_output"].row(ranks[owner]["where"][origin]), dtype)

        def weighted(some):
            total = rows.zeros(self.hidden)
            for k, owner in some:
                total = rows.add(total, rows.scale(weights[k], output(owner, (rank, token, k))))
            return total

        if self.manifest["combine"] == "canonical":
            return weighted(served)
        total = rows.zeros(self.hidden)
        for owner in dict.fromkeys(owner for _, owner in served):
            if self.expanded:
                partial = rows.encode(weighted([s for s in served if s[1] == owner]), dtype)
                total = rows.add(total, rows.decode(partial, dtype))
            else:
                total = rows.add(total, output(owner, (rank, token)))
        return total


def main(arguments):
    plain = "--plain" in arguments or numpy is None
    folders = [a for a in arguments if a != "--plain"]
    if len(folders) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        checker = Checker(folders[0], plain)
        checker.run()
    except (OSError, ValueError, KeyError) as problem:
        print("check_dump: cannot read %s: %r" % (folders[0], problem), file=sys.stderr)
        return 2
    for what in checker.wrong[:8]:
        print("wrong: " + what)
    print("%s: %d things compared with %s, %d wrong"
          % (folders[0], checker.compared, checker.rows.name, len(checker.wrong)))
    return 1 if checker.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
