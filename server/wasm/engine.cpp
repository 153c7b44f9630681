// SPDX-License-Identifier: MIT
#include "server/wasm/engine.h"

#include <boost/json.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "server/game/rulesheet.h"
#include "server/records/match_record.h"
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
    if (what == "look") return look(text_of(request, "text"));
    if (what == "measure") return measure_as_asked(request, time);
    std::string problem = what == "table" ? sit_down(request, time) : at_table(what, request);
    json::object out{{"busy", table_ != nullptr && table_->busy()}};
    if (!problem.empty()) out["problem"] = storable(problem);
    return out;
  }

 private:
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

  static json::object look(const std::string& text) {
    const Rulesheet sheet = read_rulesheet("rules", text);
    auto problem = first_error(sheet);
    if (!problem) problem = why_not_in_the_open(sheet);
    if (problem) return {{"busy", false}, {"problem", storable(*problem)}};
    json::array roles;
    for (const gdl::Term role : sheet.rules->roles) {
      roles.emplace_back(storable(sheet.rules->print(role)));
    }
    return {{"busy", false}, {"roles", std::move(roles)}};
  }

  std::string sit_down(const json::object& request, milliseconds clock) {
    seat_.reset();
    table_.reset();
    TableSetup setup;
    setup.game = text_of(request, "game");
    setup.text = text_of(request, "text");
    setup.clock = clock;
    setup.seed = count_of(request, "seed", 1);
    setup.memory_bytes = memory_bytes_;
    const json::value* people = request.if_contains("people");
    if (people != nullptr && people->is_array()) {
      for (const json::value& role : people->get_array()) {
        if (const auto number = number_of(&role)) setup.people.push_back(*number);
      }
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
    if (what == "move") return table_->move(*role, step, text_of(request, "move"));
    if (what == "hint") return table_->hint(*role, step);
    if (what == "resign") return table_->resign(*role);
    return "unknown request '" + std::string(what) + "'";
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
