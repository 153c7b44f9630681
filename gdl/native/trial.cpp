// SPDX-License-Identifier: MIT
#include "gdl/native/trial.h"

#include <algorithm>
#include <limits>

#include "gdl/machine/rng.h"
#include "gdl/program/registers.h"

namespace ludens::gdl::native {

namespace {

constexpr auto kPatience = std::chrono::milliseconds(2);
constexpr int kLeastRuns = 3;

}  // namespace

double least_seconds(const std::function<void()>& run, const StopSignal* stop,
                     const std::function<Clock::time_point()>& now) {
  const auto stopped = [stop] { return stop != nullptr && stop->stop_requested(); };
  auto least = std::numeric_limits<double>::infinity();
  if (!stopped()) run();
  const auto begin = now();
  auto start = begin;
  for (int runs = 0; (runs < kLeastRuns || start - begin < kPatience) && !stopped(); ++runs) {
    run();
    const auto end = now();
    least = std::min(least, std::chrono::duration<double>(end - start).count());
    start = end;
  }
  return least;
}

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

/// Random fluents, no moves, the rest zero.
class Slots {
 public:
  Slots(std::size_t slots, std::size_t fluents, std::size_t lanes) {
    registers_.allocate(slots * lanes / 8, nullptr);
    auto* const words = static_cast<std::uint64_t*>(registers_.data());
    Rng rng(1);
    for (std::size_t w = 0; w < fluents * lanes / 64; ++w) words[w] = rng();
  }
  void* data() { return registers_.data(); }

 private:
  Registers registers_;
};

/// Seconds of a Status and a Next.
double time_of(const Program& program, const kernel::Kernel& kernel, const GeneratedCode* code,
               void* slots, const StopSignal* stop) {
  kernel::Phase status = program.phase(Phase::Status), next = program.phase(Phase::Next);
  if (code != nullptr) {
    status.native = code->phase(Phase::Status);
    next.native = code->phase(Phase::Next);
  }
  const auto evaluate = [&] {
    kernel.evaluate(status, slots);
    kernel.evaluate(next, slots);
  };
  return least_seconds(evaluate, stop);
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
