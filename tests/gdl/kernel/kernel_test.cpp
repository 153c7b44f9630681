// SPDX-License-Identifier: MIT
#include "gdl/kernel/kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <span>
#include <vector>

#include "gdl/machine/rng.h"
#include "gdl/program/legal_leaves.h"

namespace ludens::gdl::kernel {
namespace {

/// Aligned memory for registers.
class Slots {
 public:
  explicit Slots(std::size_t bytes) : words_((bytes + 127) / 8) {}
  std::uint64_t* data() {
    auto address = reinterpret_cast<std::uintptr_t>(words_.data());
    return reinterpret_cast<std::uint64_t*>((address + 63) / 64 * 64);
  }

 private:
  std::vector<std::uint64_t> words_;
};

class EveryKernel : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    kernel_ = find(GetParam());
    if (kernel_ == nullptr)
      GTEST_SKIP() << "this processor has no registers of " << GetParam() << " bits";
    words_ = kernel_->lanes / 64;
  }
  [[nodiscard]] bool bit(std::uint64_t* slots, std::size_t slot, std::size_t lane) const {
    return slots[slot * words_ + lane % words_] >> (lane / words_) & 1;
  }

  const Kernel* kernel_ = nullptr;
  std::size_t words_ = 0;
};

// A game without moves in which nothing ever changes.
TEST_P(EveryKernel, ExpansionTakesStatesApartAndPutsThemTogether) {
  constexpr std::uint32_t kBits = 150;
  const auto count = static_cast<std::uint32_t>(kernel_->lanes - 3);
  Rng rng(1);
  std::vector<std::uint64_t> states(count * 3), next(count * 3);
  std::vector<const std::uint64_t*> rows;
  for (std::uint64_t& w : states) w = rng();
  for (std::size_t l = 0; l < count; ++l) {
    states[l * 3 + 2] &= (1ULL << (kBits - 128)) - 1;
    rows.push_back(&states[l * 3]);
  }
  Slots slots((kBits + 1) * kernel_->lanes / 8), scratch(kernel_->expansion_scratch(1, 1, 0));
  Slots no_moves(kernel_->lanes * 8);
  Step step{};
  step.terminal = {kBits, 0};
  std::vector<std::uint8_t> terminal(count, 2);
  std::vector<std::uint32_t> begin(count + 1, 5);
  const std::vector<std::uint8_t> past(64);
  const kernel::MoveBlock block{nullptr, past.data(), 0, 0, 1, 0};
  const std::uint64_t below = 0;
  Expansion job{};
  job.step = &step;
  job.fluents = kBits;
  job.roles = 1;
  job.blocks = &block;
  job.below = &below;
  job.block_count = 1;
  job.slots = slots.data();
  job.scratch = scratch.data();
  job.count = count;
  job.states = rows.data();
  job.chosen_words = no_moves.data();
  job.next = next.data();
  job.terminal = terminal.data();
  job.begin = begin.data();
  kernel_->expand(job);
  for (std::size_t l = 0; l < count; l += 7) {
    for (std::uint32_t b = 0; b < kBits; b += 11) {
      ASSERT_EQ(bit(slots.data(), b, l), (states[l * 3 + b / 64] >> (b % 64) & 1) != 0);
    }
  }
  EXPECT_EQ(next, states);
  EXPECT_EQ(terminal, std::vector<std::uint8_t>(count, 0));
  EXPECT_EQ(begin, std::vector<std::uint32_t>(count + 1, 5));

  // The last two fluents say what two others do, until the game is over.
  const kernel::Edge told[] = {{3, 0}, {4, 1}};
  job.told = told;
  job.first_told = kBits - 2;
  job.told_count = 2;
  for (const bool over : {false, true}) {
    step.terminal = {kBits, over ? 1U : 0U};
    kernel_->expand(job);
    EXPECT_EQ(terminal, std::vector<std::uint8_t>(count, over ? 1 : 0));
    for (std::size_t l = 0; l < count; ++l) {
      std::vector<std::uint64_t> state(&states[l * 3], &states[l * 3] + 3);
      const std::uint64_t values = over ? 0 : (state[0] >> 3 & 1) | (~state[0] >> 4 & 1) << 1;
      state[2] = (state[2] & ~(3ULL << (kBits - 130))) | values << (kBits - 130);
      ASSERT_EQ(std::vector<std::uint64_t>(&next[l * 3], &next[l * 3] + 3), state);
    }
  }
}

