// SPDX-License-Identifier: MIT
#include "server/web/served_matches.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "agent/message/heard_plays.h"
#include "agent/message/moves.h"
#include "gdl/interpreter/interpreter.h"
#include "gdl/rules/rules.h"
#include "search/strategy/stopping.h"
#include "server/game/position.h"
#include "server/match/match.h"
#include "server/web/watched_match.h"

namespace ludens::server {

namespace {

/// The limits for waiting messages and their bytes. If more wait, the interpreter can't keep up,
/// and matches are dropped.
constexpr std::size_t kMaxWaiting = 1000;
constexpr std::size_t kMaxWaitingBytes = std::size_t{8} << 20;
/// A longer message is about nothing that people would look at.
constexpr std::size_t kLongestMessage = std::size_t{512} << 10;
/// The bytes of the states and moves of one match.
constexpr std::size_t kMostText = std::size_t{2} << 20;

/// The number of bytes of the message that were read.
std::size_t length(const agent::Message& message) {
  if (const auto* start = std::get_if<agent::Start>(&message)) {
    return start->description.tree == nullptr ? 0 : start->description.tree->text().size();
  }
  if (const auto* play = std::get_if<agent::Play>(&message)) {
    return play->moves.tree == nullptr ? 0 : play->moves.tree->text().size();
  }
  const auto* stop = std::get_if<agent::Stop>(&message);
  return stop == nullptr || stop->moves.tree == nullptr ? 0 : stop->moves.tree->text().size();
}

/// The rules of `( rule rule ... )`, one on each line.
std::string rules_text(const agent::Part& description) {
  std::string text;
  for (const gdl::NodeIndex rule : description.tree->children(description.node)) {
    text += description.tree->print(rule) + "\n";
  }
  return text;
}

/// Throws if there is no memory for them.
std::shared_ptr<const gdl::Rules> rules_of(const agent::Part& description,
                                           const std::shared_ptr<gdl::MemoryBudget>& memory,
                                           const gdl::StopSignal& stop) {
  gdl::NormaliseLimits limits;
  limits.max_findings = 1;
  limits.stop = &stop;
  limits.memory = memory;
  gdl::NormalisedRules read = gdl::normalise(description.tree, description.node, limits);
  if (read.given_up) throw gdl::BudgetExhausted();
  return read.rules;
}

/// Whether the player takes part in the match that a START begins.
bool is_ready(const Served& served) {
  return gdl::fold_case(served.said.empty() ? served.reply : served.said) == "ready";
}

/// A host that sends one move a turn is Gamemaster, which uses HRF for rules.
std::optional<Notation> notation_of_host(const agent::Start& start) {
  return start.one_mover ? std::optional(Notation::Hrf) : std::nullopt;
}

/// One match, up to the turn that could be followed.
class ServedMatch {
 public:
  ServedMatch(MatchFeed& feed, const agent::Start& start, const std::string& player,
              const std::shared_ptr<gdl::MemoryBudget>& memory, const std::stop_token& stop)
      : start_(start),
        live_(feed, {}, notation_of_host(start)),
        stop_(stop),
        position_(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(
                                            rules_of(start.description, memory, stop_), memory),
                                        {&stop_, memory.get()}),
                  {&stop_, memory.get()}) {
    record_.match_id = start.match_id;
    record_.start_time_ms = wall_clock_ms();
    record_.game = start.match_id;
    record_.rulesheet = rules_text(start.description);
    record_.start_clock = start.start_clock_seconds;
    record_.play_clock = start.play_clock_seconds;
    for (gdl::RoleIndex role = 0; role < position_.roles(); ++role) {
      const std::string name = position_.machine().role_name(role);
      const bool own = gdl::fold_case(name) == gdl::fold_case(start.role);
      if (own) own_ = role;
      record_.roles.push_back(name);
      record_.players.push_back(own ? player : "");
    }
    if (position_.begin() != gdl::Status::Ok || !room_.take(position_.text().size())) return;
    record_.states.push_back(position_.text());
    record_.errors.emplace_back(position_.roles());
    record_.latencies_ms.emplace_back(position_.roles());
    live_.begun(record_, position_);
    follows_ = true;
  }

