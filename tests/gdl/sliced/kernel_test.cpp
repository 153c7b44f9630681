#include "gdl/sliced/kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "gdl/machine/rng.h"

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

TEST_P(EveryKernel, PacksStatesIntoLanesAndUnpacksThem) {
  constexpr std::uint32_t kBits = 150;
  Rng rng(1);
  std::vector<std::uint64_t> states(kernel_->lanes * 3);
  std::vector<const std::uint64_t*> rows;
  for (std::uint64_t& w : states) w = rng();
  for (std::size_t l = 0; l < kernel_->lanes; ++l) {
    states[l * 3 + 2] &= (1ULL << (kBits - 128)) - 1;
    rows.push_back(&states[l * 3]);
  }
  Slots slots(kBits * kernel_->lanes / 8);
  kernel_->pack(rows.data(), rows.size(), kBits, slots.data());
  for (std::size_t l = 0; l < kernel_->lanes; l += 7) {
    for (std::uint32_t b = 0; b < kBits; b += 11) {
      ASSERT_EQ(bit(slots.data(), b, l), (states[l * 3 + b / 64] >> (b % 64) & 1) != 0);
    }
  }
  std::vector<Edge> edges;
  for (std::uint32_t b = 0; b < kBits; ++b) edges.push_back({b, b % 2});
  std::vector<std::uint64_t> out(states.size());
  kernel_->unpack(edges.data(), kBits, slots.data(), out.data());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t odd =
        0xaaaaaaaaaaaaaaaa & (i % 3 == 2 ? (1ULL << (kBits - 128)) - 1 : ~0ULL);
    ASSERT_EQ(out[i], states[i] ^ odd) << i;
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

/// A game of one step: all moves whose legal bits are given may be chosen, each scores its own
/// goal.
struct OneStep {
  OneStep(const Kernel& kernel, const std::vector<bool>& legal)
      : moves(static_cast<std::uint32_t>(legal.size())),
        slots((3 + 2 * legal.size()) * kernel.lanes / 8),
        choice(kernel.chooser_scratch(moves)),
        scratch(kernel.playout_scratch(moves + 1)) {
    // Slots: fluents "made m" and "over", moves, true.
    const std::uint32_t truth = 2 * moves + 1;
    for (std::size_t w = 0; w < kernel.lanes / 64; ++w)
      slots.data()[truth * kernel.lanes / 64 + w] = ~0ULL;
    for (std::uint32_t m = 0; m < moves; ++m) {
      legal_slot.push_back(truth);
      inverted.push_back(legal[m] ? 0 : ~0ULL);
      move_slot.push_back(moves + 1 + m);
      next.push_back({moves + 1 + m, 0});
      goals.push_back({0, m + 1, {m, 0}});
    }
    next.push_back({truth, 0});
    chooser = {moves, legal_slot.data(), inverted.data(), move_slot.data(), choice.data()};
  }

  std::uint32_t moves;
  Slots slots, choice, scratch;
  std::vector<std::uint32_t> legal_slot, move_slot;
  std::vector<std::uint64_t> inverted;
  std::vector<Edge> next;
  std::vector<Goal> goals;
  Chooser chooser{};
};

/// Chi-square of the moves made against the uniform choice, in standard deviations from its mean.
double deviation(const Kernel& kernel, const std::vector<bool>& legal, std::uint32_t playouts) {
  OneStep game(kernel, legal);
  std::vector<std::uint64_t> counts(legal.size());
  const std::vector<std::uint64_t> initial((game.moves + 64) / 64, 0);
  Rng rng(3);
  std::size_t choices = 0;
  for (const bool l : legal) choices += l;
  for (std::uint32_t m = 0; m < game.moves; ++m) {
    // One goal at a time: its sum is the number of times the move was made.
    std::vector<std::uint64_t> random(kernel.lanes / 32);
    Rng same(17);
    for (auto& w : random) w = same();
    const std::uint64_t* start = initial.data();
    std::uint64_t sum = 0;
    std::uint32_t finished = 0;
    const Goal goal{0, 1, {m, 0}};
    Playouts job{};
    job.fluents = game.moves + 1;
    job.roles = 1;
    job.next_edge = game.next.data();
    job.terminal = {game.moves, 0};
    job.goal = &goal;
    job.goal_count = 1;
    job.chooser = &game.chooser;
    job.slots = game.slots.data();
    job.scratch = game.scratch.data();
    job.starts = &start;
    job.start_count = 1;
    job.per_start = playouts;
    job.step_cap = 100;
    job.hold = 1;
    job.poll_every = 1;
    job.random = random.data();
    job.goal_sums = &sum;
    job.finished = &finished;
    kernel.playouts(job);
    EXPECT_EQ(finished, playouts);
    EXPECT_EQ(job.steps, playouts);
    counts[m] = sum;
    EXPECT_TRUE(legal[m] || sum == 0) << "an illegal move was made";
  }
  const double expected = static_cast<double>(playouts) / static_cast<double>(choices);
  double chi2 = 0;
  for (std::size_t m = 0; m < legal.size(); ++m) {
    const double d = static_cast<double>(counts[m]) - expected;
    if (legal[m]) chi2 += d * d / expected;
  }
  const auto freedom = static_cast<double>(choices - 1);
  return freedom == 0 ? 0 : (chi2 - freedom) / std::sqrt(2 * freedom);
}

TEST_P(EveryKernel, ChoosesUniformlyAmongLegalMoves) {
  for (const std::size_t moves : {1, 2, 3, 8, 9, 48, 65}) {
    std::vector<bool> all(moves, true);
    EXPECT_LT(std::abs(deviation(*kernel_, all, 20'000)), 4) << moves << " moves, all legal";
    for (std::size_t m = 0; m < moves; ++m) all[m] = m % 3 == 0;
    EXPECT_LT(std::abs(deviation(*kernel_, all, 20'000)), 4) << moves << " moves, a third legal";
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, EveryKernel, testing::Values(64, 256, 512),
                         [](const auto& width) { return std::to_string(width.param); });

}  // namespace
}  // namespace ludens::gdl::kernel
