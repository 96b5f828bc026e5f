"""Reads a trace by rules of its own (format/trace.h in words), and holds it against the program's books and against hcct-lab replay's profiles.

usage: trace.py HCCT-REPLAY HCCT-DECODE TRACE BOOK FACTS
"""
import collections
import json
import os
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "hostile", "Inputs"))
import packed  # noqa: E402 (ours)

MASK = (1 << 64) - 1
lab, decode, trace_path, book_path, facts_path = sys.argv[1:]
with open(trace_path, "rb") as file:
    data = file.read()


class Model:
    def __init__(self):
        self.next, self.words, self.context, self.units = {}, {}, 0, 0

    def learn(self, word):
        self.next[self.context] = word
        self.context = (self.context << 5 ^ hash_of(word)) & 0x3fff
        return word


def hash_of(word):
    return (word * 0x9E3779B97F4A7C15 & MASK) >> 50


def number_at(content, at):
    """A number, and the offset behind it."""
    number = shift = 0
    while True:
        number |= (content[at] & 0x7f) << shift
        shift += 7
        at += 1
        if content[at - 1] < 0x80:
            return number, at


def calls_of(model, content, left):
    """Each call's word, and the units of time before it."""
    at, words = 0, []
    while True:
        right, at = number_at(content, at)
        for _ in range(right):
            words.append((model.learn(model.next.get(model.context, 0)), model.units))
        if len(words) == left:
            assert at == len(content)
            return words
        place, = struct.unpack_from("<H", content, at)
        at += 2
        if place == 0x8001:
            units, at = number_at(content, at)
            model.units += units
            continue
        if place == 0x8000:
            word, = struct.unpack_from("<Q", content, at)
            at += 8
            model.words[hash_of(word)] = word
        else:
            word = model.words[place]
        words.append((model.learn(word), model.units))


def cells_of(path):
    """Word, count, error of each context of an ids.bin."""
    return [(word, count, error) for (word, _), (_, count, error) in packed.cells(path)[0].items()]


assert data[:8] == b"HCCTTRC\n" and struct.unpack_from("<II", data, 8) == (2, 16)
at, streams, order, chunks, profile, ends = 16, {}, [], [], None, 0
while at < len(data):
    kind, stream, calls, size, checksum, zero = struct.unpack_from("<IIQQII", data, at)
    content = data[at + 32:at + 32 + size]
    assert zlib.crc32(data[at:at + 24] + bytes(4) + data[at + 28:at + 32] + content) == checksum and zero == 0
    at += 32 + (size + 7) // 8 * 8
    if kind == 1:
        model, of_stream = streams.setdefault(stream, (Model(), []))
        calls = calls_of(model, content, calls)
        of_stream += calls
        chunks.append((stream, len(calls)))
        order += [word for word, _ in calls]
    elif kind == 2:
        profile = content
    else:
        assert kind == 3 and calls == len(order) and at == len(data)
        left_out, stream_count, ticks, nanoseconds = struct.unpack("<QQQQ", content)
        assert (left_out, stream_count) == (0, len(streams))
        ends += 1
assert ends == 1 and 3 <= len(streams) <= 5  # the first thread, its handlers, and up to three: a thread may take the stream of one that ended

# every call of the first thread, in order: each path of the book has one word, each word one path
with open(book_path, "rb") as file:
    book = [key for key, in struct.iter_unpack("<Q", file.read())]
first = [word for word, _ in streams[0][1]]
assert len(first) == len(book) > 10000, (len(first), len(book))
assert len(set(zip(book, first))) == len(set(book)) == len(set(first))

# all calls
exact = collections.Counter(order)
with open(trace_path + ".profile", "wb") as file:
    file.write(profile)
assert {word: count for word, count, _ in cells_of(trace_path + ".profile")} == dict(exact)
facts = json.loads(open(facts_path, encoding="utf-8").read())
assert facts["calls"] == facts["counted"] == len(order) and facts["contexts"] == facts["monitored"] == len(exact), facts
assert facts["cct_nodes"] == facts["nodes"] == facts["peak_nodes"] >= len(exact), facts


def replayed(*options):
    path = trace_path + ".replayed"
    text = subprocess.run([lab, "replay", "--facts", "-o", path, *options, trace_path], stdout=subprocess.PIPE, check=True, text=True).stdout
    subprocess.run([decode, "--all", "-o", "/dev/null", path], check=True)
    return cells_of(path), json.loads(text)


def space_saving(stream, capacity):
    """Metwally et al.: count and error of each monitored word."""
    count, error = {}, {}
    for word in stream:
        if word in count:
            count[word] += 1
        elif len(count) < capacity:
            count[word], error[word] = 1, 0
        else:
            least = min(count, key=count.get)
            low = count.pop(least)
            error.pop(least)
            count[word], error[word] = low + 1, low
    return count, error


