// SPDX-License-Identifier: MIT
#include "server/records/replay.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>

#include "gdl/interpreter/interpreter.h"
#include "gdl/text/syntax.h"
#include "search/strategy/stopping.h"
#include "server/game/position.h"

namespace ludens::server {

namespace {

/// A term, folded, with `s` for each `( s )` in it.
std::string plain(const gdl::SyntaxTree& tree, gdl::NodeIndex node) {
  std::istringstream printed(gdl::fold_case(tree.print(node)));
  std::vector<std::string> tokens;
  for (std::string token; printed >> token;) {
    const std::size_t n = tokens.size();
    const bool needless = token == ")" && n > 1 && tokens[n - 2] == "(";
    if (needless) {
      tokens.erase(tokens.end() - 2);
    } else {
      tokens.push_back(std::move(token));
    }
  }
  std::string text;
  for (const std::string& token : tokens) text += (text.empty() ? "" : " ") + token;
  return text;
}

/// The terms of `( t1 t2 ... )`, printed in one form, sorted and without duplicates.
std::vector<std::string> terms_of(const std::string& state) {
  const gdl::ParsedText parsed = gdl::parse(state);
  std::vector<std::string> out;
  for (const gdl::NodeIndex list : parsed.tree.forms()) {
    for (const gdl::NodeIndex fluent : parsed.tree.children(list)) {
      out.push_back(plain(parsed.tree, fluent));
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// The first term that only one of the lists has.
std::optional<std::string> difference(const std::string& recorded, const std::string& derived) {
  const auto a = terms_of(recorded), b = terms_of(derived);
  std::vector<std::string> only;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only));
  if (!only.empty()) return only.front() + " is recorded, and not derived";
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only));
  if (!only.empty()) return only.front() + " is derived, and not recorded";
  return std::nullopt;
}

std::string list(const std::vector<std::string>& terms) {
  std::string text = "(";
  for (const std::string& term : terms) text += " " + term;
  return text + " )";
}

/// In one form, whatever the blanks and the case.
std::string joint_move(const std::vector<std::string>& moves) {
  const gdl::ParsedText parsed = gdl::parse(gdl::fold_case(list(moves)));
  std::string text;
  for (const gdl::NodeIndex form : parsed.tree.forms()) text += parsed.tree.print(form) + " ";
  return text;
}

std::string list(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

/// The entries of a row in the order of the rules; a row of another length is not changed.
template <class T>
void arrange(std::vector<T>& row, const std::vector<std::size_t>& order) {
  if (row.size() != order.size()) return;
  std::vector<T> arranged;
  arranged.reserve(order.size());
  for (const std::size_t from : order) arranged.push_back(row[from]);
  row = std::move(arranged);
}

class Replayer {
 public:
  Replayer(const MatchRecord& record, const std::shared_ptr<const gdl::Rules>& rules,
           const std::stop_token& stop)
      : record_(record),
        stop_signal_(stop),
        memory_(std::make_shared<gdl::MemoryBudget>(std::size_t{1} << 30)),
        position_(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(rules, memory_),
                                        {&stop_signal_, memory_.get()}),
                  {&stop_signal_, memory_.get()}) {}

  ReplayResult run() {
    if (!same_roles() || !reached(position_.begin())) return std::move(result_);
    for (const auto& moves : record_.moves) {
      if (!make(moves)) return std::move(result_);
      ++result_.steps;
    }
    compare_end();
    return std::move(result_);
  }

 private:
  bool disagree(std::string what) {
    const std::size_t step = result_.steps + (within_step_ ? 1 : 0);
    result_.disagreements.push_back({step, std::move(what)});
    return false;
  }

  bool same_roles() {
    if (record_.roles.empty()) return true;
    std::string derived, recorded;
    for (gdl::RoleIndex role = 0; role < position_.roles(); ++role) {
      derived += " " + position_.machine().role_name(role);
    }
    for (const std::string& role : record_.roles) recorded += " " + role;
    if (gdl::fold_case(derived) == gdl::fold_case(recorded)) return true;
    return disagree("the roles are" + derived + ", recorded are" + recorded);
  }

  bool reached(gdl::Status status) {
    if (status != gdl::Status::Ok) {
      result_.stopped = true;
      result_.why = explain(status);
      return false;
    }
    const std::string& recorded = record_.states[result_.steps + (within_step_ ? 1 : 0)];
    if (recorded.empty()) return true;
    const auto differs = difference(recorded, position_.text());
    return differs ? disagree(*differs) : true;
  }

  /// Compares the percepts of the last joint move.
  bool same_percepts() {
    if (result_.steps >= record_.percepts.size()) return true;
    const auto& recorded = record_.percepts[result_.steps];
    for (gdl::RoleIndex role = 0; role < recorded.size(); ++role) {
      const auto& known = position_.known(role);
      std::vector<std::string> derived;
      if (!known.empty()) derived = percept_names(position_.vocabulary(), known.back());
      if (const auto differs = difference(list(recorded[role]), list(derived))) {
        return disagree(position_.machine().role_name(role) + " perceives: " + *differs);
      }
    }
    return true;
  }

  bool make(const std::vector<std::string>& moves) {
    within_step_ = true;
    if (position_.terminal()) return disagree("the match was over before this step");
    if (moves.size() != position_.roles()) {
      return disagree(std::to_string(moves.size()) + " moves for " +
                      std::to_string(position_.roles()) + " roles");
    }
    std::vector<gdl::MoveId> joint;
    for (gdl::RoleIndex role = 0; role < moves.size(); ++role) {
      const auto move = position_.find_legal(role, moves[role]);
      if (!move) {
        return disagree(moves[role] + " is not legal for " + position_.machine().role_name(role));
      }
      joint.push_back(*move);
    }
    const bool agreed = reached(position_.advance(joint)) && same_percepts();
    within_step_ = false;
    return agreed;
  }

  void compare_end() {
    const bool over = position_.terminal();
    result_.missing = record_.missing;
    if (record_.aborted && (over || record_.completed)) {
      disagree(std::string("recorded as aborted, but ") +
               (over ? "the last state is terminal" : "also as completed"));
      return;
    }
    if (record_.says_open && over) {
      disagree("recorded as not over, but the last state is terminal");
      return;
    }
    if (!record_.completed) {
      if (!record_.aborted) {
        result_.missing.emplace_back(over ? "how the match ended" : "the end of the match");
      }
      return;
    }
    if (!over) {
      disagree("recorded as completed, but the last state is not terminal");
      return;
    }
    const std::vector<int> goals(position_.goals().begin(), position_.goals().end());
    if (goals != record_.goals) {
      disagree("the goals are " + list(goals) + ", recorded are " + list(record_.goals));
    }
  }

  const MatchRecord& record_;
  search::Deadline stop_signal_;
  std::shared_ptr<gdl::MemoryBudget> memory_;
  Position position_;
  ReplayResult result_;
  bool within_step_ = false;
};

}  // namespace

