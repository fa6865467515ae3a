// report.html: a run folder as one page that opens from disk, without network: the motion, the energies, the
// ledger, the probes, the cost and the setting. Made from the folder's files alone, so a run that is still
// going, failed or has no frames gets a page too.
#pragma once

#include "phiflex/record/run_folder.h"

namespace phiflex {

// Writes (or refreshes) report.html. InputError when run.json or a table is damaged.
void write_report(const RunFolder& folder);

}  // namespace phiflex
