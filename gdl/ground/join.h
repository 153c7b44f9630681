// SPDX-License-Identifier: MIT
// One rule's body as a plan of joins, and its evaluation.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "gdl/ground/flat_program.h"
#include "gdl/ground/tuples.h"

namespace ludens::gdl {

/// The rows of a relation that a literal reads: [from, to).
struct RowRange {
  RowId from = 0, to = 0;
};

/// What an evaluation may cost; one object serves a whole grounding. `exhausted` is called every
/// `kWorkBetween` rows; once it returns true, evaluations end early and their results are
/// incomplete.
class WorkMeter {
 public:
  static constexpr std::uint64_t kWorkBetween = 4096;
  virtual ~WorkMeter() = default;
  bool spend(std::uint64_t work = 1) {
    work_ += work;
    if (work_ < kWorkBetween) return false;
    work_ = 0;
    return over_ = over_ || exhausted();
  }
  [[nodiscard]] bool over() const { return over_; }

 protected:
  virtual bool exhausted() = 0;

 private:
  std::uint64_t work_ = 0;
  bool over_ = false;
};

/// Evaluates the body of one rule over the relations' tuples. Literals are ordered greedily: tests
/// as soon as their variables are bound, then the literal with the smallest estimated number of
/// matches.
class Join {
 public:
  /// Called for every binding found; `values[v]` is that of variable v.
  class Sink {
   public:
    virtual ~Sink() = default;
    virtual void match(const std::uint32_t* values, const RowId* rows) = 0;
    /// Called when the variables that the caller needs are bound: false skips this binding.
    virtual bool wanted(const std::uint32_t* /*values*/) { return true; }
  };

  struct Options {
    std::vector<RowRange> ranges;  // [literal], for positive ones
    int first = -1;                // literal to begin with (the delta), or -1
    /// Needed variables: once all are bound, the rest of the body is only tested for existence.
    std::vector<bool> needed;
    /// [literal]: whether it is ignored (a negation that can't be evaluated yet).
    std::vector<bool> ignored;
    /// Variables whose values are given before each run; empty for none.
    std::vector<bool> given;
  };

  /// Planning a long body takes time, too, which counts. The meter must outlive the join.
  Join(const FlatRule& rule, std::deque<Tuples>& relations, Options options, WorkMeter& meter);
  /// Sets the value of a variable that is declared as given.
  void give(std::uint32_t variable, std::uint32_t value) { values_[variable] = value; }
  void run(Sink& sink);

 private:
  enum class Action : std::uint8_t { Scan, Lookup, Test, Absent, Distinct };
  // A column of a step: compare with a constant or a bound variable, or bind a variable.
  struct Column {
    bool binds;
    bool variable;
    std::uint32_t value;
  };
  struct Step {
    Action action;
    int literal;
    std::vector<Column> columns;
    Tuples* tuples = nullptr;
    Tuples::Index* index = nullptr;
    RowRange range;
  };

  void plan(std::deque<Tuples>& relations);
  [[nodiscard]] double estimate(const FlatLiteral& l, const RowRange& range, Tuples& tuples) const;
  int pick(bool first_step, std::deque<Tuples>& relations) const;
  void add_step(int literal, std::deque<Tuples>& relations);
  [[nodiscard]] bool is_bound(const FlatTerm& t) const { return !t.variable || bound_[t.value]; }
  [[nodiscard]] bool all_bound(const FlatLiteral& l) const;
  [[nodiscard]] bool needs_met() const;
  bool evaluate(std::size_t k);
  bool match_rows(const Step& step, std::size_t k);
  bool match_row(const Step& step, RowId row, std::size_t k);
  [[nodiscard]] std::uint32_t value(const Column& c) const {
    return c.variable ? values_[c.value] : c.value;
  }

  const FlatRule& rule_;
  Options options_;
  WorkMeter& meter_;
  std::vector<bool> bound_, used_;  // while planning
  std::vector<Step> steps_;
  std::size_t tests_from_ = 0;  // from this step on, one match is enough
  std::vector<std::uint32_t> values_, key_;
  std::vector<RowId> rows_;  // [literal]
  Sink* sink_ = nullptr;
};

}  // namespace ludens::gdl
