// The table of generators. A new one is one file and one line here. generator_catalogue.cpp alone includes this file,
// so that a new line compiles little.
#pragma once

// NAME: the function NAME_generator() describes it. In the order of the documentation.
#define PHIFLEX_GENERATORS(GENERATOR) \
  GENERATOR(box)                      \
  GENERATOR(ball)                     \
  GENERATOR(cylinder)                 \
  GENERATOR(helix)                    \
  GENERATOR(honeycomb)                \
  GENERATOR(spheroid)                 \
  GENERATOR(tree)                     \
  GENERATOR(tower)                    \
  GENERATOR(bridge)                   \
  GENERATOR(moebius)                  \
  GENERATOR(body)                     \
  GENERATOR(arm)                      \
  GENERATOR(kidney)                   \
  GENERATOR(cow)                      \
  GENERATOR(rectangle)                \
  GENERATOR(triangle)
