// SPDX-License-Identifier: MIT
#include "gdl/environment/vector_environment.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <stdexcept>

#include "gdl/machine/rng.h"
#include "gdl/program/chooser_memory.h"
#include "gdl/program/registers.h"

namespace ludens::gdl {

namespace {

using kernel::EpisodeColumn;

/// If all blocks have slots of their own, the results of Status stay there until the next step,
/// which saves computing them again. Beyond this many bytes that costs more than it saves.
constexpr std::size_t kMostResidentBytes = std::size_t{128} << 20;
constexpr std::uint32_t kMostThreads = 256;

template <typename T>
T* advanced(T* array, std::size_t by) {
  return array == nullptr ? nullptr : array + by;
}

void check_options(const VectorOptions& options) {
  if (options.slots == 0) throw std::invalid_argument("an environment has at least one slot");
  if (options.threads == 0 || options.threads > kMostThreads) {
    throw std::invalid_argument("an environment has from 1 to 256 threads");
  }
  if (options.step_cap >> kernel::kAgeBits != 0) {
    throw std::invalid_argument("the step cap is at most 16777215; 0 means that there is none");
  }
}

}  // namespace

/// A block has as many slots as the kernel has lanes; the last one may have fewer.
struct VectorEnvironment::Block {
  std::uint32_t first = 0, count = 0;
  Registers slots;  // all of the program, or the fluents alone
  Registers lanes;
  std::array<std::uint64_t, 16> random{};
  std::array<std::uint64_t, 16> random_before{};  // before moves were chosen that may be refused
};

struct VectorEnvironment::Worker {
  Registers slots;  // if blocks have none of their own
  Registers scratch;
  Registers unwanted;  // results of a block that the caller does not want: rewards, then flags
  ChooserMemory choosers;
  kernel::Step step{};
  std::uint64_t steps_made = 0;
};

VectorEnvironment::VectorEnvironment(std::shared_ptr<const EnvironmentGame> game,
                                     const VectorOptions& options, MemoryBudget* memory)
    : game_(std::move(game)),
      options_((check_options(options), options)),
      team_(std::min<std::size_t>(options.threads,
                                  (options.slots + game_->lanes() - 1) / game_->lanes())) {
  const float span = options.greatest_reward - options.least_reward;
  for (const kernel::Goal& g : game_->goals_) {
    rewards_.push_back(options.least_reward + span * static_cast<float>(g.value) / 100);
  }
  for (const EpisodeColumn column : {EpisodeColumn::Terminated, EpisodeColumn::Truncated}) {
    status_columns_.push_back(static_cast<std::uint32_t>(column));
  }
  for (std::uint32_t k = 0; k < kernel::kAgeBits; ++k) {
    status_columns_.push_back(static_cast<std::uint32_t>(EpisodeColumn::Age) + k);
  }
  for (const std::uint32_t column : status_columns_) status_edges_.push_back({column, 0});
  any_actions_.assign(game_->lanes() * game_->player_count(), kAnyAction);
  allocate(memory);
  reset(options.seed);
}

VectorEnvironment::~VectorEnvironment() = default;

void VectorEnvironment::allocate(MemoryBudget* memory) {
  const std::size_t lanes = game_->lanes(), width = register_bytes();
  const std::size_t blocks = (options_.slots + lanes - 1) / lanes;
  resident_ = blocks * game_->slots() * width <= kMostResidentBytes;
  const std::size_t own = resident_ ? game_->slots() : game_->program_.fluents.size();
  bool room = held_.reserve(blocks * sizeof(Block), memory);
  if (room) blocks_ = std::vector<Block>(blocks);
  for (std::size_t b = 0; b < blocks && room; ++b) {
    blocks_[b].first = static_cast<std::uint32_t>(b * lanes);
    blocks_[b].count = static_cast<std::uint32_t>(std::min(lanes, options_.slots - b * lanes));
    room = blocks_[b].slots.allocate(std::max<std::size_t>(own, 1) * width, memory) &&
           blocks_[b].lanes.allocate(game_->kernel_.episode_lanes(), memory);
  }
  workers_ = std::vector<Worker>(team_.size());
  for (Worker& worker : workers_) {
    room = room && worker.choosers.allocate(game_->tables_, game_->kernel_, memory) &&
           worker.scratch.allocate((game_->tables_.crossed() + 1) * width, memory) &&
           worker.unwanted.allocate(lanes * (game_->player_count() * sizeof(float) + 1), memory) &&
           (resident_ || worker.slots.allocate(game_->slots() * width, memory));
    worker.step = game_->tables_.step(worker.choosers.choosers(), worker.choosers.sparse());
    worker.step.status = game_->phase(Phase::Status);
    worker.step.next = game_->phase(Phase::Next);
    if (game_->code_) {
      worker.step.native = game_->code_->advance();
      worker.step.moving_slot = game_->code_->moving_slot();
    }
  }
  if (!room) throw BudgetExhausted();
}

void VectorEnvironment::seed_blocks(std::uint64_t seed) {
  Rng rng(seed);
  for (Block& block : blocks_) {
    for (std::uint64_t& word : block.random) word = rng();
  }
}

kernel::Episodes VectorEnvironment::job(Block& block, Worker& worker) const {
  const EnvironmentGame& game = *game_;
  kernel::Episodes job{};
  job.step = &worker.step;
  job.goals = game.phase(Phase::Goals);
  job.goal = game.goals_.data();
  job.reward = rewards_.data();
  job.goal_count = static_cast<std::uint32_t>(game.goals_.size());
  job.least_reward = options_.least_reward;
  job.fluents = static_cast<std::uint32_t>(game.program_.fluents.size());
  job.initial = game.initial_.data();
  job.players = game.action_tables_.data();
  job.player_count = static_cast<std::uint32_t>(game.player_count());
  job.chance = game.chance_;
  job.numbered = game.numbered_;
  job.shared_slots = !resident_;
  job.restart_later = options_.restart == Restart::NextStep;
  job.step_cap = options_.step_cap;
  job.first_move = static_cast<std::uint32_t>(game.program_.first_slot);
  job.move_count = static_cast<std::uint32_t>(game.program_.moves.size());
  job.slots = resident_ ? block.slots.data() : worker.slots.data();
  job.scratch = worker.scratch.data();
  job.lanes = block.lanes.data();
  job.random = block.random.data();
  job.count = block.count;
  return job;
}

/// Copies a block to where the kernel works, and back.
void VectorEnvironment::bring(Block& block, Worker& worker) const {
  if (resident_) return;
  std::memcpy(worker.slots.data(), block.slots.data(),
              game_->program_.fluents.size() * register_bytes());
  game_->kernel_.evaluate(worker.step.status, worker.slots.data());
}

void VectorEnvironment::take_back(Block& block, Worker& worker) const {
  if (resident_) return;
  std::memcpy(block.slots.data(), worker.slots.data(),
              game_->program_.fluents.size() * register_bytes());
}

/// Visits each block on some thread, which is the same in every call.
template <typename Visit>
void VectorEnvironment::for_blocks(const Visit& visit) {
  team_.run([&](std::size_t w) {
    Worker& worker = workers_[w];
    for (std::size_t b = w; b < blocks_.size(); b += workers_.size()) {
      bring(blocks_[b], worker);
      kernel::Episodes episodes = job(blocks_[b], worker);
      visit(blocks_[b], worker, episodes);
      worker.steps_made += episodes.steps_made;
    }
  });
  for (Worker& worker : workers_) {
    steps_ += worker.steps_made;
    worker.steps_made = 0;
  }
}

void VectorEnvironment::reset(std::optional<std::uint64_t> seed) {
  if (seed) seed_blocks(*seed);
  for_blocks([&](Block& block, Worker& worker, kernel::Episodes& job) {
    std::memset(block.lanes.data(), 0, game_->kernel_.episode_lanes());
    // Moves of a step that was refused may still be set.
    std::memset(static_cast<char*>(job.slots) + job.first_move * register_bytes(), 0,
                job.move_count * register_bytes());
    game_->kernel_.restart_ended(job);
    take_back(block, worker);
  });
}

void VectorEnvironment::write(std::span<const View> views, const Block& block,
                              const Worker& worker) const {
  for (const View& view : views) {
    kernel::Rows rows{};
    rows.edges = view.plan->edges_.data();
    rows.count = static_cast<std::uint32_t>(view.plan->size());
    rows.form = view.form;
    rows.to = static_cast<char*>(view.to) + block.first * row_bytes(*view.plan, view.form);
    // The first of the lanes' registers.
    static_assert(EpisodeColumn::Playing == EpisodeColumn{0});
    rows.among = view.plan->playing_only_ ? block.lanes.data() : nullptr;
    game_->kernel_.write_rows(rows, resident_ ? block.slots.data() : worker.slots.data(),
                              block.count);
  }
}

void VectorEnvironment::look(std::span<const View> views) {
  for_blocks([&](Block& block, Worker& worker, kernel::Episodes&) { write(views, block, worker); });
}

void VectorEnvironment::point_results(kernel::Episodes& job, const Block& block,
                                      const Worker& worker, const StepResults& results) const {
  const std::size_t first = block.first, players = game_->player_count();
  auto* const rewards = static_cast<float*>(worker.unwanted.data());
  auto* const flags = reinterpret_cast<std::uint8_t*>(rewards + game_->lanes() * players);
  job.rewards = results.rewards != nullptr ? results.rewards + first * players : rewards;
  job.terminated = results.terminated != nullptr ? results.terminated + first : flags;
  job.truncated = results.truncated != nullptr ? results.truncated + first : flags;
}

/// From the chosen moves to the state that is seen.
void VectorEnvironment::finish_step(Block& block, Worker& worker, kernel::Episodes& job,
                                    std::span<const View> last) {
  const bool ended = game_->kernel_.make_moves(job);
  write(last, block, worker);
  if (ended && options_.restart == Restart::AtOnce) game_->kernel_.restart_ended(job);
  take_back(block, worker);
}

std::optional<IllegalAction> VectorEnvironment::step(const std::int32_t* actions,
                                                     const StepResults& results,
                                                     std::span<const View> views,
                                                     std::span<const View> last) {
  const std::size_t players = game_->player_count();
  const bool refuse = options_.on_illegal == OnIllegal::Refuse;
  if (refuse) {
    std::atomic<bool> refused = false;
    for_blocks([&](Block& block, Worker&, kernel::Episodes& job) {
      job.actions = actions + block.first * players;
      block.random_before = block.random;
      if (game_->kernel_.choose_moves(job)) refused.store(true, std::memory_order_relaxed);
    });
    if (refused.load(std::memory_order_relaxed)) {
      for (Block& block : blocks_) block.random = block.random_before;
      return find_illegal(actions);
    }
  }
  for_blocks([&](Block& block, Worker& worker, kernel::Episodes& job) {
    job.actions = actions + block.first * players;
    if (refuse && !resident_) block.random = block.random_before;  // the same moves once more
    if (!refuse || !resident_) (void)game_->kernel_.choose_moves(job);
    point_results(job, block, worker, results);
    finish_step(block, worker, job, last);
    write(views, block, worker);
  });
  return std::nullopt;
}

/// Finds the first slot with a refused action.
IllegalAction VectorEnvironment::find_illegal(const std::int32_t* actions) {
  const kernel::Edge column{static_cast<std::uint32_t>(EpisodeColumn::Illegal), 0};
  const std::size_t players = game_->player_count();
  std::vector<std::uint8_t> illegal(game_->lanes());
  const RowPlan& mask = game_->mask_plan();
  for (Block& block : blocks_) {
    game_->kernel_.write_rows({&column, 1, RowForm::Bytes, illegal.data(), nullptr},
                              block.lanes.data(), block.count);
    const auto lane = std::ranges::find(illegal.begin(), illegal.begin() + block.count, 1);
    if (lane == illegal.begin() + block.count) continue;
    const auto at = static_cast<std::size_t>(lane - illegal.begin());
    std::vector<std::uint8_t> legal(mask.size() * block.count);
    bring(block, workers_.front());
    game_->kernel_.write_rows({mask.edges_.data(), static_cast<std::uint32_t>(mask.size()),
                               RowForm::Bytes, legal.data(), nullptr},
                              resident_ ? block.slots.data() : workers_.front().slots.data(),
                              block.count);
    for (std::uint32_t p = 0; p < players; ++p) {
      const std::int32_t action = actions[(block.first + at) * players + p];
      const bool known = action >= 0 && static_cast<std::size_t>(action) < game_->action_count(p);
      const std::size_t place = at * mask.size() + game_->mask_begin(p);
      if (action == kAnyAction || (known && legal[place + static_cast<std::size_t>(action)] != 0)) {
        continue;
      }
      return {block.first + static_cast<std::uint32_t>(at), p, action};
    }
  }
  return {0, 0, actions[0]};  // another thread has changed the actions meanwhile
}

void VectorEnvironment::roll(std::uint32_t steps, const StepResults& results,
                             std::span<const View> views) {
  for_blocks([&](Block& block, Worker& worker, kernel::Episodes& job) {
    job.actions = any_actions_.data();
    point_results(job, block, worker, results);
    for (std::uint32_t i = 0; i < steps; ++i) {
      (void)game_->kernel_.choose_moves(job);
      finish_step(block, worker, job, {});
    }
    write(views, block, worker);
  });
}

void VectorEnvironment::draw(std::int32_t* actions) {
  for_blocks([&](Block& block, Worker&, kernel::Episodes& job) {
    game_->kernel_.draw_actions(job, actions + block.first * game_->player_count());
  });
}

/// Calls `visit(block, indices)` for each block that contains some of the slots.
template <typename Visit>
void VectorEnvironment::for_named(std::span<const std::uint32_t> slots, const Visit& visit) {
  std::vector<std::vector<std::uint32_t>> named(blocks_.size());
  for (std::uint32_t i = 0; i < slots.size(); ++i) named[slots[i] / game_->lanes()].push_back(i);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (!named[b].empty()) visit(blocks_[b], named[b]);
  }
}

