// SPDX-License-Identifier: MIT
// Random rulesheets on all machines for as long as one likes:
//
//     machines_fuzz [--minutes N] [--seed FIRST]
//     machines_fuzz --write SEED
//
// The second form prints the rulesheet of a seed. The first prints the first rulesheet on which
// machines differ, shortened, and ends with 1.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string_view>

#include "tests/fuzz/machines/machines_comparison.h"

namespace {

using namespace ludens::gdl::tests;  // NOLINT: the program is theirs alone

struct Totals {
  std::uint64_t rulesheets = 0, states = 0;
  std::map<std::string, std::uint64_t> refused;
};

void print(const Totals& totals) {
  std::cout << totals.rulesheets << " rulesheets, " << totals.states << " states compared\n";
  for (const auto& [reason, count] : totals.refused) {
    std::cout << "  " << count << " refused: " << reason << '\n';
  }
}

int run(double minutes, std::uint64_t seed) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(minutes * 60);
  Totals totals;
  auto report_at = Clock::now();
  for (; Clock::now() < end; ++seed) {
    if (Clock::now() >= report_at) {
      std::cerr << "seed " << seed << '\n';
      report_at = Clock::now() + std::chrono::seconds(10);
    }
    const std::string text = lively_rulesheet(seed);
    const FuzzResult result = compare_all_machines(text, seed);
    if (!result.problem.empty()) {
      const std::string shorter = shrink(text, seed);
      print(totals);
      std::cout << "seed " << seed << ": " << result.problem << '\n' << shorter;
      return 1;
    }
    ++totals.rulesheets;
    totals.states += result.states;
    if (!result.refused.empty()) ++totals.refused[result.refused];
  }
  print(totals);
  std::cout << "no difference; the next seed is " << seed << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  double minutes = 1;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--minutes") minutes = std::atof(argv[i + 1]);
    if (option == "--write") {
      std::cout << lively_rulesheet(std::strtoull(argv[i + 1], nullptr, 10));
      return 0;
    }
    if (option == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  return run(minutes, seed);
}
