// SPDX-License-Identifier: MIT
// Small games of hidden information by chance, for property tests.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "gdl/machine/rng.h"

namespace ludens::search::hidden::tests {

/// Two players and `random` over some facts, for four turns or fewer: what is legal, what follows
/// and what is perceived depends on facts and moves in ways drawn by chance. Each role can always
/// make `m0`. The same seed, the same text.
class RandomGame {
 public:
  /// A number below the one given, which is at least 1.
  using Choice = std::function<std::uint32_t(std::uint32_t)>;

  explicit RandomGame(std::uint64_t seed)
      : choose_([rng = gdl::Rng(seed)](std::uint32_t n) mutable { return rng.below(n); }) {}
  /// With somebody else's chance. A choice that is always 0 ends too.
  explicit RandomGame(Choice choose) : choose_(std::move(choose)) {}

  std::string text() {
    for (const char* role : kRoles) line("(role " + std::string(role) + ")");
    line("(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (step 0))");
    for (int f = 0; f < kFacts; ++f) {
      if (chance(50)) line("(init " + fact(f) + ")");
    }
    for (const char* role : kRoles) {
      line("(legal " + std::string(role) + " m0)");
      for (int m = 1; m < kMoves; ++m) {
        rule("(legal " + std::string(role) + " m" + std::to_string(m) + ")", false);
      }
    }
    line("(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))");
    for (int f = 0; f < kFacts; ++f) {
      for (int n = 1 + below(3); n > 0; --n) rule("(next " + fact(f) + ")", true);
    }
    for (const char* role : {"a", "b"}) {
      for (int n = below(5); n > 0; --n) {
        rule("(sees " + std::string(role) + " p" + std::to_string(below(3)) + ")", true);
      }
    }
    line("(sees random nothing)");  // so that it is a game of hidden information
    line("(<= terminal (true (step 4)))");
    line("(<= terminal (true (step 3)) (true f0) (true f1))");
    line("(<= (goal a 100) (true f0)) (<= (goal a 0) (not (true f0)))");
    line("(<= (goal b 0) (true f0)) (<= (goal b 100) (not (true f0))) (goal random 50)");
    return text_;
  }

 private:
  static constexpr const char* kRoles[] = {"a", "b", "random"};
  static constexpr int kFacts = 4, kMoves = 3;

  int below(int n) { return static_cast<int>(choose_(static_cast<std::uint32_t>(n))); }
  bool chance(int percent) { return below(100) < percent; }
  void line(const std::string& text) { text_ += text + "\n"; }
  static std::string fact(int f) { return "f" + std::to_string(f); }

  std::string literal(bool with_moves) {
    std::string text = with_moves && chance(50) ? "(does " + std::string(kRoles[below(3)]) + " m" +
                                                      std::to_string(below(kMoves)) + ")"
                                                : "(true " + fact(below(kFacts)) + ")";
    return chance(35) ? "(not " + text + ")" : text;
  }
  void rule(const std::string& head, bool with_moves) {
    std::string body;
    for (int n = 1 + below(2); n > 0; --n) body += " " + literal(with_moves);
    line("(<= " + head + body + ")");
  }

  Choice choose_;
  std::string text_;
};

}  // namespace ludens::search::hidden::tests
