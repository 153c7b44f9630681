// SPDX-License-Identifier: MIT
// `ludens learn`: values of a game by self-play, into a file of knowledge.
#include "server/cli/commands.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "agent/knowledge/knowledge_files.h"
#include "search/learning/learner.h"
#include "search/learning/reach.h"
#include "search/mcts/playout_contestant.h"
#include "search/registry/registry.h"
#include "server/cli/exit_code.h"
#include "server/cli/join_parts.h"
#include "server/cli/learned_game.h"
#include "server/cli/learning_curve.h"
#include "server/cli/study.h"
#include "server/cli/terminal.h"
#include "server/game/rulesheet.h"
#include "server/records/atomic_file.h"

namespace ludens::server {

namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;

/// States or playouts for each move, in matches that measure what was learned.
constexpr const char* kStates = "2000";
/// The share of the time for these matches.
constexpr double kMeasuring = 0.1;

/// The file whose knowledge is the beginning; empty if there is none. What joins parts replaces its
/// file, and begins with their base.
fs::path begins_with(const LearnOptions& options, const fs::path& file) {
  const bool goes_on =
      options.resume && options.join.empty() && (options.base.empty() || fs::exists(file));
  return goes_on ? file : fs::path(options.base);
}

class Learning {
 public:
  /// `wide`: the machine of the game with what roles can reach; null if values don't depend on
  /// that.
  Learning(const LearnOptions& options, Study& study, const LearnedGame& game, fs::path file,
           std::shared_ptr<const gdl::ReachMachine> wide)
      : options_(options),
        study_(study),
        game_(game),
        wide_(std::move(wide)),
        file_(std::move(file)),
        curve_(fs::path(options.game).stem().string() + ": value against mcts, " + kStates +
               " states or playouts a move") {}

  int run() {
    if (const int code = begin(); code != kGood) return code;
    const search::Deadline end = study_.deadline(seconds_);
    while (!over_ && !end.stop_requested()) {
      const std::uint64_t before = games();
      const bool failed = learn_until(end) == gdl::Status::OverBudget;
      if (games() > (failed ? before : 0)) {
        if (const int code = keep(end); code != kGood) return code;
      }
      if (failed) return fail(kCouldNot, "learn", "memory is used up");
    }
    if (games() == 0) return fail(kCouldNot, "learn", "no time to play a game");
    print_written(file_);
    return kGood;
  }

 private:
  /// A part plays no matches.
  [[nodiscard]] bool is_part() const { return !options_.base.empty(); }

  /// Finished games, including those of the file that it goes on with.
  [[nodiscard]] std::uint64_t games() const { return learner_->statistics().games; }

  [[nodiscard]] std::shared_ptr<const gdl::Machine> machine() const {
    return wide_ != nullptr ? wide_ : study_.position().machine;
  }

  int begin() {
    search::LearningOptions how;
    how.seed = options_.seed;
    how.for_a_file = true;
    how.threads = options_.threads != 0 ? options_.threads
                                        : std::max(1U, std::thread::hardware_concurrency());
    auto made = make_learner(how);
    if (!made) return fail(kCouldNot, "learn", made.error().text);
    learner_ = *std::move(made);
    std::cerr << "ludens: learn: " << learner_->explanation() << "\n";
    return kGood;
  }

  /// Begins with the knowledge of a file, or without any.
  gdl::Result<std::unique_ptr<search::Learner>> make_learner(search::LearningOptions& how) {
    const fs::path first = begins_with(options_, file_);
    if (first.empty()) {
      return search::Learner::make(machine(), how, &study_.memory(), study_.deadline(seconds_));
    }
    const auto known = game_.read(first);
    if (!known) return gdl::Error{known.error().text};
    if (is_part() && first == file_) {
      const auto base = game_.read(options_.base);
      if (!base) return gdl::Error{base.error().text};
      spend(known->statistics.seconds - base->statistics.seconds);
    }
    how.seed += known->statistics.games;
    return search::Learner::resume(machine(), *known, how, &study_.memory());
  }

  /// A part that goes on has only the rest of its time.
  void spend(double seconds) {
    if (seconds_ == 0) return;
    seconds_ -= seconds;
    over_ = seconds_ <= 0;
  }

  /// OverBudget if no more can be learned.
  gdl::Status learn_until(const search::Deadline& end) {
    const auto slice = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        Seconds(options_.interval * (is_part() ? 1 : 1 - kMeasuring)));
    const ProgressLine progress([&] { return std::to_string(games()) + " games against itself"; });
    return learner_->learn(end.no_later_than(std::chrono::steady_clock::now() + slice));
  }

  /// Writes what was learned, and says how good it is.
  int keep(const search::Deadline& end) {
    if (const auto error = game_.write(file_, learner_->knowledge())) {
      return fail(kCouldNot, "learn", file_.string() + ": " + error.message());
    }
    const search::Score score = measure(end);
    tell(score);
    if (const auto error = draw(score)) {
      return fail(kCouldNot, "learn", options_.plot + ": " + error.message());
    }
    return kGood;
  }

