// SPDX-License-Identifier: MIT
#include "server/match/match.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/rng.h"
#include "gdl/text/syntax.h"
#include "search/strategy/stopping.h"
#include "server/match/judge.h"
#include "server/match/opening.h"
#include "server/match/questions.h"
#include "server/match/repeated_warnings.h"
#include "server/match/told_game.h"
#include "server/records/record_files.h"

namespace ludens::server {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// The longest time that an interrupted match waits for answers to ABORT.
constexpr milliseconds kInterruptedLimit{600};
/// A state is derived within twice the clock of the players, or this: they wait for it, too.
constexpr seconds kLeastToDerive{10};
/// States and moves of a match, in bytes. The longest of the public games take less than one.
constexpr std::size_t kMostText = std::size_t{32} << 20;

TimePoint after(milliseconds duration) {
  return std::chrono::steady_clock::now() + duration;
}

ReplacementPolicy policy(const MatchOptions& options) {
  if (options.replace) return *options.replace;
  return options.dialect->replaces_at_random ? ReplacementPolicy::Random : ReplacementPolicy::First;
}

/// The counter of an error: that of its code, unless the player knows better.
std::size_t FaultCounts::*fault(const std::string& error, Trouble trouble) {
  switch (trouble) {
    case Trouble::Late:
      return &FaultCounts::late;
    case Trouble::Unfinished:
      return &FaultCounts::unfinished;
    case Trouble::Refused:
      return &FaultCounts::refused;
    case Trouble::Dropped:
      return &FaultCounts::dropped;
    case Trouble::None:
      break;
  }
  const std::string code = error_code(error);
  if (code == "TO") return &FaultCounts::late;
  if (code == "CE") return &FaultCounts::dropped;
  return code == "IL" ? &FaultCounts::illegal : &FaultCounts::garbage;
}

/// A running match.
class MatchRun {
 public:
  MatchRun(const Rulesheet& game, const MatchOptions& options,
           const std::vector<std::unique_ptr<MatchPlayer>>& players,
           boost::asio::io_context& context, std::stop_token stop, MatchObserver& observer)
      : game_(game),
        options_(options),
        players_(players),
        context_(context),
        stop_(std::move(stop)),
        observer_(observer),
        stop_signal_(stop_),
        memory_(std::make_shared<gdl::MemoryBudget>(options.memory_bytes)),
        position_(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(game.rules, memory_),
                                        {&stop_signal_, memory_.get()}),
                  {&stop_signal_, memory_.get()}),
        judge_(position_, policy(options), options.seed) {
    if (players.size() != position_.roles()) throw std::invalid_argument("one player a role");
    told_turns_.resize(players.size());
    told_ = options.scramble ? std::make_shared<ToldGame>(
                                   game.rules, Scrambler(*game.rules->source, options.seed))
                             : std::make_shared<ToldGame>(game.rules);
    if (!options.folder.empty()) files_.emplace(options.folder, options.match_id);
  }

  MatchRecord run() {
    fill_in_header();
    find_opening();
    limit_derivation(options_.start_clock_seconds);
    if (!reached(position_.begin())) return std::move(record_);
    observer_.begun(record_, position_);
    announce_opening();
    if (!record_.aborted) preview();
    if (!record_.aborted && !stop_.stop_requested()) {
      start();
      save();
    }
    while (!ended()) step();
    observer_.ended(record_);
    return std::move(record_);
  }

 private:
  void fill_in_header();
  [[nodiscard]] std::string player_name(gdl::RoleIndex role) const;
  [[nodiscard]] bool reached(gdl::Status status);
  void limit_derivation(int clock_seconds);
  void find_opening();
  void announce_opening();
  void preview();
  void start();
  [[nodiscard]] std::string wire_id(gdl::RoleIndex role) const;
  void append_start(const Answers& answers);
  /// Ends the match if there is a reason to.
  bool ended();
  void step();
  [[nodiscard]] std::optional<std::vector<gdl::MoveId>> ask_moves(std::vector<Verdict>& verdicts,
                                                                  Answers& answers);
  void append_step(const std::vector<gdl::MoveId>& moves, const std::vector<Verdict>& verdicts,
                   const Answers& answers);
  void append_latencies(const Answers& answers);
  /// Counts the errors in the last row of the record.
  void count_faults(const Answers& answers);
  void complete();
  void abort(const std::string& reason);
  [[nodiscard]] std::string stop_reason() const;
  [[nodiscard]] bool is_gone(const std::optional<Answer>& answer) const;
  [[nodiscard]] std::string failure() const;
  [[nodiscard]] MatchPlayer::Done releasing(gdl::RoleIndex role, MatchPlayer::Done done);
  void save();
  void warn(const std::string& text);
  [[nodiscard]] std::vector<ToldMove> told_percepts(gdl::RoleIndex role) const;
  void tell(const std::vector<gdl::MoveId>& moves);

