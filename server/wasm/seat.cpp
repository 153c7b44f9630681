// SPDX-License-Identifier: MIT
#include "server/wasm/seat.h"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "agent/message/heard_plays.h"
#include "agent/runtime/referee.h"
#include "agent/runtime/thought.h"
#include "gdl/interpreter/interpreter.h"
#include "server/venue/translation.h"
#include "server/wasm/brain.h"
#include "server/web/match_document.h"

namespace ludens::server::wasm {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

/// The time that a message leaves if it is only processed.
constexpr milliseconds kNoTime{0};

json::object ignored(const std::string& why) {
  return {{"answer", nullptr}, {"problem", storable(why)}};
}

json::object answered(const Envelope& envelope, std::string_view said) {
  return {{"answer", storable(write_envelope(envelope.id, envelope.receiver, kManager, said))}};
}

std::shared_ptr<const gdl::Machine> interpreter(std::shared_ptr<gdl::Vocabulary> names,
                                                const gdl::Limits& limits) {
  return gdl::make_interpreter(std::move(names), limits);
}

}  // namespace

/// A match, from START on.
class Seat::Match {
 public:
  Match(std::size_t memory_bytes, Tell tell)
      : tell_(std::move(tell)),
        memory_(memory_bytes),
        referee_(interrupt_, memory_, interpreter),
        brain_(memory_.search->limit(), [this](const search::Choice& choice) { told(choice); }) {}

  /// Returns why the match can't be played; empty if it can.
  std::optional<std::string> begin(const agent::Start& start, const Envelope& envelope,
                                   milliseconds left) {
    const auto until = search::TimePoint::clock::now() + left;
    id_ = start.match_id;
    role_ = start.role;
    heard_ = agent::HeardPlays(envelope.id);
    message_ = envelope.id;
    if (auto refusal = referee_.prepare(start.description, start.role)) return refusal;
    if (agent::hides_information(start.description)) {
      return "a host that sends moves can't hide them (sees)";
    }
    if (referee_.catch_up() != gdl::Status::Ok) return "the initial state can't be derived";
    show();
    if (left > kNoTime && may_think()) {
      (void)brain_.think(referee_.position(), search::Deadline(until));
    }
    return std::nullopt;
  }

  json::object play(const agent::Play& play, const Envelope& envelope, milliseconds left) {
    const auto until = search::TimePoint::clock::now() + left;
    const std::string moves = agent::moves_text(play.moves, true);
    const agent::HeardPlays::Kind kind = heard_.kind_of(play.id, moves);
    if (kind == Kind::Old) return ignored("the old message '" + envelope.id + "'");
    if (kind == Kind::Repeat) return answer_;
    const agent::OneMove made{play.moves};
    if (kind == Kind::Doubtful && !referee_.is_legal(made).value_or(false)) return answer_;
    heard_.add(play.id, moves);
    message_ = envelope.id;
    if (auto problem = adopt(play.moves)) return ignored(*problem);
    ++step_;
    std::vector<gdl::MoveId> legal;
    if (referee_.own_legal(legal) != gdl::Status::Ok || legal.empty()) {
      return ignored("no legal move can be derived");
    }
    asked_ = !referee_.waits();
    show();
    if (!asked_) return answer_ = {{"answer", nullptr}};
    sent_ = choose(legal, left > kNoTime ? until : search::TimePoint::min());
    asked_ = false;
    const auto said = answer_in_hrf(names().move_name(*sent_));
    return answer_ = answered(envelope, said.value_or("nil"));
  }

  /// Shows the last position and what all roles got.
  void end(const agent::Part& moves) {
    if (adopt(moves)) return;
    show();
    bool over = false;
    std::vector<int> goals(names().rules().roles.size());
    if (referee_.catch_up() != gdl::Status::Ok || referee_.terminal(over) != gdl::Status::Ok ||
        !over || referee_.goals(goals) != gdl::Status::Ok) {
      return;
    }
    json::object result, view = head();
    for (gdl::RoleIndex role = 0; role < goals.size(); ++role) {
      result[storable(referee_.machine()->role_name(role))] = goals[role];
    }
    view["result"] = std::move(result);
    tell_(view);
  }

  bool ponder(milliseconds time) {
    if (!may_think()) return false;
    (void)brain_.think(referee_.position(),
                       search::Deadline(search::TimePoint::clock::now() + time));
    return true;
  }

  [[nodiscard]] const std::string& id() const { return id_; }

 private:
  using Kind = agent::HeardPlays::Kind;

