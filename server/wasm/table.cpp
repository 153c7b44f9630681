// SPDX-License-Identifier: MIT
#include "server/wasm/table.h"

#include <algorithm>
#include <boost/json.hpp>
#include <ctime>
#include <utility>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/rng.h"
#include "server/game/position.h"
#include "server/game/rulesheet.h"
#include "server/wasm/brain.h"
#include "server/web/human_choice.h"
#include "server/web/match_document.h"

namespace ludens::server::wasm {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

std::int64_t now_ms() {
  return static_cast<std::int64_t>(std::time(nullptr)) * 1000;
}

}  // namespace

class Table::Implementation {
 public:
  Implementation(TableSetup setup, std::shared_ptr<const gdl::Rules> rules, Tell tell)
      : setup_(std::move(setup)),
        tell_(std::move(tell)),
        names_(std::make_shared<gdl::MemoryBudget>(setup_.memory_bytes / 4)),
        machine_(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(std::move(rules), names_),
                                       {nullptr, names_.get()})),
        position_(machine_, {nullptr, names_.get()}),
        dice_(setup_.seed) {}

  std::optional<std::string> begin() {
    if (const auto status = position_.begin(); status != gdl::Status::Ok) {
      return "the initial state can't be derived: " + std::string(explain(status));
    }
    const gdl::Rules& rules = machine_->vocabulary()->rules();
    board_ = std::make_shared<const GameDocument>(
        std::make_shared<const Board>(rules, position_.text()), notation_of(rules));
    json::object game = json::parse(board_->json()).as_object();
    game["picture"] = 0;
    tell_("game", game);
    begin_match({});
    return std::nullopt;
  }

  [[nodiscard]] bool busy() const {
    return running() && (hint_ || all_chose() || next_to_choose() < position_.roles());
  }

  /// Computes a piece of advice, or the choice of one role; makes the step that all have chosen.
  void go() {
    if (!busy()) return;
    if (hint_) return advise(*std::exchange(hint_, std::nullopt));
    if (all_chose()) return advance();
    const auto role = static_cast<gdl::RoleIndex>(next_to_choose());
    const Clock::time_point begun = Clock::now();
    const std::span<const gdl::MoveId> legal = position_.legal(role);
    std::optional<search::Choice> choice;
    if (legal.size() > 1) choice = brain(role).think(there(role), until());
    choose(role, choice && choice->move != gdl::kNoMove ? choice->move : legal.front());
    latencies_[role] = std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
    if (choice) values_[record_.roles[role]] = choice->value;
    if (all_chose()) advance();
  }

  std::string move(std::size_t role, std::size_t step, std::string_view text) {
    if (!is_turn(role, step)) return "that can't be played now";
    const auto index = static_cast<gdl::RoleIndex>(role);
    const auto move = position_.find_legal(index, text);
    if (!move) return "that is not a legal move";
    choose(index, *move);
    tell_("answered", json::object{{"id", record_.match_id}, {"role", role}});
    if (all_chose()) advance();
    return {};
  }

  std::string hint(std::size_t role, std::size_t step) {
    if (!is_turn(role, step)) return "there is nothing to choose now";
    hint_ = static_cast<gdl::RoleIndex>(role);
    return {};
  }

  /// Goes back to the last choice of a person.
  std::string undo() {
    std::size_t steps = persons_chose_.size();
    while (steps > 0 && !persons_chose_[steps - 1]) --steps;
    if (steps == 0) return "nothing was chosen yet";
    std::vector<gdl::MoveId> kept(
        history_.begin(),
        history_.begin() + static_cast<std::ptrdiff_t>((steps - 1) * position_.roles()));
    drop();
    begin_match(kept);
    return {};
  }

  std::string resign(std::size_t role) {
    if (!running() || !is_person(role)) return "there is nothing to resign";
    end("role " + record_.roles[role] + " has resigned");
    return {};
  }

  std::string restart(std::optional<std::size_t> person) {
    if (person && *person >= position_.roles()) return "there is no such role";
    if (person) setup_.people = {*person};
    drop();
    begin_match({});
    return {};
  }

  [[nodiscard]] const std::string& match_id() const { return record_.match_id; }

 private:
  [[nodiscard]] bool running() const { return !record_.completed && !record_.aborted; }
  [[nodiscard]] bool is_person(std::size_t role) const {
    return std::ranges::find(setup_.people, role) != setup_.people.end();
  }
  [[nodiscard]] std::size_t step() const { return record_.moves.size(); }
  [[nodiscard]] bool is_turn(std::size_t role, std::size_t at) const {
    return running() && at == step() && role < asked_.size() && asked_[role];
  }
  [[nodiscard]] search::Deadline until() const {
    return search::Deadline(Clock::now() + setup_.clock);
  }
  /// The first role for which the program must still choose a move.
  [[nodiscard]] std::size_t next_to_choose() const {
    for (std::size_t role = 0; role < chosen_.size(); ++role) {
      if (!chosen_[role] && !asked_[role]) return role;
    }
    return position_.roles();
  }
  [[nodiscard]] bool all_chose() const {
    return std::ranges::all_of(chosen_, [](const auto& move) { return move.has_value(); });
  }
  [[nodiscard]] search::Position there(gdl::RoleIndex role) const {
    return {machine_, gdl::State(position_.state()), role, history_};
  }
  Brain& brain(gdl::RoleIndex role) {
    if (brains_[role] == nullptr) {
      brains_[role] = std::make_unique<Brain>(setup_.memory_bytes / 2 / brains_.size());
    }
    return *brains_[role];
  }

  void drop() { tell_("dropped", json::object{{"id", record_.match_id}, {"dropped", true}}); }

  /// Begins a new match and makes these joint moves.
  void begin_match(const std::vector<gdl::MoveId>& moves) {
    const std::size_t roles = position_.roles();
    record_ = {};
    record_.match_id = setup_.game + "." + std::to_string(++matches_);
    record_.game = setup_.game;
    record_.play_clock = static_cast<int>(setup_.clock.count() / 1000);
    record_.start_time_ms = now_ms();
    for (gdl::RoleIndex role = 0; role < roles; ++role) {
      record_.roles.push_back(machine_->role_name(role));
      const bool chance = machine_->random_role() == role;
      record_.human.push_back(is_person(role));
      record_.players.emplace_back(is_person(role) ? "you" : chance ? "dice" : "Ludens");
    }
    brains_.clear();
    brains_.resize(roles);
    history_.clear();
    hint_.reset();
    persons_chose_.clear();
    document_.emplace(board_);
    if (position_.begin() != gdl::Status::Ok) return end("the initial state can't be derived");
    record_.states = {position_.text()};
    record_.errors.resize(1);
    json::array steps{json::parse(document_->step(record_, 0))};
    for (std::size_t i = 0; i < moves.size() && running(); i += roles) {
      find_choices();
      for (std::size_t role = 0; role < roles; ++role) chosen_[role] = moves[i + role];
      make_move(steps);
    }
    json::object match = json::parse(document_->header(record_)).as_object();
    match["steps"] = std::move(steps);
    match["picture"] = 0;
    tell_("match", match);
    if (running()) ask();
  }

  /// Computes what each role can choose, and asks no player.
  void find_choices() {
    const std::size_t roles = position_.roles();
    chosen_.assign(roles, std::nullopt);
    asked_.assign(roles, false);
    latencies_.assign(roles, 0);
    values_.clear();
    for (gdl::RoleIndex role = 0; role < roles; ++role) {
      if (position_.legal(role).empty()) {
        return end("role " + record_.roles[role] + " has no legal move");
      }
      std::vector<std::string> legal;
      for (const gdl::MoveId move : position_.legal(role))
        legal.push_back(position_.move_name(move));
      asked_[role] = is_person(role) && is_choice(legal);
    }
  }

  /// Asks the people who have a choice; the program chooses in `go`.
  void ask() {
    if (position_.terminal()) return complete();
    find_choices();
    if (!running()) return;
    for (gdl::RoleIndex role = 0; role < position_.roles(); ++role) {
      const std::span<const gdl::MoveId> legal = position_.legal(role);
      if (machine_->random_role() == role) {
        chosen_[role] = legal[dice_.below(static_cast<std::uint32_t>(legal.size()))];
      } else if (asked_[role]) {
        json::array moves;
        for (const gdl::MoveId move : legal) {
          moves.push_back(json::parse(board_->move_json(position_.move_name(move))));
        }
        tell_("turn", json::object{{"id", record_.match_id},
                                   {"role", role},
                                   {"step", step()},
                                   {"legal", std::move(moves)}});
      } else if (is_person(role) || legal.size() == 1) {
        chosen_[role] = legal.front();
      }
    }
    if (next_to_choose() < position_.roles()) {
      tell_("asked",
            json::object{{"id", record_.match_id}, {"start", false}, {"ms", setup_.clock.count()}});
    }
  }

  /// Advice for the choice is of no use any more.
  void choose(gdl::RoleIndex role, gdl::MoveId move) {
    chosen_[role] = move;
    if (hint_ == role) hint_.reset();
  }

  /// Makes one step. That nobody has a choice in the next one is left to `go`: there may be any
  /// number of such steps.
  void advance() {
    json::array steps;
    make_move(steps);
    for (json::value& made : steps) {
      tell_("step", json::object{{"id", record_.match_id}, {"step", std::move(made)}});
    }
    if (running()) ask();
  }

  /// Makes the move that all roles have chosen.
  void make_move(json::array& steps) {
    std::vector<gdl::MoveId> joint;
    std::vector<std::string> names;
    for (const auto& move : chosen_) {
      joint.push_back(*move);
      names.push_back(position_.move_name(*move));
    }
    if (const auto status = position_.advance(joint); status != gdl::Status::Ok) {
      return end("the next state can't be derived: " + std::string(explain(status)));
    }
    history_.insert(history_.end(), joint.begin(), joint.end());
    persons_chose_.push_back(std::ranges::find(asked_, true) != asked_.end());
    record_.moves.push_back(std::move(names));
    record_.states.push_back(position_.text());
    record_.errors.emplace_back();
    record_.latencies_ms.resize(record_.states.size());
    record_.latencies_ms.back() = latencies_;
    record_.values.resize(record_.moves.size());
    record_.values.back() = values_;
    steps.push_back(json::parse(document_->step(record_, step())));
  }

  void complete() {
    record_.completed = true;
    record_.goals.assign(position_.goals().begin(), position_.goals().end());
    tell_end();
  }
  void end(const std::string& why) {
    record_.aborted = true;
    record_.end_reason = why;
    tell_end();
  }
  void tell_end() {
    tell_("end",
          json::object{{"id", record_.match_id}, {"end", json::parse(ending_json(record_))}});
  }

  void advise(gdl::RoleIndex role) {
    json::object advice{{"id", record_.match_id}, {"role", role}, {"step", step()}};
    const auto choice = brain(role).think(there(role), until());
    if (choice && choice->move != gdl::kNoMove) {
      advice["move"] = json::parse(board_->move_json(position_.move_name(choice->move)));
    } else {
      advice["problem"] = "nothing was found in time";
    }
    tell_("advice", advice);
  }

  TableSetup setup_;
  Tell tell_;
  std::shared_ptr<gdl::MemoryBudget> names_;  // for the rules and what is derived from them
  std::shared_ptr<const gdl::Machine> machine_;
  Position position_;
  gdl::Rng dice_;
  std::shared_ptr<const GameDocument> board_;
  std::size_t matches_ = 0;

  MatchRecord record_;
  std::optional<MatchDocument> document_;
  std::vector<gdl::MoveId> history_;
  std::vector<bool> persons_chose_;             // [step]: whether a person had a choice
  std::vector<std::unique_ptr<Brain>> brains_;  // [role]
  // The moves of the current step, by role.
  std::vector<std::optional<gdl::MoveId>> chosen_;
  std::vector<bool> asked_;  // people who have something to choose
  std::vector<double> latencies_;
  std::map<std::string, double> values_;
  std::optional<gdl::RoleIndex> hint_;  // wanted for that role
};

