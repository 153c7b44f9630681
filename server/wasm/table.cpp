// SPDX-License-Identifier: MIT
#include "server/wasm/table.h"

#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <set>
#include <utility>

#include "gdl/interpreter/interpreter.h"
#include "search/registry/registry.h"
#include "server/game/position.h"
#include "server/game/rulesheet.h"
#include "server/match/answers.h"
#include "server/match/judge.h"
#include "server/venue/manager_words.h"
#include "server/wasm/brain.h"
#include "server/web/human_choice.h"
#include "server/web/match_document.h"

namespace ludens::server::wasm {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

std::int64_t now_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<milliseconds>(now).count();
}

double ms_since(Clock::time_point begun) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
}

std::string player_name(const TableSeat& seat) {
  if (seat.kind == TableSeat::Kind::Person) return "you";
  if (seat.kind == TableSeat::Kind::Page) return seat.page;
  const std::string strategy = search::to_string(seat.strategy);
  return strategy == "auto" ? "Ludens" : "Ludens " + strategy;
}

}  // namespace

class Table::Implementation {
 public:
  Implementation(TableSetup setup, std::shared_ptr<const gdl::Rules> rules, Tell tell)
      : setup_(std::move(setup)),
        tell_(std::move(tell)),
        names_(std::make_shared<gdl::MemoryBudget>(setup_.memory_bytes / 4)),
        told_(rules),
        machine_(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(std::move(rules), names_),
                                       {nullptr, names_.get()})),
        position_(machine_, {nullptr, names_.get()}),
        judge_(position_, ReplacementPolicy::Random, setup_.seed) {
    setup_.seats.resize(position_.roles());
  }

  std::optional<std::string> begin() {
    if (const auto status = position_.begin(); status != gdl::Status::Ok) {
      return "the initial state can't be derived: " + std::string(explain(status));
    }
    const gdl::Rules& rules = machine_->vocabulary()->rules();
    if (has_pages()) {
      auto written = write_page_rules(rules);
      if (!written) return written.error().text;
      page_rules_ = *std::move(written);
    }
    board_ = std::make_shared<const GameDocument>(
        std::make_shared<const Board>(rules, position_.text()), notation_of(rules));
    json::object game = board_->json();
    game["picture"] = 0;
    tell_("game", game);
    begin_match(setup_.record.value_or(MatchRecord()));
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
    if (legal.size() > 1) choice = brain(role).think(there(role), until(role, begun));
    latencies_[role] = ms_since(begun);
    if (choice) {
      values_[record_.roles[role]] = choice->value;
      tell_thought(role, *choice);
    }
    choose(role, choice && choice->move != gdl::kNoMove ? choice->move : legal.front());
    if (all_chose()) advance();
  }

  std::string move(std::size_t role, std::size_t step, std::string_view text, milliseconds taken) {
    if (!may_choose(role, step)) return "that can't be played now";
    const auto index = static_cast<gdl::RoleIndex>(role);
    const auto move = position_.find_legal(index, text);
    if (!move) return "that is not a legal move";
    latencies_[role] = static_cast<double>(taken.count());
    choose(index, *move);
    if (asked_[role]) {
      tell_("answered", json::object{{"id", record_.match_id}, {"role", role}});
    }
    if (all_chose()) advance();
    return {};
  }

  std::string answer(std::size_t role, std::size_t step, const std::optional<std::string>& said,
                     milliseconds taken) {
    const Answer answer = said ? text_answer(page_rules_.of_page(*said)) : late_answer("nothing");
    if (starting_.erase(role) > 0) return started(role, answer);
    if (!may_choose(role, step) || !is(role, TableSeat::Kind::Page)) {
      return "that was not asked for";
    }
    const Verdict verdict = judge_.verdict(static_cast<gdl::RoleIndex>(role), answer, told_);
    latencies_[role] = static_cast<double>(taken.count());
    errors_[role] = verdict.error;
    if (!verdict.error.empty()) {
      record_.replacements.push_back({this->step() + 1, record_.roles[role],
                                      error_code(verdict.error), verdict.answer,
                                      position_.move_name(verdict.move)});
    }
    choose(static_cast<gdl::RoleIndex>(role), verdict.move);
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
    if (has_pages()) return "a page can't take moves back";
    std::size_t steps = persons_chose_.size();
    while (steps > 0 && !persons_chose_[steps - 1]) --steps;
    if (steps == 0) return "nothing was chosen yet";
    MatchRecord kept = std::move(record_);
    kept.moves.resize(steps - 1);
    kept.continues = kept.match_id;
    kept.opening_steps = kept.moves.size();
    kept.aborted = false;
    drop(kept.match_id);
    kept.match_id.clear();
    begin_match(std::move(kept));
    return {};
  }

  std::string resign(std::size_t role) {
    if (!running() || !is_person(role)) return "there is nothing to resign";
    end("role " + record_.roles[role] + " has resigned");
    return {};
  }

  std::string restart(std::optional<std::size_t> person) {
    if (person && *person >= position_.roles()) return "there is no such role";
    if (person) {
      const auto is_one = [](const TableSeat& seat) {
        return seat.kind == TableSeat::Kind::Person;
      };
      const auto before = std::ranges::find_if(setup_.seats, is_one);
      if (before != setup_.seats.end()) std::swap(*before, setup_.seats[*person]);
    }
    if (running()) tell_pages(kAbort);
    drop(record_.match_id);
    begin_match({});
    return {};
  }

  [[nodiscard]] const MatchRecord& record() const { return record_; }

 private:
  [[nodiscard]] bool running() const { return !record_.completed && !record_.aborted; }
  [[nodiscard]] bool is(std::size_t role, TableSeat::Kind kind) const {
    return role < position_.roles() && setup_.seats[role].kind == kind &&
           machine_->random_role() != role;
  }
  [[nodiscard]] bool is_person(std::size_t role) const { return is(role, TableSeat::Kind::Person); }
  [[nodiscard]] bool has_pages() const {
    for (std::size_t role = 0; role < position_.roles(); ++role) {
      if (is(role, TableSeat::Kind::Page)) return true;
    }
    return false;
  }
  [[nodiscard]] std::size_t step() const { return record_.moves.size(); }
  [[nodiscard]] bool may_choose(std::size_t role, std::size_t at) const {
    return running() && at == step() && role < chosen_.size() && !chosen_[role];
  }
  [[nodiscard]] bool is_turn(std::size_t role, std::size_t at) const {
    return may_choose(role, at) && asked_[role];
  }
  [[nodiscard]] milliseconds clock(gdl::RoleIndex role) const {
    return setup_.seats[role].clock / std::max<std::ptrdiff_t>(1, choosers_);
  }
  [[nodiscard]] search::Deadline until(gdl::RoleIndex role, Clock::time_point begun) const {
    return search::Deadline(begun + clock(role));
  }
  /// The first role for which the program must still choose a move.
  [[nodiscard]] std::size_t next_to_choose() const {
    for (std::size_t role = 0; role < chosen_.size(); ++role) {
      if (!chosen_[role] && is(role, TableSeat::Kind::Program)) return role;
    }
    return position_.roles();
  }
  [[nodiscard]] bool all_chose() const {
    return !chosen_.empty() &&
           std::ranges::all_of(chosen_, [](const auto& move) { return move.has_value(); });
  }
  [[nodiscard]] search::Position there(gdl::RoleIndex role) const {
    return {machine_, gdl::State(position_.state()), role, history_};
  }
  [[nodiscard]] json::object move_json(gdl::MoveId move) const {
    return board_->move_json(position_.move_name(move));
  }
  Brain& brain(gdl::RoleIndex role) {
    if (brains_[role] == nullptr) {
      Brain::Told told;
      if (is(role, TableSeat::Kind::Program)) {
        told = [this, role](const search::Choice& choice) { tell_thought(role, choice); };
      }
      brains_[role] = std::make_unique<Brain>(setup_.memory_bytes / 2 / brains_.size(),
                                              std::move(told), setup_.seats[role].strategy);
    }
    return *brains_[role];
  }
  void tell_thought(gdl::RoleIndex role, const search::Choice& choice) {
    if (choice.move == gdl::kNoMove) return;
    tell_("thought", json::object{{"id", record_.match_id},
                                  {"role", role},
                                  {"step", step()},
                                  {"move", move_json(choice.move)},
                                  {"value", choice.value}});
  }

  void drop(const std::string& id) {
    tell_("dropped", json::object{{"id", id}, {"dropped", true}});
  }

  // --- The match ---

  /// The record of a match without moves.
  [[nodiscard]] MatchRecord new_record() {
    MatchRecord record;
    record.start_time_ms = now_ms();
    record.match_id =
        setup_.game + "." + std::to_string(record.start_time_ms) + "." + std::to_string(++matches_);
    record.random_token = random_match_token();
    record.game = setup_.game;
    record.game_meta_url = "ludens:" + setup_.game;
    record.rulesheet = setup_.text;
    record.dialect = "ggp";
    record.seed = setup_.seed;
    return record;
  }

  /// Who sits where, and with which clocks.
  void seat_players() {
    milliseconds longest{0};
    for (gdl::RoleIndex role = 0; role < position_.roles(); ++role) {
      record_.roles.push_back(machine_->role_name(role));
      record_.human.push_back(is_person(role));
      record_.players.push_back(machine_->random_role() == role ? "dice"
                                                                : player_name(setup_.seats[role]));
      if (is(role, TableSeat::Kind::Program)) longest = std::max(longest, setup_.seats[role].clock);
    }
    record_.start_clock = has_pages() ? setup_.start_clock : 0;
    record_.play_clock =
        has_pages() ? setup_.play_clock : static_cast<double>(longest.count()) / 1000;
  }

  /// Begins a match, a new one or one that continues another, and makes the moves that `before`
  /// has.
  void begin_match(MatchRecord before) {
    record_ = new_record();
    seat_players();
    if (!before.match_id.empty()) {
      record_.match_id = before.match_id;
      record_.start_time_ms = before.start_time_ms;
      record_.random_token = before.random_token;
      record_.warnings = before.warnings;
    }
    record_.continues = before.continues;
    record_.opening_steps = before.opening_steps;
    brains_.clear();
    brains_.resize(position_.roles());
    history_.clear();
    hint_.reset();
    persons_chose_.clear();
    starting_.clear();
    forget_choices();
    document_.emplace(board_);
    if (position_.begin() != gdl::Status::Ok) return end("the initial state can't be derived");
    add_state();
    record_.errors = {before.errors.empty() ? std::vector<std::string>(position_.roles())
                                            : before.errors.front()};
    record_.latencies_ms.emplace_back(position_.roles());
    json::array steps{document_->step(record_, 0)};
    for (std::size_t i = 0; i < before.moves.size() && running(); ++i) repeat(before, i, steps);
    json::object match = document_->header(record_);
    match["steps"] = std::move(steps);
    match["picture"] = 0;
    tell_("match", match);
    if (!running()) return tell_end();
    if (before.aborted) return end(before.end_reason);
    // Pages may not have heard of a match that has no moves yet.
    if (has_pages() && record_.moves.empty()) return start_pages();
    ask();
  }

  /// Makes the move of a step of another record.
  void repeat(const MatchRecord& before, std::size_t at, json::array& steps) {
    find_choices();
    if (!running()) return;
    const auto& names = before.moves[at];
    for (gdl::RoleIndex role = 0; role < chosen_.size() && role < names.size(); ++role) {
      chosen_[role] = position_.find_legal(role, names[role]);
    }
    if (!all_chose())
      return stop_with("step " + std::to_string(at + 1) + " of the record is not legal");
    if (at < before.values.size()) values_ = before.values[at];
    if (at + 1 < before.errors.size()) errors_ = before.errors[at + 1];
    if (at + 1 < before.latencies_ms.size()) latencies_ = before.latencies_ms[at + 1];
    for (const Replacement& replacement : before.replacements) {
      if (replacement.step == at + 1) record_.replacements.push_back(replacement);
    }
    make_move(steps);
  }

  void add_state() {
    record_.states.push_back(position_.text());
    record_.state_times_ms.push_back(now_ms());
  }

  void forget_choices() {
    chosen_.clear();
    asked_.clear();
  }

  /// Computes what each role can choose, and asks no player.
  void find_choices() {
    const std::size_t roles = position_.roles();
    chosen_.assign(roles, std::nullopt);
    asked_.assign(roles, false);
    latencies_.assign(roles, 0);
    errors_.assign(roles, "");
    values_.clear();
    for (gdl::RoleIndex role = 0; role < roles; ++role) {
      if (position_.legal(role).empty()) {
        return stop_with("role " + record_.roles[role] + " has no legal move");
      }
      std::vector<std::string> legal;
      for (const gdl::MoveId move : position_.legal(role))
        legal.push_back(position_.move_name(move));
      asked_[role] = is_person(role) && is_choice(legal);
    }
  }

  /// Asks people and pages that have a choice; the program chooses in `go`.
  void ask() {
    if (position_.terminal()) return complete();
    find_choices();
    if (!running()) return tell_end();
    for (gdl::RoleIndex role = 0; role < position_.roles(); ++role) {
      const std::span<const gdl::MoveId> legal = position_.legal(role);
      if (machine_->random_role() == role) {
        chosen_[role] = judge_.chance(role).move;
      } else if (asked_[role]) {
        tell_turn(role);
      } else if (is(role, TableSeat::Kind::Page) ? waits(role)
                                                 : is_person(role) || legal.size() == 1) {
        chosen_[role] = legal.front();
      }
    }
    tell_pages("play(" + last_move() + ")");
    milliseconds longest{0};
    choosers_ = 0;
    for (gdl::RoleIndex role = 0; role < position_.roles(); ++role) {
      if (chosen_[role] || !is(role, TableSeat::Kind::Program)) continue;
      ++choosers_;
      longest = std::max(longest, setup_.seats[role].clock);
    }
    if (choosers_ == 0) return;
    tell_("asked",
          json::object{{"id", record_.match_id}, {"start", false}, {"ms", longest.count()}});
  }

  void tell_turn(gdl::RoleIndex role) {
    json::array moves;
    for (const gdl::MoveId move : position_.legal(role)) moves.push_back(move_json(move));
    tell_("turn", json::object{{"id", record_.match_id},
                               {"role", role},
                               {"step", step()},
                               {"legal", std::move(moves)}});
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
    if (!running()) return tell_end();
    ask();
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
      return stop_with("the next state can't be derived: " + std::string(explain(status)));
    }
    history_.insert(history_.end(), joint.begin(), joint.end());
    persons_chose_.push_back(std::ranges::find(asked_, true) != asked_.end());
    record_.moves.push_back(std::move(names));
    add_state();
    record_.errors.push_back(errors_);
    record_.latencies_ms.push_back(latencies_);
    record_.values.push_back(values_);
    record_.claims.emplace_back();
    forget_choices();
    steps.emplace_back(document_->step(record_, step()));
  }

  void complete() {
    record_.completed = true;
    record_.goals.assign(position_.goals().begin(), position_.goals().end());
    tell_end();
  }
  void end(const std::string& why) {
    stop_with(why);
    tell_end();
  }
  void stop_with(const std::string& why) {
    record_.aborted = true;
    record_.end_reason = why;
  }
  void tell_end() {
    forget_choices();
    tell_pages(record_.completed ? "stop(" + last_move() + ")" : kAbort);
    tell_("end", json::object{{"id", record_.match_id}, {"end", ending_json(record_)}});
  }

  void advise(gdl::RoleIndex role) {
    json::object advice{{"id", record_.match_id}, {"role", role}, {"step", step()}};
    const auto choice = brain(role).think(there(role), until(role, Clock::now()));
    if (choice && choice->move != gdl::kNoMove) {
      advice["move"] = move_json(choice->move);
    } else {
      advice["problem"] = "nothing was found in time";
    }
    tell_("advice", advice);
  }

  // --- Pages ---

  /// Whether the role can only wait while another one moves.
  [[nodiscard]] bool waits(gdl::RoleIndex role) const {
    const auto only_waits = [this](gdl::RoleIndex one) {
      const auto legal = position_.legal(one);
      return legal.size() == 1 && gdl::fold_case(position_.move_name(legal.front())) == "noop";
    };
    if (!only_waits(role)) return false;
    for (gdl::RoleIndex other = 0; other < position_.roles(); ++other) {
      if (!only_waits(other)) return true;
    }
    return false;
  }

  [[nodiscard]] std::string last_move() const {
    return page_rules_.last_move(record_.moves.empty() ? std::vector<std::string>()
                                                       : record_.moves.back());
  }

  void start_pages() {
    for (std::size_t role = 0; role < position_.roles(); ++role) {
      if (is(role, TableSeat::Kind::Page)) starting_.insert(role);
    }
    json::array messages;
    for (const std::size_t role : starting_) {
      messages.push_back(message(role, "start(" + page_rules_.for_page(record_.roles[role]) + "," +
                                           page_rules_.ruleset + "," +
                                           std::to_string(setup_.start_clock) + "," +
                                           std::to_string(setup_.play_clock) + ")"));
      messages.back().as_object()["ms"] = 1000 * setup_.start_clock;
    }
    tell_messages(std::move(messages));
  }

  std::string started(std::size_t role, const Answer& answer) {
    record_.errors.front()[role] = Judge::start_error(answer);
    const std::string complaint = Judge::complaint_of_start(answer);
    if (!complaint.empty()) {
      record_.warnings.push_back(storable("role " + record_.roles[role] + ": " + complaint));
    }
    if (starting_.empty()) ask();
    return {};
  }

  /// Tells all pages; those that have not chosen answer.
  void tell_pages(const std::string& content) {
    json::array messages;
    for (std::size_t role = 0; role < position_.roles(); ++role) {
      if (!is(role, TableSeat::Kind::Page)) continue;
      messages.push_back(message(role, content));
      if (may_choose(role, step())) messages.back().as_object()["ms"] = 1000 * setup_.play_clock;
    }
    tell_messages(std::move(messages));
  }

  [[nodiscard]] json::value message(std::size_t role, const std::string& content) const {
    return json::object{
        {"role", role}, {"player", setup_.seats[role].page}, {"content", storable(content)}};
  }

  void tell_messages(json::array messages) {
    if (messages.empty()) return;
    tell_("pages",
          json::object{
              {"id", record_.match_id}, {"step", step()}, {"messages", std::move(messages)}});
  }

  TableSetup setup_;
  Tell tell_;
  std::shared_ptr<gdl::MemoryBudget> names_;  // for the rules and what is derived from them
  const ToldGame told_;
  std::shared_ptr<const gdl::Machine> machine_;
  Position position_;
  Judge judge_;
  PageRules page_rules_;
  std::shared_ptr<const GameDocument> board_;
  std::size_t matches_ = 0;

  MatchRecord record_;
  std::optional<MatchDocument> document_;
  std::vector<gdl::MoveId> history_;
  std::vector<bool> persons_chose_;             // [step]: whether a person had a choice
  std::vector<std::unique_ptr<Brain>> brains_;  // [role]
  std::set<std::size_t> starting_;              // pages that were not ready yet
  // The moves of the current step, by role; none while nobody can choose.
  std::vector<std::optional<gdl::MoveId>> chosen_;
  std::vector<bool> asked_;  // people who have something to choose
  // Seats of the program that have: in one thread they share the time of the step.
  std::ptrdiff_t choosers_ = 0;
  std::vector<double> latencies_;
  std::vector<std::string> errors_;
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
  if (setup.seats.size() > roles) {
    return gdl::Error{"there are " + std::to_string(setup.seats.size()) + " seats for " +
                      std::to_string(roles) + (roles == 1 ? " role" : " roles")};
  }
  auto made = std::make_unique<Implementation>(std::move(setup), sheet.rules, std::move(tell));
  if (auto problem = made->begin()) return gdl::Error{*std::move(problem)};
  return std::unique_ptr<Table>(new Table(std::move(made)));
}

const std::string& Table::match_id() const {
  return record().match_id;
}
const MatchRecord& Table::record() const {
  return implementation_->record();
}
bool Table::busy() const {
  return implementation_->busy();
}
void Table::go() {
  implementation_->go();
}
std::string Table::move(std::size_t role, std::size_t step, std::string_view move,
                        std::chrono::milliseconds taken) {
  return implementation_->move(role, step, move, taken);
}
std::string Table::answer(std::size_t role, std::size_t step,
                          const std::optional<std::string>& said, std::chrono::milliseconds taken) {
  return implementation_->answer(role, step, said, taken);
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
