// SPDX-License-Identifier: MIT
// Whole games in tests: rulesheets, run by the interpreter.
#pragma once

#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "gdl/interpreter/interpreter.h"
#include "gdl/rules/read.h"
#include "tests/project_folder.h"

namespace ludens::search {

inline std::shared_ptr<const gdl::Machine> interpret(std::string rulesheet) {
  const gdl::ReadRules read = gdl::read_rules(std::move(rulesheet));
  if (!read.errors.empty()) throw std::runtime_error(read.errors.front().text);
  return gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(read.normalised.rules));
}

/// A game of config/games.
inline std::shared_ptr<const gdl::Machine> interpret_bundled(const std::string& name) {
  std::ifstream file(project_folder() + "/config/games/" + name + ".kif");
  if (!file) throw std::runtime_error("no bundled game " + name);
  std::ostringstream text;
  text << file.rdbuf();
  return interpret(text.str());
}

/// Nim with normal play: two roles in turn, who takes the last object wins.
inline std::string nim_rulesheet(const std::vector<int>& heaps) {
  std::string text = "(role first) (role second) (init (control first))";
  int largest = 0;
  for (std::size_t i = 0; i < heaps.size(); ++i) {
    text += "(init (heap h" + std::to_string(i) + " " + std::to_string(heaps[i]) + "))";
    largest = std::max(largest, heaps[i]);
  }
  for (int size = 1; size <= largest; ++size) {
    for (int rest = 0; rest < size; ++rest) {
      text += "(less " + std::to_string(rest) + " " + std::to_string(size) + ")";
    }
  }
  return text + R"(
    (other first second) (other second first)
    (<= (legal ?r (leave ?h ?n)) (true (control ?r)) (true (heap ?h ?m)) (less ?n ?m))
    (<= (legal ?r noop) (true (control ?o)) (other ?r ?o))
    (<= (next (heap ?h ?n)) (does ?r (leave ?h ?n)))
    (<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (touched ?h)))
    (<= (touched ?h) (does ?r (leave ?h ?n)))
    (<= (next (control ?o)) (true (control ?r)) (other ?r ?o))
    (<= some (true (heap ?h ?n)) (less 0 ?n))
    (<= terminal (not some))
    (<= (goal ?r 0) (true (control ?r)))
    (<= (goal ?r 100) (true (control ?o)) (other ?r ?o)))";
}

}  // namespace ludens::search
