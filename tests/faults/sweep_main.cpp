// SPDX-License-Identifier: MIT
// Faults at many calls of each command:
//
//     faults_sweep [--runs N] [--command NAME] [--kind KIND]
//
// N runs of each kind at each command (default 100; as many as there are calls if that is fewer).
// Prints a line for each broken promise, then a table; ends with 1 if there was any.
#include <iomanip>
#include <iostream>
#include <map>
#include <string>

#include "tests/faults/sweep.h"

namespace {

using namespace ludens::faults;  // NOLINT: the program is theirs alone

struct Totals {
  std::uint64_t calls = 0, broken = 0;
  std::map<int, std::uint64_t> codes;
};

Totals sweep(const Scenario& scenario, const std::string& kind, std::size_t runs) {
  Totals totals;
  const Outcome plain = run(scenario, kind, "at=0");
  totals.calls = plain.calls;
  if (!plain.problem.empty()) {
    ++totals.broken;
    std::cout << scenario.name << " " << kind << ": " << plain.problem << "\n"
              << plain.output << std::flush;
  }
  for (const std::uint64_t number : spread(totals.calls, runs)) {
    const Outcome outcome = run(scenario, kind, "at=" + std::to_string(number));
    ++totals.codes[outcome.code];
    if (outcome.problem.empty()) continue;
    ++totals.broken;
    std::cout << scenario.name << " " << kind << " at=" << number << " (" << outcome.first
              << "): " << outcome.problem << "\n"
              << outcome.output << std::flush;
  }
  return totals;
}

void print(const Scenario& scenario, const std::string& kind, const Totals& totals) {
  std::cout << std::left << std::setw(12) << scenario.name << std::setw(12) << kind << std::right
            << std::setw(10) << totals.calls << " calls, " << totals.broken << " broken; codes";
  for (const auto& [code, times] : totals.codes) std::cout << "  " << code << ": " << times;
  std::cout << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> options{{"--runs", "100"}, {"--command", ""}, {"--kind", ""}};
  for (int i = 1; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
  std::uint64_t broken = 0;
  for (const Scenario& scenario : scenarios()) {
    if (!options["--command"].empty() && options["--command"] != scenario.name) continue;
    for (const std::string& kind : kinds()) {
      if (!options["--kind"].empty() && options["--kind"] != kind) continue;
      const Totals totals = sweep(scenario, kind, std::stoul(options["--runs"]));
      print(scenario, kind, totals);
      broken += totals.broken;
    }
  }
  return broken == 0 ? 0 : 1;
}
