// SPDX-License-Identifier: MIT
// Calls of the system that fail within a test of this program. What fails in a run of the whole
// program is the preloaded library's.
#pragma once

#include <cstdint>

namespace ludens::faults {

/// While it lives, the N-th call of a kind that this thread makes fails.
class FailingCall {
 public:
  enum class Kind { New, Thread };  // memory from `new`; the start of a thread
  FailingCall(Kind kind, std::uint64_t number);
  ~FailingCall();
  FailingCall(const FailingCall&) = delete;
  FailingCall& operator=(const FailingCall&) = delete;
  /// Whether there were so many calls.
  [[nodiscard]] bool happened() const;

 private:
  const Kind kind_;
};

/// While it lives, no thread but this one gets memory from `new`.
class MemoryOfOneThread {
 public:
  MemoryOfOneThread();
  ~MemoryOfOneThread();
  MemoryOfOneThread(const MemoryOfOneThread&) = delete;
  MemoryOfOneThread& operator=(const MemoryOfOneThread&) = delete;
};

}  // namespace ludens::faults
