// SPDX-License-Identifier: MIT
#include "server/web/match_document.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>
#include <utility>

#include "gdl/rules/read.h"
#include "search/strategy/stopping.h"
#include "server/records/json_number.h"

namespace ludens::server {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 7> kShapes{"nothing", "disc", "cross", "ring",
                                                  "chess",   "tile", "text"};

/// If more squares than this changed, they do not show the move.
constexpr std::size_t kMostMarked = 12;

/// The largest share of the time for beliefs that one step may take.
constexpr double kThoughtOfStep = 0.25;

/// Two decimals are short, and enough for people.
double rounded(double value) {
  return std::abs(value) < 1e15 ? std::round(value * 100) / 100 : value;
}

json::object thing_json(const std::string& name, const Appearance& appearance) {
  json::object out{{"name", storable(name)},
                   {"shape", kShapes[static_cast<std::size_t>(appearance.shape)]},
                   {"colour", appearance.colour},
                   {"text", storable(appearance.text)}};
  if (appearance.size < 1) out["size"] = rounded(appearance.size);
  return out;
}

json::array texts(const std::vector<std::string>& plain) {
  json::array out;
  for (const std::string& text : plain) out.emplace_back(storable(text));
  return out;
}

/// [[square, colour]..] of the squares that have one.
json::array tints_json(const Geometry& geometry) {
  json::array out;
  for (std::size_t row = 0; row < geometry.tints.size(); ++row) {
    for (std::size_t column = 0; column < geometry.columns.size(); ++column) {
      const std::string& colour = geometry.tints[row][column];
      if (!colour.empty()) out.push_back({row * geometry.columns.size() + column, colour});
    }
  }
  return out;
}

json::array lines_json(const Picture& picture) {
  json::array out;
  for (const Line& line : picture.lines) {
    out.push_back({line.x1, line.y1, line.x2, line.y2, line.link});
  }
  return out;
}

/// Adds a member if its value has changed.
void add_if_new(json::object& out, std::string_view name, json::array value, json::array& written) {
  if (value == written) return;
  out[name] = value;
  written = std::move(value);
}

/// Whether the record contains what every role did and perceived up to a step, as it should.
bool has_percepts(const MatchRecord& record, std::size_t step) {
  const std::size_t roles = record.roles.size();
  return step == 0 || (step <= record.percepts.size() && record.moves[step - 1].size() == roles &&
                       record.percepts[step - 1].size() == roles);
}

/// Adds the players' answers without the moves.
void add_answers(json::object& out, const MatchRecord& record, std::size_t step) {
  if (step < record.errors.size()) {
    const auto& errors = record.errors[step];
    if (std::any_of(errors.begin(), errors.end(), [](auto& e) { return !e.empty(); })) {
      out["errors"] = texts(errors);
    }
  }
  if (step < record.latencies_ms.size()) {
    json::array latencies;
    for (const double ms : record.latencies_ms[step]) latencies.emplace_back(rounded(ms));
    out["ms"] = std::move(latencies);
  }
  if (step - 1 < record.values.size() && !record.values[step - 1].empty()) {
    json::array values;
    for (const std::string& role : record.roles) {
      const auto value = record.values[step - 1].find(role);
      const bool known = value != record.values[step - 1].end();
      values.push_back(known ? json::value(rounded(value->second)) : json::value());
    }
    out["values"] = std::move(values);
  }
}

/// Control of several roles, and counters; a text that names a role has its colour.
json::array controls_json(const Picture& picture, const GameDocument& game) {
  json::array out;
  for (const FactGroup& group : picture.controls) {
    for (const std::string& fact : group.facts) {
      out.push_back({storable(group.name), storable(shown_arguments(game.notation(), fact)),
                     game.board().role_colour(fact)});
    }
  }
  return out;
}

json::array shown_texts(const GameDocument& game, const std::vector<std::string>& terms) {
  json::array out;
  for (const std::string& term : terms)
    out.emplace_back(storable(shown_term(game.notation(), term)));
  return out;
}

json::array shown_percepts(const GameDocument& game,
                           const std::vector<std::vector<std::string>>& of_roles) {
  json::array out;
  for (const auto& percepts : of_roles) out.emplace_back(shown_texts(game, percepts));
  return out;
}

}  // namespace

GameDocument::GameDocument(std::shared_ptr<const Board> board, Notation notation,
                           std::shared_ptr<const BelievedGame> hidden)
    : board_(std::move(board)), notation_(notation), hidden_(std::move(hidden)) {
  for (const auto& [name, sign] : board_->symbols().by_name) {
    things_[name] = names_.size();
    names_.push_back(name);
  }
}

