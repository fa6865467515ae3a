// Whole files in, whole files out.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace phiflex {

// All bytes of a file. FileError when it is missing, a folder, or may not be read.
std::string read_file(const std::filesystem::path& path);

enum class Durability { kill, power_loss };  // what a file that was written survives

// The file appears whole or not at all: written beside its final place, then renamed. FileError on failure.
// Surviving a loss of power costs a wait for the disk.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes,
                           Durability durability = Durability::kill);

// Waits until a file or folder that is there is on the disk. FileError on failure.
void sync_path(const std::filesystem::path& path);

}  // namespace phiflex
