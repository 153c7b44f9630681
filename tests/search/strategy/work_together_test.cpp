// SPDX-License-Identifier: MIT
#include "search/strategy/work_together.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <string>

namespace ludens::search {
namespace {

TEST(WorkTogether, EachDoesItsPartAndTheFirstIsTheCaller) {
  std::mutex mutex;
  std::set<std::size_t> done;
  std::thread::id first;
  work_together(
      5,
      [&](std::size_t i) {
        const std::lock_guard lock(mutex);
        done.insert(i);
        if (i == 0) first = std::this_thread::get_id();
      },
      [] { ADD_FAILURE() << "nothing was thrown"; });
  EXPECT_EQ(done, (std::set<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(first, std::this_thread::get_id());
}

TEST(WorkTogether, WhatOneThrowsEndsTheOthersAndComesToTheCaller) {
  for (const std::size_t thrower : {std::size_t{0}, std::size_t{2}}) {
    std::atomic<bool> over = false;
    std::atomic<int> ended = 0;
    const auto work = [&](std::size_t i) {
      if (i == thrower) throw std::runtime_error("of " + std::to_string(i));
      over.wait(false);
      ++ended;
    };
    std::string what;
    try {
      work_together(4, work, [&] {
        over = true;
        over.notify_all();
      });
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
    EXPECT_EQ(what, "of " + std::to_string(thrower));
    EXPECT_EQ(ended, 3);
  }
}

}  // namespace
}  // namespace ludens::search