json::object GameDocument::json() const {
  const Geometry& geometry = board_->geometry();
  json::array things, holes;
  for (const std::string& name : names_)
    things.push_back(thing_json(name, board_->appearance(name)));
  for (std::size_t row = 0; row < geometry.holes.size(); ++row) {
    for (std::size_t column = 0; column < geometry.columns.size(); ++column) {
      if (geometry.holes[row][column]) holes.emplace_back(row * geometry.columns.size() + column);
    }
  }
  json::object out{{"rows", texts(geometry.rows)},
                   {"columns", texts(geometry.columns)},
                   {"top", texts(geometry.top)},
                   {"shift", json::array(geometry.shift.begin(), geometry.shift.end())},
                   {"hexagons", geometry.hexagons},
                   {"block", geometry.block},
                   {"dots", geometry.dots},
                   {"tints", tints_json(geometry)},
                   {"chequered", geometry.chequered},
                   {"holes", std::move(holes)},
                   {"things", std::move(things)}};
  if (hidden_ != nullptr) out["hidden"] = true;
  return out;
}

std::size_t GameDocument::square(std::size_t row, std::size_t column, std::size_t layer) const {
  const Geometry& geometry = board_->geometry();
  return (layer * geometry.rows.size() + row) * geometry.columns.size() + column;
}

json::object GameDocument::move_json(const std::string& move) const {
  json::object out{{"move", storable(move)}};
  if (const std::string text = shown_term(notation_, move); text != move)
    out["text"] = storable(text);
  const SquaresOfMove named = board_->squares_of(move);
  json::array squares;
  for (const auto& [row, column, layer] : named.squares) {
    squares.emplace_back(square(row, column, layer));
  }
  if (!squares.empty()) out["squares"] = std::move(squares);
  if (named.line) out["line"] = true;
  return out;
}

MatchDocument::MatchDocument(std::shared_ptr<const GameDocument> game,
                             std::optional<std::size_t> sight,
                             std::chrono::duration<double> thought)
    : game_(std::move(game)),
      sight_(sight),
      trails_(game_->board()),
      things_(game_->things()),
      thought_(thought),
      thought_of_step_(thought * kThoughtOfStep) {}

json::object MatchDocument::header(const MatchRecord& record) const {
  json::array roles;
  for (std::size_t role = 0; role < record.roles.size(); ++role) {
    json::object entry{
        {"name", storable(record.roles[role])},
        {"player", storable(role < record.players.size() ? record.players[role] : "")},
        {"colour", game_->board().role_colour(record.roles[role])}};
    if (role < record.human.size() && record.human[role]) entry["human"] = true;
    roles.push_back(std::move(entry));
  }
  json::object out{{"id", storable(record.match_id)},
                   {"game", storable(record.game)},
                   {"roles", std::move(roles)},
                   {"started", record.start_time_ms},
                   {"start_clock", json_number(record.start_clock)},
                   {"play_clock", json_number(record.play_clock)}};
  if (!record.tournament.empty()) out["tournament"] = storable(record.tournament);
  if (sight_) out["sight"] = *sight_;
  return out;
}

/// Writes nothing that the role can't know: neither moves, faults, times and expectations of others
/// nor any part of the state.
json::object MatchDocument::known_step(const MatchRecord& record, std::size_t step) const {
  json::object out;
  if (step == 0) return out;
  std::vector<std::string> moves(record.roles.size()), errors(record.roles.size());
  std::vector<std::vector<std::string>> percepts(record.roles.size());
  moves[*sight_] = record.moves[step - 1][*sight_];
  if (step < record.errors.size()) errors[*sight_] = record.errors[step][*sight_];
  if (step <= record.percepts.size()) percepts[*sight_] = record.percepts[step - 1][*sight_];
  out["moves"] = shown_texts(*game_, moves);
  out["percepts"] = shown_percepts(*game_, percepts);
  if (!errors[*sight_].empty()) out["errors"] = texts(errors);
  return out;
}

void MatchDocument::add_moves(json::object& out, const MatchRecord& record,
                              std::size_t step) const {
  out["moves"] = shown_texts(*game_, record.moves[step - 1]);
  if (step <= record.percepts.size()) {
    out["percepts"] = shown_percepts(*game_, record.percepts[step - 1]);
  }
  add_answers(out, record, step);
}