void VectorEnvironment::save(std::span<const std::uint32_t> slots, std::uint64_t* rows) {
  const RowPlan& plan = game_->state_plan();
  const std::size_t words = plan.words();
  std::vector<std::uint64_t> states(words * game_->lanes()), status(game_->lanes());
  for_named(slots, [&](Block& block, const std::vector<std::uint32_t>& named) {
    game_->kernel_.write_rows({plan.edges_.data(), static_cast<std::uint32_t>(plan.size()),
                               RowForm::Bits, states.data(), nullptr},
                              block.slots.data(), block.count);
    game_->kernel_.write_rows(
        {status_edges_.data(), static_cast<std::uint32_t>(status_edges_.size()), RowForm::Bits,
         status.data(), nullptr},
        block.lanes.data(), block.count);
    for (const std::uint32_t i : named) {
      const std::size_t lane = slots[i] - block.first;
      std::uint64_t* const row = rows + i * (words + 1);
      std::copy_n(states.data() + lane * words, words, row);
      row[words] = status[lane];
    }
  });
}

void VectorEnvironment::restore(std::span<const std::uint32_t> slots, const std::uint64_t* rows,
                                const StepResults& results) {
  put(slots, rows, saved_words(), true, results);
}

void VectorEnvironment::set_states(std::span<const std::uint32_t> slots, const std::uint64_t* rows,
                                   const StepResults& results) {
  put(slots, rows, saved_words() - 1, false, results);
}

