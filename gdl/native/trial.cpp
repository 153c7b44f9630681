// SPDX-License-Identifier: MIT
#include "gdl/native/trial.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "gdl/machine/rng.h"
#include "gdl/memory/large_array.h"

namespace ludens::gdl::native {

#if defined(__EMSCRIPTEN__)

// In a web page the clock has a resolution of tenths of a millisecond, and code becomes faster
// while it runs: the browser only compiles it well after it has run for a while. `generate` refuses
// programs that are too large to profit.
bool pays(const GeneratedCode& /*code*/, const Program& /*program*/,
          const kernel::Kernel& /*kernel*/, const StopSignal* /*stop*/) {
  return true;
}

#else

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::milliseconds(2);  // for each form
constexpr int kLeastRounds = 3;

/// Random fluents, no moves, the rest zero.
class Slots {
 public:
  Slots(std::size_t slots, std::size_t fluents, std::size_t lanes) {
    words_.assign_zero(slots * lanes / 64 + kAlignment / 8);
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(words_.data()) % kAlignment;
    first_ = words_.data() + (kAlignment - beyond) % kAlignment / 8;
    Rng rng(1);
    for (std::size_t w = 0; w < fluents * lanes / 64; ++w) first_[w] = rng();
  }
  void* data() { return first_; }

 private:
  static constexpr std::size_t kAlignment = 64;
  LargeArray<std::uint64_t> words_;
  std::uint64_t* first_;
};

/// Seconds of a Status and a Next: the minimum of several, because every disturbance adds to it.
double time_of(const Program& program, const kernel::Kernel& kernel, const GeneratedCode* code,
               void* slots, const StopSignal* stop) {
  kernel::Phase status = program.phase(Phase::Status), next = program.phase(Phase::Next);
  if (code != nullptr) {
    status.native = code->phase(Phase::Status);
    next.native = code->phase(Phase::Next);
  }
  auto best = std::numeric_limits<double>::infinity();
  const auto begin = Clock::now();
  for (int round = 0; round < kLeastRounds || Clock::now() - begin < kPatience; ++round) {
    if (stop != nullptr && stop->stop_requested()) break;
    const auto start = Clock::now();
    kernel.evaluate(status, slots);
    kernel.evaluate(next, slots);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

}  // namespace

bool pays(const GeneratedCode& code, const Program& program, const kernel::Kernel& kernel,
          const StopSignal* stop) {
  Slots slots(std::max(program.slots, code.slots()), program.fluents.size(), kernel.lanes);
  const double generated = time_of(program, kernel, &code, slots.data(), stop);
  return generated < time_of(program, kernel, nullptr, slots.data(), stop);
}

#endif

}  // namespace ludens::gdl::native
