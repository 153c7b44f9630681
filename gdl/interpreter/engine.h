// SPDX-License-Identifier: MIT
// Runs compiled rules: goal-directed, with tables.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/interpreter/program.h"
#include "gdl/interpreter/workspace.h"
#include "gdl/machine/machine.h"

namespace ludens::gdl::interpreter {

/// Answers calls by evaluating the clauses of their procedure, and the calls these make, on an
/// explicit stack; nothing recurses, so that a chain of derivations may be as long as memory
/// allows. A call that is repeated while it is being evaluated is recursion: the caller is
/// suspended as a consumer, a copy of the registers, and resumes with each further answer. The
/// first call of such a cycle, its leader, feeds consumers until there are no new answers. Then all
/// calls of the cycle are complete (SLG resolution: Chen and Warren 1996; completion by Tarjan's
/// strongly connected components, as in Swift and Warren 2012).
class Engine {
 public:
  Engine(const Program& program, Workspace& workspace, Account* account);

  /// Completes a call and sets `call` to its number in the procedure's memo. `key` has the
  /// procedure's key width. After Stopped or OverBudget, unfinished tables are dropped. Throws
  /// BudgetExhausted when memory is used up; then the workspace must be discarded.
  Status evaluate(StateTables& tables, ProcedureId procedure, const TermId* key,
                  std::uint32_t& call);

  /// The same, but ends with Stopped at the first poll at which the call has answers. They, or what
  /// else was found before a request to stop, are then in `found`: all follow from the rules.
  Status evaluate_some(StateTables& tables, ProcedureId procedure, const TermId* key,
                       std::uint32_t& call, std::vector<TermId>& found);

  void set_stop(const StopSignal* stop) { stop_ = stop; }
  /// Counts work done elsewhere, so that polls stay close together. False means stop.
  [[nodiscard]] bool spend(std::int64_t steps) {
    fuel_ -= steps;
    return fuel_ >= 0 || refuel();
  }
  /// Allows the next `evaluate` at most this many steps; beyond them it returns OverBudget.
  void limit_work(std::uint64_t steps) { work_left_ = steps; }
  /// Steps made since the engine was created; the compiler compares plans by them.
  [[nodiscard]] std::uint64_t work() const { return work_ - static_cast<std::uint64_t>(fuel_); }

 private:
  struct Frame {
    ProcedureId procedure;
    std::uint32_t call;
    std::uint32_t clause;     // the next one to begin
    std::int32_t pc;          // where to continue
    std::int32_t bottom;      // failing back to a step before it ends the frame's plan
    std::uint32_t registers;  // first one
    std::uint32_t pending;    // the call whose completion depends on this frame
    std::uint32_t consumer;   // kNone for a frame that evaluates clauses
    bool retry;
  };
  /// A call that is not complete, on the completion stack.
  struct Pending {
    ProcedureId procedure;
    std::uint32_t call;
    std::uint32_t lowest;                 // the lowest place on this stack that it depends on
    std::size_t consumers, saved, queue;  // sizes when it was pushed
  };
  /// A plan that waits at a call for further answers.
  struct Consumer {
    ProcedureId source;
    std::uint32_t source_call;
    std::uint32_t next;  // of the same call
    ProcedureId target;
    std::uint32_t target_call;
    std::int32_t pc;
    std::size_t saved;  // its registers
    std::uint32_t register_count;
    std::uint32_t position;  // last answer consumed
    bool queued;
  };
  enum class Step : std::uint8_t { Ok, Empty, Waiting, Pushed, Ended };

  Status run();
  Status run_plan();
  Step execute(const Op& op, bool retry);
  void advance_frame();
  bool begin_clause(Frame& frame);
  void finish_frame(Frame& frame);
  bool feed_consumer(const Pending& leader);
  void push_frame(ProcedureId procedure, std::uint32_t call);
  void pop_frame();
  void use_frame();
  bool refuel();
  [[nodiscard]] bool has_enough() const;
  void abandon();

  Step scan(const Op& op, bool retry);
  Step lookup(const Op& op, bool retry);
  bool exists(const Op& op);
  Step call(const Op& op, bool retry);
  Step call_filtered(const Op& op, bool retry);
  Step call_true(const Op& op, bool retry);
  Step call_false(const Op& op);
  Step emit(const Op& op);
  void build(const Op& op);
  bool next_answer(const Op& op, Memo& memo, std::uint32_t call);
  void rest_on(const Call& call);
  Step wait(const Op& op, ProcedureId source, std::uint32_t source_call);
  std::uint32_t find_call(const Op& op, Memo*& memo);
  bool pushed(const Op& op, Memo& memo, std::uint32_t call);

  [[nodiscard]] std::uint32_t value(Operand o) const {
    return (o & kTermBit) != 0 ? o & ~kTermBit : r_[o];
  }
  bool match(const Match* matches, std::uint32_t count, const std::uint32_t* row);
  const std::uint32_t* values(const Op& op);
  [[nodiscard]] std::uint64_t key_hash(const Op& op) const;
  Memo& memo_of(ProcedureId procedure) {
    Memo& memo = *tables_->memos[procedure];
    memo.enter(tables_->epochs[static_cast<int>(program_.procedures[procedure].level)]);
    return memo;
  }

  static constexpr std::int64_t kPollInterval = 2000;
  static constexpr std::uint32_t kWideStep = 16;  // this many words of a tuple count as one more
                                                  // step

  const Program& program_;
  TermStore& terms_;
  StateTables* tables_ = nullptr;
  const StopSignal* stop_ = nullptr;
  std::int64_t fuel_ = 0;
  std::uint64_t work_ = 0, work_left_ = ~std::uint64_t{0};
  Status interrupted_ = Status::Ok;
  /// The memo and the call that is asked for if some answers are enough; null: all are wanted.
  Memo* asked_ = nullptr;
  std::uint32_t asked_call_ = 0;

  std::uint32_t* r_ = nullptr;  // registers of the top frame
  WordStack registers_;
  CountedVector<Frame> frames_;
  CountedVector<Pending> pending_;
  CountedVector<Consumer> consumers_;
  CountedVector<std::uint32_t> saved_;
  CountedVector<std::uint32_t> queue_;  // consumers with answers to consume
  WordStack scratch_;                   // a tuple being built
};

}  // namespace ludens::gdl::interpreter
