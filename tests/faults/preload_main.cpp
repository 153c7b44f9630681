// SPDX-License-Identifier: MIT
// A library for LD_PRELOAD that lets calls of the system fail: the N-th of some kinds, or a seeded
// share of all. Nothing fails before `main` has begun. The environment says what:
//
//     LUDENS_FAULTS=KIND[+KIND...]:at=N            the N-th call of these kinds; 0: none, they are
//     counted LUDENS_FAULTS=KIND[+KIND...]:seed=S,rate=P   each call with a probability of P in a
//     million LUDENS_FAULTS_COUNT=FILE                     holds a `Count`, updated as calls are
//     made
//
//     LUDENS_FAULTS=stall:call=CALL   this call on files never returns: open (of a new file),
//     write, rename, unlink
//
// Kinds: memory (malloc and its like give nothing), descriptors (no more files and sockets), space
// (a full disk), reading (files can't be read), short (one byte is read or written), threads.
#include "gdl/memory/hash.h"
#include "tests/faults/count.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// What glibc calls its own, so that nothing need be looked up before memory can be had.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

using ludens::faults::Count;

enum Kind : unsigned {
  kMemory = 1,
  kDescriptors = 2,
  kSpace = 4,
  kReading = 8,
  kShort = 16,
  kThreads = 32,
  kStall = 64,
};

struct Plan {
  unsigned kinds = 0;
  char call[16] = {};  // that stalls
  std::uint64_t at = 0, seed = 0, rate = 0;
};

Plan plan;
std::atomic<bool> armed{false};
Count own_count;
Count* count = &own_count;

std::uint64_t number_behind(const char* text, const char* key) {
  const char* const found = std::strstr(text, key);
  return found == nullptr ? 0 : std::strtoull(found + std::strlen(key), nullptr, 10);
}

void read_plan() {
  const char* const text = std::getenv("LUDENS_FAULTS");
  if (text == nullptr) return;
  constexpr struct {
    const char* name;
    unsigned kind;
  } kNames[] = {
      {"memory", kMemory}, {"descriptors", kDescriptors}, {"space", kSpace}, {"reading", kReading},
      {"short", kShort},   {"threads", kThreads},         {"stall", kStall}};
  for (const auto& entry : kNames) {
    if (std::strstr(text, entry.name) != nullptr) plan.kinds |= entry.kind;
  }
  if (const char* const call = std::strstr(text, "call=")) {
    std::strncpy(plan.call, call + std::strlen("call="), sizeof plan.call - 1);
  }
  plan.at = number_behind(text, "at=");
  plan.seed = number_behind(text, "seed=");
  plan.rate = number_behind(text, "rate=");
}

void share_count() {
  const char* const file = std::getenv("LUDENS_FAULTS_COUNT");
  if (file == nullptr) return;
  const int descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return;
  if (ftruncate(descriptor, sizeof(Count)) == 0) {
    void* const shared =
        mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (shared != MAP_FAILED) count = static_cast<Count*>(shared);
  }
  close(descriptor);
}

/// Counts a call and says whether it is to fail.
bool fails(Kind kind, const char* call) {
  if ((plan.kinds & kind) == 0 || !armed.load(std::memory_order_relaxed)) return false;
  const std::uint64_t number = count->calls.fetch_add(1) + 1;
  const bool hit =
      plan.rate > 0
          ? ludens::gdl::scatter(plan.seed + number + ludens::gdl::kHashStart) % 1'000'000 <
                plan.rate
          : number == plan.at;
  if (!hit) return false;
  if (count->failed.fetch_add(1) == 0) std::strncpy(count->first, call, sizeof count->first - 1);
  return true;
}

bool fails_with(Kind kind, const char* call, int error) {
  if (!fails(kind, call)) return false;
  errno = error;
  return true;
}