/// Writes whether the episodes of these slots are over, and no rewards.
void VectorEnvironment::report(const Block& block, std::span<const std::uint32_t> slots,
                               const std::vector<std::uint32_t>& named,
                               const StepResults& results) const {
  constexpr std::uint32_t kEnds = 2;  // the first columns of the status
  std::vector<std::uint8_t> ends(kEnds * game_->lanes());
  game_->kernel_.write_rows({status_edges_.data(), kEnds, RowForm::Bytes, ends.data(), nullptr},
                            block.lanes.data(), block.count);
  const std::size_t players = game_->player_count();
  for (const std::uint32_t i : named) {
    const std::size_t slot = slots[i], lane = slot - block.first;
    if (results.rewards != nullptr) std::fill_n(results.rewards + slot * players, players, 0.0F);
    if (results.terminated != nullptr) results.terminated[slot] = ends[kEnds * lane];
    if (results.truncated != nullptr) results.truncated[slot] = ends[kEnds * lane + 1];
  }
}

void VectorEnvironment::put(std::span<const std::uint32_t> slots, const std::uint64_t* rows,
                            std::size_t stride, bool with_status, const StepResults& results) {
  static constexpr std::uint64_t kFresh = 0;
  const std::size_t words = game_->state_plan().words(), lanes = game_->lanes();
  std::vector<const std::uint64_t*> states(lanes), status(lanes);
  Worker& worker = workers_.front();
  for_named(slots, [&](Block& block, const std::vector<std::uint32_t>& named) {
    alignas(64) std::uint64_t which[8] = {};
    std::ranges::fill(states, rows);
    std::ranges::fill(status, &kFresh);
    for (const std::uint32_t i : named) {
      const std::size_t lane = slots[i] - block.first, in_word = lanes / 64;
      which[lane % in_word] |= std::uint64_t{1} << (lane / in_word);
      states[lane] = rows + i * stride;
      if (with_status) status[lane] = states[lane] + words;
    }
    bring(block, worker);
    kernel::Episodes episodes = job(block, worker);
    game_->kernel_.read_rows(states.data(), game_->fluent_slots_.data(),
                             static_cast<std::uint32_t>(game_->fluent_slots_.size()), which,
                             episodes.slots);
    game_->kernel_.read_rows(status.data(), status_columns_.data(),
                             static_cast<std::uint32_t>(status_columns_.size()), which,
                             block.lanes.data());
    game_->kernel_.look_at_lanes(episodes);
    take_back(block, worker);
    report(block, slots, named, results);
  });
}

}  // namespace ludens::gdl
