"""Meshes of every format, matrices and tables, changed where it hurts: numbers, words, sizes of binary parts."""
import copy
import json
import pathlib
import re
import shutil

from engine import judge

NUMBERS = [b"-1", b"0", b"1", b"2", b"3", b"4", b"5", b"10", b"255", b"65536", b"2147483647", b"2147483648", b"4294967296",
           b"-2147483648", b"9223372036854775807", b"-9223372036854775808", b"18446744073709551616", b"1e308", b"1e309",
           b"-1e308", b"nan", b"inf", b"-inf", b"1e-320", b"0x10", b"1.5", b"1e5", b"+3", b"3.", b".5", b"", b"1" * 400,
           b"1,5", b"100000000", b"1000000", b"-0", b"1e18", b"1d3"]
WORDS = [b"int", b"float", b"double", b"vtktypeint64", b"unsigned_char", b"UInt8", b"Int64", b"Float32", b"ascii", b"binary",
         b"appended", b"raw", b"base64", b"LittleEndian", b"BigEndian", b"TET", b"CUBIC", b"list", b"uchar", b"$Nodes",
         b"$Elements", b"$EndNodes", b"*INCLUDE i.veg", b"*VERTICES", b"Tetrahedra", b"Vertices", b"End", b"POINTS",
         b"CELLS", b"FIELD", b"METADATA", b"facet", b"endloop", b"f", b"v", b"l", b"OFF", b"4OFF", b"nOFF", b"%", b"#",
         b"\\", b'"', b"<", b">", b"</", b"/>", b"<!--", b"<![CDATA[", b'<!DOCTYPE a [<!ENTITY b "c">]>', b"&lt;", b"&b;",
         b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b" " * 5000, b"\t", b"\x1b[2J"]
INTEGERS = [0, 1, 2, 3, 4, 5, 8, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
            0x100000000, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 1 << 40, 10**6, 10**9,
            0x7FF0000000000000, 0x7FF8000000000000, 0x7F800000]
NUMBER = re.compile(rb"[-+]?\d+\.?\d*(e[-+]?\d+)?")
WORD = re.compile(rb"[A-Za-z_$*]{2,}")


def replace_one(data, pattern, words, random):
    found = list(pattern.finditer(data))
    if not found:
        return data
    one = random.choice(found)
    return data[:one.start()] + random.choice(words) + data[one.end():]


def change_once(data, random):
    data = data or b"x"
    at, kind = random.randrange(len(data)), random.randrange(12)
    if kind == 0:
        return data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1:]
    if kind == 1:
        return data[:at]
    if kind == 2:
        return data[:at] + data[at + random.choice([1, 2, 4, 8, 30]):]
    if kind == 3:
        piece = data[at:at + random.choice([1, 4, 8, 40, 200])]
        return data[:at] + piece * random.choice([2, 2, 3, 50]) + data[at + len(piece):]
    if kind in (4, 5, 6):
        return replace_one(data, NUMBER, NUMBERS, random)
    if kind == 7:
        return replace_one(data, WORD, WORDS, random)
    if kind == 8:
        return data[:at] + random.choice(WORDS) + data[at:]
    if kind == 9:
        width = random.choice([1, 2, 4, 8])
        value = random.choice(INTEGERS) & ((1 << 8 * width) - 1)
        return data[:at] + value.to_bytes(width, random.choice(["little", "big"])) + data[at + width:]
    if kind == 10:
        lines = data.split(b"\n")
        i, j = random.randrange(len(lines)), random.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
        return b"\n".join(lines)
    return data.replace(b"\n", random.choice([b"\r\n", b"\r", b" ", b"\n \n"]))


def change(data, random):
    for _ in range(random.choice([1, 1, 1, 2, 2, 3, 6])):
        data = change_once(data, random)
    return data


STRANGE = [0, -1, 1e308, 2**63, 2**64, None, True, [], {}, "x", "", [[]], "<img src=x onerror=alert(1)>", 1e-300, [1] * 1000,
           {"a": {"a": {}}}, "\x1b[2J"]


def change_json(text, random):
    if random.random() < 0.3:
        return change(text, random)
    if random.random() < 0.03:
        deep = random.choice([100, 100000])
        return b'{"scene":' + b"[" * deep + b"]" * deep + b"}"
    whole = json.loads(text)
    for _ in range(random.choice([1, 1, 2])):
        value = whole
        while value:
            key = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
            if isinstance(value[key], (dict, list)) and value[key] and random.random() < 0.85:
                value = value[key]
                continue
            value[key] = copy.deepcopy(random.choice(STRANGE))  # a second change may go into it
            break
    return json.dumps(whole).encode()


