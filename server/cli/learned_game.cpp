// SPDX-License-Identifier: MIT
#include "server/cli/learned_game.h"

#include <boost/json.hpp>
#include <cstdio>
#include <iostream>

#include "gdl/text/file.h"
#include "gdl/text/printable.h"
#include "server/records/atomic_file.h"

namespace ludens::server {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

gdl::Error about(const fs::path& file, const std::string& problem) {
  return {file.string() + ": " + problem};
}

}  // namespace

gdl::Result<search::Knowledge> LearnedGame::read(const fs::path& file) const {
  const auto bytes = gdl::read_file(file);
  if (!bytes) return about(file, bytes.error().message());
  auto known = search::read_knowledge(*bytes, *vocabulary_, names_);
  if (!known) return about(file, known.error().text);
  return known;
}

gdl::Result<std::uint32_t> LearnedGame::reach_of(const fs::path& file) const {
  const auto bytes = gdl::read_file(file);
  if (!bytes) return about(file, bytes.error().message());
  auto reach = search::reach_of_knowledge(*bytes, names_);
  if (!reach) return about(file, reach.error().text);
  return reach;
}

std::error_code LearnedGame::write(const fs::path& file, const search::Knowledge& knowledge) const {
  const std::string bytes = search::write_knowledge(knowledge, *vocabulary_, names_);
  if (bytes.size() > search::kMostKnowledge) {
    return std::make_error_code(std::errc::file_too_large);
  }
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  if (error) return error;
  return write_atomically(file, bytes, Durability::Synced);
}

void print_written(const fs::path& file) {
  std::cerr << "ludens: learn: what was learned is in " << gdl::printable(file.string()) << "\n";
}

void print_learned(const search::LearningStatistics& done, std::optional<double> score, bool json) {
  if (json) {
    const json::object line{{"seconds", done.seconds},
                            {"games", done.games},
                            {"positions", done.evaluated},
                            {"score", score ? json::value(*score) : json::value()}};
    std::cout << json::serialize(line) << std::endl;
    return;
  }
  std::printf("%8.1f s  %10llu games  %14llu positions", done.seconds,
              static_cast<unsigned long long>(done.games),
              static_cast<unsigned long long>(done.evaluated));
  if (score) std::printf("  %5.1f %% against mcts", *score);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace ludens::server