TEST_P(EveryKernel, EvaluatesGatesOfEveryShape) {
  constexpr std::uint32_t kInputs = 24;
  Rng rng(2);
  for (std::uint32_t plain = 0; plain <= 12; ++plain) {
    for (std::uint32_t complemented = 0; complemented <= 12; ++complemented) {
      if (plain + complemented < 2) continue;
      Slots slots((kInputs + 2) * kernel_->lanes / 8);
      std::uint64_t* s = slots.data();
      for (std::size_t i = 0; i < kInputs * words_; ++i) s[i] = rng() | rng() | rng();
      for (std::uint32_t k = 0; k < complemented; ++k) {
        for (std::size_t w = 0; w < words_; ++w) s[(plain + k) * words_ + w] &= rng() & rng();
      }
      std::vector<std::uint32_t> code;
      for (const std::uint32_t destination : {kInputs, kInputs + 1}) {  // two gates, one run
        code.push_back(destination);
        for (std::uint32_t k = 0; k < plain + complemented; ++k) code.push_back(k);
      }
      const kernel::Run run{plain, complemented, 2};
      kernel_->evaluate({&run, 1, code.data()}, s);
      for (std::size_t w = 0; w < words_; ++w) {
        std::uint64_t expected = ~0ULL;
        for (std::uint32_t k = 0; k < plain; ++k) expected &= s[k * words_ + w];
        for (std::uint32_t k = 0; k < complemented; ++k) expected &= ~s[(plain + k) * words_ + w];
        ASSERT_EQ(s[kInputs * words_ + w], expected) << plain << "+" << complemented;
        ASSERT_EQ(s[(kInputs + 1) * words_ + w], expected);
      }
    }
  }
}

/// How a choice knows the moves: by slots of their own, or by sets, one for each of them.
enum class Among : std::uint8_t { Blocks, Leaves, Families };

/// A game of one step: all moves whose legal bits are given may be chosen. Each move is a role's
/// goal of 1 point, so that goal sums count how often each was made.
struct OneStep {
  /// `Among::Families`: legal moves are legal in half of the lanes each, in turn, so their number
  /// has to be even for them to be made equally often.
  OneStep(const Kernel& k, const std::vector<bool>& legal, Among among = Among::Blocks)
      : kernel(k), moves(static_cast<std::uint32_t>(legal.size())) {
    // Slots: fluents "made m" and "over", moves, true, false, two halves of the lanes, families.
    const std::uint32_t truth = 2 * moves + 1;
    slots = Slots((truth + 4 + moves) * k.lanes / 8);
    fill_slot(truth, ~0ULL);
    fill_slot(truth + 2, 0x5555555555555555);
    fill_slot(truth + 3, 0xaaaaaaaaaaaaaaaa);
    for (std::uint32_t m = 0; m < moves; ++m) {
      // Blocks with and without complemented edges.
      const bool inverted = m % 16 < 8 && m % 3 == 0;
      edges.push_back({legal[m] == inverted ? truth + 1 : truth, inverted ? 1U : 0U});
      plain.push_back({m, moves + 1 + m});
      goals.push_back({m, 1, {m, 0}});
    }
    plain.push_back({moves, truth});
    step.terminal = {moves, 0};
    step.plain = plain.data();
    step.plain_count = moves + 1;
    scratch = Slots(k.playout_scratch(0));
    if (among == Among::Blocks) {
      choose_among_blocks(truth);
      return;
    }
    LegalLeavesBuilder builder;
    if (among == Among::Leaves) add_leaves(legal, truth, builder);
    if (among == Among::Families) add_families(legal, truth, builder);
    choose_among(builder.finish(truth + 1));
  }

  void fill_slot(std::uint32_t slot, std::uint64_t word) {
    const std::size_t words = kernel.lanes / 64;
    for (std::size_t w = 0; w < words; ++w) slots.data()[slot * words + w] = word;
  }

  void choose_among_blocks(std::uint32_t truth) {
    edges.resize(padded_moves(moves), {truth + 1, 0});
    mixed.assign(edges.size() / 8, 1);
    for (std::size_t b = 1; b < mixed.size(); b += 2) mixed[b] = 0;
    chooser.tree = count_tree(moves);
    choice = Slots(kernel.chooser_scratch(chooser.tree));
    chooser.legal = edges.data();
    chooser.mixed = mixed.data();
    chooser.first_move = moves + 1;
    chooser.scratch = choice.data();
    step.choosers = &chooser;
    step.chooser_count = 1;
  }