  /// Whether it is the match, and the role, for which that START asks.
  [[nodiscard]] bool is_of(const agent::Start& start) const {
    return agent::same_match(start_, start);
  }

  /// Makes the joint move that led to the position now asked about; does nothing for the first.
  void play(const agent::Play& play, double milliseconds) {
    if (follows_ && make(play.id, play.moves)) own_ms_ = milliseconds;
  }
  void stop(const agent::Part& moves) {
    if (follows_) make(std::nullopt, moves);
    if (!follows_) return;
    record_.completed = position_.terminal();
    if (record_.completed) {
      record_.goals.assign(position_.goals().begin(), position_.goals().end());
    }
    end("the host stopped the match");
  }
  void abort() {
    if (follows_) end("aborted by the host");
  }
  void leave() {
    if (follows_) end("the host is gone");
  }

  std::uint64_t heard = 0;  // number of the last message

 private:
  using Joint = std::vector<gdl::MoveId>;
  using Kind = agent::HeardPlays::Kind;

  /// False for a repeat.
  bool make(const std::optional<std::string>& name, const agent::Part& part) {
    const std::string moves = agent::moves_text(part, start_.one_mover);
    const Kind kind = heard_plays_.kind_of(name, moves);
    if (kind == Kind::Repeat || kind == Kind::Old) return false;
    std::optional<Joint> joint;
    if (!moves.empty()) joint = start_.one_mover ? joint_of_one(part) : joint_of_all(part);
    if (kind == Kind::Doubtful && !joint) return false;
    heard_plays_.add(name, moves);
    if (!moves.empty()) advance(joint);
    return true;
  }

  /// The joint move that the host sends; nullopt if it is not legal.
  [[nodiscard]] std::optional<Joint> joint_of_all(const agent::Part& part) const {
    const auto nodes = agent::moves_of(part);
    if (nodes.size() != position_.roles()) return std::nullopt;
    Joint joint;
    for (gdl::RoleIndex role = 0; role < nodes.size(); ++role) {
      const auto move = position_.find_legal(role, part.tree->print(nodes[role]));
      if (!move) return std::nullopt;
      joint.push_back(*move);
    }
    return joint;
  }

  /// The joint move in which one role makes the move that was sent and the others wait.
  [[nodiscard]] std::optional<Joint> joint_of_one(const agent::Part& part) const {
    const auto move = position_.vocabulary().find_move(part.tree->print(part.node));
    if (!move) return std::nullopt;
    std::vector<std::vector<gdl::MoveId>> legal;
    for (gdl::RoleIndex role = 0; role < position_.roles(); ++role) {
      legal.emplace_back(position_.legal(role).begin(), position_.legal(role).end());
    }
    return agent::with_waiting(legal, *move);
  }

  void advance(const std::optional<Joint>& moves) {
    if (!moves) return end("the host's moves can't be followed");
    const Joint& joint = *moves;
    std::vector<std::string> names;
    names.reserve(joint.size());
    for (const gdl::MoveId move : joint) names.push_back(position_.move_name(move));
    if (const auto status = position_.advance(joint); status != gdl::Status::Ok) {
      return end(std::string(explain(status)));
    }
    if (!room_.take(position_.text().size()) || !room_.take(names)) {
      return end("the states of this match are too large to be shown");
    }
    record_.moves.push_back(std::move(names));
    record_.states.push_back(position_.text());
    record_.errors.emplace_back(position_.roles());
    record_.values.emplace_back();
    record_.latencies_ms.emplace_back(position_.roles());
    if (own_) record_.latencies_ms.back()[*own_] = own_ms_;
    live_.moved(record_, position_);
  }

  void end(const std::string& reason) {
    record_.aborted = !record_.completed;
    if (record_.aborted) record_.end_reason = reason;
    live_.ended(record_);
    follows_ = false;
  }

  const agent::Start start_;
  WatchedMatch live_;
  search::Deadline stop_;
  RecordBudget room_{kMostText};
  Position position_;
  MatchRecord record_;
  std::optional<gdl::RoleIndex> own_;
  double own_ms_ = 0;
  agent::HeardPlays heard_plays_;
  bool follows_ = false;
};

}  // namespace

