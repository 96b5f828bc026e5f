"""What Python is used for: reads and writes JSON, by its library's code in Python; classes that call each other, closures, generators, sorting by a key,
regular expressions, formatting. Its input is made here, the same each time. ROUNDS: how often."""
import json.decoder
import json.encoder
import json.scanner
import re
import sys

# the library has these in C as well
json.encoder.c_make_encoder = None
json.encoder.encode_basestring_ascii = json.encoder.py_encode_basestring_ascii


class Decoder(json.decoder.JSONDecoder):
    def __init__(self):
        super().__init__()
        self.parse_string = json.decoder.py_scanstring
        self.scan_once = json.scanner.py_make_scanner(self)


class Random:
    def __init__(self, seed):
        self.seed = seed

    def below(self, limit):
        self.seed = (self.seed * 1103 + 12345) % 1048576
        return self.seed % limit


class Shape:
    def __init__(self, name, *parts):
        self.name, self.parts = name, parts

    def area(self):
        return sum(part.area() for part in self.parts)

    def __repr__(self):
        return f"{self.name}({', '.join(map(repr, self.parts))})"


class Square(Shape):
    def __init__(self, side):
        super().__init__("square")
        self.side = side

    def area(self):
        return self.side**2

    def __repr__(self):
        return f"square {self.side:.2f}"


class Pair(Shape):
    def __init__(self, one, other):
        super().__init__("pair", one, other)


def shape_of(value, depth):
    return Pair(shape_of(value / 2, depth - 1), shape_of(value / 3, depth - 1)) if depth else Square(value)


def walk(value):
    if isinstance(value, dict):
        for name in value:
            yield from walk(value[name])
    elif isinstance(value, list):
        for part in value:
            yield from walk(part)
    else:
        yield value


def record(random):
    return {"id": random.below(100000), "name": "name %d \u20ac" % random.below(100), "tags": ["t%d" % random.below(9) for _ in range(random.below(4))],
            "place": {"x": random.below(1000) / 8, "y": None, "seen": random.below(2) == 0}}


def main(rounds):
    random = Random(1)
    encoder, decoder = json.encoder.JSONEncoder(sort_keys=True), Decoder()
    sum_of_all = 0
    for _ in range(rounds):
        records = [record(random) for _ in range(40)]
        text = encoder.encode(records)
        assert decoder.decode(text) == records
        by_place = sorted(records, key=lambda one: (one["place"]["x"], one["id"]))
        words = re.findall(r"name (\d+)|\b([a-z]\d)\b", text)
        shapes = [shape_of(one["place"]["x"], 4) for one in by_place[:10]]
        sum_of_all += len(words) + sum(len(repr(shape)) + int(shape.area()) for shape in shapes)
        sum_of_all += sum(part for part in walk(records) if isinstance(part, int))
    print(sum_of_all)


main(int(sys.argv[1]))