  /// The score of as many matches as there is time for.
  search::Score measure(const search::Deadline& end) {
    search::Score score;
    if (is_part()) return score;
    auto values = learner_->snapshot();
    if (values == nullptr) return score;
    const search::Resources resources{.memory = &study_.memory(),
                                      .values = [&](const gdl::Machine&) {
                                        return search::LearnedValues{values, wide_};
                                      }};
    const auto contestant = [&](const char* name, const char* cap) {
      const search::OptionTexts limits{{cap, kStates}, {"memory", "128"}, {"seed", "1"}};
      return search::mcts::PlayoutContestant(study_.position().machine,
                                             search::make_known_strategy(name, limits, resources));
    };
    auto learned = contestant("value", "nodes"), playouts = contestant("mcts", "playouts");
    search::SelfMatch match(study_.position(), end, &study_.memory(), games());
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
    const auto score = matches.pairs == 0 ? std::nullopt : std::optional(100 * matches.mean());
    print_learned(learner_->statistics(), score, options_.json);
  }

  const LearnOptions& options_;
  Study& study_;
  const LearnedGame& game_;
  const std::shared_ptr<const gdl::ReachMachine> wide_;
  const fs::path file_;
  double seconds_ = options_.seconds;
  bool over_ = false;  // nothing is left of them
  std::unique_ptr<search::Learner> learner_;
  LearningCurve curve_;
};

/// Returns why what is learned can't be written, or would replace what a call before this one has
/// learned, as a sentence; empty if it can. Creates the folder.
std::string problem_with_file(const LearnOptions& options, const fs::path& file) {
  std::error_code error;
  if (!options.resume && fs::is_regular_file(file, error)) {
    return file.string() + ": it exists; --resume " +
           (options.join.empty() ? "goes on with it" : "replaces it") +
           ", --out takes another file";
  }
  error.clear();  // it does not exist
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  if (!error) error = try_writing(file);
  return error ? file.string() + ": " + error.message() : std::string();
}

/// Returns why no picture can be written, as a sentence; empty if one can.
std::string problem_with_plot(const LearnOptions& options, const gdl::Machine& machine) {
  if (options.plot.empty()) return {};
  if (machine.role_count() - (machine.random_role() ? 1 : 0) != 2) {
    return "--plot needs matches, which are for games of two roles; leave it out here";
  }
  const auto error = try_writing(options.plot);
  return error ? options.plot + ": " + error.message() : std::string();
}

/// The machine with what roles can reach, as far as the file to begin with or the option says; null
/// for none.
gdl::Result<std::shared_ptr<const gdl::ReachMachine>> wide_machine(const LearnOptions& options,
                                                                   Study& study,
                                                                   const LearnedGame& game,
                                                                   const fs::path& file) {
  const fs::path first = begins_with(options, file);
  std::uint32_t reach = options.reach;
  if (!first.empty()) {
    const auto known = game.reach_of(first);
    if (!known) return known.error();
    reach = *known;
  }
  if (reach == 0) return std::shared_ptr<const gdl::ReachMachine>();
  return search::with_reach(study.position().machine, reach, &study.memory(),
                            study.deadline(options.seconds));
}

}  // namespace

int learn_command(const LearnOptions& options) {
  if (!options.join.empty() && options.base.empty()) {
    return fail(kWrongUse, "learn", "--join needs --base, the file that all parts begin with");
  }
  StudyOptions study_options;
  study_options.game = options.game;
  study_options.memory_mb = options.memory_mb;
  study_options.seconds = options.seconds;
  auto opened = Study::open("learn", study_options, "auto", Pace::OneAlone);
  if (!opened) return opened.error().exit_code;
  Study& study = **opened;
  if (const std::string why = problem_with_plot(options, study.machine()); !why.empty()) {
    return fail(kCouldNot, "learn", why);
  }
  const LearnedGame game(study.machine().vocabulary());
  const fs::path folder = agent::knowledge_folder();
  if (options.out.empty() && folder.empty()) {
    return fail(kCouldNot, "learn", "there is no folder for knowledge; say where with --out");
  }
  const fs::path file = options.out.empty() ? agent::knowledge_file(folder, game.fingerprint())
                                            : fs::path(options.out);
  if (const std::string why = problem_with_file(options, file); !why.empty()) {
    return fail(kCouldNot, "learn", why);
  }
  // The names of what roles can reach, of which files speak, come with the machine.
  auto wide = wide_machine(options, study, game, file);
  if (!wide) return fail(kCouldNot, "learn", wide.error().text);
  if (!options.join.empty()) return join_parts(options, game, file);
  return Learning(options, study, game, file, *std::move(wide)).run();
}

}  // namespace ludens::server
