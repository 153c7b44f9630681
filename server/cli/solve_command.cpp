// SPDX-License-Identifier: MIT
// `ludens solve`: the exact value of a position.
#include "server/cli/commands.h"

#include <boost/json.hpp>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>

#include "gdl/text/printable.h"
#include "search/solve/solve.h"
#include "server/cli/equilibrium.h"
#include "server/cli/exit_code.h"
#include "server/cli/study.h"
#include "server/cli/terminal.h"
#include "server/records/atomic_file.h"

namespace ludens::server {

namespace {

namespace json = boost::json;

std::optional<search::SolveMethod> method_of(const std::string& name) {
  if (name == "search") return search::SolveMethod::Search;
  if (name == "proof") return search::SolveMethod::Proof;
  if (name == "backward") return search::SolveMethod::Backward;
  return std::nullopt;
}

/// Returns why the file could not be written; empty if it was.
std::string write_policy_file(const std::string& file, const Study& study,
                              const search::Solution& solution, const search::Policy& policy) {
  errno = 0;
  std::ofstream out(file);
  search::write_policy(study.machine(), study.position().role, solution, policy,
                       [&](std::string_view line) { out << line << '\n'; });
  out.close();
  return out.good() ? std::string() : std::strerror(errno);
}

json::array root_moves(const search::Solution& solution, const Study& study) {
  json::array moves;
  for (const search::RootMove& move : solution.root) {
    moves.push_back(json::object{{"move", study.move_name(move.move)},
                                 {"value", move.value},
                                 {"exact", move.low == move.high},
                                 {"low", move.low},
                                 {"high", move.high}});
  }
  return moves;
}

void print_json(const search::Solution& solution, const SolveOptions& options, const Study& study,
                double seconds) {
  json::object out{{"role", study.role_name()},
                   {"value", solution.value()},
                   {"exact", solution.exact},
                   {"nodes", solution.nodes},
                   {"low", solution.low},
                   {"high", solution.high},
                   {"move", study.move_name(solution.move)},
                   {"method", options.method},
                   {"seconds", seconds}};
  if (options.all_moves) out["root"] = root_moves(solution, study);
  std::cout << json::serialize(out) << std::endl;
}

void print_text(const search::Solution& solution, const Study& study, double seconds) {
  const std::string role = gdl::printable(study.role_name());
  const std::string best = gdl::printable(study.move_name(solution.move));
  if (solution.exact) {
    std::printf("%s can force %.6g, with %s first\n", role.c_str(), solution.low, best.c_str());
  } else {
    std::printf("not solved: %s can force %.6g to %.6g; best known: %s\n", role.c_str(),
                solution.low, solution.high, best.c_str());
  }
  std::printf("%llu states, %.3f s\n", static_cast<unsigned long long>(solution.nodes), seconds);
  if (!solution.root.empty()) std::printf("\nproved  move\n");
  for (const search::RootMove& move : solution.root) {
    std::printf("%.6g..%.6g  %s\n", move.low, move.high,
                gdl::printable(study.move_name(move.move)).c_str());
  }
  std::fflush(stdout);
}

int solve(const SolveOptions& options, Study& study) {
  const auto method = *method_of(options.method);
  const bool wanted = !options.policy_file.empty();
  search::Policy policy;
  const search::Deadline deadline = study.deadline(options.study.seconds);
  const auto start = std::chrono::steady_clock::now();
  const search::Solution solution = [&] {
    const ProgressLine progress([&] {
      return cap_text(options.study.seconds) + std::to_string(study.memory().used() >> 20) +
             " MB of tables";
    });
    return study.solve(method, deadline, wanted ? &policy : nullptr, options.all_moves);
  }();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.study.json) {
    print_json(solution, options, study, seconds);
  } else {
    print_text(solution, study, seconds);
  }
  if (wanted && !policy.complete)
    return fail(kNotGood, "solve", "no policy was found in the time given");
  if (wanted) {
    const std::string why = write_policy_file(options.policy_file, study, solution, policy);
    if (!why.empty()) return fail(kCouldNot, "solve", options.policy_file + ": " + why);
    std::cerr << "ludens: solve: " << policy.steps.size() << " positions in " << options.policy_file
              << "\n";
  }
  return solution.exact ? kGood : kNotGood;
}

}  // namespace

int solve_command(const SolveOptions& options) {
  if (!method_of(options.method) && options.method != "cfr") {
    return fail(kWrongUse, "solve",
                "--method is search, proof, backward or cfr, not '" + options.method + "'");
  }
  const std::string& policy = options.policy_file;
  if (const auto error = policy.empty() ? std::error_code() : try_writing(policy)) {
    return fail(kCouldNot, "solve", policy + ": " + error.message());
  }
  auto study = Study::open("solve", options.study, options.machine);
  if (!study) return study.error().exit_code;
  const bool hidden = (*study)->machine().vocabulary()->rules().has_rule(gdl::kSees);
  if (options.method == "cfr" || (hidden && options.method == "search")) {
    return find_equilibrium(options, **study);
  }
  if (!hidden) return solve(options, **study);
  return fail(kWrongUse, "solve", "games of hidden information are solved by --method cfr");
}

}  // namespace ludens::server
