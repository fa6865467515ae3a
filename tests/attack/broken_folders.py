"""Run folders whose files were changed: checkpoints with a hash that is right again, run.json, tables, frames."""
import json
import shutil
import struct

from broken_files import change, change_json
from crash_points import SCENE
from engine import first_line, judge

MASK = (1 << 64) - 1
PRIMES = (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261)


def rotated(value, by):
    return ((value << by) | (value >> (64 - by))) & MASK


def xxh64(data):
    """The checksum of a checkpoint: xxHash64 with seed 0."""
    p1, p2, p3, p4, p5 = PRIMES
    mix = lambda total, lane: rotated((total + lane * p2) & MASK, 31) * p1 & MASK
    at, size = 0, len(data)
    if size >= 32:
        lanes = [(p1 + p2) & MASK, p2, 0, -p1 & MASK]
        words = struct.unpack_from(f"<{size // 32 * 4}Q", data)
        for first in range(0, len(words), 4):
            lanes = [mix(lane, word) for lane, word in zip(lanes, words[first:first + 4])]
        at = 8 * len(words)
        total = sum(rotated(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            total = ((total ^ mix(0, lane)) * p1 + p4) & MASK
    else:
        total = p5
    total = (total + size) & MASK
    while at + 8 <= size:
        total = (rotated(total ^ mix(0, struct.unpack_from("<Q", data, at)[0]), 27) * p1 + p4) & MASK
        at += 8
    if at + 4 <= size:
        total = (rotated(total ^ struct.unpack_from("<I", data, at)[0] * p1 & MASK, 23) * p2 + p3) & MASK
        at += 4
    for byte in data[at:]:
        total = rotated(total ^ byte * p5 & MASK, 11) * p1 & MASK
    total ^= total >> 33
    total = total * p2 & MASK
    total ^= total >> 29
    total = total * p3 & MASK
    return total ^ total >> 32


HEADER = struct.Struct("<8sQQQ")  # docs/run_folder.md: letters, version, size, hash


def items_of(archive):
    """The entries of an archive: [kind, bytes]."""
    items, at = [], 0
    while at < len(archive):
        (size,) = struct.unpack_from("<Q", archive, at + 1)
        items.append([archive[at:at + 1], archive[at + 9:at + 9 + size]])
        at += 9 + size
    return items


def archive_of(items):
    return b"".join(kind + struct.pack("<Q", len(data)) + data for kind, data in items)


WHOLE = [0, 1, -1, 2, 3, 7, 20, 24, 26, 39, 41, 100, 10**6, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1, -(2**63)]
REAL = [0.0, -0.0, 1.0, -1.0, 1e308, -1e308, float("nan"), float("inf"), 5e-324, 1e-300, 0.125]


def change_item(item, random):
    kind, data = item
    if kind == b"i":
        item[1] = struct.pack("<q", random.choice(WHOLE))
    elif kind == b"d":
        item[1] = struct.pack("<d", random.choice(REAL))
    elif kind == b"v" and data:
        at = 8 * random.randrange(len(data) // 8)
        item[1] = data[:at] if random.random() < 0.2 else data[:at] + struct.pack("<d", random.choice(REAL)) + data[at + 8:]
    elif kind == b"s":
        item[1] = random.choice([b"", b"x" * 1000, data[::-1], data[:-1]])
    else:
        item[0] = random.choice([b"i", b"d", b"v", b"s"])


def forge(checkpoint, random):
    """The checkpoint with some entries changed, missing or doubled, and a hash that is right."""
    letters, version, _, _ = HEADER.unpack_from(checkpoint)
    top = items_of(checkpoint[HEADER.size:])  # step, number of pieces, then name and bytes of each
    number = random.choice([0, 1] + list(range(3, len(top), 2)) * 6)
    if number < 2:
        change_item(top[number], random)
    else:
        items = items_of(top[number][1])
        for _ in range(random.choice([1, 1, 2, 4])):
            at, what = random.randrange(len(items)), random.random()
            if what < 0.12 and len(items) > 1:
                items.pop(at)
            elif what < 0.2:
                items.insert(at, list(random.choice(items)))
            else:
                change_item(items[at], random)
        top[number][1] = archive_of(items)
    content = archive_of(top)
    return HEADER.pack(letters, version, len(content), xxh64(content)) + content


class BrokenFolders:
    name = "folders"
    short, full = 100, 2000
    METHODS = ("si", "siere", "em", "emx", "ere", "pexprb43", "bdf2", "verlet", "gautschi", "zheng")

    def prepare(self, engine, place, _seed):
        self.engine = engine
        self.folders = []
        for method in self.METHODS:
            folder = place / method
            scene = place / f"{method}.json"
            scene.write_text(json.dumps({**SCENE, "integrator": {"type": method}}))
            command = ["run", scene, "-o", folder, "--quiet", "--checkpoint-every", "5", "--threads", "1"]
            if engine.run(command, place).code != 0:
                raise SystemExit(f"the small run with {method} does not work")
            whole = json.loads((folder / "run.json").read_text())["hash"]
            # What a kill before the last checkpoint leaves.
            newest = sorted((folder / "checkpoint").iterdir())[-1]
            newest.unlink()
            self.folders.append((folder, whole))

    def cases(self):
        return self.full

    def attack(self, number, place, random):
        good, whole = self.folders[number % len(self.folders)]
        folder = place / "run"
        shutil.copytree(good, folder)
        kind = random.random()
        if kind < 0.4:
            path = sorted((folder / "checkpoint").iterdir())[-1]
            path.write_bytes(forge(path.read_bytes(), random))
            verbs = ["resume"]
        elif kind < 0.85:
            names = ["run.json", "run.json", "energy.csv", "probes.csv", "measures.csv", "frames.pvd"]
            path = folder / random.choice([name for name in names if (folder / name).exists()])
            path.write_bytes((change_json if path.suffix == ".json" else change)(path.read_bytes(), random))
            verbs = ["resume", "report", "report", "export", "render"]
        else:
            path = random.choice(sorted((folder / "frames").iterdir()))
            path.write_bytes(change(path.read_bytes(), random))
            verbs = ["report", "export", "render"]
        verb = random.choice(verbs)
        more = {"resume": ["--quiet"], "report": [],
                "export": ["-o", "out." + random.choice(["glb", "obj", "pc2", "mdd", "gltf", "pvd"])],
                "render": ["-o", "out.png", "--width", "64", "--samples", "1", "--moments", "2"]}
        outcome = self.engine.run([verb, "run", *more[verb]], place)
        wrong = judge(outcome, ["run", "out."])
        if verb == "resume" and outcome.code == 0 and path.suffix != ".ckpt":
            found = json.loads((folder / "run.json").read_text())["hash"]
            if found != whole:
                wrong.append(f"resumed to hash {found} instead of {whole}: {first_line(outcome.err)}")
        return wrong


ROUNDS = [BrokenFolders()]
