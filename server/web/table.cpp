// SPDX-License-Identifier: MIT
#include "server/web/table.h"

#include <utility>

#include "server/web/human_choice.h"

namespace ludens::server {

Table::Table(MatchFeed& feed, Adviser* adviser) : feed_(feed), adviser_(adviser) {
  feed_.host([this](const PageCommand& command) { return carry_out(command); });
}

Table::~Table() {
  feed_.host({});
}

std::stop_token Table::prepare(std::vector<HumanPlayer*> people, std::size_t first_moves,
                               const std::stop_token& stop) {
  people_ = std::move(people);
  live_.emplace(feed_, people_);
  first_moves_ = first_moves;
  told_ = false;
  stopping_.reset();
  const std::lock_guard lock(mutex_);
  stop_ = std::stop_source();
  command_.reset();
  id_.clear();
  moves_.clear();
  last_choice_.reset();
  stopping_.emplace(stop, [source = stop_]() mutable { source.request_stop(); });
  return stop_.get_token();
}

std::string Table::stop_reason() const {
  const std::lock_guard lock(mutex_);
  if (!command_) return {};
  if (command_->kind == PageCommand::Kind::TakeBack) return "taken back";
  return command_->kind == PageCommand::Kind::Restart ? "given up for another match"
                                                      : "ended by a person";
}

std::optional<NextMatch> Table::next(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!wished_.wait(lock, stop, [this] { return command_.has_value(); })) return std::nullopt;
  const PageCommand command = *std::exchange(command_, std::nullopt);
  if (command.kind == PageCommand::Kind::Close) return std::nullopt;
  NextMatch next;
  next.role = command.role;
  if (command.kind == PageCommand::Kind::TakeBack) {
    next.first_moves.assign(moves_.begin(),
                            moves_.begin() + static_cast<std::ptrdiff_t>(*last_choice_));
    next.continues = id_;
    if (!told_) dropped_ = id_;
  }
  return next;
}

void Table::begun(const MatchRecord& record, const Position& position) {
  const auto game = feed_.game(record);  // which may take a while
  {
    const std::lock_guard lock(mutex_);
    id_ = record.match_id;
    roles_ = record.roles;
    game_ = game;
  }
  look_for_choice(position);
  if (first_moves_ == 0) show(record, position);
}

void Table::asked(const MatchRecord& record, TimePoint until) {
  live_->asked(record, until);
}

void Table::moved(const MatchRecord& record, const Position& position) {
  {
    const std::lock_guard lock(mutex_);
    if (choice_) last_choice_ = moves_.size();
    moves_.push_back(record.moves.back());
  }
  look_for_choice(position);
  if (record.moves.size() < first_moves_) return;
  if (record.moves.size() == first_moves_) return show(record, position);
  live_->moved(record, position);
}

void Table::ended(const MatchRecord& record) {
  if (const std::lock_guard lock(mutex_); command_ && command_->kind == PageCommand::Kind::TakeBack)
    return;
  live_->ended(record);
  told_ = true;
}

void Table::warned(const std::string& text) {
  live_->warned(text);
}

void Table::show(const MatchRecord& record, const Position& position) {
  live_->begun(record, position);
  if (!dropped_.empty()) feed_.dropped(std::exchange(dropped_, {}));
}

void Table::look_for_choice(const Position& position) {
  choice_ = false;
  for (gdl::RoleIndex role = 0; role < people_.size(); ++role) {
    if (people_[role] == nullptr || position.terminal()) continue;
    std::vector<std::string> moves;
    for (const gdl::MoveId move : position.legal(role)) moves.push_back(position.move_name(move));
    choice_ = choice_ || is_choice(moves);
  }
}

std::string Table::carry_out(const PageCommand& command) {
  if (command.kind == PageCommand::Kind::Hint) return advise(command);
  {
    const std::lock_guard lock(mutex_);
    if (command_) return "another match is about to begin";
    if (!command.id.empty() && command.id != id_) return "that match is over";
    if (command.kind == PageCommand::Kind::TakeBack && !last_choice_) {
      return "there is no move of yours to take back";
    }
    if (command.role && *command.role >= roles_.size()) return "there is no such role";
    command_ = command;
    stop_.request_stop();
  }
  wished_.notify_all();
  return {};
}

std::string Table::advise(const PageCommand& command) {
  if (adviser_ == nullptr) return "there are no hints in this match";
  const std::lock_guard lock(mutex_);
  if (command.id != id_ || command_ || command.step != moves_.size() ||
      command.role.value_or(0) >= roles_.size()) {
    return "that position is over";
  }
  const std::size_t role = command.role.value_or(0);
  adviser_->ask(
      roles_[role], moves_,
      [&feed = feed_, id = id_, role, step = command.step, game = game_](const Answer& answer) {
        const bool found = answer.kind == Answer::Kind::Text;
        feed.advice(id, role, step,
                    found ? boost::json::value(game->move_json(answer.text)) : nullptr);
      });
  return {};
}

}  // namespace ludens::server
