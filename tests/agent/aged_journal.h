// SPDX-License-Identifier: MIT
// A journal of long ago, for tests of what silence means.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "agent/journal/journal_text.h"

namespace ludens::agent {

/// Makes the last entry of the journal so old, as if the machine had been restarted since.
inline void age_journal(const std::filesystem::path& file, std::chrono::seconds age) {
  std::ifstream in(file);
  JournalledMatch match = *parse_journal(std::string{std::istreambuf_iterator<char>(in), {}});
  match.boot = "another";
  std::ofstream(file) << journal_text(match);
  std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - age);
}

}  // namespace ludens::agent
