#include "gdl/sliced/network_machine.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "gdl/native/generate.h"
#include "gdl/native/trial.h"
#include "gdl/network/build.h"
#include "gdl/sliced/program.h"

namespace ludens::gdl {

namespace {

constexpr std::size_t kAlignment = 64;

/// Memory for registers, counted against a budget.
class Registers {
 public:
  Registers() = default;
  Registers(const Registers&) = delete;
  Registers& operator=(const Registers&) = delete;
  ~Registers() { reset(); }

  /// False if the budget does not allow it. All zero.
  bool allocate(std::size_t bytes, MemoryBudget* budget) {
    reset();
    if (budget != nullptr && !budget->reserve(bytes)) return false;
    budget_ = budget;
    bytes_ = bytes;
    data_ = ::operator new (bytes, std::align_val_t{kAlignment});
    std::memset(data_, 0, bytes);
    return true;
  }
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] explicit operator bool() const { return data_ != nullptr; }

 private:
  void reset() {
    if (data_ == nullptr) return;
    ::operator delete (data_, std::align_val_t{kAlignment});
    if (budget_ != nullptr) budget_->release(bytes_);
    data_ = nullptr;
  }
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  MemoryBudget* budget_ = nullptr;
};

/// What all batches of one context work in.
struct Batch {
  Registers slots, playout_scratch;
  std::vector<Registers> chooser_scratch;
  std::vector<kernel::Chooser> choosers;
  std::vector<std::uint64_t> rows, legal_rows, random;
  std::vector<const std::uint64_t*> states;
};

class NetworkContext final : public Machine::Context {
 public:
  using Context::Context;
  std::vector<std::uint64_t> one;  // slots of the single-state calls, in lane 0
  StateHash evaluated;             // the state whose Status they hold
  bool fresh = false;
  Batch batch;
};

class NetworkMachine final : public Machine {
 public:
  NetworkMachine(std::shared_ptr<Vocabulary> vocabulary, Program program, std::size_t lanes,
                 std::optional<native::GeneratedCode> generated)
      : vocabulary_(std::move(vocabulary)),
        program_(std::move(program)),
        generated_(std::move(generated)),
        single_(lanes == 1),
        kernel_(lanes <= 1 ? kernel::widest() : *kernel::find(lanes)) {
    prepare_tables();
  }

  [[nodiscard]] std::string_view name() const override { return single_ ? "scalar" : "sliced"; }
  [[nodiscard]] const std::shared_ptr<Vocabulary>& vocabulary() const override {
    return vocabulary_;
  }
  [[nodiscard]] std::size_t preferred_batch() const override { return single_ ? 1 : kernel_.lanes; }
  [[nodiscard]] bool keeps(FluentId fluent) const override {
    return std::ranges::binary_search(kept_, fluent);
  }
  [[nodiscard]] std::size_t gates() const override { return program_.two_input_gates; }
  [[nodiscard]] std::unique_ptr<Context> make_context(const Limits& limits) const override {
    return std::make_unique<NetworkContext>(limits);
  }

  Status initial(Context&, State& out) const override {
    out.words().assign(program_.state_words(), 0);
    for (std::size_t f = 0; f < program_.initially.size(); ++f) {
      if (program_.initially[f]) out.words()[f / 64] |= std::uint64_t{1} << (f % 64);
    }
    return Status::Ok;
  }

  Status legal(Context& context, StateView state, RoleIndex role,
               std::vector<MoveId>& out) const override {
    NetworkContext& c = evaluate_status(context, state);
    out.clear();
    for (std::uint32_t m = program_.first_move[role]; m < program_.first_move[role + 1]; ++m) {
      if (holds(c, program_.moves[m].legal)) out.push_back(program_.moves[m].id);
    }
    if (out.empty() && !holds(c, program_.terminal)) {
      context.report(Flaw::Kind::NoLegalMove, role, print(context, state));
    }
    return status(context);
  }

