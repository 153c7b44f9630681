// SPDX-License-Identifier: MIT
#include "server/wasm/engine.h"

#include <boost/json.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "search/registry/registry.h"
#include "server/game/rulesheet.h"
#include "server/records/ggp_json.h"
#include "server/wasm/measure.h"
#include "server/wasm/seat.h"
#include "server/wasm/table.h"

namespace ludens::server::wasm {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

std::string text_of(const json::object& request, std::string_view name) {
  const json::value* found = request.if_contains(name);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

std::optional<std::size_t> number_of(const json::value* value) {
  json::error_code error;
  if (value == nullptr) return std::nullopt;
  const auto number = value->to_number<std::size_t>(error);
  return error ? std::nullopt : std::optional(number);
}

std::size_t count_of(const json::object& request, std::string_view name, std::size_t otherwise) {
  return number_of(request.if_contains(name)).value_or(otherwise);
}

/// Who sits there, or a sentence that says what is wrong with the strategy.
gdl::Result<TableSeat> seat_of(const json::value& value) {
  TableSeat seat;
  if (!value.is_object()) return {boost::system::in_place_value, std::move(seat)};
  const json::object& asked = value.get_object();
  seat.page = text_of(asked, "page");
  seat.clock = milliseconds(count_of(asked, "ms", 1000));
  if (asked.contains("person")) seat.kind = TableSeat::Kind::Person;
  if (!seat.page.empty()) seat.kind = TableSeat::Kind::Page;
  if (const std::string strategy = text_of(asked, "strategy"); !strategy.empty()) {
    auto spec = search::parse_strategy(strategy);
    if (!spec) return spec.error();
    seat.strategy = *std::move(spec);
  }
  return {boost::system::in_place_value, std::move(seat)};
}

constexpr std::size_t kMostDiagnostics = 100;

void add_diagnostics(json::object& out, const gdl::Diagnostics& all) {
  json::array& list = out["diagnostics"].emplace_array();
  for (const gdl::Diagnostic& d : all) {
    if (list.size() == kMostDiagnostics) break;
    list.push_back({{"line", d.where.line},
                    {"column", d.where.column},
                    {"severity", gdl::to_string(d.severity)},
                    {"text", storable(d.text)}});
  }
  if (all.size() > list.size()) out["more"] = all.size() - list.size();
}

}  // namespace

class Engine::Implementation {
 public:
  Implementation(std::size_t memory_bytes, Tell tell)
      : memory_bytes_(memory_bytes), tell_(std::move(tell)) {}

  json::object answer(const json::object& request) {
    const std::string what = text_of(request, "do");
    const milliseconds time(count_of(request, "ms", 1000));
    if (what == "message") return message(request, time);
    if (what == "ponder") return {{"busy", seat_ != nullptr && seat_->ponder(time)}};
    if (what == "look") return look(text_of(request, "text"), request.contains("all"));
    if (what == "record") return record();
    if (what == "measure") return measure_as_asked(request, time);
    std::string problem = what == "table" ? sit_down(request) : at_table(what, request);
    json::object out{{"busy", table_ != nullptr && table_->busy()}};
    if (!problem.empty()) out["problem"] = storable(problem);
    return out;
  }

 private:
  [[nodiscard]] json::object record() const {
    if (table_ == nullptr) return {{"busy", false}, {"problem", "no match has begun"}};
    return {{"busy", table_->busy()},
            {"record", to_ggp_json(table_->record())},
            {"steps", table_->record().moves.size()}};
  }

  [[nodiscard]] json::object measure_as_asked(const json::object& request,
                                              milliseconds time) const {
    const std::string machine = text_of(request, "machine");
    return measure(text_of(request, "text"), machine.empty() ? "sliced" : machine, time,
                   memory_bytes_);
  }

  json::object message(const json::object& request, milliseconds left) {
    table_.reset();
    if (seat_ == nullptr) {
      seat_ = std::make_unique<Seat>(memory_bytes_, [this](const json::object& view) {
        tell_(json::serialize(json::object{{"view", view}}));
      });
    }
    return seat_->message(text_of(request, "player"), text_of(request, "text"), left);
  }

