// SPDX-License-Identifier: MIT
#include "server/cli/commands.h"

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "agent/knowledge/knowledge_files.h"
#include "gdl/text/file.h"
#include "gdl/text/printable.h"
#include "search/learning/learner.h"
#include "search/mcts/playout_contestant.h"
#include "search/registry/registry.h"
#include "server/cli/exit_code.h"
#include "server/cli/learning_curve.h"
#include "server/cli/study.h"
#include "server/game/rulesheet.h"
#include "server/live/progress_line.h"
#include "server/records/atomic_file.h"

namespace ludens::server {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using Seconds = std::chrono::duration<double>;

/// States or playouts for each move, in matches that measure what was learned.
constexpr const char* kStates = "2000";
/// The share of the time for these matches.
constexpr double kMeasuring = 0.1;

class Learning {
 public:
  Learning(const LearnOptions& options, Study& study, gdl::CanonicalNames names, fs::path file)
      : options_(options),
        study_(study),
        names_(std::move(names)),
        file_(std::move(file)),
        curve_(fs::path(options.game).stem().string() + ": value against mcts, " + kStates +
               " states or playouts a move") {}

  int run() {
    if (const int code = begin(); code != kGood) return code;
    const search::Deadline end = study_.deadline(options_.seconds);
    while (!end.stop_requested()) {
      learn_until(end);
      if (const auto error = write())
        return fail(kCouldNot, "learn", file_.string() + ": " + error.message());
      const search::Score score = measure(end);
      tell(score);
      if (const auto error = draw(score)) {
        return fail(kCouldNot, "learn", options_.plot + ": " + error.message());
      }
    }
    std::cerr << "ludens: learn: " << gdl::printable(file_.string()) << "\n";
    return kGood;
  }

 private:
  /// Begins with the knowledge of the file, or without any.
  int begin() {
    search::LearningOptions how;
    how.seed = options_.seed;
    how.threads = options_.threads != 0 ? options_.threads
                                        : std::max(1U, std::thread::hardware_concurrency());
    auto made = [&]() -> gdl::Result<std::unique_ptr<search::Learner>> {
      if (!options_.resume) {
        return search::Learner::make(study_.position().machine, how, &study_.memory(),
                                     study_.deadline(options_.seconds));
      }
      const auto bytes = gdl::read_file(file_);
      if (!bytes) return gdl::Error{file_.string() + ": " + bytes.error().message()};
      const auto known = search::read_knowledge(*bytes, *study_.machine().vocabulary(), names_);
      if (!known) return gdl::Error{file_.string() + ": " + known.error().text};
      how.seed += known->statistics.games;
      return search::Learner::resume(study_.position().machine, *known, how, &study_.memory());
    }();
    if (!made) return fail(kCouldNot, "learn", made.error().text);
    learner_ = *std::move(made);
    std::cerr << "ludens: learn: " << learner_->explanation() << "\n";
    return kGood;
  }

  void learn_until(const search::Deadline& end) {
    const auto slice = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        Seconds(options_.interval * (1 - kMeasuring)));
    const ProgressLine progress(
        [&] { return std::to_string(learner_->statistics().games) + " games against itself"; });
    (void)learner_->learn(end.no_later_than(std::chrono::steady_clock::now() + slice));
  }

  std::error_code write() {
    std::error_code error;
    if (file_.has_parent_path()) fs::create_directories(file_.parent_path(), error);
    if (error) return error;
    return write_atomically(
        file_,
        search::write_knowledge(learner_->knowledge(), *study_.machine().vocabulary(), names_),
        Durability::Synced);
  }

  /// The score of as many matches as there is time for.
  search::Score measure(const search::Deadline& end) {
    search::Score score;
    auto values = learner_->snapshot();
    if (values == nullptr) return score;
    const search::Resources resources{.memory = &study_.memory(),
                                      .values = [&](const gdl::Machine&) { return values; }};
    const auto contestant = [&](const char* name, const char* cap) {
      const search::OptionTexts limits{{cap, kStates}, {"memory", "128"}, {"seed", "1"}};
      return search::mcts::PlayoutContestant(study_.position().machine,
                                             search::make_known_strategy(name, limits, resources));
    };
    auto learned = contestant("value", "nodes"), playouts = contestant("mcts", "playouts");
    search::SelfMatch match(study_.position(), end, &study_.memory(), learner_->statistics().games);
    if (!match.possible()) return score;
    const auto begin = std::chrono::steady_clock::now();
    while (Seconds(std::chrono::steady_clock::now() - begin) <
           Seconds(options_.interval * kMeasuring)) {
      const auto share = match.play_pair(learned, playouts);
      if (!share) break;
      score.add(*share);
    }
    return score;
  }

  std::error_code draw(const search::Score& score) {
    if (options_.plot.empty()) return {};
    if (score.pairs > 0) curve_.add(learner_->statistics().seconds, score);
    return write_atomically(options_.plot, curve_.svg(), Durability::Renamed);
  }

  void tell(const search::Score& matches) const {
    const search::LearningStatistics done = learner_->statistics();
    const auto score = matches.pairs == 0 ? std::nullopt : std::optional(100 * matches.mean());
    if (options_.json) {
      const json::object line{{"seconds", done.seconds},
                              {"games", done.games},
                              {"positions", done.judged},
                              {"score", score ? json::value(*score) : json::value()}};
      std::cout << json::serialize(line) << std::endl;
      return;
    }
    std::printf("%8.1f s  %10llu games  %14llu positions", done.seconds,
                static_cast<unsigned long long>(done.games),
                static_cast<unsigned long long>(done.judged));
    if (score) std::printf("  %5.1f %% against mcts", *score);
    std::printf("\n");
    std::fflush(stdout);
  }

  const LearnOptions& options_;
  Study& study_;
  const gdl::CanonicalNames names_;
  const fs::path file_;
  std::unique_ptr<search::Learner> learner_;
  LearningCurve curve_;
};

/// Returns why no picture can be written, as a sentence; empty if one can.
std::string problem_with_plot(const LearnOptions& options, const gdl::Machine& machine) {
  if (options.plot.empty()) return {};
  if (machine.role_count() - (machine.random_role() ? 1 : 0) != 2) {
    return "--plot needs matches, which are for games of two roles; leave it out here";
  }
  const auto error = try_writing(options.plot);
  return error ? options.plot + ": " + error.message() : std::string();
}

}  // namespace

int learn_command(const LearnOptions& options) {
  StudyOptions study_options;
  study_options.game = options.game;
  study_options.memory_mb = options.memory_mb;
  auto opened = Study::open("learn", study_options, "auto");
  if (!opened) return opened.error().exit_code;
  Study& study = **opened;
  if (const std::string why = problem_with_plot(options, study.machine()); !why.empty()) {
    return fail(kCouldNot, "learn", why);
  }
  auto names = gdl::canonical_names(study.machine().vocabulary()->rules());
  const fs::path folder = agent::knowledge_folder();
  if (options.out.empty() && folder.empty()) {
    return fail(kCouldNot, "learn", "there is no folder for knowledge; say where with --out");
  }
  const fs::path file = options.out.empty() ? agent::knowledge_file(folder, names->fingerprint)
                                            : fs::path(options.out);
  return Learning(options, study, *std::move(names), file).run();
}

}  // namespace ludens::server
