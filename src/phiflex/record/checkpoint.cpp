#include "phiflex/record/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <system_error>

#include "phiflex/base/archive.h"
#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/base/hash.h"

namespace phiflex {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "PHIFLEXC";
constexpr std::uint64_t format_version = 6;
constexpr std::size_t kept = 2;

struct Header {
  char magic[8];
  std::uint64_t version;
  std::uint64_t size;  // of the content that follows
  std::uint64_t hash;  // of the content
};

std::uint64_t hash_of(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.value();
}

std::string file_name(std::int64_t step) {
  return fmt::format("step_{:012}.ckpt", step);
}

// The names of the checkpoint files, newest first; twelve digits sort as numbers do.
std::vector<std::string> checkpoint_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("step_") && name.ends_with(".ckpt")) names.push_back(name);
  }
  std::sort(names.rbegin(), names.rend());
  return names;
}

std::string encode(const Checkpoint& checkpoint) {
  ArchiveWriter content;
  content.put(checkpoint.step);
  content.put(static_cast<std::int64_t>(checkpoint.pieces.size()));
  for (const auto& [name, bytes] : checkpoint.pieces) {
    content.put(std::string_view(name));
    content.put(std::string_view(bytes));
  }
  const std::string& bytes = content.bytes();
  Header header{};
  std::memcpy(header.magic, magic.data(), magic.size());
  header.version = format_version;
  header.size = bytes.size();
  header.hash = hash_of(bytes);
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + bytes;
}

// ArchiveError says what is wrong with the bytes.
Checkpoint decode(std::string_view bytes) {
  Header header{};
  if (bytes.size() < sizeof header) throw ArchiveError("ends within its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  if (std::string_view(header.magic, magic.size()) != magic) throw ArchiveError("is not a checkpoint");
  if (header.version != format_version)
    throw ArchiveError(
        fmt::format("has format version {}, this program reads {}", header.version, format_version));
  if (header.size != bytes.size())
    throw ArchiveError(fmt::format("holds {} bytes where {} were written", bytes.size(), header.size));
  if (header.hash != hash_of(bytes)) throw ArchiveError("was changed: its hash is wrong");
  ArchiveReader content(bytes);
  Checkpoint checkpoint;
  checkpoint.step = content.get_integer();
  for (std::int64_t left = content.get_integer(); left > 0; --left) {
    const std::string name = content.get_text();
    checkpoint.pieces[name] = content.get_text();
  }
  content.finish();
  return checkpoint;
}

}  // namespace

const std::string& Checkpoint::piece(const std::string& name) const {
  const auto found = pieces.find(name);
  if (found == pieces.end()) throw ArchiveError("the checkpoint has no piece \"" + name + "\"");
  return found->second;
}

void write_checkpoint(const fs::path& folder, const Checkpoint& checkpoint) {
  std::error_code error;
  fs::create_directory(folder, error);  // a run folder that was removed is not made again
  if (error) throw FileError(folder.string(), "cannot make the folder: " + error.message());
  const std::string newest = file_name(checkpoint.step);
  write_file_atomically(folder / newest, encode(checkpoint), Durability::power_loss);
  // Only now that the new one is safe may older ones go. A file that cannot be removed does no harm.
  std::size_t seen = 0;
  for (const std::string& name : checkpoint_names(folder))
    if (name > newest || ++seen > kept) fs::remove(folder / name, error);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().find(".ckpt.part") != std::string::npos)
      fs::remove(entry.path(), error);
}

CheckpointSearch newest_complete_checkpoint(const fs::path& folder, std::int64_t at_most) {
  CheckpointSearch search;
  for (const std::string& name : checkpoint_names(folder)) {
    try {
      Checkpoint found = decode(read_file(folder / name));
      if (name != file_name(found.step)) throw ArchiveError(fmt::format("is that of step {}", found.step));
      if (found.step > at_most) continue;
      found.file = folder / name;
      search.newest = std::move(found);
      break;
    } catch (const ArchiveError& damage) {
      search.skipped.push_back(name + ": " + damage.what());
    } catch (const FileError& failure) {
      search.skipped.push_back(failure.what());
    }
  }
  return search;
}

}  // namespace phiflex