/// As on a disk that does not come back.
void stall(const char* call) {
  if ((plan.kinds & kStall) == 0 || !armed.load() || std::strcmp(plan.call, call) != 0) return;
  for (;;) pause();
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool is_file(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// Eight bytes are what an eventfd takes and gives, in one piece.
std::size_t shortened(std::size_t bytes, const char* call) {
  return bytes > 8 && fails(kShort, call) ? 1 : bytes;
}

/// The mode that follows O_CREAT.
mode_t mode_of(int flags, va_list& rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

bool open_fails(int flags) {
  if ((flags & O_EXCL) != 0) stall("open");
  if (fails_with(kDescriptors, "open", EMFILE)) return true;
  return (flags & O_CREAT) != 0 && fails_with(kSpace, "open", ENOSPC);
}

}  // namespace

extern "C" {

#define LUDENS_EXPORT __attribute__((visibility("default")))

using Main = int (*)(int, char**, char**);
static Main program_main;

static int armed_main(int argc, char** argv, char** environment) {
  read_plan();
  share_count();
  armed = plan.kinds != 0;
  return program_main(argc, argv, environment);
}

LUDENS_EXPORT int __libc_start_main(Main main, int argc, char** argv, void (*init)(),
                                    void (*fini)(), void (*linker)(), void* stack) {
  program_main = main;
  return real<int(Main, int, char**, void (*)(), void (*)(), void (*)(), void*)>(
      "__libc_start_main")(armed_main, argc, argv, init, fini, linker, stack);
}

LUDENS_EXPORT void* malloc(std::size_t bytes) {
  return fails_with(kMemory, "malloc", ENOMEM) ? nullptr : __libc_malloc(bytes);
}
LUDENS_EXPORT void* calloc(std::size_t n, std::size_t bytes) {
  return fails_with(kMemory, "calloc", ENOMEM) ? nullptr : __libc_calloc(n, bytes);
}
LUDENS_EXPORT void* realloc(void* p, std::size_t bytes) {
  return fails_with(kMemory, "realloc", ENOMEM) ? nullptr : __libc_realloc(p, bytes);
}
LUDENS_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return fails_with(kMemory, "aligned_alloc", ENOMEM) ? nullptr : __libc_memalign(alignment, bytes);
}
LUDENS_EXPORT int posix_memalign(void** out, std::size_t alignment, std::size_t bytes) {
  if (fails(kMemory, "posix_memalign")) return ENOMEM;
  *out = __libc_memalign(alignment, bytes);
  return *out == nullptr ? ENOMEM : 0;
}
LUDENS_EXPORT void* mmap(void* where, std::size_t bytes, int protection, int flags, int descriptor,
                         off_t offset) {
  static const auto next = real<void*(void*, std::size_t, int, int, int, off_t)>("mmap");
  if (fails_with(kMemory, "mmap", ENOMEM)) return MAP_FAILED;
  return next(where, bytes, protection, flags, descriptor, offset);
}

LUDENS_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                 void* (*start)(void*), void* argument) {
  static const auto next =
      real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return fails(kThreads, "pthread_create") ? EAGAIN : next(thread, attributes, start, argument);
}

LUDENS_EXPORT int open(const char* path, int flags, ...) {
  static const auto next = real<int(const char*, int, ...)>("open");
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_fails(flags) ? -1 : next(path, flags, mode);
}
LUDENS_EXPORT int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open(path, flags, mode);
}
LUDENS_EXPORT int openat(int folder, const char* path, int flags, ...) {
  static const auto next = real<int(int, const char*, int, ...)>("openat");
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_fails(flags) ? -1 : next(folder, path, flags, mode);
}
LUDENS_EXPORT int openat64(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return openat(folder, path, flags, mode);
}
LUDENS_EXPORT FILE* fopen(const char* path, const char* mode) {
  static const auto next = real<FILE*(const char*, const char*)>("fopen");
  return open_fails(mode[0] == 'r' ? 0 : O_CREAT) ? nullptr : next(path, mode);
}
LUDENS_EXPORT FILE* fopen64(const char* path, const char* mode) {
  return fopen(path, mode);
}
LUDENS_EXPORT int socket(int domain, int type, int protocol) {
  static const auto next = real<int(int, int, int)>("socket");
  return fails_with(kDescriptors, "socket", EMFILE) ? -1 : next(domain, type, protocol);
}
LUDENS_EXPORT int accept(int listener, sockaddr* address, socklen_t* length) {
  static const auto next = real<int(int, sockaddr*, socklen_t*)>("accept");
  return fails_with(kDescriptors, "accept", EMFILE) ? -1 : next(listener, address, length);
}
LUDENS_EXPORT int accept4(int listener, sockaddr* address, socklen_t* length, int flags) {
  static const auto next = real<int(int, sockaddr*, socklen_t*, int)>("accept4");
  return fails_with(kDescriptors, "accept4", EMFILE) ? -1 : next(listener, address, length, flags);
}
LUDENS_EXPORT int epoll_create1(int flags) {
  static const auto next = real<int(int)>("epoll_create1");
  return fails_with(kDescriptors, "epoll_create1", EMFILE) ? -1 : next(flags);
}
LUDENS_EXPORT int eventfd(unsigned value, int flags) {
  static const auto next = real<int(unsigned, int)>("eventfd");
  return fails_with(kDescriptors, "eventfd", EMFILE) ? -1 : next(value, flags);
}
LUDENS_EXPORT int timerfd_create(int clock, int flags) {
  static const auto next = real<int(int, int)>("timerfd_create");
  return fails_with(kDescriptors, "timerfd_create", EMFILE) ? -1 : next(clock, flags);
}
LUDENS_EXPORT int pipe2(int* ends, int flags) {
  static const auto next = real<int(int*, int)>("pipe2");
  return fails_with(kDescriptors, "pipe2", EMFILE) ? -1 : next(ends, flags);
}

