// SPDX-License-Identifier: MIT
#include "server/compliance/test_match.h"

#include "gdl/interpreter/interpreter.h"

namespace ludens::server {

TestMatch::TestMatch(Trial& trial, const TestGame& game, Dialect dialect, PerceptForm percepts)
    : trial_(trial),
      game_(game),
      role_(game.role),
      dialect_(dialect),
      percepts_(percepts),
      id_(trial.new_match_id()),
      position_(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(game.rules))) {
  (void)position_.begin();  // it went well when the game was chosen
  const std::chrono::seconds clock(trial.start_clock_seconds);
  start_ = trial.peer.ask(start_message(), clock, dialect);
  // One that answers late or something else may play, too. Others answer ABORT with `busy`.
  running_ = says("busy")(start_.result).has_value();
}

TestMatch::~TestMatch() {
  if (running_) trial_.peer.farewell(abort_text(id_));
}

std::string TestMatch::start_message() const {
  return start_text(id_, position_.machine().role_name(role_), game_.description,
                    trial_.start_clock_seconds, trial_.play_clock_seconds);
}

std::string TestMatch::play_message() const {
  return position_.hides_moves() ? play_text(id_, view(), percepts_) : play_text(id_, joint_);
}

std::string TestMatch::stop_message() const {
  return position_.hides_moves() ? stop_text(id_, view(), percepts_) : stop_text(id_, joint_);
}

OwnView TestMatch::view() const {
  const auto& known = position_.known(role_);
  if (known.empty()) return {};
  return {known.size(), joint_[role_], percept_names(position_.vocabulary(), known.back())};
}

bool TestMatch::ready() const {
  return !says("ready")(start_.result);
}

Outcome TestMatch::not_ready() const {
  if (!says("busy")(start_.result)) return skipped(start_, "the player is busy");
  return failed(start_, "the reply is 'ready', within the start clock");
}

std::chrono::milliseconds TestMatch::play_clock() const {
  return std::chrono::seconds(trial_.play_clock_seconds);
}

Peer::Pointer TestMatch::begin_play() {
  const std::string text = play_message();
  return trial_.peer.start(text, trial_.peer.message(text, play_clock(), dialect_));
}

Expectation TestMatch::is_legal() const {
  return [this](const ExchangeResult& result) -> std::optional<std::string> {
    if (result.kind != ExchangeResult::Kind::Reply) return "a move is answered in time";
    const auto move = position_.find_legal(role_, result.body);
    if (!move) return "the reply is a legal move";
    const std::string name = position_.move_name(*move);
    if (normal_text(result.body) != name) return "the move is spelled as in START: " + name;
    return std::nullopt;
  };
}

Outcome TestMatch::play_on(int count) {
  Outcome outcome;
  for (int i = 0; i < count && !position_.terminal(); ++i) {
    const Talk answer = play();
    outcome = expect(answer, {is_legal()});
    if (outcome.verdict != Outcome::Verdict::Passed || !advance(answer)) return outcome;
  }
  return outcome;
}

bool TestMatch::advance(const Talk& answer) {
  const auto own = position_.find_legal(role_, answer.result.body);
  return own && advance_by(*own);
}

bool TestMatch::advance_without(const Talk& answer) {
  const auto own = position_.find_legal(role_, answer.result.body);
  for (const gdl::MoveId other : position_.legal(role_)) {
    if (own != other) return advance_by(other);
  }
  return false;
}

bool TestMatch::advance_by(gdl::MoveId own) {
  std::vector<gdl::MoveId> joint;
  std::vector<std::string> names;
  for (gdl::RoleIndex role = 0; role < position_.roles(); ++role) {
    if (position_.legal(role).empty()) return false;
    joint.push_back(role == role_ ? own : position_.legal(role).front());
    names.push_back(position_.move_name(joint.back()));
  }
  if (position_.advance(joint) != gdl::Status::Ok) return false;
  joint_ = std::move(names);
  return true;
}

bool TestMatch::joint_is_legal() const {
  if (position_.hides_moves()) return false;  // turns are counted
  for (gdl::RoleIndex role = 0; role < joint_.size(); ++role) {
    if (!position_.find_legal(role, joint_[role])) return false;
  }
  return true;
}

}  // namespace ludens::server
