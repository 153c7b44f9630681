// SPDX-License-Identifier: MIT
#include "server/cli/hidden_report.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cmath>
#include <cstdio>

#include "gdl/registry/machines.h"
#include "gdl/text/printable.h"
#include "search/hidden/extensive_form.h"

namespace ludens::server {

namespace {

namespace json = boost::json;
using search::hidden::BeliefSizes;
using search::hidden::ExtensiveForm;

/// Shares of the time: to build a machine, and to follow the whole game, as `auto` does.
constexpr double kToBuild = 0.3, kToFollow = 0.3;
constexpr std::uint64_t kMostPlayouts = 1000;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
/// The number of a role's steps in the text.
constexpr std::size_t kShown = 12;

/// The histories in the largest information set.
std::size_t largest_set(const ExtensiveForm& form) {
  std::vector<std::size_t> sizes(form.sets().size(), 0);
  for (const auto& history : form.histories()) {
    if (history.kind == ExtensiveForm::History::Kind::Decision) ++sizes[history.which];
  }
  return sizes.empty() ? 0 : *std::ranges::max_element(sizes);
}

void follow_whole(const gdl::Machine& machine, const search::Deadline& deadline,
                  gdl::MemoryBudget& memory, HiddenReport& out) {
  const auto context = machine.make_context({.stop = &deadline, .memory = &memory});
  gdl::State initial;
  if (machine.initial(*context, initial) != gdl::Status::Ok) {
    out.too_large = "the initial state could not be computed";
    return;
  }
  const auto form = ExtensiveForm::build(machine, initial, deadline, &memory);
  if (!form) {
    out.too_large = form.error().text;
    return;
  }
  out.histories = form->histories().size();
  out.information_sets = form->sets().size();
  out.largest_set = largest_set(*form);
}

/// `9`, `more than 4096`, `12.5 on average, at most 120`, `at least 12.5 on average`.
std::string said(const BeliefSizes::Step& step) {
  char text[96];
  const bool same = step.mean == static_cast<double>(step.largest);
  if (step.beyond == step.met) {
    std::snprintf(text, sizeof text, "more than %zu", step.largest);
  } else if (step.beyond > 0) {
    std::snprintf(text, sizeof text, "more than %.1f on average, more than %zu in %.0f %%",
                  step.mean, step.largest,
                  100.0 * static_cast<double>(step.beyond) / static_cast<double>(step.met));
  } else if (step.at_least > 0) {
    std::snprintf(text, sizeof text, same ? "at least %.0f" : "at least %.1f on average",
                  step.mean);
  } else if (same) {
    std::snprintf(text, sizeof text, "%zu", step.largest);
  } else {
    std::snprintf(text, sizeof text, "%.1f on average, at most %zu", step.mean, step.largest);
  }
  return text;
}

/// Whether there were more histories than are counted anywhere.
bool goes_beyond(const BeliefSizes& sizes) {
  return std::ranges::any_of(sizes.steps, [](const auto& steps) {
    return std::ranges::any_of(steps, [](const auto& step) { return step.beyond > 0; });
  });
}

json::object role_json(const std::string& role, const std::vector<BeliefSizes::Step>& steps) {
  json::array rows;
  for (std::size_t turn = 0; turn < steps.size(); ++turn) {
    const BeliefSizes::Step& step = steps[turn];
    rows.push_back(json::object{{"step", turn},
                                {"met", step.met},
                                {"beyond", step.beyond},
                                {"at_least", step.at_least},
                                {"mean", std::round(step.mean * 100) / 100},
                                {"largest", step.largest}});
  }
  return {{"role", role}, {"steps", std::move(rows)}};
}

}  // namespace

std::string_view HiddenReport::strategy() const {
  return histories ? "cfr" : "ismcts";
}

std::string HiddenReport::why() const {
  if (histories) {
    return "the whole game has " + std::to_string(*histories) + " histories and " +
           std::to_string(*information_sets) +
           " information sets: CFR+ finds an equilibrium; ismcts until that is good enough";
  }
  return "the game is not followed completely: " + too_large +
         "; ismcts against the best defence, or what wins trial matches in the start clock";
}

std::optional<HiddenReport> report_hidden(const std::shared_ptr<const gdl::Rules>& rules,
                                          const HiddenReportOptions& options) {
  if (!rules->has_rule(gdl::kSees)) return std::nullopt;
  HiddenReport report;
  const auto end = search::Deadline::in(options.seconds, options.stop);
  gdl::MemoryBudget memory(kMostBytes);
  const auto build = search::Deadline::in(kToBuild * options.seconds, options.stop);
  const auto made = gdl::make_machine("auto", std::make_shared<gdl::Vocabulary>(rules),
                                      {.stop = &build, .memory = &memory});
  if (!made) {
    report.too_large = made.error().text;
    return report;
  }
  const auto& machine = *made;
  report.machine = machine->name();
  for (gdl::RoleIndex r = 0; r < machine->role_count(); ++r) {
    report.roles.push_back(machine->role_name(r));
  }
  follow_whole(*machine, search::Deadline::in(kToFollow * options.seconds, options.stop), memory,
               report);
  report.sizes = search::hidden::measure_beliefs(
      machine,
      {.playouts = options.playouts != 0 ? options.playouts : kMostPlayouts,
       .seed = options.seed,
       .memory = &memory},
      end);
  return report;
}

void print_text(const HiddenReport& report) {
  std::printf("hidden information\n");
  if (report.histories) {
    std::printf("  %zu histories, %zu information sets; the largest has %zu histories\n",
                *report.histories, *report.information_sets, report.largest_set);
  } else {
    std::printf("  not followed completely: %s\n", report.too_large.c_str());
  }
  std::printf("  histories that fit what a role knows, in %llu random playouts, by turns made\n",
              static_cast<unsigned long long>(report.sizes.playouts));
  if (goes_beyond(report.sizes)) {
    std::printf("  (where there are more than %zu, they are not counted again at later turns)\n",
                report.sizes.most);
  }
  for (std::size_t r = 0; r < report.sizes.steps.size(); ++r) {
    const auto& steps = report.sizes.steps[r];
    if (steps.empty()) continue;
    std::printf("    %s\n", gdl::printable(report.roles[r]).c_str());
    for (std::size_t turn = 1; turn < steps.size(); ++turn) {
      if (turn > kShown) {
        std::printf("      %4s  up to %zu turns\n", "...", steps.size() - 1);
        break;
      }
      std::printf("      %4zu  %s\n", turn, said(steps[turn]).c_str());
    }
  }
}

json::object to_json(const HiddenReport& report) {
  json::array roles;
  for (std::size_t r = 0; r < report.sizes.steps.size(); ++r) {
    if (!report.sizes.steps[r].empty()) {
      roles.emplace_back(role_json(report.roles[r], report.sizes.steps[r]));
    }
  }
  json::object out{{"machine", report.machine},
                   {"playouts", report.sizes.playouts},
                   {"counted", report.sizes.most}};
  out["histories"] = report.histories ? json::value(*report.histories) : json::value();
  out["information_sets"] =
      report.information_sets ? json::value(*report.information_sets) : json::value();
  out["largest_set"] = report.histories ? json::value(report.largest_set) : json::value();
  out["roles"] = std::move(roles);
  return out;
}

}  // namespace ludens::server
