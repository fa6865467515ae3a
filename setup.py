"""Builds the extension module with CMake, in the clone's own build folder: what `make` has compiled is not compiled again."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(phiflex VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


class CMakeBuild(build_ext):
    def run(self):
        # Of an environment the interpreter behind it: the folder of an environment may be gone tomorrow.
        interpreter = getattr(sys, "_base_executable", sys.executable)
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
        settings = ["-DPHIFLEX_PYTHON=ON", f"-DPHIFLEX_PYTHON_INTERPRETER={interpreter}"]
        if not (ROOT / "build" / "CMakeCache.txt").exists():  # the module needs neither GoogleTest nor the benchmarks
            settings += ["-DPHIFLEX_TESTS=OFF", "-DPHIFLEX_BENCH=OFF"]
        subprocess.run(["cmake", "--preset", "release", *settings], cwd=ROOT, check=True)
        subprocess.run(["cmake", "--build", "build", "-j", jobs, "--target", "_phiflex"], cwd=ROOT, check=True)
        target = pathlib.Path(self.get_ext_fullpath("phiflex._phiflex")).parent
        target.mkdir(parents=True, exist_ok=True)
        for name in (pathlib.Path(self.get_ext_fullpath("phiflex._phiflex")).name, "_build.py"):
            shutil.copy2(ROOT / "build" / "python" / "phiflex" / name, target / name)


# What setuptools itself makes lies in the build folder, too.
(ROOT / "build" / "setuptools").mkdir(parents=True, exist_ok=True)
setup(options={"build": {"build_base": "build/setuptools"}, "egg_info": {"egg_base": "build/setuptools"}}, version=VERSION, packages=["phiflex", "phiflex.experiments"], package_dir={"phiflex": "python/phiflex"},
      package_data={"phiflex": ["*.pyi", "py.typed"], "phiflex.experiments": ["*.css"]}, ext_modules=[Extension("phiflex._phiflex", [])],
      cmdclass={"build_ext": CMakeBuild}, zip_safe=False)