json::object MatchDocument::step(const MatchRecord& record, std::size_t step, bool over) {
  if (sight_) {
    json::object out = known_step(record, step);
    if (step == 0) number_layers();
    add_beliefs(out, record, step, over);
    add_new_names(out);
    return out;
  }
  Picture picture = game_->board().picture(record.states[step]);
  trails_.follow(picture);
  json::object out;
  if (step > 0) add_moves(out, record, step);
  const std::size_t changed = add_cells(out, picture);
  if (step > 0) add_marks(out, record.moves[step - 1], changed);
  add_facts(out, picture);
  add_if_new(out, "controls", controls_json(picture, *game_), controls_);
  add_if_new(out, "lines", lines_json(picture), lines_);
  add_beliefs(out, record, step, over);
  add_new_names(out);
  return out;
}

/// The number of a thing. A thing without one gets one and is written with this step.
std::size_t MatchDocument::number_of(const std::string& thing) {
  const auto [known, added] = things_.try_emplace(thing, things_.size());
  if (added) new_things_.push_back(thing);
  return known->second;
}

/// The first square of a layer. A layer without one is written with this step, too.
std::size_t MatchDocument::first_square(const std::string& layer) {
  auto known = std::find(layers_.begin(), layers_.end(), layer);
  if (known == layers_.end()) {
    new_layers_.push_back(layer);
    known = layers_.insert(layers_.end(), layer);
  }
  return game_->square(0, 0, static_cast<std::size_t>(known - layers_.begin()));
}

/// Gives the layers that are always shown the numbers by which moves name them. Beliefs are in
/// another order. This says nothing of the state.
void MatchDocument::number_layers() {
  for (const Grid& grid : game_->board().picture("( )").grids) (void)first_square(grid.title);
}

/// Adds the things and layers that occur for the first time in this step.
void MatchDocument::add_new_names(json::object& out) {
  json::array things;
  for (const std::string& thing : new_things_) {
    things.push_back(thing_json(thing, game_->board().appearance(thing)));
  }
  if (!things.empty()) out["things"] = std::move(things);
  if (!new_layers_.empty()) out["layers"] = texts(new_layers_);
  new_things_.clear();
  new_layers_.clear();
}

/// What lies on each square.
MatchDocument::Cells MatchDocument::cells_of(json::object& out, const Picture& picture) {
  Cells cells;
  for (const Grid& grid : picture.grids) {
    std::size_t square = first_square(grid.title);
    for (const auto& row : grid.cells) {
      for (const auto& things : row) {
        for (const std::string& thing : things) {
          cells[square].push_back(number_of(thing));
        }
        ++square;
      }
    }
  }
  json::array marks;
  for (const Mark& mark : picture.marks) {
    marks.push_back({mark.x, mark.y, number_of(mark.thing)});
  }
  add_if_new(out, "between", std::move(marks), marks_);
  return cells;
}

std::size_t MatchDocument::add_cells(json::object& out, const Picture& picture) {
  Cells cells = cells_of(out, picture);
  json::array changed;
  for (const auto& [square, things] : cells) {
    const auto before = cells_.find(square);
    if (before != cells_.end() && before->second == things) continue;
    changed.push_back({square, json::array(things.begin(), things.end())});
  }
  for (const auto& [square, things] : cells_) {
    if (!cells.contains(square)) changed.push_back({square, json::array()});
  }
  cells_ = std::move(cells);
  const std::size_t count = changed.size();
  if (count > 0) out["cells"] = std::move(changed);
  return count;
}

/// If nothing or nearly everything has changed, the squares that the moves name are more useful.
void MatchDocument::add_marks(json::object& out, const std::vector<std::string>& moves,
                              std::size_t changed) const {
  if (changed > 0 && changed <= kMostMarked) return;
  json::array marked;
  for (const std::string& move : moves) {
    const SquaresOfMove named = game_->board().squares_of(move);
    if (named.line) continue;
    for (const auto& [row, column, layer] : named.squares) {
      marked.emplace_back(game_->square(row, column, layer));
    }
  }
  if (changed > 0 || !marked.empty()) out["marked"] = std::move(marked);
}

void MatchDocument::add_facts(json::object& out, const Picture& picture) {
  std::map<std::string, json::array> facts;
  json::array changed;
  for (const FactGroup& group : picture.facts) {
    json::array members;
    for (const std::string& fact : group.facts) {
      members.emplace_back(storable(shown_arguments(game_->notation(), fact)));
    }
    const auto before = facts_.find(group.name);
    const bool same = before != facts_.end() && before->second == members;
    if (!same) changed.push_back({storable(group.name), members});
    facts[group.name] = std::move(members);
  }
  for (const auto& [name, members] : facts_) {
    if (!facts.contains(name)) changed.push_back({storable(name), json::array()});
  }
  facts_ = std::move(facts);
  if (!changed.empty()) out["facts"] = std::move(changed);
}

