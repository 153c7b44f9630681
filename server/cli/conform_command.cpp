// SPDX-License-Identifier: MIT
// `ludens conform GAMES TRACES`: a machine against recorded playouts.
#include "server/cli/commands.h"

#include <algorithm>
#include <atomic>
#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <regex>
#include <stop_token>
#include <thread>

#include "gdl/registry/machines.h"
#include "gdl/text/file.h"
#include "gdl/text/printable.h"
#include "search/strategy/work_together.h"
#include "server/cli/exit_code.h"
#include "server/cli/interrupt.h"
#include "server/cli/terminal.h"
#include "server/conformance/conformance.h"
#include "server/game/rulesheet.h"

namespace ludens::server {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".jsonl.gz";
constexpr std::size_t kMaxFailuresShown = 20;

struct GameReport {
  std::string key, machine;
  std::string failure;  // what could not be read
  std::string refused;  // why the machine does not take the game
  ConformanceResult result;
  double seconds = 0;
};

/// The keys of the traces in a folder; some of them if there is an error.
std::vector<std::string> keys(const fs::path& traces, const std::string& only,
                              std::error_code& error) {
  std::vector<std::string> found;
  for (fs::recursive_directory_iterator it(traces, error), end; !error && it != end;
       it.increment(error)) {
    std::string key = it->path().lexically_relative(traces).generic_string();
    if (!key.ends_with(kEnding)) continue;
    key.resize(key.size() - kEnding.size());
    if (only.empty() || std::regex_search(key, std::regex(only))) found.push_back(std::move(key));
  }
  std::ranges::sort(found);
  return found;
}

/// The rulesheet of a trace: KEY.kif, or KEY.hrf.
fs::path game_file(const ConformOptions& options, const std::string& key) {
  std::error_code error;
  fs::path hrf = fs::path(options.games) / (key + ".hrf");
  return fs::exists(hrf, error) ? hrf : fs::path(options.games) / (key + ".kif");
}

GameReport conform(const ConformOptions& options, const std::string& key) {
  GameReport report{key, options.machine, {}, {}, {}, 0};
  const auto start = std::chrono::steady_clock::now();
  const fs::path file = game_file(options, key);
  const std::string name = key + file.extension().string();
  auto text = gdl::read_file(file);
  if (!text) {
    report.failure = name + ": " + text.error().message();
    return report;
  }
  const Rulesheet sheet = read_rulesheet(key, *std::move(text));
  if (sheet.rules->roles.empty()) {
    report.failure = name + ": the rulesheet has no roles";
    return report;
  }
  const auto trace = read_trace(fs::path(options.traces) / (key + std::string(kEnding)));
  if (!trace) {
    report.failure = trace.error().text;
    return report;
  }
  if (const auto kind = gdl::find_machine_kind(options.machine); !kind) {
    report.failure = kind.error().text;
    return report;
  }
  const auto machine =
      gdl::make_machine(options.machine, std::make_shared<gdl::Vocabulary>(sheet.rules));
  if (!machine) {
    report.refused = machine.error().text;
    return report;
  }
  const auto& made = **machine;
  report.machine = made.name();
  report.result = compare(made, *trace);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  report.seconds = spent.count();
  return report;
}

void print(const GameReport& report, bool json) {
  const ConformanceResult& r = report.result;
  if (json) {
    std::string note = report.failure + report.refused;
    for (const std::string& example : r.examples) note += (note.empty() ? "" : "; ") + example;
    boost::json::object object{
        {"game", report.key}, {"machine", report.machine},        {"playouts", r.playouts},
        {"states", r.states}, {"disagreements", r.disagreements}, {"seconds", report.seconds},
        {"note", note}};
    if (r.percepts != 0) object["percepts"] = r.percepts;
    std::cout << boost::json::serialize(object) << std::endl;
    return;
  }
  if (!report.failure.empty()) std::cerr << "ludens: " << gdl::printable(report.failure) << '\n';
  if (!report.refused.empty()) {
    std::cout << report.key << ": refused: " << gdl::printable(report.refused) << '\n';
  }
  for (const std::string& example : r.examples) {
    std::cout << report.key << ", " << gdl::printable(example) << '\n';
  }
  if (r.disagreements > r.examples.size()) {
    std::cout << report.key << ": " << r.disagreements - r.examples.size()
              << " more disagreements\n";
  }
  std::cout.flush();
}

/// The totals of all games.
struct Total {
  std::size_t games = 0, agree = 0, refused = 0, failures = 0, states = 0, percepts = 0;