  // Conditions of every shape that has loops of its own, and of many that have none.
  void add_leaves(const std::vector<bool>& legal, std::uint32_t truth,
                  LegalLeavesBuilder& builder) const {
    for (std::uint32_t m = 0; m < moves; ++m) {
      std::vector<std::uint32_t> holds(m % 8, truth), fails(m / 8 % 10, truth + 1);
      if (holds.empty() && fails.empty()) holds.push_back(truth);
      if (!legal[m]) (holds.empty() ? fails : holds).back() = holds.empty() ? truth : truth + 1;
      const std::uint32_t set = moves + 1 + m;
      builder.add(holds, fails, {&set, 1});
    }
  }

  // Families of 1, 2, 3, ... moves, and some moves without one. The common part of families without
  // a legal move holds in no lane or in all.
  void add_families(const std::vector<bool>& legal, std::uint32_t truth,
                    LegalLeavesBuilder& builder) {
    std::uint32_t size = 0, halves = 0;
    for (std::uint32_t first = 0; first < moves; first += size) {
      size = std::min(size + 1, moves - first);
      const std::uint32_t common = truth + 4 + size;
      const auto begin = legal.begin() + first;
      const bool some = std::find(begin, begin + size, true) != begin + size;
      fill_slot(common, some || size % 2 == 0 ? ~0ULL : 0);
      for (std::uint32_t m = first; m < first + size; ++m) {
        const std::uint32_t own =
            !legal[m] ? truth + (some || size % 2 == 0 ? 1 : 0) : truth + 2 + halves++ % 2;
        const std::uint32_t set = moves + 1 + m;
        if (size % 5 == 4) {
          const std::uint32_t both[] = {common, own};
          builder.add(both, {}, {&set, 1});
        } else {
          builder.add_member(common, own, {&set, 1});
        }
      }
    }
  }

  void choose_among(LegalLeaves of_role) {
    leaves = std::move(of_role);
    among_many = leaves.chooser();
    choice = Slots(kernel.sparse_scratch(among_many.tree));
    among_many.scratch = choice.data();
    step.sparse = &among_many;
    step.sparse_count = 1;
    step.first_set = moves + 1;
    step.set_count = moves;
  }

  /// How often each move was made from each of several equal starts.
  std::vector<std::uint64_t> play(std::uint32_t start_count, std::uint32_t per_start,
                                  std::uint64_t seed) {
    std::vector<std::uint64_t> random(kernel.lanes / 32);
    Rng rng(seed);
    for (auto& w : random) w = rng();
    const std::vector<std::uint64_t> initial((moves + 64) / 64, 0);
    const std::vector<const std::uint64_t*> starts(start_count, initial.data());
    std::vector<std::uint64_t> sums(std::size_t{start_count} * moves);
    std::vector<std::uint32_t> finished(start_count);
    const StartGroup all{0, 0, start_count};
    Playouts job{};
    job.steps = &step;
    job.step_count = 1;
    job.fluents = moves + 1;
    job.roles = moves;
    job.goal = goals.data();
    job.goal_count = moves;
    job.turnover = 1;
    job.slots = slots.data();
    job.scratch = scratch.data();
    job.starts = starts.data();
    job.groups = &all;
    job.group_count = 1;
    job.start_count = start_count;
    job.per_start = per_start;
    job.step_cap = 100;
    job.poll_every = 1;
    job.random = random.data();
    job.goal_sums = sums.data();
    job.finished = finished.data();
    kernel.playouts(job);
    EXPECT_EQ(job.steps_made, std::uint64_t{start_count} * per_start);
    for (const std::uint32_t n : finished) EXPECT_EQ(n, per_start);
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}), job.steps_made);
    return sums;
  }

  const Kernel& kernel;
  std::uint32_t moves;
  Slots slots{0}, choice{0}, scratch{0};
  std::vector<Edge> edges;
  std::vector<std::uint8_t> mixed;
  std::vector<Update> plain;
  std::vector<Goal> goals;
  Chooser chooser{};
  LegalLeaves leaves;
  SparseChooser among_many{};
  Step step{};
};

/// Chi-square of the moves made against the uniform choice, in standard deviations from its mean.
double deviation(const std::vector<bool>& legal, std::span<const std::uint64_t> counts) {
  std::uint64_t all = 0, choices = 0;
  for (std::size_t m = 0; m < legal.size(); ++m) {
    all += counts[m];
    choices += legal[m];
    EXPECT_TRUE(legal[m] || counts[m] == 0) << "an illegal move was made";
  }
  const double expected = static_cast<double>(all) / static_cast<double>(choices);
  double chi2 = 0;
  for (std::size_t m = 0; m < legal.size(); ++m) {
    const double d = static_cast<double>(counts[m]) - expected;
    if (legal[m]) chi2 += d * d / expected;
  }
  const auto freedom = static_cast<double>(choices - 1);
  return freedom == 0 ? 0 : (chi2 - freedom) / std::sqrt(2 * freedom);
}

