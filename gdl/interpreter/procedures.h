// SPDX-License-Identifier: MIT
// Which procedures a program has, and how relations may be compiled.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "gdl/interpreter/clauses.h"
#include "gdl/interpreter/program.h"
#include "gdl/memory/limits.h"

namespace ludens::gdl::interpreter {

/// How a relation is called, one letter per argument: `b` bound, `f` free and wanted, `e` free and
/// of no interest (it is enough that there is a value).
using Mode = std::string;

/// What may be compiled one way or another, with the same answers; the tuner finds out which is
/// faster.
struct Choices {
  /// Relations that are evaluated completely, once per state, and then looked up; otherwise each
  /// call is evaluated separately. By relation; none if empty.
  std::vector<bool> whole;
  /// The most literals of a relation that is evaluated in place when it is called with all
  /// arguments bound.
  std::uint32_t inline_size = 5;
  /// The most literals of a single clause that replaces its calls.
  std::uint32_t unfold_size = 3;

  [[nodiscard]] bool is_whole(std::uint32_t relation) const {
    return relation < whole.size() && whole[relation];
  }
};

/// The procedures that were required, each with its place in the program. Compiling one requires
/// those that it calls. Program and clauses must outlive it.
class Procedures {
 public:
  /// A procedure to compile.
  struct Task {
    ProcedureId procedure;
    Mode mode;
    std::vector<bool> left_out;  // by clause; none if empty
  };

  /// The signal, which may be null, ends the weighing of orders.
  Procedures(Program& program, const Clauses& clauses, Choices choices,
             const StopSignal* stop = nullptr);

  /// The procedure for a relation that is derived.
  ProcedureId require(std::uint32_t relation, const Mode& mode) {
    return require(relation, mode, {});
  }
  /// The procedure for a call. Where the relation negates itself, clauses that can't match the call
  /// are left out: they may wait for the negation of what is called.
  ProcedureId require(const Atom& call, const Mode& mode) {
    return require(call.relation, mode, clauses_that_cannot_match(call));
  }
  /// A procedure that was required and not taken yet; nullopt if there is none.
  std::optional<Task> take();

  [[nodiscard]] Program& program() { return program_; }
  [[nodiscard]] const Clauses& clauses() const { return clauses_; }
  /// Whether it is evaluated completely. What negates itself never is: a call would wait for calls
  /// that it does not need.
  [[nodiscard]] bool whole(std::uint32_t relation) const {
    return choices_.is_whole(relation) && !clauses_[relation].negates_itself;
  }
  /// Whether it is small enough to be evaluated in place whenever it is called with all arguments
  /// bound.
  [[nodiscard]] bool inlined(std::uint32_t relation) const {
    return may_grow() && in_place_[relation].literals <= choices_.inline_size;
  }
  /// Whether it is a single clause, small enough to replace its calls.
  bool unfolded(std::uint32_t relation);
  /// Whether the next of this many literals is chosen by its cost: not in long rules, nor once
  /// stopped.
  bool weighs(std::size_t literals);

 private:
  /// What a relation is if it is evaluated in place, with all that is evaluated in place within it.
  struct InPlace {
    std::uint32_t literals = kNone;  // it is not
    std::uint32_t depth = 0;
  };
  /// Whether the program is small enough for one relation to be compiled in many places.
  [[nodiscard]] bool may_grow() const { return program_.ops.size() < 1'000'000; }
  ProcedureId require(std::uint32_t relation, const Mode& mode, std::vector<bool> left_out);
  [[nodiscard]] std::vector<bool> clauses_that_cannot_match(const Atom& call) const;
  [[nodiscard]] InPlace in_place(std::uint32_t relation) const;

  Program& program_;
  const Clauses& clauses_;
  Choices choices_;
  std::map<std::tuple<std::uint32_t, Mode, std::vector<bool>>, ProcedureId> procedures_;
  std::vector<Task> tasks_;
  std::vector<InPlace> in_place_;  // by relation
  StopPoll poll_;
};

}  // namespace ludens::gdl::interpreter