/// Adds the beliefs of each role, or of the one role from whose view this is written.
void MatchDocument::add_beliefs(json::object& out, const MatchRecord& record, std::size_t step,
                                bool over) {
  if (game_->hidden() == nullptr || !has_percepts(record, step) || thought_.count() <= 0) return;
  (void)game_->hidden()->machine();  // made once for all matches
  const auto begin = std::chrono::steady_clock::now();
  const auto end = search::Deadline::in(std::min(thought_, thought_of_step_).count());
  const auto sees = [&](std::size_t role) { return !sight_ || *sight_ == role; };
  const bool last = over || (record.completed && step == record.moves.size());
  json::array beliefs;
  bool any = false;
  for (std::size_t role = 0; role < record.roles.size(); ++role) {
    if (step == 0)
      believers_.emplace_back(sees(role) ? game_->hidden() : nullptr, record.roles[role]);
    if (step > 0 && sees(role)) {
      believers_[role].follow(record.moves[step - 1][role], record.percepts[step - 1][role], last,
                              end);
    }
    const auto believed = believers_[role].look(game_->board(), end);
    any |= believed.has_value();
    beliefs.push_back(believed ? json::value(belief_json(*believed)) : json::value());
  }
  if (any) out["beliefs"] = std::move(beliefs);
  thought_ -= std::chrono::steady_clock::now() - begin;
}

json::object MatchDocument::belief_json(const Believed& believed) {
  const auto percent = [](Chance chance) { return std::lround(100 * chance); };
  json::array cells, controls, facts, lines;
  for (const auto& [place, things] : believed.cells) {
    const auto& [layer, row, column] = place;
    const std::size_t square = first_square(layer) + game_->square(row, column, 0);
    json::array there;
    for (const auto& [thing, chance] : things) {
      if (percent(chance) > 0) there.push_back({number_of(thing), percent(chance)});
    }
    if (!there.empty()) cells.push_back({square, std::move(there)});
  }
  for (const auto& [named, chance] : believed.controls) {
    if (percent(chance) == 0) continue;
    controls.push_back({storable(named.first), storable(named.second),
                        game_->board().role_colour(named.second), percent(chance)});
  }
  std::map<std::string, json::array> groups;
  for (const auto& [named, chance] : believed.facts) {
    if (percent(chance) == 0) continue;
    groups[named.first].push_back({storable(named.second), percent(chance)});
  }
  for (auto& [name, members] : groups) facts.push_back({storable(name), std::move(members)});
  for (const auto& [line, chance] : believed.lines) {
    if (percent(chance) == 100) lines.push_back({line.x1, line.y1, line.x2, line.y2, line.link});
  }
  return {{"histories", believed.histories}, {"exact", believed.exact},
          {"cells", std::move(cells)},       {"controls", std::move(controls)},
          {"facts", std::move(facts)},       {"lines", std::move(lines)}};
}

json::object ending_json(bool completed, const std::vector<int>& goals, const std::string& reason,
                         const std::vector<std::string>& warnings) {
  json::object out{{"completed", completed}, {"goals", json::array(goals.begin(), goals.end())}};
  if (!reason.empty()) out["reason"] = storable(reason);
  if (!warnings.empty()) out["warnings"] = texts(warnings);
  return out;
}

json::object ending_json(const MatchRecord& record) {
  return ending_json(record.completed, record.goals, record.end_reason, record.warnings);
}

json::object match_json(const MatchRecord& record, std::shared_ptr<const GameDocument> game,
                        std::chrono::duration<double> thought) {
  MatchDocument document(std::move(game), std::nullopt, thought);
  json::object out = document.header(record);
  json::array& steps = out["steps"].emplace_array();
  while (steps.size() < record.states.size()) {
    steps.emplace_back(document.step(record, steps.size()));
  }
  if (record.completed || record.aborted) out["end"] = ending_json(record);
  return out;
}

std::shared_ptr<const GameDocument> game_of(const MatchRecord& record,
                                            std::optional<Notation> notation) {
  // People do not look at games that split into a hundred thousand rules.
  gdl::NormaliseLimits limits;
  limits.max_rules = 100'000;
  limits.max_splitting = 400'000;
  limits.max_findings = 1;
  const auto rules = gdl::read_rules(record.rulesheet, limits).normalised.rules;
  auto board = std::make_shared<const Board>(
      *rules, record.states.empty() ? std::string("( )") : record.states.front());
  return std::make_shared<const GameDocument>(
      std::move(board), notation.value_or(notation_of(*rules)),
      rules->has_rule(gdl::kSees) ? std::make_shared<const BelievedGame>(rules) : nullptr);
}

}  // namespace ludens::server