  const Rulesheet& game_;
  const MatchOptions& options_;
  const std::vector<std::unique_ptr<MatchPlayer>>& players_;
  boost::asio::io_context& context_;
  std::stop_token stop_;
  MatchObserver& observer_;
  search::Deadline stop_signal_;
  std::shared_ptr<gdl::MemoryBudget> memory_;
  Position position_;
  Judge judge_;
  std::shared_ptr<const ToldGame> told_;
  std::vector<std::vector<gdl::MoveId>> opening_;
  std::optional<RecordFiles> files_;
  MatchRecord record_;
  RepeatedWarnings warnings_;
  RecordBudget room_{kMostText};
  bool full_ = false;
  std::vector<std::size_t> failures_;  // of each role: errors in a row up to the current step
  std::vector<ToldTurn> told_turns_;   // of each role: what its player learns about the last turn
};

void MatchRun::fill_in_header() {
  record_.match_id = options_.match_id;
  record_.start_time_ms = wall_clock_ms();
  record_.random_token = random_match_token();
  record_.game = game_.name;
  record_.game_meta_url = "ludens:" + game_.name;
  record_.rulesheet = game_.text;
  record_.tournament = options_.tournament;
  record_.preview_clock = options_.preview_clock_seconds.value_or(-1);
  record_.start_clock = options_.start_clock_seconds;
  record_.play_clock = options_.play_clock_seconds;
  record_.scrambled = options_.scramble;
  record_.dialect = options_.dialect->name;
  record_.seed = options_.seed;
  record_.continues = options_.continues;
  record_.faults.resize(players_.size());
  failures_.resize(players_.size());
  for (gdl::RoleIndex role = 0; role < players_.size(); ++role) {
    record_.roles.push_back(position_.machine().role_name(role));
    record_.players.push_back(player_name(role));
    record_.human.push_back(players_[role] && players_[role]->human());
  }
}

std::string MatchRun::player_name(gdl::RoleIndex role) const {
  if (!players_[role]) return "random";
  return storable(options_.player_names.empty() ? players_[role]->name()
                                                : options_.player_names[role]);
}

/// Appends the new state of the position. False, with the match aborted, if it could not be
/// reached.
bool MatchRun::reached(gdl::Status status) {
  if (status != gdl::Status::Ok) {
    const bool late = status == gdl::Status::Stopped && !stop_.stop_requested();
    abort(late                             ? "the rules could not be evaluated in time"
          : status == gdl::Status::Stopped ? stop_reason()
                                           : std::string(explain(status)));
    return false;
  }
  if (!room_.take(position_.text().size())) {
    abort("the states of this match are too large to be recorded");
    return false;
  }
  record_.states.push_back(position_.text());
  record_.state_times_ms.push_back(wall_clock_ms());
  for (const gdl::Flaw& flaw : position_.flaws()) warn(describe(flaw, position_.machine()));
  return true;
}

void MatchRun::limit_derivation(int clock_seconds) {
  stop_signal_ =
      search::Deadline(after(std::max(kLeastToDerive, 2 * seconds(clock_seconds))), stop_);
}

void MatchRun::find_opening() {
  if (!options_.first_moves.empty()) {
    opening_ = repeat_opening(position_, options_.first_moves);
  } else if (options_.opening_steps > 0) {
    opening_ = draw_opening(position_, options_.opening_steps, options_.seed);
  }
}