  Status next(Context& context, StateView state, JointMove move, State& out) const override {
    NetworkContext& c = evaluate_status(context, state);
    for (RoleIndex r = 0; r < move.size(); ++r) {
      if (const auto slot = slot_of(r, move[r])) c.one[*slot] = ~std::uint64_t{0};
    }
    kernel::kLanes64.evaluate(program_.phase(Phase::Next), c.one.data());
    std::vector<std::uint64_t>& words = out.words();
    words.assign(program_.state_words(), 0);
    for (std::size_t f = 0; f < program_.next.size(); ++f) {
      if (holds(c, program_.next[f])) words[f / 64] |= std::uint64_t{1} << (f % 64);
    }
    for (RoleIndex r = 0; r < move.size(); ++r) {
      if (const auto slot = slot_of(r, move[r])) c.one[*slot] = 0;
    }
    return status(context);
  }

  Status terminal(Context& context, StateView state, bool& out) const override {
    out = holds(evaluate_status(context, state), program_.terminal);
    return status(context);
  }

  Status goals(Context& context, StateView state, std::span<int> out) const override {
    NetworkContext& c = evaluate_status(context, state);
    kernel::kLanes64.evaluate(program_.phase(Phase::Goals), c.one.data());
    std::ranges::fill(out, -1);
    const bool over = holds(c, program_.terminal);
    for (const Program::Goal& g : program_.goals) {
      if (!holds(c, g.edge)) continue;
      if (out[g.role] < 0) {
        out[g.role] = static_cast<int>(g.value);
      } else if (over) {
        context.report(Flaw::Kind::GoalDoubled, g.role, print(context, state));
      }
    }
    for (RoleIndex r = 0; r < out.size(); ++r) {
      if (out[r] >= 0) continue;
      out[r] = 0;
      if (over) context.report(Flaw::Kind::GoalMissing, r, print(context, state));
    }
    return status(context);
  }

  Status fluents(Context& context, StateView state, std::vector<FluentId>& out) const override {
    out.clear();
    for (std::size_t f = 0; f < program_.fluents.size(); ++f) {
      if (state.words()[f / 64] >> (f % 64) & 1) out.push_back(program_.fluents[f]);
    }
    std::ranges::sort(out);
    return status(context);
  }

  Status expand(Context& context, std::span<const StateMove> pairs, Expansion& out) const override {
    if (single_) return Machine::expand(context, pairs, out);
    auto& c = static_cast<NetworkContext&>(context);
    if (!prepare_batch(c)) return Status::OverBudget;
    out.states.clear();
    out.terminal.clear();
    out.goals.clear();
    out.moves.clear();
    out.begin.assign(1, 0);
    for (std::size_t first = 0; first < pairs.size(); first += kernel_.lanes) {
      expand_chunk(c, pairs.subspan(first, std::min(kernel_.lanes, pairs.size() - first)), out);
      if (status(context) != Status::Ok) return status(context);
    }
    return Status::Ok;
  }

