// SPDX-License-Identifier: MIT
#include "tests/faults/failing_calls.h"

#include <dlfcn.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace ludens::faults {

namespace {

thread_local std::array<std::uint64_t, 2> calls_left{};  // [kind], the last of which fails; 0: all
                                                         // succeed
thread_local bool has_memory = false;                    // whatever the others have
std::atomic<bool> others_have_none{false};

std::uint64_t& left(FailingCall::Kind kind) {
  return calls_left[static_cast<std::size_t>(kind)];
}

bool fails(FailingCall::Kind kind) {
  return left(kind) > 0 && --left(kind) == 0;
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (others_have_none && !has_memory) throw std::bad_alloc();
  if (fails(FailingCall::Kind::New)) throw std::bad_alloc();
  void* memory = nullptr;
  if (::posix_memalign(&memory, alignment, bytes) != 0) throw std::bad_alloc();
  return memory;
}

}  // namespace

FailingCall::FailingCall(Kind kind, std::uint64_t number) : kind_(kind) {
  left(kind_) = number;
}
FailingCall::~FailingCall() {
  left(kind_) = 0;
}
bool FailingCall::happened() const {
  return left(kind_) == 0;
}

MemoryOfOneThread::MemoryOfOneThread() {
  has_memory = true;
  others_have_none = true;
}
MemoryOfOneThread::~MemoryOfOneThread() {
  others_have_none = false;
  has_memory = false;
}

}  // namespace ludens::faults

// The rest of the family calls these.
void* operator new(std::size_t bytes) {
  return ludens::faults::allocate(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return ludens::faults::allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) {
  using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto next = reinterpret_cast<Create*>(dlsym(RTLD_NEXT, "pthread_create"));
  if (ludens::faults::fails(ludens::faults::FailingCall::Kind::Thread)) return EAGAIN;
  return next(thread, attributes, start, argument);
}