void MatchRun::announce_opening() {
  record_.opening_steps = opening_.size();
  if (opening_.size() < options_.first_moves.size()) {
    return abort("the moves of the match that it continues can't be made again");
  }
  if (opening_.size() >= options_.opening_steps) return;
  warn("no opening of " + std::to_string(options_.opening_steps) +
       " steps was found that does not end the game");
}

void MatchRun::preview() {
  if (!options_.preview_clock_seconds || !options_.dialect->has_preview_and_abort) return;
  const int clock = *options_.preview_clock_seconds;
  const TimePoint deadline = after(seconds(clock) + options_.dialect->play_slack);
  ask_all(
      players_,
      [&](MatchPlayer& player, gdl::RoleIndex, MatchPlayer::Done done) {
        player.preview(*told_, clock, deadline, std::move(done));
      },
      context_, stop_);
}

void MatchRun::start() {
  const TimePoint deadline =
      after(seconds(options_.start_clock_seconds) + options_.dialect->start_slack);
  observer_.asked(record_, deadline);
  const Answers answers = ask_all(
      players_,
      [&](MatchPlayer& player, gdl::RoleIndex role, MatchPlayer::Done done) {
        player.start({wire_id(role), told_->role(role), told_, options_.start_clock_seconds,
                      options_.play_clock_seconds},
                     deadline, std::move(done));
      },
      context_, stop_);
  append_start(answers);
}

/// Players with the same name are at the same address, or in this program, where ids do not matter.
std::string MatchRun::wire_id(gdl::RoleIndex role) const {
  const std::string& id = options_.wire_id.empty() ? options_.match_id : options_.wire_id;
  const auto same = [&](const auto& other) {
    return other && other->name() == players_[role]->name();
  };
  const auto first = std::find_if(players_.begin(), players_.end(), same);
  return first->get() == players_[role].get() ? id : id + "." + std::to_string(role);
}

/// Appends the first row of the record, that of START.
void MatchRun::append_start(const Answers& answers) {
  auto& errors = record_.errors.emplace_back(players_.size());
  for (gdl::RoleIndex role = 0; role < players_.size(); ++role) {
    if (!answers[role]) continue;
    errors[role] = judge_.start_error(*answers[role]);
    const std::string complaint = judge_.complaint_of_start(*answers[role]);
    if (!complaint.empty()) warn("role " + record_.roles[role] + ": " + complaint);
  }
  append_latencies(answers);
  count_faults(answers);
}

bool MatchRun::ended() {
  if (record_.completed || record_.aborted) return true;
  if (position_.terminal()) {
    // Also if it is interrupted now, or a player has failed: the rules say that it is over.
    complete();
  } else if (stop_.stop_requested()) {
    abort(stop_reason());
  } else if (options_.step_cap > 0 && record_.moves.size() >= options_.step_cap) {
    abort("step cap of " + std::to_string(options_.step_cap) + " reached");
  } else if (full_) {
    abort("the moves of this match are too large to be recorded");
  } else if (!record_.failed_roles.empty()) {
    abort(failure());
  } else {
    for (gdl::RoleIndex role = 0; role < players_.size(); ++role) {
      if (!position_.legal(role).empty()) continue;
      abort("role " + record_.roles[role] + " has no legal move");
      break;
    }
  }
  return record_.completed || record_.aborted;
}

void MatchRun::step() {
  std::vector<Verdict> verdicts;
  Answers answers;
  const auto moves = ask_moves(verdicts, answers);
  if (!moves) return;  // stopped: `ended` handles it
  limit_derivation(options_.play_clock_seconds);
  if (const gdl::Status status = position_.advance(*moves); !reached(status)) return;
  append_step(*moves, verdicts, answers);
  save();
  observer_.moved(record_, position_);
}

