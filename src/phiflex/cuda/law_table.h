// Finds a law's launches by its name, for the files that CMake writes: one for each back end.
#pragma once

#include <stdexcept>
#include <string>

#include "phiflex/cuda/law_launches.h"
#include "phiflex/material/laws.h"

namespace phiflex {
#define PHIFLEX_LAW(header, Law) struct Law;
PHIFLEX_LAWS(PHIFLEX_LAW)
#undef PHIFLEX_LAW
}  // namespace phiflex

namespace phiflex::device {

// Of law_launches_of.h.
template <class BackEnd, class Law>
std::unique_ptr<LawLaunches<BackEnd>> launches_of(std::string_view law, BackEnd& on, int tets,
                                                  const std::vector<double>& parameters);

template <class BackEnd>
std::unique_ptr<LawLaunches<BackEnd>> make_law_launches(std::string_view law, BackEnd& on, int tets,
                                                        const std::vector<double>& parameters) {
  std::unique_ptr<LawLaunches<BackEnd>> made;
#define PHIFLEX_LAW(header, Law) \
  if (!made) made = launches_of<BackEnd, Law>(law, on, tets, parameters);
  PHIFLEX_LAWS(PHIFLEX_LAW)
#undef PHIFLEX_LAW
  if (!made) throw std::invalid_argument("no device computes the material law " + std::string(law));
  return made;
}

}  // namespace phiflex::device
