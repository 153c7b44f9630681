// SPDX-License-Identifier: MIT
#include "server/cli/study.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gdl/text/nearest_name.h"
#include "gdl/text/syntax.h"
#include "search/hidden/known_position.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/cli/terminal.h"
#include "server/game/moves_file.h"
#include "server/game/position.h"
#include "server/statistics/number_text.h"

namespace ludens::server {

namespace {

/// The shares of the time that work waits for the machine, by its pace. A machine that is ready
/// within the first spares it a second beginning.
constexpr double kShortShare = 0.1, kLongShare = 0.75;
/// The share of its time that a search gets in any case: an answer that comes a little late is
/// better than none.
constexpr double kLeastShare = 0.25;
/// Rules are read, and their first position is derived, for this long in any case.
constexpr double kSecondsToBegin = 2;

}  // namespace

gdl::Result<std::unique_ptr<Study>, Failure> Study::open(const std::string& command,
                                                         const StudyOptions& options,
                                                         const std::string& machine, Pace pace) {
  std::unique_ptr<Study> study(new Study(options));
  if (const int code = study->load(command, options, machine, pace); code != kGood) {
    return Failure{code};
  }
  if (const int code = study->find_role(command, options.role); code != kGood) return Failure{code};
  if (const int code = study->make_moves(command, options); code != kGood) {
    return Failure{code};
  }
  return study;
}

Study::Study(const StudyOptions& options)
    : begun_(options.begun),
      limit_(options.seconds <= 0
                 ? search::Deadline(interrupt_.token())
                 : search::Deadline::after(begun_, std::max(options.seconds, kSecondsToBegin),
                                           interrupt_.token())),
      memory_(options.memory_mb << 20) {}

int Study::load(const std::string& command, const StudyOptions& options, const std::string& machine,
                Pace pace) {
  auto loaded = load_for_study(options.game, &limit_);
  if (!loaded) return loaded.error().exit_code;
  vocabulary_ = std::make_shared<gdl::Vocabulary>(loaded->rules);
  const ProgressLine progress([] { return "getting the rules ready"; });
  auto made =
      PreparedMachine::make(machine, vocabulary_, limit_,
                            pace == Pace::AtOnce ? deadline(options.seconds).share(kShortShare).at()
                                                 : limit_.share(kLongShare).at());
  if (!made) return fail(kCouldNot, command, made.error().text);
  machine_ = *std::move(made);
  if (pace == Pace::OneAlone) machine_.settle();
  position_.machine = machine_.first();
  return kGood;
}

int Study::find_role(const std::string& command, const std::string& name) {
  std::vector<std::string> names;
  for (gdl::RoleIndex role = 0; role < machine().role_count(); ++role) {
    names.push_back(machine().role_name(role));
    const bool wanted = name.empty() ? machine().random_role() != role
                                     : gdl::fold_case(names.back()) == gdl::fold_case(name);
    if (!wanted) continue;
    position_.role = role;
    return kGood;
  }
  if (name.empty()) return fail(kNotGood, command, "there is no role but random");
  return fail(kWrongUse, command,
              "there is no role '" + name + "'" + gdl::did_you_mean(name, names));
}

void Study::ask_decider(const Position& here) {
  for (gdl::RoleIndex role = 0; role < machine().role_count(); ++role) {
    if (role == machine().random_role() || here.legal(role).size() < 2) continue;
    position_.role = role;
    return;
  }
}

int Study::make_moves(const std::string& command, const StudyOptions& options) {
  Position here(position_.machine, {&limit_, &memory_});
  if (const auto status = here.begin(); status != gdl::Status::Ok) {
    const bool late = status == gdl::Status::Stopped && !limit_.interrupted();
    return fail(kCouldNot, command,
                late ? "the rules could not be evaluated in the time given" : explain(status));
  }
  if (const std::string& file = options.moves_file; !file.empty() || !options.moves.empty()) {
    MovesMade made =
        file.empty() ? make_moves_of_text(options.moves, here) : make_moves_of_file(file, here);
    if (!made.problem.empty()) {
      return fail(made.readable ? kNotGood : kCouldNot, command, made.problem);
    }
    position_.history = std::move(made.history);
  }
  if (options.of_decider && options.role.empty()) ask_decider(here);
  if (here.terminal()) return fail(kNotGood, command, "the match is over in this position");
  const std::span<const gdl::MoveId> legal = here.legal(position_.role);
  if (legal.empty()) {
    return fail(kNotGood, command, role_name() + " has no legal move in this position");
  }
  legal_.assign(legal.begin(), legal.end());
  position_.state.assign(here.state());
  if (here.hides_moves()) position_.known = here.known(position_.role);
  return kGood;
}

bool Study::believe(const search::Deadline& deadline) {
  if (!position_.known) return true;
  bool found = false;
  (void)search::hidden::believe(position_, search::hidden::MatchPhase::GoesOn, deadline, &memory_,
                                found);
  return found;
}

std::string Study::move_name(gdl::MoveId move) const {
  return move == gdl::kNoMove ? std::string("-") : vocabulary_->move_text(move);
}

std::string Study::joint_move_name(gdl::JointMove moves) const {
  std::string text = "(";
  for (const gdl::MoveId move : moves) text += " " + move_name(move);
  return text + " )";
}

std::string Study::line_text(gdl::JointMove variation, std::size_t steps) const {
  const std::size_t roles = machine().role_count();
  const auto context = machine().make_context();
  gdl::State state = position_.state, after;
  std::vector<gdl::MoveId> legal;
  std::string text;
  for (std::size_t at = 0; at + roles <= variation.size(); at += roles) {
    if (at == steps * roles) return text + " ...";
    const gdl::JointMove joint = variation.subspan(at, roles);
    std::string chosen, forced;
    for (gdl::RoleIndex role = 0; role < roles; ++role) {
      if (machine().legal(*context, state, role, legal) != gdl::Status::Ok) return text;
      std::string& words = legal.size() > 1 ? chosen : forced;
      words += (words.empty() ? "" : " ") + move_name(joint[role]);
    }
    text += (text.empty() ? "" : ", ") + (chosen.empty() ? forced : chosen);
    if (machine().next(*context, state, joint, after) != gdl::Status::Ok) return text;
    std::swap(state, after);
  }
  return text;
}

void Study::run(const search::Deadline& deadline, const Work& work) {
  const search::Position first = position_;
  machine_.run(first, deadline, [&](const auto& here, const search::Deadline& until) {
    position_ = here;
    return work(until);
  });
}

/// What an earlier machine has proved is kept where the later one has less.
search::Solution Study::solve(search::SolveMethod method, const search::Deadline& deadline,
                              search::Policy* policy, bool all_moves) {
  std::optional<search::Solution> best;
  run(deadline, [&](const search::Deadline& until) {
    if (policy != nullptr) *policy = {};
    search::Solution found = search::solve(position_, method, until, &memory_, policy, all_moves);
    const std::uint64_t nodes = found.nodes + (best ? best->nodes : 0);
    if (!best || found.high - found.low <= best->high - best->low) best = std::move(found);
    best->nodes = nodes;
    return best->exact;
  });
  return *std::move(best);
}

search::Deadline Study::deadline(double seconds) const {
  if (seconds <= 0) return search::Deadline(interrupt_.token());
  const auto least = search::Deadline::in(kLeastShare * seconds).at();
  const auto end = search::Deadline::after(begun_, seconds).at();
  return search::Deadline(std::max(end, least), interrupt_.token());
}

std::string cap_text(double seconds) {
  return seconds > 0 ? "of " + number_text("%.6g", seconds) + " s, " : std::string();
}

}  // namespace ludens::server