/// One legal move for each role, whatever the players answered; nullopt if the match was stopped,
/// or aborted because a player resigned.
std::optional<std::vector<gdl::MoveId>> MatchRun::ask_moves(std::vector<Verdict>& verdicts,
                                                            Answers& answers) {
  const TimePoint deadline =
      after(seconds(options_.play_clock_seconds) + options_.dialect->play_slack);
  const bool drawn = record_.moves.size() < opening_.size();
  if (!drawn) observer_.asked(record_, deadline);
  answers = ask_all(
      players_,
      [&](MatchPlayer& player, gdl::RoleIndex role, MatchPlayer::Done done) {
        if (drawn) {
          player.follow(told_turns_[role], deadline, std::move(done));
        } else {
          player.play(told_turns_[role], deadline, std::move(done));
        }
      },
      context_, stop_);
  if (stop_.stop_requested()) return std::nullopt;
  for (gdl::RoleIndex role = 0; role < players_.size(); ++role) {
    if (!answers[role] || answers[role]->kind != Answer::Kind::Resigned) continue;
    abort("role " + record_.roles[role] + " resigned");
    return std::nullopt;
  }
  if (drawn) {
    verdicts.resize(players_.size());
    return opening_[record_.moves.size()];
  }
  std::vector<gdl::MoveId> moves;
  for (gdl::RoleIndex role = 0; role < players_.size(); ++role) {
    verdicts.push_back(answers[role] ? judge_.verdict(role, *answers[role], *told_)
                                     : judge_.chance(role));
    moves.push_back(verdicts.back().move);
  }
  return moves;
}

void MatchRun::append_step(const std::vector<gdl::MoveId>& moves,
                           const std::vector<Verdict>& verdicts, const Answers& answers) {
  auto& names = record_.moves.emplace_back();
  auto& errors = record_.errors.emplace_back();
  auto& values = record_.values.emplace_back();
  auto& claims = record_.claims.emplace_back();
  auto& risked = record_.risked.emplace_back();
  for (gdl::RoleIndex role = 0; role < moves.size(); ++role) {
    names.push_back(position_.move_name(moves[role]));
    errors.push_back(verdicts[role].error);
    if (answers[role] && answers[role]->value) values[record_.roles[role]] = *answers[role]->value;
    if (answers[role] && answers[role]->sure) claims[record_.roles[role]] = *answers[role]->sure;
    if (answers[role] && answers[role]->risked) {
      risked[record_.roles[role]] = *answers[role]->risked;
    }
    if (verdicts[role].error.empty()) continue;
    record_.replacements.push_back({record_.moves.size(), record_.roles[role],
                                    error_code(verdicts[role].error), verdicts[role].answer,
                                    names.back()});
  }
  full_ = !room_.take(names);
  if (position_.hides_moves()) {
    record_.percepts.push_back(last_percepts(position_));
    for (const auto& row : record_.percepts.back()) full_ = !room_.take(row) || full_;
  }
  append_latencies(answers);
  count_faults(answers);
  tell(moves);
}

void MatchRun::append_latencies(const Answers& answers) {
  auto& row = record_.latencies_ms.emplace_back();
  for (const auto& answer : answers) row.push_back(answer ? answer->latency_ms : 0.0);
}

void MatchRun::count_faults(const Answers& answers) {
  for (gdl::RoleIndex role = 0; role < players_.size(); ++role) {
    const std::string& error = record_.errors.back()[role];
    if (error.empty()) {
      failures_[role] = 0;
      continue;
    }
    ++(record_.faults[role].*fault(error, answers[role]->trouble));
    if (++failures_[role] == options_.failure_cap || is_gone(answers[role])) {
      record_.failed_roles.push_back(record_.roles[role]);
    }
  }
}

/// Whether the match ends because the player is not there any more.
bool MatchRun::is_gone(const std::optional<Answer>& answer) const {
  return options_.crash_ends && answer && answer->trouble == Trouble::Refused;
}

/// Why the first of `failed_roles` failed.
std::string MatchRun::failure() const {
  const std::string& name = record_.failed_roles.front();
  const auto role = std::ranges::find(record_.roles, name) - record_.roles.begin();
  if (failures_[role] < options_.failure_cap || options_.failure_cap == 0) {
    return "the player of role " + name + " is gone";
  }
  return "role " + name + " failed " + std::to_string(options_.failure_cap) + " times in a row";
}

void MatchRun::complete() {
  record_.completed = true;
  record_.goals.assign(position_.goals().begin(), position_.goals().end());
  save();
  observer_.decided(record_);
  const TimePoint deadline = after(options_.stop_limit);
  const Answers answers = ask_all(
      players_,
      [&](MatchPlayer& player, gdl::RoleIndex role, MatchPlayer::Done done) {
        player.stop(told_turns_[role], deadline, releasing(role, std::move(done)));
      },
      context_, stop_);
  for (gdl::RoleIndex role = 0; role < players_.size(); ++role) {
    const bool failed = !record_.errors.back()[role].empty();
    if (failed && is_gone(answers[role])) record_.failed_roles.push_back(record_.roles[role]);
  }
}