class ServedMatches::Implementation {
 public:
  Implementation(MatchFeed& feed, std::string name, std::size_t most, std::size_t memory_bytes)
      : feed_(feed),
        name_(std::move(name)),
        most_(std::max<std::size_t>(1, most)),
        memory_(std::make_shared<gdl::MemoryBudget>(memory_bytes)) {}

  void add(const Served& served) {
    if (served.message == nullptr) return;
    const std::size_t bytes = length(*served.message);
    {
      const std::lock_guard lock(mutex_);
      if (bytes > kLongestMessage || waiting_bytes_ + bytes > kMaxWaitingBytes) return;
      if (waiting_.size() >= kMaxWaiting) return;
      waiting_.push_back(served);
      waiting_bytes_ += bytes;
    }
    wake_.notify_one();
  }

 private:
  void run(const std::stop_token& stop) {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
      const Served served = std::move(waiting_.front());
      waiting_.pop_front();
      waiting_bytes_ -= length(*served.message);
      lock.unlock();
      try_to_follow(*served.message, served, stop);
    }
  }

  /// Drops a match for which there is no memory.
  void try_to_follow(const agent::Message& message, const Served& served,
                     const std::stop_token& stop) {
    try {
      follow(message, served, stop);
    } catch (const std::exception&) {
      matches_.erase(served.match_id);
    }
  }

  void follow(const agent::Message& message, const Served& served, const std::stop_token& stop) {
    if (const auto* start = std::get_if<agent::Start>(&message)) {
      const bool taken = is_ready(served);
      if (taken && agent::hides_information(start->description)) {
        feed_.note("match " + start->match_id + " hides its states from its players: not shown");
        return;
      }
      if (taken) begin(*start, stop);
      return;
    }
    if (const auto* play = std::get_if<agent::Play>(&message)) {
      if (ServedMatch* match = find(play->match_id)) {
        match->heard = ++messages_;
        match->play(*play, served.milliseconds);
      }
    } else if (const auto* end = std::get_if<agent::Stop>(&message)) {
      if (ServedMatch* match = find(end->match_id)) match->stop(end->moves);
      matches_.erase(end->match_id);
    } else if (const auto* broken = std::get_if<agent::Abort>(&message)) {
      if (ServedMatch* match = find(broken->match_id)) match->abort();
      matches_.erase(broken->match_id);
    }
  }

  void begin(const agent::Start& start, const std::stop_token& stop) {
    if (ServedMatch* match = find(start.match_id)) {
      if (match->is_of(start)) return;  // the START came twice
      match->leave();
      matches_.erase(start.match_id);
    }
    forget_silent();
    auto match = std::make_unique<ServedMatch>(feed_, start, name_, memory_, stop);
    match->heard = ++messages_;
    matches_.emplace(start.match_id, std::move(match));
  }

  /// The player does not have more matches at the same time, so a host must have left silently.
  void forget_silent() {
    while (matches_.size() >= most_) {
      const auto silent = std::min_element(
          matches_.begin(), matches_.end(),
          [](const auto& a, const auto& b) { return a.second->heard < b.second->heard; });
      silent->second->leave();
      matches_.erase(silent);
    }
  }

  ServedMatch* find(const std::string& id) {
    const auto found = matches_.find(id);
    return found == matches_.end() ? nullptr : found->second.get();
  }

  MatchFeed& feed_;
  const std::string name_;
  const std::size_t most_;                                       // matches at the same time
  std::uint64_t messages_ = 0;                                   // number of messages that were
                                                                 // followed
  const std::shared_ptr<gdl::MemoryBudget> memory_;              // of all matches together
  std::map<std::string, std::unique_ptr<ServedMatch>> matches_;  // used by the thread only
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<Served> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};  // last: ends first
};

ServedMatches::ServedMatches(MatchFeed& feed, std::string name, std::size_t most,
                             std::size_t memory_bytes)
    : implementation_(std::make_unique<Implementation>(feed, std::move(name), most, memory_bytes)) {
}

ServedMatches::~ServedMatches() = default;

void ServedMatches::served(const Served& served) {
  implementation_->add(served);
}

}  // namespace ludens::server
