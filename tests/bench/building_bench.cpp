// SPDX-License-Identifier: MIT
// What it costs to get the network of a game ready: processor time until a machine plays and until
// the last is there, the longest time between two questions to the stop signal, and memory. One
// process a game, as memory is that of the process: `ludens_building_bench GAME.kif`.
#include <sys/resource.h>
#include <time.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"

namespace ludens {
namespace {

double milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Never stops; notes how long it was not asked.
class Gaps final : public gdl::StopSignal {
 public:
  [[nodiscard]] bool stop_requested() const noexcept override {
    const double now = milliseconds();
    if (now - last_ > longest_) {
      longest_ = now - last_;
      at_ = now;
    }
    last_ = now;
    return false;
  }
  [[nodiscard]] double longest() const { return longest_; }
  [[nodiscard]] double at() const { return at_; }

 private:
  mutable double last_ = milliseconds(), longest_ = 0, at_ = 0;
};

double peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

int measure(const std::string& path, std::string_view machine) {
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  const double begin = milliseconds();
  auto rules = gdl::read_rules(std::move(text)).normalised.rules;
  const auto vocabulary = std::make_shared<gdl::Vocabulary>(std::move(rules));
  const Gaps gaps;
  double early = -1;
  const auto made = gdl::make_machine(
      machine, vocabulary, {&gaps, nullptr},
      [&](const std::shared_ptr<const gdl::Machine>&) { early = milliseconds() - begin; });
  (void)gaps.stop_requested();
  const double ready = milliseconds() - begin;
  std::printf("%-28s %10.1f early %10.1f ready %8.1f gap (at %.0f) %8.0f MB %9zu gates %s\n",
              path.substr(path.find_last_of('/') + 1).c_str(), early < 0 ? ready : early, ready,
              gaps.longest(), gaps.at() - begin, peak_mb(), made ? (*made)->gates() : 0,
              made.error().text.c_str());
  return made ? 0 : 1;
}

}  // namespace
}  // namespace ludens

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: ludens_building_bench GAME.kif [MACHINE]\n");
    return 2;
  }
  return ludens::measure(arguments[1], count > 2 ? arguments[2] : "sliced");
}