/// Forwards the answer to STOP or ABORT, and reports that the player is free.
MatchPlayer::Done MatchRun::releasing(gdl::RoleIndex role, MatchPlayer::Done done) {
  return [this, role, done = std::move(done)](Answer answer) {
    observer_.released(record_, role);
    done(std::move(answer));
  };
}

void MatchRun::abort(const std::string& reason) {
  record_.aborted = true;
  record_.end_reason = reason;
  const bool started = !record_.errors.empty();
  if (!record_.states.empty()) {
    if (!started) append_start(Answers(players_.size()));
    save();
  }
  observer_.decided(record_);
  if (!started) return;  // no player knows of the match
  const milliseconds limit = stop_.stop_requested()
                                 ? std::min(kInterruptedLimit, options_.abort_limit)
                                 : options_.abort_limit;
  const TimePoint deadline = after(limit);
  ask_all(
      players_,
      [&](MatchPlayer& player, gdl::RoleIndex role, MatchPlayer::Done done) {
        player.abort(told_turns_[role], deadline, releasing(role, std::move(done)));
      },
      context_, stop_.stop_requested() ? std::stop_token() : stop_);
}

std::string MatchRun::stop_reason() const {
  const std::string reason = options_.stop_reason ? options_.stop_reason() : "";
  return reason.empty() ? "interrupted" : reason;
}

void MatchRun::save() {
  if (!files_) return;
  if (const auto problem = files_->save(record_)) {
    observer_.warned(*problem + "; the match goes on, its record may be incomplete");
  }
  record_.file_problem = files_->problem();
  record_.file = record_.file_problem.empty() ? files_->json().string() : std::string();
}

void MatchRun::warn(const std::string& text) {
  const auto told = warnings_.pass(text);
  if (!told) return;
  record_.warnings.push_back(storable(*told));
  observer_.warned(*told);
}

/// What the role perceived in the last turn, in the order of the texts. The numbers of percepts
/// follow the order in which any role first perceived them, and would tell what others did.
std::vector<ToldMove> MatchRun::told_percepts(gdl::RoleIndex role) const {
  std::vector<ToldMove> percepts;
  for (const gdl::PerceptId percept : position_.known(role).back().percepts) {
    percepts.push_back(told_->tell_percept(position_.vocabulary(), percept));
  }
  std::ranges::sort(percepts, {}, &ToldMove::text);
  return percepts;
}

/// Sends the joint move to all players. If the rules hide it, each gets only its own move and its
/// percepts.
void MatchRun::tell(const std::vector<gdl::MoveId>& moves) {
  const gdl::Vocabulary& names = position_.vocabulary();
  ToldMoves told;
  for (const gdl::MoveId move : moves) told.push_back(told_->tell(names, move));
  for (gdl::RoleIndex role = 0; role < moves.size(); ++role) {
    ToldTurn turn;
    turn.number = record_.moves.size();
    if (told_->hides_moves()) {
      turn.own = told[role];
      turn.percepts = told_percepts(role);
    } else {
      turn.moves = told;
    }
    told_turns_[role] = std::move(turn);
  }
}

}  // namespace

MatchRecord run_match(const Rulesheet& game, const MatchOptions& options,
                      const std::vector<std::unique_ptr<MatchPlayer>>& players,
                      boost::asio::io_context& context, std::stop_token stop,
                      MatchObserver& observer) {
  return MatchRun(game, options, players, context, std::move(stop), observer).run();
}

std::string make_match_id(const std::string& game, std::int64_t now_ms) {
  return safe_file_name(game) + "." + std::to_string(now_ms);
}

std::string new_match_id(const std::string& game) {
  static std::atomic<std::int64_t> last{0};
  std::int64_t before = last;
  std::int64_t now = 0;
  do {
    now = std::max(before + 1, wall_clock_ms());
  } while (!last.compare_exchange_weak(before, now));
  return make_match_id(game, now);
}

std::int64_t wall_clock_ms() {
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace ludens::server
