// SPDX-License-Identifier: MIT
#include "gdl/interpreter/engine.h"

#include <algorithm>

#include "gdl/memory/hash.h"

namespace ludens::gdl::interpreter {

Engine::Engine(const Program& program, Workspace& workspace, Account* account)
    : program_(program),
      terms_(workspace.terms()),
      registers_(account),
      frames_(Counted<Frame>(account)),
      pending_(Counted<Pending>(account)),
      consumers_(Counted<Consumer>(account)),
      saved_(Counted<std::uint32_t>(account)),
      queue_(Counted<std::uint32_t>(account)),
      scratch_(account) {}

Status Engine::evaluate(StateTables& tables, ProcedureId procedure, const TermId* key,
                        std::uint32_t& call) {
  tables_ = &tables;
  Memo& memo = memo_of(procedure);
  call = memo.find_or_add(key);
  if (memo.call(call).state == CallState::Complete) return Status::Ok;
  interrupted_ = Status::Ok;
  push_frame(procedure, call);
  const Status status = run();
  if (status != Status::Ok) abandon();
  return status;
}

Status Engine::evaluate_some(StateTables& tables, ProcedureId procedure, const TermId* key,
                             std::uint32_t& call, std::vector<TermId>& found) {
  tables_ = &tables;
  Memo& memo = memo_of(procedure);
  call = memo.find_or_add(key);
  found.clear();
  if (memo.call(call).state == CallState::Complete) return Status::Ok;
  interrupted_ = Status::Ok;
  asked_ = &memo;
  asked_call_ = call;
  push_frame(procedure, call);
  const Status status = run();
  asked_ = nullptr;
  if (status == Status::Ok) return status;
  for (std::uint32_t a = memo.call(call).first; a != kNone; a = memo.next_answer(a)) {
    found.push_back(*memo.answer(a));
  }
  abandon();
  return status;
}

/// Frames end, begin clauses and run plans until the stack is empty.
Status Engine::run() {
  while (!frames_.empty()) {
    if (frames_.back().pc < 0) {
      advance_frame();
      if (--fuel_ < 0 && !refuel()) return interrupted_;
      continue;
    }
    if (const Status status = run_plan(); status != Status::Ok) return status;
  }
  return Status::Ok;
}

/// Runs the top frame's plan until it ends or waits for another frame.
Status Engine::run_plan() {
  const Op* ops = program_.ops.data();
  std::int32_t pc = frames_.back().pc;
  const std::int32_t bottom = frames_.back().bottom;
  bool retry = frames_.back().retry;
  while (true) {
    if (--fuel_ < 0 && !refuel()) return interrupted_;
    const Op& op = ops[pc];
    switch (op.kind) {  // control flow is here, operations on tuples are in execute()
      case Op::Kind::Alternative:
        pc = retry ? static_cast<std::int32_t>(op.target) : pc + 1;
        retry = false;
        continue;
      case Op::Kind::Jump:
        pc = static_cast<std::int32_t>(op.target);
        continue;
      default:
        break;
    }
    switch (execute(op, retry)) {
      case Step::Ok:
        ++pc;
        retry = false;
        continue;
      case Step::Empty:
        pc = retry ? op.fail : op.empty;
        break;
      case Step::Waiting:  // other candidates before it may still give answers
        pc = op.fail;
        break;
      case Step::Ended:
        pc = -1;
        break;
      case Step::Pushed:  // a frame lies above; come back to the same step
        frames_[frames_.size() - 2].pc = pc;
        frames_[frames_.size() - 2].retry = false;
        return Status::Ok;
    }
    retry = true;
    if (pc < bottom) {
      frames_.back().pc = -1;
      return Status::Ok;
    }
  }
}

inline Engine::Step Engine::execute(const Op& op, bool retry) {
  const auto step = [](bool ok) { return ok ? Step::Ok : Step::Empty; };
  switch (op.kind) {
    case Op::Kind::Scan:
      return scan(op, retry);
    case Op::Kind::Lookup:
      return lookup(op, retry);
    case Op::Kind::Exists:
      return step(exists(op));
    case Op::Kind::NotExists:
      return step(!exists(op));
    case Op::Kind::Call:
      return call(op, retry);
    case Op::Kind::CallFiltered:
      return call_filtered(op, retry);
    case Op::Kind::CallTrue:
      return call_true(op, retry);
    case Op::Kind::CallFalse:
      return call_false(op);
    case Op::Kind::Compare:
      return step(match(&program_.matches[op.matches], op.match_count, nullptr));
    case Op::Kind::Distinct:
      return step(value(program_.operands[op.operands]) !=
                  value(program_.operands[op.operands + 1]));
    case Op::Kind::Build:
      build(op);
      return Step::Ok;
    case Op::Kind::Emit:
      return emit(op);
    default:
      return Step::Empty;
  }
}

bool Engine::refuel() {
  work_ += kPollInterval;
  const std::uint64_t spent = kPollInterval;
  fuel_ += kPollInterval;
  if (work_left_ != ~std::uint64_t{0}) {
    if (work_left_ < spent) {
      interrupted_ = Status::OverBudget;
      return false;
    }
    work_left_ -= spent;
  }
  if (has_enough() || (stop_ != nullptr && stop_->stop_requested())) {
    interrupted_ = Status::Stopped;
    return false;
  }
  return true;
}

bool Engine::has_enough() const {
  return asked_ != nullptr && asked_->call(asked_call_).count != 0;
}

/// Drops every table that holds an unfinished call.
void Engine::abandon() {
  for (const Pending& p : pending_) tables_->memos[p.procedure]->clear();
  frames_.clear();
  pending_.clear();
  consumers_.clear();
  saved_.clear();
  queue_.clear();
  registers_.clear();
}

// ---- frames ----

void Engine::use_frame() {
  r_ = frames_.empty() ? nullptr : registers_.data() + frames_.back().registers;
}

void Engine::push_frame(ProcedureId procedure, std::uint32_t call) {
  fuel_ -= 5;  // a frame costs about as much as this many steps
  Call& c = tables_->memos[procedure]->call(call);
  c.state = CallState::Evaluating;
  c.pending = static_cast<std::uint32_t>(pending_.size());
  pending_.push_back({procedure, call, c.pending, consumers_.size(), saved_.size(), queue_.size()});
  frames_.push_back({procedure, call, 0, -1, 0, static_cast<std::uint32_t>(registers_.size()),
                     c.pending, kNone, false});
  use_frame();
}

void Engine::pop_frame() {
  registers_.resize(frames_.back().registers);
  frames_.pop_back();
  use_frame();
}

/// The top frame's plan has ended: the next clause, or the end of the frame.
void Engine::advance_frame() {
  Frame& frame = frames_.back();
  if (frame.consumer != kNone) {
    Consumer& consumer = consumers_[frame.consumer];
    const Op& op = program_.ops[consumer.pc];
    consumer.position = r_[op.iterator];
    pop_frame();
    return;
  }
  const Procedure& procedure = program_.procedures[frame.procedure];
  const bool proved =
      procedure.width == 0 && tables_->memos[frame.procedure]->call(frame.call).count != 0;
  while (!proved && frame.clause < procedure.clause_count) {
    if (begin_clause(frame)) return;
  }
  finish_frame(frame);
}

/// Puts the key into the registers and matches the head of the frame's next clause with it.
bool Engine::begin_clause(Frame& frame) {
  const Procedure& procedure = program_.procedures[frame.procedure];
  const ClausePlan& clause = program_.clauses[procedure.first_clause + frame.clause++];
  registers_.resize(frame.registers + clause.registers);
  use_frame();
  copy_words(tables_->memos[frame.procedure]->key(frame.call), procedure.key_width, r_);
  if (!match(program_.matches.data() + clause.matches, clause.match_count, nullptr)) return false;
  frame.pc = static_cast<std::int32_t>(clause.first_op);
  frame.bottom = frame.pc;
  frame.retry = false;
  return true;
}

/// All clauses are done. A call that depends on nothing below it is complete, with all above it.
void Engine::finish_frame(Frame& frame) {
  Pending& own = pending_[frame.pending];
  if (own.lowest == frame.pending) {
    if (feed_consumer(own)) return;
    if (own.lowest == frame.pending) {
      for (std::size_t i = frame.pending; i < pending_.size(); ++i) {
        Call& call = tables_->memos[pending_[i].procedure]->call(pending_[i].call);
        call.state = CallState::Complete;
        call.consumers = kNone;
      }
      consumers_.resize(own.consumers);
      saved_.resize(own.saved);
      pending_.resize(frame.pending);
    }
  }
  pop_frame();
}

/// Resumes a consumer of the leader's cycle with answers that it has not seen.
bool Engine::feed_consumer(const Pending& leader) {
  if (queue_.size() <= leader.queue) return false;
  const std::uint32_t id = queue_.back();
  queue_.pop_back();
  Consumer& consumer = consumers_[id];
  consumer.queued = false;
  const auto first = static_cast<std::uint32_t>(registers_.size());
  std::uint32_t* registers = registers_.extend(consumer.register_count);
  copy_words(saved_.data() + consumer.saved, consumer.register_count, registers);
  registers[program_.ops[consumer.pc].iterator] = consumer.position;
  frames_.push_back({consumer.target, consumer.target_call, 0, consumer.pc, consumer.pc, first,
                     frames_.back().pending, id, true});
  use_frame();
  return true;
}

/// An answer of the frame's call. A call without columns needs no second one.
Engine::Step Engine::emit(const Op& op) {
  const Frame& frame = frames_.back();
  Memo& memo = *tables_->memos[frame.procedure];
  if (memo.add_answer(frame.call, values(op))) {
    for (std::uint32_t c = memo.call(frame.call).consumers; c != kNone; c = consumers_[c].next) {
      if (consumers_[c].queued) continue;
      consumers_[c].queued = true;
      queue_.push_back(c);
    }
  }
  return op.operand_count == 0 ? Step::Ended : Step::Empty;
}

// ---- calls ----

/// The call of an operation, made if it is new.
std::uint32_t Engine::find_call(const Op& op, Memo*& memo) {
  fuel_ -= 2;
  memo = &memo_of(op.subject);
  return memo->find_or_add(values(op));
}

bool Engine::pushed(const Op& op, Memo& memo, std::uint32_t call) {
  if (memo.call(call).state != CallState::New) return false;
  push_frame(op.subject, call);
  return true;
}

/// What the frame finds depends on the call: while the call is being evaluated, neither the frame's
/// call nor any begun since is complete.
inline void Engine::rest_on(const Call& call) {
  if (call.state != CallState::Evaluating) return;
  std::uint32_t& lowest = pending_[frames_.back().pending].lowest;
  lowest = std::min(lowest, pending_[call.pending].lowest);
}

/// Suspends the plan until the call, which is being evaluated, has more answers.
Engine::Step Engine::wait(const Op& op, ProcedureId source, std::uint32_t source_call) {
  const Frame& frame = frames_.back();
  Call& call = tables_->memos[source]->call(source_call);
  rest_on(call);
  const auto id = static_cast<std::uint32_t>(consumers_.size());
  const auto count = static_cast<std::uint32_t>(registers_.size() - frame.registers);
  r_[op.iterator + 1] = source_call;
  consumers_.push_back({source, source_call, call.consumers, frame.procedure, frame.call,
                        static_cast<std::int32_t>(&op - program_.ops.data()), saved_.size(), count,
                        kNone, call.count != 0});
  saved_.insert(saved_.end(), r_, r_ + count);
  call.consumers = id;
  if (call.count != 0) queue_.push_back(id);
  return Step::Waiting;
}

inline bool Engine::next_answer(const Op& op, Memo& memo, std::uint32_t call) {
  std::uint32_t& position = r_[op.iterator];
  std::uint32_t row = position == kNone ? memo.call(call).first : memo.next_answer(position);
  for (; row != kNone; row = memo.next_answer(row)) {
    --fuel_;
    position = row;
    if (match(&program_.matches[op.matches], op.match_count, memo.answer(row))) return true;
  }
  return false;
}

Engine::Step Engine::call(const Op& op, bool retry) {
  if (retry) {
    return next_answer(op, *tables_->memos[op.subject], r_[op.iterator + 1]) ? Step::Ok
                                                                             : Step::Empty;
  }
  Memo* memo = nullptr;
  const std::uint32_t call = find_call(op, memo);
  if (pushed(op, *memo, call)) return Step::Pushed;
  if (memo->call(call).state == CallState::Evaluating) return wait(op, op.subject, call);
  r_[op.iterator] = kNone;
  r_[op.iterator + 1] = call;
  return next_answer(op, *memo, call) ? Step::Ok : Step::Empty;
}

Engine::Step Engine::call_filtered(const Op& op, bool retry) {
  Memo& memo = memo_of(op.subject);
  if (!retry) {
    const std::uint32_t call = memo.find_or_add(nullptr);
    if (pushed(op, memo, call)) return Step::Pushed;
    if (memo.call(call).state == CallState::Evaluating) return wait(op, op.subject, call);
    if (memo.call(call).count == 0) return Step::Empty;
    if (!memo.index_built(op.index)) fuel_ -= memo.call(call).count;
  } else if (frames_.back().consumer != kNone && &op == &program_.ops[frames_.back().bottom]) {
    return next_answer(op, memo, 0) ? Step::Ok : Step::Empty;  // still growing: no index
  }
  const Index& index = memo.index(op.index);
  std::uint32_t row = retry ? index.next(r_[op.iterator]) : index.first(key_hash(op));
  for (; row != kNone; row = index.next(row)) {
    --fuel_;
    if (!match(&program_.matches[op.matches], op.match_count, memo.answer(row))) continue;
    r_[op.iterator] = row;
    return Step::Ok;
  }
  return Step::Empty;
}

Engine::Step Engine::call_true(const Op& op, bool retry) {
  Memo* memo = nullptr;
  if (retry) {  // only as a consumer: once when there is an answer, then no more
    memo = tables_->memos[op.subject];
    const Call& c = memo->call(r_[op.iterator + 1]);
    if (r_[op.iterator] != kNone || c.count == 0) return Step::Empty;
    r_[op.iterator] = c.first;
    return Step::Ok;
  }
  const std::uint32_t call = find_call(op, memo);
  if (pushed(op, *memo, call)) return Step::Pushed;
  const Call& c = memo->call(call);
  if (c.count == 0) {
    return c.state == CallState::Evaluating ? wait(op, op.subject, call) : Step::Empty;
  }
  rest_on(c);  // it is true, but what it has called may not be known
  return Step::Ok;
}

/// By stratification the call does not depend on the caller, so it is complete when its frame is
/// gone. In rules without stratification, what is known so far counts.
Engine::Step Engine::call_false(const Op& op) {
  Memo* memo = nullptr;
  const std::uint32_t call = find_call(op, memo);
  if (pushed(op, *memo, call)) return Step::Pushed;
  const Call& c = memo->call(call);
  rest_on(c);
  return c.count == 0 ? Step::Ok : Step::Empty;
}

// ---- tuples ----

inline bool Engine::match(const Match* m, std::uint32_t count, const std::uint32_t* row) {
  for (const Match* end = m + count; m != end; ++m) {
    switch (m->kind) {
      case Match::Kind::BindColumn:
        r_[m->operand] = row[m->source];
        break;
      case Match::Kind::CheckColumn:
        if (row[m->source] != value(m->operand)) return false;
        break;
      case Match::Kind::CheckRegister:
        if (r_[m->source] != value(m->operand)) return false;
        break;
      case Match::Kind::DecomposeColumn:
      case Match::Kind::DecomposeRegister: {
        const TermId t = m->kind == Match::Kind::DecomposeColumn ? row[m->source] : r_[m->source];
        if (terms_.functor_of(t) != m->functor) return false;
        copy_words(terms_.arguments(t), terms_.functor_at(m->functor).arity, r_ + m->operand);
        break;
      }
    }
  }
  return true;
}

/// The operands' values in a row; valid until the next such row.
inline const std::uint32_t* Engine::values(const Op& op) {
  scratch_.resize(op.operand_count);
  fuel_ -= op.operand_count / kWideStep;
  const Operand* operands = program_.operands.data() + op.operands;
  for (std::uint32_t i = 0; i < op.operand_count; ++i) scratch_.data()[i] = value(operands[i]);
  return scratch_.data();
}

inline std::uint64_t Engine::key_hash(const Op& op) const {
  std::uint64_t hash = 0;
  const Operand* operands = program_.operands.data() + op.operands;
  for (std::uint32_t i = 0; i < op.operand_count; ++i) hash = mix(hash, value(operands[i]));
  return hash;
}

inline Engine::Step Engine::scan(const Op& op, bool retry) {
  const Rows& rows = *tables_->rows[op.subject];
  std::uint32_t row = retry ? r_[op.iterator] + 1 : 0;
  for (; row < rows.count(); ++row) {
    --fuel_;
    if (!match(&program_.matches[op.matches], op.match_count, rows.row(row))) continue;
    r_[op.iterator] = row;
    return Step::Ok;
  }
  return Step::Empty;
}

inline Engine::Step Engine::lookup(const Op& op, bool retry) {
  Rows& rows = *tables_->rows[op.subject];
  std::uint32_t row = 0;
  if (retry) {
    row = rows.index(op.index).next(r_[op.iterator]);
  } else {
    if (rows.count() == 0) return Step::Empty;
    if (!rows.index(op.index).built()) {
      fuel_ -= rows.count();
      rows.ensure(op.index);
    }
    row = rows.index(op.index).first(key_hash(op));
  }
  const Index& index = rows.index(op.index);
  for (; row != kNone; row = index.next(row)) {
    --fuel_;
    if (!match(&program_.matches[op.matches], op.match_count, rows.row(row))) continue;
    r_[op.iterator] = row;
    return Step::Ok;
  }
  return Step::Empty;
}

inline bool Engine::exists(const Op& op) {
  Rows& rows = *tables_->rows[op.subject];
  if (rows.count() == 0) return false;
  const Match* matches = program_.matches.data() + op.matches;
  if (op.index == kNone) {
    for (std::uint32_t row = 0; row < rows.count(); ++row) {
      --fuel_;
      if (match(matches, op.match_count, rows.row(row))) return true;
    }
    return false;
  }
  if (!rows.index(op.index).built()) {
    fuel_ -= rows.count();
    rows.ensure(op.index);
  }
  const Index& index = rows.index(op.index);
  for (std::uint32_t row = index.first(key_hash(op)); row != kNone; row = index.next(row)) {
    --fuel_;
    if (match(matches, op.match_count, rows.row(row))) return true;
  }
  return false;
}

void Engine::build(const Op& op) {
  r_[op.target] = terms_.compound(op.subject, values(op));
}

}  // namespace ludens::gdl::interpreter
