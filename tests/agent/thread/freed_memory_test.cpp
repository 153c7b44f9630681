// SPDX-License-Identifier: MIT
#include "agent/thread/freed_memory.h"
#include "tests/sanitizers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

namespace ludens::agent {
namespace {

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::unique_ptr<char[]> block(std::size_t bytes) {
  std::unique_ptr<char[]> made(new char[bytes]);
  std::memset(made.get(), 1, bytes);
  return made;
}

/// Threads that take and free a lot keep little memory, although a large block was freed, which
/// makes the allocator generous.
TEST(FreedMemory, GoesBackToTheSystem) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer keeps what is freed";
  keep_little_freed_memory();
  block(std::size_t{30} << 20).reset();
  const std::size_t before = resident_bytes();
  for (int i = 0; i < 4; ++i) {
    // All at once, so that each thread has an arena of its own.
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([] {
        std::vector<std::unique_ptr<char[]>> blocks;
        for (int b = 0; b < 400; ++b) blocks.push_back(block(100'000));
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_LT(resident_bytes(), before + (std::size_t{20} << 20));
}

}  // namespace
}  // namespace ludens::agent
