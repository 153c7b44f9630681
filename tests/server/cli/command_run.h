// SPDX-License-Identifier: MIT
// A command line, run within the test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "server/cli/command_line.h"

namespace ludens::server {

struct CommandRun {
  int code = -1;
  std::string out, err;
};

/// `ludens WORDS...`, with what it wrote.
inline CommandRun run_command(std::vector<std::string> words) {
  words.insert(words.begin(), "ludens");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  CommandRun result;
  result.code = run_command_line(static_cast<int>(arguments.size()), arguments.data());
  result.out = testing::internal::GetCapturedStdout();
  result.err = testing::internal::GetCapturedStderr();
  return result;
}

inline bool one_line(const std::string& text) {
  return !text.empty() && std::count(text.begin(), text.end(), '\n') == 1 && text.back() == '\n';
}

}  // namespace ludens::server