Table::Table(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Table::~Table() = default;

gdl::Result<std::unique_ptr<Table>> Table::make(TableSetup setup, Tell tell) {
  const Rulesheet sheet = read_rulesheet(setup.game, setup.text);
  if (const auto error = first_error(sheet)) return gdl::Error{*error};
  if (const auto why = why_not_in_the_open(sheet)) return gdl::Error{*why};
  const std::size_t roles = sheet.rules->roles.size();
  for (const std::size_t role : setup.people) {
    if (role >= roles) return gdl::Error{"the game has no role number " + std::to_string(role + 1)};
  }
  auto made = std::make_unique<Implementation>(std::move(setup), sheet.rules, std::move(tell));
  if (auto problem = made->begin()) return gdl::Error{*std::move(problem)};
  return std::unique_ptr<Table>(new Table(std::move(made)));
}

const std::string& Table::match_id() const {
  return implementation_->match_id();
}
bool Table::busy() const {
  return implementation_->busy();
}
void Table::go() {
  implementation_->go();
}
std::string Table::move(std::size_t role, std::size_t step, std::string_view move) {
  return implementation_->move(role, step, move);
}
std::string Table::hint(std::size_t role, std::size_t step) {
  return implementation_->hint(role, step);
}
std::string Table::undo() {
  return implementation_->undo();
}
std::string Table::resign(std::size_t role) {
  return implementation_->resign(role);
}
std::string Table::restart(std::optional<std::size_t> person) {
  return implementation_->restart(person);
}

}  // namespace ludens::server::wasm