  static json::object look(const std::string& text, bool all) {
    const Rulesheet sheet = read_rulesheet("rules", text);
    json::object out{{"busy", false}};
    add_diagnostics(out, all ? every_diagnostic(sheet) : sheet.diagnostics);
    auto problem = first_error(sheet);
    if (!problem) problem = why_not_in_the_open(sheet);
    if (problem) out["problem"] = storable(*problem);
    json::array& roles = out["roles"].emplace_array();
    for (const gdl::Term role : sheet.rules->roles) {
      roles.emplace_back(storable(sheet.rules->print(role)));
    }
    json::array& strategies = out["strategies"].emplace_array();
    for (const search::StrategyInfo& info : search::strategies()) {
      strategies.emplace_back(info.name);
    }
    return out;
  }

  std::string sit_down(const json::object& request) {
    seat_.reset();
    table_.reset();
    TableSetup setup;
    setup.game = text_of(request, "game");
    setup.text = text_of(request, "text");
    setup.start_clock = static_cast<int>(count_of(request, "startClock", 10));
    setup.play_clock = static_cast<int>(count_of(request, "playClock", 10));
    setup.seed = count_of(request, "seed", 1);
    setup.memory_bytes = memory_bytes_;
    if (const json::value* seats = request.if_contains("seats"); seats && seats->is_array()) {
      for (const json::value& seat : seats->get_array()) {
        auto taken = seat_of(seat);
        if (!taken) return taken.error().text;
        setup.seats.push_back(*std::move(taken));
      }
    }
    if (const std::string record = text_of(request, "record"); !record.empty()) {
      auto read = parse_ggp_json(record);
      if (!read) return "the record can't be read: " + read.error().text;
      setup.record = *std::move(read);
    }
    auto made = Table::make(std::move(setup), [this](std::string_view event, const json::value& v) {
      tell_(json::serialize(json::object{{"event", event}, {"data", v}}));
    });
    if (!made) return made.error().text;
    table_ = *std::move(made);
    return {};
  }

  std::string at_table(std::string_view what, const json::object& request) {
    if (table_ == nullptr) return "no match has begun";
    const auto role = number_of(request.if_contains("role"));
    const std::size_t step = count_of(request, "step", 0);
    if (what == "go") {
      table_->go();
      return {};
    }
    const std::string id = text_of(request, "id");
    if (!id.empty() && id != table_->match_id()) return "that match is over";
    if (what == "undo") return table_->undo();
    if (what == "restart") return table_->restart(role);
    if (!role) return "no role is named";
    const milliseconds taken(count_of(request, "ms", 0));
    if (what == "move") return table_->move(*role, step, text_of(request, "move"), taken);
    if (what == "answer") return answer(*role, step, request, taken);
    if (what == "hint") return table_->hint(*role, step);
    if (what == "resign") return table_->resign(*role);
    return "unknown request '" + std::string(what) + "'";
  }

  std::string answer(std::size_t role, std::size_t step, const json::object& request,
                     milliseconds taken) {
    std::optional<std::string> said;
    if (request.contains("text")) said = text_of(request, "text");
    return table_->answer(role, step, said, taken);
  }

  const std::size_t memory_bytes_;
  Tell tell_;
  std::unique_ptr<Table> table_;
  std::unique_ptr<Seat> seat_;
};

Engine::Engine(std::size_t memory_bytes, Tell tell)
    : implementation_(std::make_unique<Implementation>(memory_bytes, std::move(tell))) {}
Engine::~Engine() = default;

std::string Engine::ask(std::string_view request) {
  json::error_code error;
  const json::value value = json::parse(json::string_view(request.data(), request.size()), error);
  if (error || !value.is_object()) return R"({"busy":false,"problem":"not an object of JSON"})";
  try {
    return json::serialize(implementation_->answer(value.get_object()));
  } catch (const std::exception& exception) {
    return json::serialize(json::object{{"busy", false}, {"problem", storable(exception.what())}});
  }
}

}  // namespace ludens::server::wasm
