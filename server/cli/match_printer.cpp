// SPDX-License-Identifier: MIT
#include "server/cli/match_printer.h"

#include <algorithm>
#include <iomanip>

#include "gdl/text/printable.h"
#include "server/cli/state_text.h"
#include "server/statistics/number_text.h"

namespace ludens::server {

namespace {

std::size_t widest(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, text.size());
  return width;
}

std::string padded(const std::string& name, std::size_t width) {
  std::string text = gdl::printable(name);
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace

std::string result_text(const MatchRecord& record) {
  if (!record.completed) return "no result: " + record.end_reason;
  std::string text;
  for (std::size_t role = 0; role < record.goals.size(); ++role) {
    text += (role == 0 ? "" : ", ") + record.roles[role] + " " + std::to_string(record.goals[role]);
  }
  return text;
}

void MatchPrinter::begun(const MatchRecord& record, const Position& position) {
  begin(record, position);
  start_clock_ = record.start_clock;
  play_clock_ = record.play_clock;
  since_ = std::chrono::steady_clock::now();
  progress_.emplace([this] { return waiting_text(); });
}

void MatchPrinter::moved(const MatchRecord& record, const Position& position) {
  steps_ = record.moves.size();
  since_ = std::chrono::steady_clock::now();
  print([&] { move(record, position); });
}

void MatchPrinter::ended(const MatchRecord& record) {
  progress_.reset();
  const std::size_t steps = record.moves.size();
  out_ << "result after " << steps << (steps == 1 ? " step: " : " steps: ")
       << gdl::printable(result_text(record)) << "\n"
       << std::flush;
}

void MatchPrinter::warned(const std::string& text) {
  print([&] { out_ << "warning: " << gdl::printable(text) << "\n" << std::flush; });
}

void MatchPrinter::print(const std::function<void()>& print) {
  progress_ ? progress_->print(print) : print();
}

/// Players may use the time of both clocks to answer `START`.
std::string MatchPrinter::waiting_text() const {
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - since_.load();
  const std::size_t steps = steps_;
  const double clock = steps == 0 ? start_clock_ + play_clock_ : play_clock_;
  return "step " + std::to_string(steps + 1) + ", " + number_text("%.0f", waited.count()) +
         " s of " + number_text("%.6g", clock) + " s";
}

void MatchPrinter::begin(const MatchRecord& record, const Position& position) {
  board_ = std::make_unique<const Board>(position.vocabulary().rules(), position.text());
  trails_ = std::make_unique<Trails>(*board_);
  out_ << "match " << record.match_id << (record.scrambled ? ", names scrambled" : "") << "\n";
  const std::size_t width = widest(record.roles);
  for (std::size_t role = 0; role < record.roles.size(); ++role) {
    out_ << "  " << padded(record.roles[role], width) << "  "
         << gdl::printable(record.players[role]) << "\n";
  }
  out_ << "  start clock " << number_text("%.6g", record.start_clock) << " s, play clock "
       << number_text("%.6g", record.play_clock) << " s, seed " << record.seed << "\n\n";
  draw_state(position);
}

void MatchPrinter::move(const MatchRecord& record, const Position& position) {
  const std::size_t step = record.moves.size();
  std::vector<std::string> moves;
  for (const std::string& m : record.moves.back()) {
    moves.push_back(position.vocabulary().rules().to_user_language(m));
  }
  const std::size_t role_width = widest(record.roles), move_width = widest(moves);
  for (std::size_t role = 0; role < moves.size(); ++role) {
    out_ << (role == 0 ? padded(std::to_string(step) + ".", 5) : std::string(5, ' '))
         << padded(record.roles[role], role_width) << "  " << padded(moves[role], move_width)
         << std::fixed << std::setprecision(2) << std::setw(8)
         << record.latencies_ms[step][role] / 1000 << " s of "
         << number_text("%.6g", record.play_clock);
    const auto value = record.values.back().find(record.roles[role]);
    if (value != record.values.back().end()) {
      out_ << "   expects " << std::setprecision(0) << value->second;
    }
    const std::string& error = record.errors[step][role];
    if (!error.empty()) out_ << "   replaced: " << gdl::printable(error);
    if (step <= record.percepts.size() && !record.percepts[step - 1][role].empty()) {
      out_ << "   perceives";
      for (const std::string& percept : record.percepts[step - 1][role]) {
        out_ << " " << gdl::printable(percept);
      }
    }
    out_ << "\n";
  }
  out_ << "\n";
  draw_state(position);
}

void MatchPrinter::draw_state(const Position& position) {
  Picture picture = board_->picture(position.text());
  trails_->follow(picture);
  out_ << state_text(*board_, picture, notation_of(position.vocabulary().rules())) << "\n"
       << std::flush;
}

}  // namespace ludens::server
