// report.html: a run folder as one page that opens from disk, without network: the motion, the energies, the
// ledger, the probes, the cost and the setting. Made from the folder's files alone, so a run that is still
// going, failed or has no frames gets a page too.
#pragma once

#include <cstddef>

#include "phiflex/record/run_folder.h"

namespace phiflex {

// Of a page that is sent by mail and opened in a second.
constexpr std::size_t default_report_bytes = 24'000'000;

// Writes (or refreshes) report.html. Of a long motion of a large body only some frames are in it, so that the
// page has no more than `bytes`; it says so. InputError when run.json or a table is damaged.
void write_report(const RunFolder& folder, std::size_t bytes = default_report_bytes);

}  // namespace phiflex