  void add(const GameReport& report) {
    ++games;
    states += report.result.states;
    percepts += report.result.percepts;
    if (!report.refused.empty()) {
      ++refused;
    } else if (report.failure.empty() && report.result.disagreements == 0) {
      ++agree;
    }
    if (!report.failure.empty()) ++failures;
  }
};

/// Compares all games until `stop`; reports progress and the findings of each game.
Total compare_all(const ConformOptions& options, const std::vector<std::string>& todo,
                  const std::stop_token& stop) {
  Total total;
  std::mutex mutex;
  std::atomic<std::size_t> next{0};
  ProgressLine progress([&] {
    const std::size_t at = std::min(next.load(), todo.size());
    const std::string count = std::to_string(at) + " of " + std::to_string(todo.size());
    return at == 0 ? std::string() : "game " + count + ", " + todo[at - 1];
  });
  const auto work = [&] {
    for (std::size_t i = next++; i < todo.size() && !stop.stop_requested(); i = next++) {
      const GameReport report = conform(options, todo[i]);
      const std::lock_guard lock(mutex);
      total.add(report);
      // If a whole folder is wrong, a few of its games are enough to show it.
      const bool many = !report.failure.empty() && total.failures > kMaxFailuresShown;
      if (options.json || !many) progress.print([&] { print(report, options.json); });
    }
  };
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  search::work_together(
      threads, [&](std::size_t) { work(); }, [&] { next = todo.size(); });
  return total;
}

void print(const Total& total, bool json) {
  if (json) {
    std::cout << boost::json::serialize(boost::json::object{{"games", total.games},
                                                            {"agree", total.agree},
                                                            {"refused", total.refused},
                                                            {"states", total.states}})
              << '\n';
    return;
  }
  if (total.failures > kMaxFailuresShown) {
    std::cerr << "ludens: " << total.failures - kMaxFailuresShown
              << " more games could not be compared\n";
  }
  std::cout << total.agree << " of " << total.games << " games agree, ";
  if (total.refused != 0) std::cout << total.refused << " refused by the machine, ";
  std::cout << total.states << " states ";
  if (total.percepts != 0) std::cout << "and " << total.percepts << " percepts ";
  std::cout << "compared\n";
}

}  // namespace

int conform_command(const ConformOptions& options) {
  for (const std::string& folder : {options.games, options.traces}) {
    std::error_code missing;
    if (fs::is_directory(folder, missing)) continue;
    std::cerr << "ludens: conform: " << folder << ": "
              << (missing ? missing.message() : "it is no folder") << '\n';
    return kCouldNot;
  }
  std::vector<std::string> todo;
  std::error_code error;
  try {
    todo = keys(options.traces, options.only, error);
  } catch (const std::regex_error&) {
    std::cerr << "ludens: --only: '" << options.only << "' is no regular expression\n";
    return kWrongUse;
  }
  if (error) {
    std::cerr << "ludens: conform: " << options.traces << ": " << error.message() << '\n';
    return kCouldNot;
  }
  if (todo.empty()) {
    std::cerr << "ludens: " << options.traces << ": no traces (KEY" << kEnding << ") here\n";
    return kCouldNot;
  }
  const Interrupt interrupt;
  const Total total = compare_all(options, todo, interrupt.token());
  print(total, options.json);
  if (total.failures > 0 || total.games < todo.size()) return kCouldNot;
  return total.agree + total.refused == total.games ? kGood : kNotGood;
}

}  // namespace ludens::server