# enough counters: all exact; few: the bounds of Space Saving, and what a plain implementation is sure of. Sticky sampling
# may miss more of a word than its error, with a small probability; which one depends on the words, and so on the folder of the source
for algorithm in ("space-saving", "space-saving-bucket", "space-saving-lazy", "lossy-counting", "frequent-items", "sticky-sampling"):
    counters = 50
    entries, facts = replayed(f"--algorithm={algorithm}", "--phi=0.1", f"--epsilon={1 / counters}")
    assert facts["peak_nodes"] <= facts["cct_nodes"] and facts["nodes"] <= facts["peak_nodes"], facts
    for word, count, error in entries:
        assert exact[word] <= count or algorithm == "sticky-sampling", (algorithm, word)
        assert error <= len(order) / counters or algorithm == "sticky-sampling", (algorithm, word)
        assert count - error <= exact[word], (algorithm, word)
    kept = {word for word, _, _ in entries}
    if algorithm != "sticky-sampling":
        assert all(word in kept for word, count in exact.items() if count > len(order) / counters), algorithm
    if algorithm.startswith("space-saving"):
        count, error = space_saving(order, counters)
        assert all(word in kept for word in count if count[word] - error[word] > len(order) / counters)
        assert sum(count for _, count, _ in entries) <= len(order) == sum(count.values())
        assert facts["peak_nodes"] < facts["cct_nodes"]
        assert facts["monitored"] == counters < facts["nodes"]  # also those that the profile leaves out
entries, facts = replayed("--phi=0.1", f"--epsilon={1 / (len(exact) + 1)}")
assert {word: (count, error) for word, count, error in entries} == {word: (count, 0) for word, count in exact.items()}


def counts_of(*options):
    entries, facts = replayed("--mode=cct", *options)
    return {word: count for word, count, _ in entries}, facts


def of_streams(chosen, weight=1):
    """How often each word is counted: `chosen` gives the places of a stream's calls."""
    found = collections.Counter(calls[place][0] for _, calls in streams.values() for place in chosen(calls))
    return {word: weight * count for word, count in found.items()}


# bursts: of each 100 calls of a stream the first 10, which stand for all; samples: the last of each 7
found, facts = counts_of("--burst=10/100")
assert found == of_streams(lambda calls: [i for i in range(len(calls)) if i % 100 < 10], 10)
assert 10 * facts["counted"] == sum(found.values())
assert counts_of("--sample=calls/7")[0] == of_streams(lambda calls: range(6, len(calls), 7), 7)


# adaptive bursts: one in each context that begins one; so many bursts are counted that all contexts are begun in, each once
def first_bursts():
    begun, chosen, places, counted = set(), [], collections.Counter(), {}
    for number, size in chunks:
        _, calls = streams[number]
        for i in range(places[number], places[number] + size):
            word = calls[i][0]
            if i % 100 == 0:
                counted[number] = word not in begun
                begun.add(word)
            if i % 100 < 10 and counted[number]:
                chosen.append(word)
        places[number] += size
    return {word: 10 * count for word, count in collections.Counter(chosen).items()}


adaptive, _ = counts_of("--burst=10/100", "--one-in=1000000")
assert adaptive == first_bursts()  # none of the others is drawn: there are some hundred, with one chance in a million each
assert counts_of("--burst=10/100", "--one-in=1")[0] == found

# time: the marks of a stream, in units of 2^14 ticks; what the whole run took tells how long one is
ns_a_unit = nanoseconds / ticks * 2 ** 14
for microseconds in (20, 500):
    def ticked(calls):
        newest = 0
        for i, (_, units) in enumerate(calls):
            tick = int(units * ns_a_unit) // (1000 * microseconds)
            if tick != newest:
                yield i
            newest = tick

    assert counts_of(f"--sample=time/{microseconds}")[0] == of_streams(ticked)
assert counts_of("--burst=10/20us")[0] == of_streams(lambda calls: [i for i, (_, units) in enumerate(calls) if int(units * ns_a_unit) % 20000 < 10000], 2)

# damage: refused with an offset, and the output is not touched
damaged = trace_path + ".damaged"
for cut in range(0, len(data), max(1, len(data) // 40)):
    for flipped in (False, True):
        changed = bytearray(data) if flipped else bytearray(data[:cut])
        if flipped:
            changed[cut] ^= 0x40
        with open(damaged, "wb") as file:
            file.write(changed)
        done = subprocess.run([lab, "replay", "-o", trace_path + ".none", damaged], stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 1 and "offset " in done.stderr, (cut, flipped, done.stderr)
