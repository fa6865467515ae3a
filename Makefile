# From a fresh clone on Debian 12:   make demo    or    make test
# Every target installs what is missing (tools/install_dependencies.sh) and builds what it needs.
# SETUP=no installs no Debian packages, for machines without apt-get. DEMO_SCENE=FILE runs another scene.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 300
ATTACK_SEED ?= 1
PYTHON ?= /usr/bin/python3
SETUP ?= yes
with_python = -DPHIFLEX_PYTHON=ON -DPHIFLEX_PYTHON_INTERPRETER=$(PYTHON)
install = tools/install_dependencies.sh $(if $(filter no,$(SETUP)),--no-apt)

.PHONY: demo mpi test build build-all python package experiments bench format tidy developer sanitize fuzz attack docs pictures setup setup-mpi setup-test setup-python setup-package setup-sanitize setup-dev clean help

help:
	@echo "make demo      run the default scene and say where its report is"
	@echo "make test      build and run all tests"
	@echo "make build     build build/phiflex (release, -O3, x86-64-v3)"
	@echo "make mpi       build build/phiflex-mpi, for many ranks on MPI and PETSc (docs/cluster.md)"
	@echo "make python    build the Python package phiflex and say how to import it (PYTHON=/usr/bin/python3)"
	@echo "make package   make build/phiflex_VERSION_amd64.deb and build/python3-phiflex_VERSION_amd64.deb"
	@echo "make experiments  all experiments of the papers, small, against their stored verdicts (some ten minutes of a core that is free; goes on when begun again)"
	@echo "make bench     run the benchmarks; their tables go to bench/results"
	@echo "make build-all build everything in build/: command, tests, benchmarks, Python module"
	@echo "make developer build everything in build-developer with warnings as errors"
	@echo "make sanitize  tests under address+undefined-behaviour and under thread sanitizers"
	@echo "make fuzz      fuzz every parser for FUZZ_SECONDS (300) each, or for FUZZ_RUNS executions"
	@echo "make attack    kill it at every file call, break its disk, abuse its scenes, meshes and run folders (minutes; ATTACK_SEED)"
	@echo "make docs      regenerate what is generated in docs/ and schema/"
	@echo "make pictures  draw the pictures of README and docs again"
	@echo "make format    clang-format; make tidy: clang-tidy"
	@echo "make clean     remove the builds"

setup:
	@$(install) build

setup-test:
	@$(install) build test

setup-mpi:
	@$(install) build mpi

setup-python:
	@$(install) build python

setup-package: setup
	@$(install) python package

setup-dev:
	@$(install) build test dev

setup-sanitize:
	@$(install) build test sanitize

# The command alone needs neither GoogleTest nor the benchmarks.
build/build.ninja: | setup
	@cmake --preset release -DPHIFLEX_TESTS=OFF -DPHIFLEX_BENCH=OFF > /dev/null

build: setup build/build.ninja
	@tools/build.sh $(JOBS) command

demo: build
	@build/phiflex $(if $(DEMO_SCENE),run $(DEMO_SCENE),demo) -o out/demo --force

test: setup-test
	@cmake --preset release -DPHIFLEX_TESTS=ON -DPHIFLEX_BENCH=OFF $(with_python) > /dev/null
	@tools/build.sh $(JOBS) tests
	@ctest --test-dir build --output-on-failure -j $(JOBS)
	@tools/say_skipped.sh build/Testing/Temporary/LastTest.log

mpi: setup-mpi
	@cmake --preset release -DPHIFLEX_MPI=ON $(if $(wildcard build/CMakeCache.txt),,-DPHIFLEX_TESTS=OFF -DPHIFLEX_BENCH=OFF) > /dev/null
	@tools/build.sh $(JOBS) mpi
	@echo "Run it with:  mpirun -n 4 build/phiflex-mpi run SCENE -o out/NAME"

python: setup-python
	@cmake --preset release $(with_python) $(if $(wildcard build/CMakeCache.txt),,-DPHIFLEX_TESTS=OFF -DPHIFLEX_BENCH=OFF) > /dev/null
	@tools/build.sh $(JOBS) python
	@echo "Import it with:  PYTHONPATH=$(CURDIR)/build/python $(PYTHON) -c 'import phiflex; print(phiflex.__version__)'"

package: setup-package build/build.ninja
	@tools/make_packages.sh $(JOBS)

experiments: build python
	@build/phiflex reproduce --all --quick --check -o out/experiments

bench: setup-dev
	@cmake --preset release -DPHIFLEX_TESTS=OFF -DPHIFLEX_BENCH=ON -DPHIFLEX_PYTHON=ON -DPHIFLEX_PYTHON_INTERPRETER=/usr/bin/python3 > /dev/null
	@tools/build.sh $(JOBS) all
	@bench/run.sh build bench/results

build-all: setup-test
	@cmake --preset release -DPHIFLEX_TESTS=ON -DPHIFLEX_BENCH=ON $(with_python) > /dev/null
	@tools/build.sh $(JOBS) all

developer: setup-test
	@cmake --preset developer > /dev/null
	@tools/build.sh $(JOBS) all build-developer

sanitize: setup-sanitize
	@tools/sanitize.sh $(JOBS)

fuzz: setup-dev
	@tools/fuzz.sh $(if $(FUZZ_RUNS),--runs $(FUZZ_RUNS),$(FUZZ_SECONDS))

attack: setup-test
	@cmake --preset release -DPHIFLEX_TESTS=ON -DPHIFLEX_BENCH=OFF > /dev/null
	@tools/build.sh $(JOBS) command
	@cmake --build build --target phiflex_fault > /dev/null
	@tests/attack/attack.py --seed $(ATTACK_SEED) --jobs $(JOBS)

docs: build python
	@build/phiflex schema > schema/scene.schema.json
	@build/phiflex schema --markdown > docs/scene.md
	@build/phiflex reproduce --list --markdown > docs/experiment_costs.md
	@PYTHONPATH=build/python /usr/bin/python3 -B -m phiflex.experiments.documents README.md docs/experiments.md docs/experiment_changes.md

pictures: build
	@tools/make_pictures.sh build/phiflex

format: setup-dev
	@git ls-files '*.h' '*.cpp' | xargs clang-format -i

tidy: setup-dev build/build.ninja
	@git ls-files 'src/*.cpp' 'app/*.cpp' | xargs -P $(JOBS) -n 4 clang-tidy -p build --quiet --extra-arg=-Wno-unknown-warning-option

clean:
	@rm -rf build build-*