TEST_P(EveryKernel, ChoosesUniformlyAmongLegalMoves) {
  for (const std::size_t moves :
       {1, 2, 3, 4, 5, 8, 9, 10, 12, 23, 48, 65, 128, 129, 191, 192, 600}) {
    std::vector<bool> legal(moves, true);
    const auto playouts = static_cast<std::uint32_t>(2'000 * moves);
    EXPECT_LT(std::abs(deviation(legal, OneStep(*kernel_, legal).play(1, playouts, 11))), 4)
        << moves << " moves, all legal";
    for (std::size_t m = 0; m < moves; ++m) legal[m] = m % 3 == 0;
    EXPECT_LT(std::abs(deviation(legal, OneStep(*kernel_, legal).play(1, playouts, 12))), 4)
        << moves << " moves, a third legal";
  }
}

// So many moves that most of them are chosen in no lane, and have to be cleared after a step in
// which they were.
TEST_P(EveryKernel, ChoosesUniformlyAmongThousandsOfMoves) {
  for (const std::size_t every : {1, 3, 100}) {
    std::vector<bool> legal(3'001);
    for (std::size_t m = 0; m < legal.size(); m += every) legal[m] = true;
    EXPECT_LT(std::abs(deviation(legal, OneStep(*kernel_, legal).play(1, 300'000, 13))), 4)
        << "one of " << every << " is legal";
  }
}

TEST_P(EveryKernel, ChoosesUniformlyAmongLeaves) {
  for (const std::size_t moves : {1, 2, 3, 9, 63, 64, 65, 200, 700}) {
    std::vector<bool> legal(moves, true);
    const auto playouts = static_cast<std::uint32_t>(2'000 * moves);
    EXPECT_LT(
        std::abs(deviation(legal, OneStep(*kernel_, legal, Among::Leaves).play(1, playouts, 11))),
        4)
        << moves << " moves, all legal";
    for (std::size_t m = 0; m < moves; ++m) legal[m] = m % 3 == 0;
    EXPECT_LT(
        std::abs(deviation(legal, OneStep(*kernel_, legal, Among::Leaves).play(1, playouts, 12))),
        4)
        << moves << " moves, a third legal";
  }
}

TEST_P(EveryKernel, ChoosesUniformlyAmongFamilies) {
  for (const std::size_t moves : {2, 12, 66, 630, 3'000}) {
    const auto playouts = static_cast<std::uint32_t>(2'000 * std::min<std::size_t>(moves, 300));
    std::vector<bool> legal(moves, true);
    EXPECT_LT(
        std::abs(deviation(legal, OneStep(*kernel_, legal, Among::Families).play(1, playouts, 11))),
        4)
        << moves << " moves, all legal";
    for (std::size_t m = 0; m < moves; ++m) legal[m] = m % 3 == 0 && (m < 100 || m > 500);
    if (std::ranges::count(legal, true) % 2 != 0) legal[0] = false;
    if (moves == 2) continue;
    EXPECT_LT(
        std::abs(deviation(legal, OneStep(*kernel_, legal, Among::Families).play(1, playouts, 12))),
        4)
        << moves << " moves, a third legal";
  }
}

// A choice that is wrong in one lane of 4096 would show here: three moves of nine have all places
// behind the twelfth to decide between them.
TEST_P(EveryKernel, ChoosesUniformlyInManyPlayouts) {
  const std::vector<bool> legal(3, true);
  EXPECT_LT(std::abs(deviation(legal, OneStep(*kernel_, legal).play(1, 20'000'000, 5))), 4);
}

TEST_P(EveryKernel, CountsEveryStartForItself) {
  const std::vector<bool> legal(5, true);
  for (const std::uint32_t per_start : {1U, 7U, 300U}) {
    const std::vector<std::uint64_t> sums = OneStep(*kernel_, legal).play(700, per_start, 6);
    std::vector<std::uint64_t> all(5, 0);
    for (std::size_t start = 0; start < 700; ++start) {
      std::uint64_t made = 0;
      for (std::size_t m = 0; m < 5; ++m) {
        made += sums[start * 5 + m];
        all[m] += sums[start * 5 + m];
      }
      ASSERT_EQ(made, per_start) << "start " << start;
    }
    EXPECT_LT(std::abs(deviation(legal, all)), 4) << per_start;
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, EveryKernel, testing::Values(64, 128, 256, 512),
                         [](const auto& width) { return std::to_string(width.param); });

}  // namespace
}  // namespace ludens::gdl::kernel
