// SPDX-License-Identifier: MIT
#include "server/conformance/trace.h"

#include <algorithm>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/json.hpp>
#include <fstream>

#include "gdl/text/syntax.h"
#include "server/records/json_text.h"

namespace ludens::server {

namespace {

namespace json = boost::json;

std::vector<std::string> terms(const json::value& list) {
  std::vector<std::string> result;
  for (const json::value& term : list.as_array()) {
    result.push_back(gdl::fold_case(std::string_view(term.as_string())));
  }
  return result;
}

std::vector<std::string> sorted(std::vector<std::string> list) {
  std::ranges::sort(list);
  return list;
}

/// A value for each role: `moves` for the one role that `control` names (null: none), `wait` for
/// the others.
template <class Value>
std::vector<Value> of_role_in_control(const json::object& step,
                                      const std::vector<std::string>& roles, Value moves,
                                      const Value& wait) {
  std::vector<Value> all(roles.size(), wait);
  const json::value& control = step.at("control");
  if (control.is_null()) return all;
  const std::string name = gdl::fold_case(std::string_view(control.as_string()));
  const auto role = std::ranges::find(roles, name);
  if (role == roles.end()) throw std::invalid_argument("'" + name + "' in control is not a role");
  all[static_cast<std::size_t>(role - roles.begin())] = std::move(moves);
  return all;
}

/// The move of roles that wait, as the HRF reader names it.
constexpr const char* kWait = "noop";

void read_turn(const json::object& object, const std::vector<std::string>& roles, TraceStep& step) {
  if (const auto* legal = object.if_contains("legal")) {
    step.legal =
        of_role_in_control<std::vector<std::string>>(object, roles, sorted(terms(*legal)), {kWait});
  }
  if (const auto* move = object.if_contains("move")) {
    const std::string text = gdl::fold_case(std::string_view(move->as_string()));
    step.moves.push_back(of_role_in_control<std::string>(object, roles, text, kWait));
  }
}

void read_moves(const json::object& object, TraceStep& step) {
  if (const auto* legal = object.if_contains("legal")) {
    for (const json::value& role : legal->as_array()) step.legal.push_back(sorted(terms(role)));
  }
  if (const auto* move = object.if_contains("move")) step.moves.push_back(terms(*move));
  if (const auto* sees = object.if_contains("sees")) {
    for (const json::value& role : sees->as_array()) step.sees.push_back(sorted(terms(role)));
  }
  if (const auto* moves = object.if_contains("moves")) {
    for (const json::value& move : moves->as_array()) step.moves.push_back(terms(move));
  }
}

TraceStep read_step(const json::object& object, const std::vector<std::string>& roles) {
  TraceStep step;
  step.step = object.at("step").to_number<std::uint32_t>();
  step.state = sorted(terms(object.at("state")));
  step.terminal = object.at("terminal").as_bool();
  object.contains("control") ? read_turn(object, roles, step) : read_moves(object, step);
  if (const auto* goals = object.if_contains("goals"); goals != nullptr && goals->is_array()) {
    for (const json::value& goal : goals->as_array()) {
      const bool none_or_several = goal.is_null() || goal.is_array();
      step.goals.push_back(none_or_several ? std::nullopt : std::optional(goal.to_number<int>()));
    }
  }
  return step;
}

/// Throws if a list of the step does not have one entry a role.
void check_lengths(const TraceStep& step, std::size_t roles) {
  const auto check = [&](const char* list, std::size_t count) {
    if (count == roles) return;
    throw std::invalid_argument("step " + std::to_string(step.step) + ": '" + list + "' has " +
                                std::to_string(count) + " entries for " + std::to_string(roles) +
                                " roles");
  };
  if (!step.legal.empty()) check("legal", step.legal.size());
  if (!step.goals.empty()) check("goals", step.goals.size());
  if (!step.sees.empty()) check("sees", step.sees.size());
  for (const auto& move : step.moves) check("moves", move.size());
}

TracePlayout read_playout(const std::string& line) {
  const auto parsed = read_json_text(line);
  if (!parsed) throw std::invalid_argument(parsed.error().text);
  const json::object& object = parsed->as_object();
  TracePlayout playout;
  playout.seed = object.at("seed").to_number<std::uint64_t>();
  playout.roles = terms(object.at("roles"));
  for (const json::value& step : object.at("steps").as_array()) {
    playout.steps.push_back(read_step(step.as_object(), playout.roles));
    check_lengths(playout.steps.back(), playout.roles.size());
  }
  return playout;
}

}  // namespace

gdl::Result<std::vector<TracePlayout>> read_trace(const std::filesystem::path& file) {
  std::ifstream raw(file, std::ios::binary);
  if (!raw) return gdl::Error{file.string() + ": can't be opened"};
  boost::iostreams::filtering_istream in;
  in.push(boost::iostreams::gzip_decompressor());
  in.push(raw);
  in.exceptions(std::ios::badbit);  // otherwise corrupt gzip data look like the end of the file
  std::vector<TracePlayout> playouts;
  try {
    for (std::string line; std::getline(in, line);) {
      if (!line.empty()) playouts.push_back(read_playout(line));
    }
  } catch (const std::exception& error) {  // broken gzip or JSON: the libraries throw
    return gdl::Error{file.string() + ": playout " + std::to_string(playouts.size() + 1) + ": " +
                      error.what()};
  }
  if (playouts.empty()) return gdl::Error{file.string() + ": no playouts"};
  return playouts;
}

}  // namespace ludens::server
