// SPDX-License-Identifier: MIT
// `ludens agree`: machines against the interpreter, at each step of random playouts.
#include "server/cli/commands.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>
#include <stop_token>
#include <utility>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/agreement.h"
#include "gdl/registry/machines.h"
#include "gdl/text/printable.h"
#include "search/strategy/stopping.h"
#include "server/cli/exit_code.h"
#include "server/cli/game_argument.h"
#include "server/cli/interrupt.h"
#include "server/cli/terminal.h"

namespace ludens::server {

namespace {

using gdl::Machine;

struct RefusedMachine {
  std::string machine, why;
};

struct GameAgreement {
  std::string game;
  std::vector<std::string> machines;
  std::vector<RefusedMachine> refused;
  gdl::Agreement result;
};

GameAgreement compare(const Rulesheet& sheet, const std::vector<std::string>& names,
                      const AgreeOptions& options, std::stop_token stop) {
  GameAgreement report{sheet.name, {}, {}, {}};
  const auto vocabulary = std::make_shared<gdl::Vocabulary>(sheet.rules);
  const search::Deadline interrupted(stop);
  const auto interpreter = gdl::make_interpreter(vocabulary, {&interrupted, nullptr});
  std::vector<std::shared_ptr<const Machine>> owned;
  std::vector<const Machine*> machines;
  for (const std::string& name : names) {
    auto made = gdl::make_machine(name, vocabulary, {&interrupted, nullptr});
    if (!made) {
      report.refused.push_back({name, made.error().text});
      continue;
    }
    owned.push_back(*std::move(made));
    machines.push_back(owned.back().get());
    report.machines.push_back(name);
  }
  const auto deadline = search::Deadline::in(options.seconds, std::move(stop));
  gdl::AgreementOptions playouts;
  playouts.playouts = options.playouts;
  playouts.stop = &deadline;
  gdl::Rng rng(options.seed);
  report.result = compare_machines(*interpreter, machines, playouts, rng);
  return report;
}

void print(const GameAgreement& report, bool json) {
  if (json) {
    boost::json::array machines, differences, refused;
    for (const std::string& m : report.machines) machines.emplace_back(m);
    for (const std::string& d : report.result.differences) differences.emplace_back(d);
    for (const RefusedMachine& r : report.refused) {
      refused.push_back({{"machine", r.machine}, {"why", r.why}});
    }
    std::cout << boost::json::serialize(boost::json::object{{"game", report.game},
                                                            {"machines", std::move(machines)},
                                                            {"playouts", report.result.playouts},
                                                            {"states", report.result.states},
                                                            {"differences", std::move(differences)},
                                                            {"refused", std::move(refused)}})
              << std::endl;
    return;
  }
  std::cout << report.game << ": " << report.result.playouts << " playouts, "
            << report.result.states << " states on " << report.machines.size() << " machines\n";
  for (const RefusedMachine& r : report.refused) {
    std::cout << report.game << ": no " << r.machine << ": " << gdl::printable(r.why) << '\n';
  }
  for (const std::string& d : report.result.differences) {
    std::cout << report.game << ", " << gdl::printable(d) << '\n';
  }
  std::cout.flush();
}

/// False, with the problem reported, if a name is unknown.
bool choose_machines(const AgreeOptions& options, std::vector<std::string>& names) {
  names = options.machines;
  for (const gdl::MachineKind& kind : gdl::machine_kinds()) {
    if (options.machines.empty() && kind.name != "auto" && kind.name != "interpreter") {
      names.emplace_back(kind.name);
    }
  }
  for (const std::string& name : names) {
    const auto kind = gdl::find_machine_kind(name);
    if (kind) continue;
    std::cerr << "ludens: " << kind.error().text << '\n';
    return false;
  }
  return true;
}

}  // namespace

int agree_command(const AgreeOptions& options) {
  std::vector<std::string> machines;
  if (!choose_machines(options, machines)) return kWrongUse;
  const Interrupt interrupt;
  const search::Deadline interrupted(interrupt.token());
  std::size_t agree = 0, states = 0;
  int code = kGood;
  for (const std::string& game : options.games) {
    const auto loaded = load_for_study(game, &interrupted);
    if (!loaded) {
      code = std::max(code, loaded.error().exit_code);
      continue;
    }
    const GameAgreement report = [&] {
      const ProgressLine progress([&] { return game; });
      return compare(*loaded, machines, options, interrupt.token());
    }();
    print(report, options.json);
    states += report.result.states;
    if (report.result.differences.empty()) {
      ++agree;
    } else if (code == kGood) {
      code = kNotGood;
    }
    if (interrupt.token().stop_requested()) {
      code = kCouldNot;
      break;
    }
  }
  if (options.json) {
    std::cout << boost::json::serialize(boost::json::object{
                     {"games", options.games.size()}, {"agree", agree}, {"states", states}})
              << '\n';
  } else {
    std::cout << agree << " of " << options.games.size() << " games agree, " << states
              << " states compared\n";
  }
  return code;
}

}  // namespace ludens::server