LUDENS_EXPORT ssize_t write(int descriptor, const void* bytes, std::size_t length) {
  static const auto next = real<ssize_t(int, const void*, std::size_t)>("write");
  if ((plan.kinds & kStall) != 0 && is_file(descriptor)) stall("write");
  if (is_file(descriptor) && fails_with(kSpace, "write", ENOSPC)) return -1;
  return next(descriptor, bytes, shortened(length, "write"));
}
LUDENS_EXPORT ssize_t pwrite(int descriptor, const void* bytes, std::size_t length, off_t offset) {
  static const auto next = real<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  if (is_file(descriptor) && fails_with(kSpace, "pwrite", ENOSPC)) return -1;
  return next(descriptor, bytes, shortened(length, "pwrite"), offset);
}
LUDENS_EXPORT ssize_t writev(int descriptor, const iovec* parts, int n) {
  static const auto next = real<ssize_t(int, const iovec*, int)>("writev");
  if (is_file(descriptor) && fails_with(kSpace, "writev", ENOSPC)) return -1;
  if (n > 0 && parts[0].iov_len > 0 && fails(kShort, "writev")) {
    return real<ssize_t(int, const void*, std::size_t)>("write")(descriptor, parts[0].iov_base, 1);
  }
  return next(descriptor, parts, n);
}
LUDENS_EXPORT ssize_t read(int descriptor, void* bytes, std::size_t length) {
  static const auto next = real<ssize_t(int, void*, std::size_t)>("read");
  if (is_file(descriptor) && fails_with(kReading, "read", EIO)) return -1;
  return next(descriptor, bytes, shortened(length, "read"));
}
LUDENS_EXPORT ssize_t recv(int descriptor, void* bytes, std::size_t length, int flags) {
  static const auto next = real<ssize_t(int, void*, std::size_t, int)>("recv");
  return next(descriptor, bytes, shortened(length, "recv"), flags);
}
LUDENS_EXPORT ssize_t send(int descriptor, const void* bytes, std::size_t length, int flags) {
  static const auto next = real<ssize_t(int, const void*, std::size_t, int)>("send");
  return next(descriptor, bytes, shortened(length, "send"), flags);
}
LUDENS_EXPORT ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  static const auto next = real<ssize_t(int, const msghdr*, int)>("sendmsg");
  if (message->msg_iovlen > 0 && message->msg_iov[0].iov_len > 0 && fails(kShort, "sendmsg")) {
    return real<ssize_t(int, const void*, std::size_t, int)>("send")(
        descriptor, message->msg_iov[0].iov_base, 1, flags);
  }
  return next(descriptor, message, flags);
}
LUDENS_EXPORT int fsync(int descriptor) {
  static const auto next = real<int(int)>("fsync");
  return fails_with(kSpace, "fsync", ENOSPC) ? -1 : next(descriptor);
}
LUDENS_EXPORT int fdatasync(int descriptor) {
  static const auto next = real<int(int)>("fdatasync");
  return fails_with(kSpace, "fdatasync", ENOSPC) ? -1 : next(descriptor);
}
LUDENS_EXPORT int rename(const char* from, const char* to) {
  static const auto next = real<int(const char*, const char*)>("rename");
  stall("rename");
  return fails_with(kSpace, "rename", ENOSPC) ? -1 : next(from, to);
}
LUDENS_EXPORT int unlink(const char* path) {
  static const auto next = real<int(const char*)>("unlink");
  stall("unlink");
  return next(path);
}
LUDENS_EXPORT int mkdir(const char* path, mode_t mode) {
  static const auto next = real<int(const char*, mode_t)>("mkdir");
  return fails_with(kSpace, "mkdir", ENOSPC) ? -1 : next(path, mode);
}

}  // extern "C"
