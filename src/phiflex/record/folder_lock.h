// A results folder belongs to one process at a time: the one that holds the lock on its file run.lock. The system gives
// the lock back when the process ends, however it ends, so a file that was left behind does not block the next process.
#pragma once

#include <sys/stat.h>

#include "phiflex/base/descriptor.h"
#include "phiflex/base/function_ref.h"
#include "phiflex/record/run_folder.h"

namespace phiflex {

class FolderLock {
 public:
  // The folder must be there. FileError, which names the process, when another one holds the lock. Where the file
  // system has no locks, none is taken.
  explicit FolderLock(const RunFolder& folder);
  ~FolderLock();  // removes the file
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Whether the folder's path still leads to the folder in which the lock was taken.
  bool in_place() const;
  // FileError when it does not: the folder was removed, moved or replaced.
  void require_in_place() const;
  // Calls `write` with paths that lead to the folder of the lock even when another one takes its place meanwhile, which
  // no check before the write can exclude. Errors name the folder by the path that the user knows.
  void write_in(FunctionRef<void(const RunFolder&)> write) const;

 private:
  RunFolder folder_;
  Descriptor root_;          // the folder
  struct stat identity_ {};  // of the folder
  Descriptor lock_;
};

}  // namespace phiflex
