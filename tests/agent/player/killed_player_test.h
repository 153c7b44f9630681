// SPDX-License-Identifier: MIT
// A player with journals that can be killed in mid-match.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "agent/journal/journal.h"
#include "tests/agent/aged_journal.h"
#include "tests/agent/player/player_test.h"
#include "tests/agent/temporary_folder.h"

namespace ludens::agent {

class KilledPlayerTest : public PlayerTest {
 protected:
  void SetUp() override {
    PlayerTest::SetUp();
    options.journal_dir = (folder.path() / "journal").string();
  }
  [[nodiscard]] std::filesystem::path file(const std::string& id) const {
    return std::filesystem::path(options.journal_dir) / journal_name(id);
  }
  /// How many lines the journal of a match has.
  [[nodiscard]] std::size_t lines(const std::string& id) const {
    std::ifstream in(file(id));
    return static_cast<std::size_t>(
        std::count(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), '\n'));
  }
  /// What a killed process leaves: its files as they are at this moment. The next one is started so
  /// long afterwards.
  void crash(std::chrono::seconds afterwards = {}) {
    namespace fs = std::filesystem;
    const fs::path saved = folder.path() / "saved";
    std::error_code error;
    do {  // again where a file was renamed meanwhile: that copy is of no one moment
      fs::remove_all(saved);
      fs::copy(options.journal_dir, saved, fs::copy_options::recursive, error);
    } while (error);
    script->release = true;
    player.reset();
    fs::remove_all(options.journal_dir);
    fs::rename(saved, options.journal_dir);
    script->release = false;
    if (afterwards.count() > 0) {
      for (const auto& entry : fs::directory_iterator(options.journal_dir)) {
        if (entry.path().extension() == ".journal") age_journal(entry.path(), afterwards);
      }
    }
    make_player();
  }

  TemporaryFolder folder;
};

}  // namespace ludens::agent
