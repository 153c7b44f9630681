// SPDX-License-Identifier: MIT
// Runs of the program in which one call of the system fails, and what is promised of them all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ludens::faults {

/// A command of the program, run in a folder of its own that `files` are put into.
struct Scenario {
  std::string name;
  std::vector<std::string> arguments;
  struct File {
    std::string name, text;
  };
  std::vector<File> files;
  /// Arguments of a second run of the program, without faults, while the first one serves. They
  /// follow the port that both use. Empty: there is none.
  std::vector<std::string> guest;
  /// Why a record is bad, or could not be judged, is the command's answer: it stands on standard
  /// output.
  bool judges = false;
  /// What the page of `serve --gamemaster` hands over, message by message, while the program
  /// serves.
  std::vector<std::string> messages = {};
};

/// match, replay, tournament, think, serve, check and report, on games of a few steps.
const std::vector<Scenario>& scenarios();

/// Kinds of faults, as preload_main.cpp names them.
const std::vector<std::string>& kinds();

/// What became of a run.
struct Outcome {
  int code = -1;        // exit code; -1: ended by a signal, or did not end
  std::string problem;  // which promise was broken; empty: none
  std::string output;   // standard error; where the command judges, standard output too
  std::uint64_t calls = 0, failed = 0;
  std::string first;  // the call that failed first
};

/// `fault` is the text after the kind: "at=5", "seed=1,rate=1000". Promised are an end within a
/// minute by a code of 0 to 3, a line of `output` that says what was wrong where that is not 0, and
/// that nothing was left to the runtime (`terminate called`).
Outcome run(const Scenario& scenario, const std::string& kind, const std::string& fault);

/// This many numbers of 1..calls, the first ones close together.
std::vector<std::uint64_t> spread(std::uint64_t calls, std::size_t runs);

}  // namespace ludens::faults
