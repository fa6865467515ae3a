#!/usr/bin/env python3
"""Attacks the program as a hostile tester would, and prints what does not hold (docs/attack.md).

    tests/attack/attack.py --binary build/phiflex --fault build/libphiflex_fault.so
    tests/attack/attack.py ... --short                        some cases of every round, 20 s of processor time
    tests/attack/attack.py ... --round scenes --case 17       one case again, its files kept

Every case follows from the seed, the round's name and its number. Exit code 1: something was found.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import resource
import shutil
import sys
import tempfile
import time

import abuses
import broken_files
import broken_folders
import crash_points
import scene_values
from engine import Engine

ROUNDS = crash_points.ROUNDS + scene_values.ROUNDS + abuses.ROUNDS + broken_folders.ROUNDS + broken_files.ROUNDS


def parse_arguments():
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=root / "build" / "phiflex")
    parser.add_argument("--fault", default=root / "build" / "libphiflex_fault.so", help="the library that fails calls")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--short", action="store_true", help="some cases of every round")
    parser.add_argument("--round", action="append", choices=[one.name for one in ROUNDS], help="this one only; repeatable")
    parser.add_argument("--case", type=int, help="of the one round: this case only, its files kept")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the files of what is found (default: a new one)")
    return parser.parse_args()


def scratch_place():
    """Memory where there is room: the runs wait for the disk at every checkpoint."""
    memory = "/dev/shm"
    if "TMPDIR" not in os.environ and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2e9:
        return memory
    return tempfile.gettempdir()


def chosen_cases(one, arguments):
    number = one.cases()
    if arguments.case is not None:
        return [arguments.case]
    wanted = one.short if arguments.short else one.full
    if wanted is None or wanted >= number:
        return list(range(number))
    if one.full is None:  # a table: anywhere in it
        return sorted(random.Random(f"{arguments.seed}/{one.name}").sample(range(number), wanted))
    return list(range(wanted))


class Attack:
    def __init__(self, arguments, scratch):
        self.arguments, self.scratch = arguments, pathlib.Path(scratch)
        self.engine = Engine(arguments.binary, arguments.fault)
        self.kept = arguments.keep
        self.found = 0

    def carry_out(self, one):
        start = time.monotonic()
        preparation = self.scratch / one.name
        preparation.mkdir()
        one.prepare(self.engine, preparation, self.arguments.seed)
        cases, found = chosen_cases(one, self.arguments), 0
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as workers:
            for number, wrong in workers.map(lambda number: self.attack(one, number), cases):
                for words in wrong:
                    self.report(one, number, words)
                found += bool(wrong)
        shutil.rmtree(preparation)
        print(f"{one.name:<10} {len(cases):>6} cases {found:>6} findings {time.monotonic() - start:>8.1f} s", flush=True)
        self.found += found

    def attack(self, one, number):
        place = self.scratch / f"{one.name}-{number}"
        place.mkdir()
        wrong = one.attack(number, place, random.Random(f"{self.arguments.seed}/{one.name}/{number}"))
        if wrong or self.arguments.case is not None:
            self.keep(place)
        shutil.rmtree(place)
        return number, wrong

    def keep(self, place):
        if self.kept is None:
            self.kept = pathlib.Path(tempfile.mkdtemp(prefix="phiflex-attack-"))
        shutil.copytree(place, self.kept / place.name, dirs_exist_ok=True, symlinks=True)

    def report(self, one, number, words):
        a = self.arguments
        print(f"{one.name} {number}: {words}\n  again: {sys.argv[0]} --binary {a.binary} --fault {a.fault} "
              f"--seed {a.seed} --round {one.name} --case {number}", flush=True)


def main():
    arguments = parse_arguments()
    if arguments.case is not None and len(arguments.round or []) != 1:
        sys.exit("--case needs one --round")
    # What a child may take: no allocation by the numbers of a file goes unseen, and no run fills the disk.
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (400 << 20, 400 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(prefix="phiflex-attack-", dir=scratch_place()) as scratch:
        attack = Attack(arguments, scratch)
        for one in ROUNDS:
            if not arguments.round or one.name in arguments.round:
                attack.carry_out(one)
    print(f"{attack.found} findings" + (f"; their files are in {attack.kept}" if attack.kept else ""))
    return 1 if attack.found else 0


if __name__ == "__main__":
    sys.exit(main())
