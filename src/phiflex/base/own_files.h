// Files by which a command knows its own results, so that it removes these and nothing else when it is called again.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace phiflex {

// A file is written under its name, ".part" and the number of the process, and renamed when it is complete: a killed
// process leaves such a draft.
enum class OwnFiles { drafts, files_and_drafts };

// Whether `name` is one of `patterns`. In a pattern each # is a digit, and the last # of a row stands for any number of
// further digits: frame_######.vtu has six or more.
bool is_own_file(std::string_view name, const std::vector<std::string_view>& patterns, OwnFiles which);

// Removes the files of a folder whose names is_own_file() knows: not its folders, not what links lead to. Nothing
// happens when `folder` is not a folder, or a link. std::filesystem::filesystem_error when a file cannot be removed.
void remove_own_files(const std::filesystem::path& folder, const std::vector<std::string_view>& patterns,
                      OwnFiles which = OwnFiles::files_and_drafts);

}  // namespace phiflex