  Status playouts(Context& context, std::span<const StateView> starts,
                  const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const override;

 private:
  void prepare_tables();
  bool prepare_batch(NetworkContext& c) const;
  void expand_chunk(NetworkContext& c, std::span<const StateMove> pairs, Expansion& out) const;
  void append_legal(const Batch& batch, std::size_t lane, bool over, Expansion& out) const;

  // A phase as batches run it.
  [[nodiscard]] kernel::Phase batch_phase(Phase which) const {
    kernel::Phase phase = program_.phase(which);
    if (generated_) phase.native = generated_->phase(which);
    return phase;
  }

  static Status status(const Context& context) {
    return context.limits.stop != nullptr && context.limits.stop->stop_requested() ? Status::Stopped
                                                                                   : Status::Ok;
  }
  static bool holds(const NetworkContext& c, SlotEdge e) {
    return (c.one[e.slot] & 1) != e.inverted;
  }

  [[nodiscard]] std::optional<std::uint32_t> slot_of(RoleIndex role, MoveId move) const {
    const auto& slots = move_slots_[role];
    if (move >= slots.size() || slots[move] == kNoSlot) return std::nullopt;
    return slots[move];
  }

  // Single calls: lane 0 of 64-bit slots. Questions about one state follow each other, so the last
  // one's Status is kept.
  NetworkContext& evaluate_status(Context& context, StateView state) const {
    auto& c = static_cast<NetworkContext&>(context);
    const StateHash key = hash(state);
    if (c.fresh && c.evaluated == key) return c;
    c.one.resize(program_.slots, 0);
    for (std::size_t f = 0; f < program_.fluents.size(); ++f) {
      c.one[f] = std::uint64_t{0} - (state.words()[f / 64] >> (f % 64) & 1);
    }
    kernel::kLanes64.evaluate(program_.phase(Phase::Status), c.one.data());
    c.evaluated = key;
    c.fresh = true;
    return c;
  }

  static constexpr std::uint32_t kNoSlot = 0xffffffff;

  std::shared_ptr<Vocabulary> vocabulary_;
  Program program_;
  std::optional<native::GeneratedCode> generated_;
  bool single_;
  const kernel::Kernel& kernel_;
  std::vector<std::vector<std::uint32_t>> move_slots_;  // [role][move id]
  std::vector<std::uint32_t> legal_slot_, move_slot_;   // [move]
  std::vector<std::uint64_t> legal_inverted_;           // [move]
  std::vector<SlotEdge> legal_edges_, status_edges_;
  std::vector<kernel::Goal> kernel_goals_;
  std::vector<FluentId> kept_;        // ascending
  std::vector<std::uint32_t> moved_;  // fluents whose next edge is an input
};

void NetworkMachine::prepare_tables() {
  move_slots_.resize(program_.roles());
  for (const Program::Move& m : program_.moves) {
    auto& slots = move_slots_[m.role];
    slots.resize(std::max<std::size_t>(slots.size(), m.id + 1), kNoSlot);
    slots[m.id] = m.slot;
    legal_slot_.push_back(m.legal.slot);
    legal_inverted_.push_back(m.legal.inverted != 0 ? ~std::uint64_t{0} : 0);
    move_slot_.push_back(m.slot);
    legal_edges_.push_back(m.legal);
  }
  for (std::uint32_t f = 0; f < program_.fluents.size(); ++f) {
    const SlotEdge e = program_.next[f];
    const bool unchanged = e.slot == f && e.inverted == 0;
    if (e.slot < program_.fluents.size() && !unchanged) moved_.push_back(f);
  }
  kept_ = program_.fluents;
  std::ranges::sort(kept_);
  status_edges_.push_back(program_.terminal);
  for (const Program::Goal& g : program_.goals) {
    status_edges_.push_back(g.edge);
    kernel_goals_.push_back({g.role, g.value, g.edge});
  }
}

bool NetworkMachine::prepare_batch(NetworkContext& c) const {
  Batch& b = c.batch;
  if (b.slots) return true;
  MemoryBudget* memory = c.limits.memory;
  const std::size_t register_bytes = kernel_.lanes / 8;
  b.choosers.clear();
  b.chooser_scratch = std::vector<Registers>(program_.roles());
  for (std::size_t r = 0; r < program_.roles(); ++r) {
    const std::uint32_t first = program_.first_move[r];
    const std::uint32_t count = program_.first_move[r + 1] - first;
    if (!b.chooser_scratch[r].allocate(kernel_.chooser_scratch(std::max(count, 1U)), memory))
      return false;
    b.choosers.push_back({count, legal_slot_.data() + first, legal_inverted_.data() + first,
                          move_slot_.data() + first, b.chooser_scratch[r].data()});
  }
  const auto fluents = static_cast<std::uint32_t>(program_.fluents.size());
  if (!b.playout_scratch.allocate(kernel_.playout_scratch(fluents), memory)) return false;
  const std::size_t slots = std::max(program_.slots, generated_ ? generated_->slots() : 0);
  if (!b.slots.allocate(slots * register_bytes, memory)) return false;
  b.states.resize(kernel_.lanes);
  return true;
}

void NetworkMachine::expand_chunk(NetworkContext& c, std::span<const StateMove> pairs,
                                  Expansion& out) const {
  Batch& b = c.batch;
  const auto fluents = static_cast<std::uint32_t>(program_.fluents.size());
  const std::size_t lane_words = kernel_.lanes / 64;
  for (std::size_t l = 0; l < pairs.size(); ++l) b.states[l] = pairs[l].state.words().data();
  kernel_.pack(b.states.data(), pairs.size(), fluents, b.slots.data());
  auto* words = static_cast<std::uint64_t*>(b.slots.data());
  std::memset(words + fluents * lane_words, 0, program_.moves.size() * lane_words * 8);
  for (std::size_t l = 0; l < pairs.size(); ++l) {
    for (RoleIndex r = 0; r < pairs[l].move.size(); ++r) {
      const auto slot = slot_of(r, pairs[l].move[r]);
      if (slot) words[*slot * lane_words + l % lane_words] |= std::uint64_t{1} << (l / lane_words);
    }
  }
  kernel_.evaluate(batch_phase(Phase::Status), b.slots.data());
  kernel_.evaluate(batch_phase(Phase::Next), b.slots.data());
  b.rows.resize(kernel_.lanes * program_.state_words());
  kernel_.unpack(program_.next.data(), fluents, b.slots.data(), b.rows.data());
  // The moves stay set: Status and Goals don't look at them.
  for (std::size_t l = 0; l < pairs.size(); ++l) {
    b.states[l] = b.rows.data() + l * program_.state_words();
    out.states.push_back(StateView(std::span(b.states[l], program_.state_words())));
  }
  kernel_.pack(b.states.data(), pairs.size(), fluents, b.slots.data());
  kernel_.evaluate(batch_phase(Phase::Status), b.slots.data());
  kernel_.evaluate(batch_phase(Phase::Goals), b.slots.data());
  const auto moves = static_cast<std::uint32_t>(program_.moves.size());
  b.legal_rows.resize(kernel_.lanes * ((moves + 63) / 64));
  kernel_.unpack(legal_edges_.data(), moves, b.slots.data(), b.legal_rows.data());
  const auto status_bits = static_cast<std::uint32_t>(status_edges_.size());
  const std::size_t status_words = (status_bits + 63) / 64;
  b.rows.resize(std::max(b.rows.size(), kernel_.lanes * status_words));
  kernel_.unpack(status_edges_.data(), status_bits, b.slots.data(), b.rows.data());
  for (std::size_t l = 0; l < pairs.size(); ++l) {
    const std::uint64_t* row = b.rows.data() + l * status_words;
    const bool over = row[0] & 1;
    out.terminal.push_back(over);
    const std::size_t first_goal = out.goals.size();
    out.goals.resize(first_goal + program_.roles(), 0);
    for (std::size_t g = program_.goals.size(); over && g-- > 0;) {  // ascending: the largest stays
      if (row[(g + 1) / 64] >> ((g + 1) % 64) & 1) {
        out.goals[first_goal + program_.goals[g].role] =
            static_cast<std::uint8_t>(program_.goals[g].value);
      }
    }
    append_legal(b, l, over, out);
  }
}

void NetworkMachine::append_legal(const Batch& batch, std::size_t lane, bool over,
                                  Expansion& out) const {
  const std::size_t row_words = (program_.moves.size() + 63) / 64;
  const std::uint64_t* row = batch.legal_rows.data() + lane * row_words;
  std::size_t word = 0;
  std::uint64_t bits = row_words > 0 ? row[0] : 0;
  for (std::size_t r = 0; r < program_.roles(); ++r) {
    while (!over && word < row_words) {
      if (bits == 0) {
        if (++word < row_words) bits = row[word];
        continue;
      }
      const std::size_t m = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
      if (m >= program_.first_move[r + 1]) break;
      out.moves.push_back(program_.moves[m].id);
      bits &= bits - 1;
    }
    out.begin.push_back(static_cast<std::uint32_t>(out.moves.size()));
  }
}

Status NetworkMachine::playouts(Context& context, std::span<const StateView> starts,
                                const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const {
  if (single_) return Machine::playouts(context, starts, options, rng, out);
  auto& c = static_cast<NetworkContext&>(context);
  if (!prepare_batch(c)) return Status::OverBudget;
  Batch& b = c.batch;
  out.goals.assign(starts.size() * program_.roles(), 0);
  out.playouts.assign(starts.size(), 0);
  out.steps = out.cut = 0;
  if (starts.empty() || options.per_start == 0) return Status::Ok;
  b.states.resize(std::max(kernel_.lanes, starts.size()));
  for (std::size_t s = 0; s < starts.size(); ++s) b.states[s] = starts[s].words().data();
  b.random.resize(kernel_.lanes / 32);
  for (std::uint64_t& word : b.random) word = rng();

  kernel::Playouts job{};
  job.status = batch_phase(Phase::Status);
  job.goals = batch_phase(Phase::Goals);
  job.next = batch_phase(Phase::Next);
  job.fluents = static_cast<std::uint32_t>(program_.fluents.size());
  job.roles = static_cast<std::uint32_t>(program_.roles());
  job.next_edge = program_.next.data();
  job.moved = moved_.data();
  job.moved_count = static_cast<std::uint32_t>(moved_.size());
  job.terminal = program_.terminal;
  job.goal = kernel_goals_.data();
  job.goal_count = static_cast<std::uint32_t>(kernel_goals_.size());
  job.chooser = b.choosers.data();
  job.slots = b.slots.data();
  job.scratch = b.playout_scratch.data();
  job.starts = b.states.data();
  job.start_count = static_cast<std::uint32_t>(starts.size());
  job.per_start = options.per_start;
  job.step_cap = options.step_cap;
  job.hold = static_cast<std::uint32_t>(kernel_.lanes / 16);
  job.random = b.random.data();
  // About 100 microseconds between two looks at the stop signal.
  job.poll_every =
      static_cast<std::uint32_t>(std::max<std::size_t>(1, 200'000 / (program_.slots + 64)));
  if (const StopSignal* stop = context.limits.stop) {
    job.stop = [](const void* signal) {
      return static_cast<const StopSignal*>(signal)->stop_requested();
    };
    job.stop_argument = stop;
  }
  job.goal_sums = out.goals.data();
  job.finished = out.playouts.data();
  kernel_.playouts(job);
  out.steps = job.steps;
  out.cut = job.cut;
  return job.stopped ? Status::Stopped : Status::Ok;
}

std::optional<native::GeneratedCode> generate_code(const Program& program,
                                                   const NetworkMachineOptions& options) {
  const std::size_t lanes = options.lanes == 0 ? kernel::widest().lanes : options.lanes;
  if (options.form == EvaluationForm::Interpreted || lanes < 256) return std::nullopt;
  auto code = native::generate(program, lanes, options.grounding.limits);
  const bool wanted = code && (options.form == EvaluationForm::Generated ||
                               native::pays(*code, program, *kernel::find(lanes)));
  return wanted ? std::move(code) : std::nullopt;
}

}  // namespace

std::variant<std::shared_ptr<const Machine>, GroundingFailure> make_network_machine(
    std::shared_ptr<Vocabulary> vocabulary, const NetworkMachineOptions& options) {
  using Kind = GroundingFailure::Kind;
  if (options.lanes > 1 && kernel::find(options.lanes) == nullptr) {
    return GroundingFailure{Kind::OverBudget, "this processor has no registers of that width"};
  }
  std::shared_ptr<const Rules> rules(vocabulary, &vocabulary->rules());
  auto grounded = ground(std::move(rules), options.grounding);
  if (auto* failure = std::get_if<GroundingFailure>(&grounded)) return std::move(*failure);
  auto built =
      build_network(std::get<GroundProgram>(grounded), *vocabulary, options.grounding.limits);
  if (auto* failure = std::get_if<GroundingFailure>(&built)) return std::move(*failure);
  grounded = GroundingFailure{};  // its memory is needed no more
  const Network network = optimise(std::move(std::get<Network>(built)), options.passes);
  auto program = compile(network);
  if (auto* reason = std::get_if<std::string>(&program)) {
    return GroundingFailure{Kind::UnsafeRule, std::move(*reason)};
  }
  auto generated = generate_code(std::get<Program>(program), options);
  return std::make_shared<NetworkMachine>(std::move(vocabulary),
                                          std::get<Program>(std::move(program)), options.lanes,
                                          std::move(generated));
}

}  // namespace ludens::gdl
