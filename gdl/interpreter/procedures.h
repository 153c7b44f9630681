// SPDX-License-Identifier: MIT
// Which procedures a program has, and what may be said of relations while they are compiled.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gdl/interpreter/clauses.h"
#include "gdl/interpreter/program.h"

namespace ludens::gdl::interpreter {

/// How a relation is called, a letter an argument: `b` bound, `f` free and wanted, `e` free and of
/// no interest (it is enough that there is a value).
using Mode = std::string;

/// What may be compiled one way or another, with the same answers; the tuner finds out which is
/// faster.
struct Choices {
  /// Relations that calls evaluate whole, once a state, and then look up, where otherwise each call
  /// is evaluated by itself. By relation; none if empty.
  std::vector<bool> whole;
  /// Literals that a relation may have to be evaluated in place when it is asked with all arguments
  /// bound.
  std::uint32_t inline_size = 5;
  /// Literals that a single clause may have to be put in the place of its calls.
  std::uint32_t unfold_size = 3;

  [[nodiscard]] bool is_whole(std::uint32_t relation) const {
    return relation < whole.size() && whole[relation];
  }
};

/// The procedures that were asked for, each with its place in the program. The compiler of one
/// asks for those that it calls. Program and clauses must outlive it.
class Procedures {
 public:
  /// One that is to be compiled.
  struct Task {
    ProcedureId procedure;
    Mode mode;
  };

  Procedures(Program& program, const Clauses& clauses, Choices choices)
      : program_(program), clauses_(clauses), choices_(std::move(choices)) {}

  /// The procedure for a relation that is derived.
  ProcedureId require(std::uint32_t relation, const Mode& mode);
  /// One of those that were asked for since and not taken yet; nullopt if there is none.
  std::optional<Task> take();

  [[nodiscard]] Program& program() { return program_; }
  [[nodiscard]] const Clauses& clauses() const { return clauses_; }
  [[nodiscard]] const Choices& choices() const { return choices_; }
  /// Small enough to be evaluated in place each time it is asked, with all arguments bound.
  bool inlined(std::uint32_t relation) { return inline_size(relation) <= choices_.inline_size; }
  /// A single clause so thin that it is put in the place of its calls.
  bool unfolded(std::uint32_t relation);

 private:
  std::uint32_t inline_size(std::uint32_t relation);

  Program& program_;
  const Clauses& clauses_;
  Choices choices_;
  std::map<std::pair<std::uint32_t, Mode>, ProcedureId> procedures_;
  std::vector<Task> tasks_;
  std::vector<std::uint32_t> inline_sizes_;  // kNone: not known yet
};

}  // namespace ludens::gdl::interpreter
