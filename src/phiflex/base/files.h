// Whole files in, whole files out.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace phiflex {

// The most bytes that one file may take in memory, as it is or unpacked: an eighth of the machine's. A model needs many
// times what its file does, so a larger one could not be used.
std::size_t largest_content();

// All bytes of a file. FileError when it is missing, a folder, a pipe or a device, or may not be read; InputError when
// it is larger than `limit`, or than the memory that can be had.
std::string read_file(const std::filesystem::path& path, std::size_t limit = largest_content());

// The last bytes of a file, at most `count`; empty when it is missing, is none or cannot be read.
std::string read_file_end(const std::filesystem::path& path, std::size_t count);

enum class Durability { kill, power_loss };  // what a file that was written survives

// The file appears whole or not at all: written beside its final place, then renamed. FileError on failure.
// Surviving a loss of power costs a wait for the disk.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes,
                           Durability durability = Durability::kill);

// Waits until a file or folder that is there is on the disk. FileError on failure.
void sync_path(const std::filesystem::path& path);

}  // namespace phiflex
