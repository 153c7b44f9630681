// SPDX-License-Identifier: MIT
// `ludens show`: a position as people and programs can read it.
#include "server/cli/commands.h"

#include <boost/json.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/rng.h"
#include "gdl/text/nearest_name.h"
#include "gdl/text/printable.h"
#include "search/strategy/stopping.h"
#include "server/board/board.h"
#include "server/board/trails.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/cli/interrupt.h"
#include "server/cli/role_knowledge.h"
#include "server/cli/state_text.h"
#include "server/game/moves_file.h"
#include "server/game/position.h"

namespace ludens::server {

namespace {

namespace json = boost::json;

/// The number of legal moves of one role that are shown to people.
constexpr std::size_t kMaxMovesShown = 40;

void print_json(const Position& position, const std::optional<RoleKnowledge>& knowledge) {
  json::array roles, legal, state;
  for (gdl::RoleIndex role = 0; role < position.roles(); ++role) {
    roles.emplace_back(position.machine().role_name(role));
    json::array moves;
    for (const gdl::MoveId move : position.legal(role)) {
      moves.emplace_back(position.move_text(move));
    }
    legal.emplace_back(std::move(moves));
  }
  for (const gdl::FluentId fluent : position.fluents()) {
    state.emplace_back(position.vocabulary().fluent_text(fluent));
  }
  const auto goals = position.goals();
  json::object out{{"roles", std::move(roles)},
                   {"state", std::move(state)},
                   {"legal", std::move(legal)},
                   {"terminal", position.terminal()},
                   {"goals", json::array(goals.begin(), goals.end())}};
  if (knowledge) out["known"] = knowledge->json();
  std::cout << json::serialize(out) << "\n";
}

/// Prints the role's legal moves, or its goal at the end.
void print_role(const Position& position, gdl::RoleIndex role) {
  std::cout << gdl::printable(position.machine().role_name(role));
  if (position.terminal()) {
    std::cout << " has " << position.goals()[role] << "\n";
    return;
  }
  const auto legal = position.legal(role);
  std::cout << " may (" << legal.size() << "):";
  for (std::size_t i = 0; i < std::min(legal.size(), kMaxMovesShown); ++i) {
    std::cout << " " << gdl::printable(position.move_text(legal[i]));
  }
  if (legal.size() > kMaxMovesShown) std::cout << " ...";
  std::cout << "\n";
}

void print_text(const Position& position, const Board& board, Trails& trails) {
  Picture picture = board.picture(position.text());
  trails.follow(picture);
  std::cout << state_text(board, picture, notation_of(position.vocabulary().rules())) << "\n";
  for (gdl::RoleIndex role = 0; role < position.roles(); ++role) print_role(position, role);
  for (const gdl::Flaw& flaw : position.flaws()) {
    std::cout << "warning: " << gdl::printable(describe(flaw, position.machine())) << "\n";
  }
  std::cout << (position.terminal() ? "the match is over\n\n" : "\n") << std::flush;
}

class ShowRun {
 public:
  ShowRun(const ShowOptions& options, const Rulesheet& game, const std::stop_token& stop)
      : options_(options),
        stop_signal_(stop),
        memory_(std::make_shared<gdl::MemoryBudget>(std::size_t{1} << 30)),
        machine_(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(game.rules, memory_),
                                       {&stop_signal_, memory_.get()})),
        position_(machine_, {&stop_signal_, memory_.get()}) {}

  int run() {
    if (!options_.role.empty()) {
      if (const int code = find_role(); code != kGood) return code;
    }
    if (const auto status = position_.begin(); status != gdl::Status::Ok) return failed(status);
    board_.emplace(position_.vocabulary().rules(), position_.text());
    trails_.emplace(*board_);
    if (options_.playout) return playout();
    if (!options_.moves_file.empty()) {
      if (const int code = make_moves(); code != kGood) return code;
    }
    return print();
  }

 private:
  static int failed(gdl::Status status) {
    return fail(kCouldNot, "show", std::string(explain(status)));
  }

  int print() {
    if (const auto status = position_.find_goals(); status != gdl::Status::Ok) {
      return failed(status);
    }
    std::optional<RoleKnowledge> knowledge;
    if (role_) knowledge.emplace(position_, machine_, *role_, memory_.get(), stop_signal_);
    if (options_.json) {
      print_json(position_, knowledge);
    } else if (knowledge) {
      knowledge->print(std::cout);
      print_role(position_, *role_);
      std::cout << (position_.terminal() ? "the match is over\n\n" : "\n") << std::flush;
    } else {
      print_text(position_, *board_, *trails_);
    }
    return kGood;
  }

  int find_role() {
    std::vector<std::string> names;
    for (gdl::RoleIndex role = 0; role < position_.roles(); ++role) {
      names.push_back(machine_->role_name(role));
      if (gdl::fold_case(names.back()) == gdl::fold_case(options_.role)) role_ = role;
    }
    if (!role_) {
      return fail(
          kWrongUse, "show",
          "there is no role '" + options_.role + "'" + gdl::did_you_mean(options_.role, names));
    }
    if (position_.hides_moves()) return kGood;
    return fail(
        kWrongUse, "show",
        "every role knows the whole position, because the rules have no sees; leave --role out");
  }

  int playout() {
    gdl::Rng rng(options_.seed);
    for (std::size_t step = 0;; ++step) {
      if (const int code = print(); code != kGood) return code;
      if (position_.terminal()) return kGood;
      if (step == options_.step_cap) {
        std::cerr << "ludens: show: the playout is cut after " << step << " steps\n";
        return kGood;
      }
      std::vector<gdl::MoveId> joint;
      std::string text = "(";
      for (gdl::RoleIndex role = 0; role < position_.roles(); ++role) {
        const auto legal = position_.legal(role);
        if (legal.empty()) return fail(kNotGood, "show", "a role has no legal move");
        joint.push_back(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
        text += " " + position_.move_text(joint.back());
      }
      if (!options_.json && !role_)
        std::cout << step + 1 << ". " << gdl::printable(text) << " )\n\n";
      if (const auto s = position_.advance(joint); s != gdl::Status::Ok) return failed(s);
    }
  }

  int make_moves() {
    const MovesMade made = make_moves_of_file(options_.moves_file, position_);
    if (made.problem.empty()) return kGood;
    return fail(made.readable ? kNotGood : kCouldNot, "show", made.problem);
  }

  const ShowOptions& options_;
  search::Deadline stop_signal_;
  std::shared_ptr<gdl::MemoryBudget> memory_;
  std::shared_ptr<const gdl::Machine> machine_;
  Position position_;
  std::optional<gdl::RoleIndex> role_;  // whose knowledge is shown
  std::optional<Board> board_;
  std::optional<Trails> trails_;
};

}  // namespace

int show_command(const ShowOptions& options) {
  if (options.seed_given && !options.playout) {
    return fail(kWrongUse, "show", "--seed needs --playout, whose random moves it chooses");
  }
  const Interrupt interrupt;
  const search::Deadline stop(interrupt.token());
  auto loaded = load_for_study(options.game, &stop);
  if (!loaded) return loaded.error().exit_code;
  return ShowRun(options, *loaded, interrupt.token()).run();
}

}  // namespace ludens::server