MatchRecord in_order_of(MatchRecord record, const gdl::Rules& rules) {
  std::vector<std::string> recorded;
  for (const std::string& role : record.roles) recorded.push_back(gdl::fold_case(role));
  std::vector<std::size_t> order;
  for (const gdl::Term role : rules.roles) {
    const auto found = std::ranges::find(recorded, gdl::fold_case(rules.print(role)));
    if (found == recorded.end()) return record;
    order.push_back(static_cast<std::size_t>(found - recorded.begin()));
  }
  arrange(record.roles, order);
  arrange(record.goals, order);
  for (auto& moves : record.moves) arrange(moves, order);
  for (auto& percepts : record.percepts) arrange(percepts, order);
  return record;
}

std::optional<Disagreement> first_difference(const MatchRecord& first, const MatchRecord& second) {
  const std::size_t both = std::min(first.moves.size(), second.moves.size());
  for (std::size_t step = 0; step < both; ++step) {
    if (joint_move(first.moves[step]) == joint_move(second.moves[step])) continue;
    return Disagreement{
        step + 1, "it has " + list(second.moves[step]) + " and not " + list(first.moves[step])};
  }
  const bool goes_on = !first.completed && !first.aborted;
  if (goes_on && !second.completed) return std::nullopt;  // one may be written before the other
  if (first.moves.size() != second.moves.size()) {
    return Disagreement{both, "it has " + std::to_string(second.moves.size()) + " steps and not " +
                                  std::to_string(first.moves.size())};
  }
  if (first.completed != second.completed || first.goals != second.goals ||
      first.aborted != second.aborted) {
    return Disagreement{both, "it has another end"};
  }
  return std::nullopt;
}

ReplayResult replay(const MatchRecord& record, const std::shared_ptr<const gdl::Rules>& rules,
                    const std::stop_token& stop) {
  if (!record.roles_by_name) return Replayer(record, rules, stop).run();
  const MatchRecord arranged = in_order_of(record, *rules);
  return Replayer(arranged, rules, stop).run();
}

}  // namespace ludens::server