  [[nodiscard]] const gdl::Vocabulary& names() const { return *referee_.machine()->vocabulary(); }

  std::optional<std::string> adopt(const agent::Part& move) {
    const agent::Adoption adoption = referee_.adopt(agent::OneMove{move}, sent_);
    if (adoption.kind == agent::Adoption::Kind::Illegal) return adoption.problem;
    return std::nullopt;
  }

  /// Whether the game goes on and our role can be asked for a move here.
  bool may_think() {
    bool over = true;
    std::vector<gdl::MoveId> legal;
    return referee_.catch_up() == gdl::Status::Ok && referee_.terminal(over) == gdl::Status::Ok &&
           !over && referee_.own_legal(legal) == gdl::Status::Ok && !legal.empty();
  }

  gdl::MoveId choose(const std::vector<gdl::MoveId>& legal, search::TimePoint until) {
    if (legal.size() == 1 || until == search::TimePoint::min()) return legal.front();
    if (referee_.catch_up() != gdl::Status::Ok) return legal.front();
    const auto choice = brain_.think(referee_.position(), search::Deadline(until));
    const bool good = choice && std::ranges::find(legal, choice->move) != legal.end();
    if (choice) told(*choice, brain_.explanation());
    return good ? choice->move : legal.front();
  }

  void told(const search::Choice& choice, const std::string& explanation = {}) {
    json::object view = head();
    view["move"] = storable(answer_in_hrf(names().move_name(choice.move)).value_or(""));
    view["goal"] = choice.value;
    view["exact"] = choice.exact;
    view["thinking"] = storable(agent::thought_text(choice, names(), explanation));
    tell_(view);
  }

  [[nodiscard]] json::object head() const {
    return {{"match", storable(id_)},
            {"role", storable(role_)},
            {"step", step_},
            {"message", storable(message_)},
            {"asked", asked_}};
  }

  /// Shows the position, and the board once.
  void show() {
    json::object view = head();
    view["move"] = "";
    const search::Position position = referee_.position();
    const auto context = position.machine->make_context({nullptr, memory_.names.get()});
    MatchRecord record;
    record.states.emplace_back();
    if (position.machine->print(*context, position.state, record.states.front()) !=
        gdl::Status::Ok) {
      return tell_(view);
    }
    if (game_ == nullptr) {
      game_ = std::make_shared<const GameDocument>(
          std::make_shared<const Board>(*referee_.rules().rules, record.states.front()),
          Notation::Hrf);
      view["game"] = game_->json();
    }
    view["state"] = MatchDocument(game_).step(record, 0);
    tell_(view);
  }

  Tell tell_;
  agent::Interrupt interrupt_;
  agent::MatchMemory memory_;
  agent::Referee referee_;
  Brain brain_;
  std::string id_, role_;
  agent::HeardPlays heard_;
  std::string message_;  // the name of the last one
  std::size_t step_ = 0;
  bool asked_ = false;
  std::optional<gdl::MoveId> sent_;
  json::object answer_{{"answer", nullptr}};  // to the last message
  std::shared_ptr<const GameDocument> game_;
};

Seat::Seat(std::size_t memory_bytes, Tell tell)
    : memory_bytes_(memory_bytes), tell_(std::move(tell)) {}
Seat::~Seat() = default;

json::object Seat::message(const std::string& player, const std::string& text, milliseconds left) {
  const auto envelope = read_envelope_for(player, text);
  if (!envelope) return ignored(envelope.error().text);
  const std::string& what = envelope->content.name;
  if (what == "ping") return answered(*envelope, "ready");
  if (what == "start") {
    match_.reset();  // its memory first
    const auto start = read_start(*envelope);
    if (!start) return ignored(start.error().text);
    auto match = std::make_unique<Match>(memory_bytes_, tell_);
    if (const auto refusal = match->begin(*start, *envelope, left)) return ignored(*refusal);
    match_ = std::move(match);
    return answered(*envelope, "ready");
  }
  if (match_ == nullptr) return ignored("a message of a match that is not known");
  if (what == "play") {
    const auto play = read_play(*envelope, match_->id());
    return play ? match_->play(*play, *envelope, left) : ignored(play.error().text);
  }
  if (what == "stop") {
    if (const auto stop = read_stop(*envelope, match_->id())) match_->end(stop->moves);
  }
  match_.reset();
  tell_({{"match", nullptr}});
  return {{"answer", nullptr}};
}

bool Seat::ponder(milliseconds time) {
  return match_ != nullptr && match_->ponder(time);
}

}  // namespace ludens::server::wasm