# The letter with which a seed of fuzz/seeds/mesh picks its parser, and the name of such a file.
FORMATS = {"m": "msh", "v": "vtk", "u": "vtu", "e": "mesh", "g": "veg", "o": "obj", "p": "ply", "s": "stl", "f": "off",
           "x": "tfx"}


class BrokenMeshes:
    name = "meshes"
    short, full = 120, 2000

    def prepare(self, engine, place, _seed):
        self.engine = engine
        folder = pathlib.Path(__file__).parent.parent.parent / "fuzz" / "seeds" / "mesh"
        self.seeds = []
        for path in sorted(folder.iterdir()):
            data = path.read_bytes()
            if data[:1].decode("latin1") in FORMATS:
                self.seeds.append({"mesh." + FORMATS[data[:1].decode()]: data[1:]})
            elif data[:1] == b"t":
                node, _, element = data[1:].partition(b"\0")
                self.seeds.append({"mesh.node": node, "mesh.ele": element})

    def cases(self):
        return self.full

    def attack(self, number, place, random):
        seed = self.seeds[number % len(self.seeds)]
        broken = random.choice(sorted(seed))
        for name, data in seed.items():
            (place / name).write_bytes(change(data, random) if name == broken else data)
        mesh = sorted(seed)[-1]
        scene = {"time": {"step": 0.01, "end": 0.01}, "bodies": [
            {"name": "b", "mesh": {"file": mesh}, "material": {"type": "linear", "young": 1e5, "density": 1000}}]}
        (place / "scene.json").write_text(json.dumps(scene))
        arguments = random.choice([["mesh", "info", mesh], ["mesh", "info", mesh, "--json"], ["check", "scene.json"],
                                   ["mesh", "convert", mesh, "other.vtu"], ["mesh", "convert", mesh, "other.msh", "--binary"],
                                   ["mesh", "convert", mesh, "other.obj", "--surface"]])
        outcome = self.engine.run(arguments, place)
        return judge(outcome, list(seed) + ["scene.json", "other"])


CURVE = b"stretch,stress\n" + b"".join(b"%.2f,%.1f\n" % (0.8 + 0.05 * i, 1e4 * (i - 4)) for i in range(12))


class BrokenTables:
    """Matrix Market files into `matfun`, tables of stretch and stress into `fit-material`; into scenes recorded motions, load
    tables, and grips as `phiflex live` records them."""

    name = "tables"
    short, full = 100, 2500
    OF_SCENES = ("motion.csv", "course.csv", "hand.grips", "hollow.mesh")
    IN_SCENES = (("recorded_motion.json", "motion.csv"), ("hand.json", "hand.grips"), ("hand.json", "course.csv"),
                 ("chamber.json", "course.csv"))

    def prepare(self, engine, place, _seed):
        self.engine = engine
        here = pathlib.Path(__file__).parent
        folder = here.parent.parent / "fuzz" / "seeds" / "matrix_market"
        self.matrices = [path.read_bytes() for path in sorted(folder.iterdir())]
        self.scenes = here / "scenes"

    def cases(self):
        return self.full

    def attack(self, number, place, random):
        if number % 5 == 0:
            (place / "a.mtx").write_bytes(change(random.choice(self.matrices), random))
            vector = b"%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n"
            (place / "b.mtx").write_bytes(change(vector, random) if random.random() < 0.3 else vector)
            arguments = ["matfun", "a.mtx", "b.mtx", "--evaluator", random.choice(self.engine.evaluators), "--tau",
                         random.choice(["1", "0", "-1", "1e-300", "1e6"]), "--phi", random.choice(["0", "1", "4"])]
        elif number % 5 == 1:
            (place / "curve.csv").write_bytes(change(CURVE, random))
            arguments = ["fit-material", "curve.csv", "--knots", random.choice(["2", "5", "50"])]
        else:
            scene, broken = self.IN_SCENES[number % len(self.IN_SCENES)]
            shutil.copy(self.scenes / scene, place / "scene.json")
            for name in self.OF_SCENES:
                shutil.copy(self.scenes / name, place)
            data = (place / broken).read_bytes()
            is_json = broken.endswith(".grips")
            (place / broken).write_bytes((change_json if is_json else change)(data, random))
            arguments = random.choice([["check", "scene.json"],
                                       ["run", "scene.json", "--steps", "2", "--quiet", "--no-frames", "-o", "run"]])
        named = ["a.mtx", "b.mtx", "curve.csv", "scene.json", *self.OF_SCENES, "--"]
        return judge(self.engine.run(arguments, place), named)


ROUNDS = [BrokenMeshes(), BrokenTables()]
