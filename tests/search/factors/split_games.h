// SPDX-License-Identifier: MIT
// Games of independent parts, small enough to be known completely.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "gdl/registry/machines.h"
#include "tests/project_folder.h"
#include "tests/search/games/rulesheets.h"

namespace ludens::search::test {

/// The fastest machine for a rulesheet; it knows the game's structure.
inline std::shared_ptr<const gdl::Machine> fast_machine(const std::string& rulesheet) {
  const auto vocabulary = interpret(rulesheet)->vocabulary();
  auto made = gdl::make_machine("auto", vocabulary);
  if (!made) throw std::runtime_error(made.error().text);
  return *made;
}

inline std::string bundled_rulesheet(const std::string& name) {
  std::ifstream file(project_folder() + "/config/games/" + name + ".kif");
  if (!file) throw std::runtime_error("no bundled game " + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string counter(int limit) {
  std::string text = "(init (step 0))(<= (next (step ?y)) (true (step ?x)) (after ?x ?y))";
  for (int i = 0; i < limit; ++i) {
    text += "(after " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  }
  return text;
}

/// Dials that stand at 0 and are turned, one in a move, up or down by one of five places; over
/// after `limit` moves. 100 for all dials at 3 then, 40 for all but the last of them.
inline std::string dials(int count, int limit) {
  std::string text = "(role turner)" + counter(limit);
  std::string others, last = "(true (dial " + std::to_string(count) + " 3))";
  for (int dial = 1; dial <= count; ++dial) {
    const std::string name = std::to_string(dial);
    text += "(dial " + name + ")(init (dial " + name + " 0))";
    if (dial < count) others += "(true (dial " + name + " 3))";
  }
  text += R"((above 0 1)(above 1 2)(above 2 3)(above 3 4)
    (<= (legal turner (up ?d)) (true (dial ?d ?v)) (above ?v ?w))
    (<= (legal turner (down ?d)) (true (dial ?d ?v)) (above ?w ?v))
    (<= (turned ?d) (does turner (up ?d))) (<= (turned ?d) (does turner (down ?d)))
    (<= (next (dial ?d ?w)) (does turner (up ?d)) (true (dial ?d ?v)) (above ?v ?w))
    (<= (next (dial ?d ?w)) (does turner (down ?d)) (true (dial ?d ?v)) (above ?w ?v))
    (<= (next (dial ?d ?v)) (true (dial ?d ?v)) (not (turned ?d))))";
  text += "(<= terminal (true (step " + std::to_string(limit) + ")))";
  text += "(<= (goal turner 100) " + others + last + ")";
  text += "(<= (goal turner 40) " + others + "(not " + last + "))";
  text += "(<= (some_off) (dial ?d) (distinct ?d " + std::to_string(count) +
          ") (not (true (dial ?d 3)))) (<= (goal turner 0) (some_off))";
  return text;
}

/// Lamps that go out by themselves `glow` moves after they were lit; over after `limit` moves,
/// worth 100 if all are lit then.
inline std::string fading_lamps(int count, int glow, int limit) {
  std::string text = "(role lighter)" + counter(limit), all;
  for (int lamp = 1; lamp <= count; ++lamp) {
    const std::string name = std::to_string(lamp);
    text += "(lamp " + name + ")(init (dark " + name + "))";
    all += "(not (true (dark " + name + ")))";
  }
  for (int i = 1; i < glow; ++i) {
    text += "(fades " + std::to_string(i + 1) + " " + std::to_string(i) + ")";
  }
  text += R"((<= (legal lighter (light ?l)) (lamp ?l))
    (<= (next (lit ?l ?n)) (does lighter (light ?l)) (longest ?n))
    (<= (next (lit ?l ?m)) (true (lit ?l ?n)) (fades ?n ?m) (not (does lighter (light ?l))))
    (<= (next (dark ?l)) (true (lit ?l 1)) (not (does lighter (light ?l))))
    (<= (next (dark ?l)) (true (dark ?l)) (not (does lighter (light ?l)))))";
  text += "(longest " + std::to_string(glow) + ")";
  text += "(<= terminal (true (step " + std::to_string(limit) + ")))";
  text += "(<= (goal lighter 100) " + all + ")(<= (goal lighter 0) (true (dark ?l)))";
  return text;
}

}  // namespace ludens::search::test
