// SPDX-License-Identifier: MIT
#include "search/mcts/pruning.h"

#include <algorithm>
#include <cmath>

namespace ludens::search::mcts {

namespace {

constexpr double kGoes = 0.375;  // of the memory

}  // namespace

void Pruning::plan(std::vector<Seen>& sample, std::uint32_t pages_end) {
  std::ranges::sort(sample, {}, &Seen::visits);
  double wanted = 0;
  for (const Seen& seen : sample) wanted += kGoes * static_cast<double>(seen.bytes);
  double share = 1;  // of those with exactly this many visits
  for (std::size_t i = 0; i < sample.size() && wanted > 0;) {
    visits_ = sample[i].visits;
    double bytes = 0;
    for (; i < sample.size() && sample[i].visits == visits_; ++i) {
      bytes += static_cast<double>(sample[i].bytes);
    }
    share = std::min(1.0, wanted / bytes);
    wanted -= bytes;
  }
  first_page_ = pages_end_ == 0 ? 0 : (first_page_ + page_count_) % pages_end;
  page_count_ = static_cast<std::uint32_t>(std::ceil(share * pages_end));
  pages_end_ = pages_end;
  is_on_ = true;
}

}  // namespace ludens::search::mcts
