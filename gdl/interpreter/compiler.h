// From clauses to plans.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gdl/interpreter/clauses.h"
#include "gdl/interpreter/program.h"

namespace ludens::gdl::interpreter {

/// How a relation is called, a letter an argument: `b` bound, `f` free and wanted, `e` free and of
/// no interest (it is enough that there is a value).
using Mode = std::string;

/// Compiles procedures as they are asked for, with those they call.
class Compiler {
 public:
  Compiler(Program& program, Clauses& clauses) : program_(program), clauses_(clauses) {}

  /// The procedure for a relation that is derived. Compiled after `finish`.
  ProcedureId require(std::uint32_t relation, const Mode& mode);
  /// Compiles all that has been required.
  void finish();

  /// Relations that calls evaluate whole, once a state, and then look up, where otherwise each
  /// call would be evaluated by itself. Indexed by relation; set before compiling.
  std::vector<bool> whole;

  [[nodiscard]] Program& program() { return program_; }
  [[nodiscard]] Clauses& clauses() { return clauses_; }
  /// Small enough to be evaluated in place each time it is asked, with all arguments bound.
  bool inlined(std::uint32_t relation) { return inline_size(relation) <= kInlineSize; }
  /// A single clause so thin that it is put in the place of its calls.
  bool unfolded(std::uint32_t relation);

 private:
  static constexpr std::uint32_t kInlineSize = 5;
  std::uint32_t inline_size(std::uint32_t relation);
  void compile(ProcedureId id);

  struct Task {
    ProcedureId procedure;
    Mode mode;
  };
  Program& program_;
  Clauses& clauses_;
  std::map<std::pair<std::uint32_t, Mode>, ProcedureId> procedures_;
  std::vector<Task> tasks_;
  std::vector<std::uint32_t> inline_sizes_;  // kNone: not known yet
};

/// Estimates for the order of a body.
class Estimate {
 public:
  explicit Estimate(const Clauses& clauses) : clauses_(clauses) {}
  /// Expected number of bindings that an atom gives when these variables are bound.
  [[nodiscard]] double rows(const Atom& atom, const std::vector<bool>& bound) const;

 private:
  const Clauses& clauses_;
};

/// Whether all variables of a pattern are bound.
bool is_bound(const Pattern& p, const std::vector<bool>& bound);

}  // namespace ludens::gdl::interpreter
