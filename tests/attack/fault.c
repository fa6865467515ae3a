/* Preloaded into the program by the attack (docs/attack.md): kills it at, or fails, one of its file calls.
 *
 *   FAULT_AT      number of the call, from 1; without it calls are only counted
 *   FAULT_MODE    kill    end the process before the call
 *                 half    make half of the call (of a write: half of its bytes; of others: the call), then end the process
 *                 fail    the call fails with FAULT_ERRNO
 *                 broken  this call and all later ones fail with FAULT_ERRNO
 *   FAULT_COUNT   a file that gets the number of calls when the process ends by itself
 *
 * Calls are those that change files: opening for writing, writing, truncating, renaming, removing, making folders, waiting
 * for the disk. Reads and the standard streams are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum Mode { NONE, KILL, HALF, FAIL, BROKEN };

static long calls = 0, at = -1;
static enum Mode mode = NONE;
static int error_number = EIO;
static int known = 0;

static void read_environment(void) {
  if (known) return;
  known = 1;
  const char* text = getenv("FAULT_AT");
  if (text) at = atol(text);
  text = getenv("FAULT_ERRNO");
  if (text) error_number = atoi(text);
  text = getenv("FAULT_MODE");
  if (!text) return;
  if (strcmp(text, "kill") == 0) mode = KILL;
  if (strcmp(text, "half") == 0) mode = HALF;
  if (strcmp(text, "fail") == 0) mode = FAIL;
  if (strcmp(text, "broken") == 0) mode = BROKEN;
}

static void end_now(void) {
  kill(getpid(), SIGKILL);
}

/* What is to be done to the call that comes now: NONE, HALF or FAIL. */
static enum Mode next_call(void) {
  read_environment();
  const long number = __sync_add_and_fetch(&calls, 1);
  if (at < 0 || number < at || (number > at && mode != BROKEN)) return NONE;
  if (mode == KILL) end_now();
  return mode == BROKEN ? FAIL : mode;
}

__attribute__((destructor)) static void write_count(void) {
  const char* path = getenv("FAULT_COUNT");
  FILE* file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", calls);
  fclose(file);
}

#define REAL(name) static __typeof__(&name) real = NULL; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* The rest of a call whose effect has no half. */
#define MAKE(call)                   \
  const enum Mode todo = next_call(); \
  if (todo == FAIL) {                 \
    errno = error_number;             \
    return -1;                        \
  }                                   \
  const int result = (call);          \
  if (todo == HALF) end_now();        \
  return result

#define MAKE_WRITE(half, whole)       \
  const enum Mode todo = next_call(); \
  if (todo == FAIL) {                 \
    errno = error_number;             \
    return -1;                        \
  }                                   \
  if (todo == HALF) {                 \
    if (size > 1 && (half) < 0) end_now(); \
    end_now();                        \
  }                                   \
  return whole

ssize_t write(int file, const void* bytes, size_t size) {
  REAL(write);
  if (file <= 2) return real(file, bytes, size);
  MAKE_WRITE(real(file, bytes, size / 2), real(file, bytes, size));
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  REAL(pwrite);
  MAKE_WRITE(real(file, bytes, size / 2, offset), real(file, bytes, size, offset));
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) {
  REAL(pwrite64);
  MAKE_WRITE(real(file, bytes, size / 2, offset), real(file, bytes, size, offset));
}
int fsync(int file) {
  REAL(fsync);
  MAKE(real(file));
}
int fdatasync(int file) {
  REAL(fdatasync);
  MAKE(real(file));
}
int ftruncate(int file, off_t size) {
  REAL(ftruncate);
  MAKE(real(file, size));
}
int ftruncate64(int file, off64_t size) {
  REAL(ftruncate64);
  MAKE(real(file, size));
}
int rename(const char* from, const char* to) {
  REAL(rename);
  MAKE(real(from, to));
}
int unlink(const char* path) {
  REAL(unlink);
  MAKE(real(path));
}
int rmdir(const char* path) {
  REAL(rmdir);
  MAKE(real(path));
}
int remove(const char* path) {
  REAL(remove);
  MAKE(real(path));
}
int mkdir(const char* path, mode_t access) {
  REAL(mkdir);
  MAKE(real(path, access));
}

static int changes_files(int flags) {
  return (flags & (O_CREAT | O_WRONLY | O_RDWR)) != 0;
}
int open(const char* path, int flags, ...) {
  REAL(open);
  va_list more;
  va_start(more, flags);
  const mode_t access = (flags & O_CREAT) ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (!changes_files(flags) || strcmp(path, "/dev/null") == 0) return real(path, flags, access);
  MAKE(real(path, flags, access));
}
int open64(const char* path, int flags, ...) {
  REAL(open64);
  va_list more;
  va_start(more, flags);
  const mode_t access = (flags & O_CREAT) ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (!changes_files(flags) || strcmp(path, "/dev/null") == 0) return real(path, flags, access);
  MAKE(real(path, flags, access));
}
