// The table of material laws. A new law is one header that meets material.h and one line here. Only the catalogue and
// the tables of kernels include this one, so that a new line compiles little.
//
// cmake/rooms.cmake reads these lines: it compiles the kernels of each law on their own (energy/law_kernels.h,
// cuda/law_launches_of.h) and writes material/all_laws.h, the laws as types, for the catalogue and the tests.
#pragma once

// The name of a law's header without .h, and its type.
#define PHIFLEX_LAWS(LAW)                         \
  LAW(linear, Linear)                             \
  LAW(corotated, Corotated)                       \
  LAW(arap, Arap)                                 \
  LAW(stvk, Stvk)                                 \
  LAW(neo_hookean, NeoHookean)                    \
  LAW(neo_hookean_isochoric, NeoHookeanIsochoric) \
  LAW(stable_neo_hookean, StableNeoHookean)       \
  LAW(spline, Spline)                             \
  LAW(mooney_rivlin, MooneyRivlin)                \
  LAW(holzapfel, Holzapfel)
