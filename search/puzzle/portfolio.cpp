// SPDX-License-Identifier: MIT
#include "search/puzzle/portfolio.h"

#include <algorithm>
#include <cstdio>

namespace ludens::search::puzzle {

namespace {

/// Random plays to learn from before anything else.
constexpr std::size_t kPlays = 256;
/// Width of the first round's beams, and by which factor they grow.
constexpr std::size_t kFirstWidth = 64;
constexpr unsigned kGrowthBits = 2;
/// Moves of a state that the first round's beams try; doubled each round.
constexpr std::size_t kFirstTries = 16;
/// States for each search that has no natural end, in the first round.
constexpr std::uint64_t kFirstTurn = 50'000;
/// Breadth-first search, which can prove, gets this many times as much.
constexpr std::uint64_t kBreadthShare = 8;
/// A beam that does not end is abandoned after this many times the states that one play of random
/// length through all its states would take.
constexpr double kBeamCap = 4;
constexpr std::size_t kNoLimit = ~std::size_t{0} / 2;

}  // namespace

/// Stops the searches of a turn: together with the whole, or after a number of states.
struct Portfolio::Slice final : gdl::StopSignal {
  Slice(const SearchProblem& problem, const gdl::StopSignal& whole, std::uint64_t until)
      : problem_(problem), whole_(whole), until_(until) {}
  [[nodiscard]] bool stop_requested() const noexcept override {
    return problem_.states >= until_ || whole_.stop_requested();
  }

 private:
  const SearchProblem& problem_;
  const gdl::StopSignal& whole_;
  std::uint64_t until_;
};

Portfolio::Portfolio(SearchProblem& problem, const PortfolioSettings& settings)
    : problem_(problem), settings_(settings), guide_(problem, observations_) {
  gdl::MemoryBudget* memory = problem.memory();
  std::size_t bytes = kNoLimit;
  if (memory != nullptr) {
    const std::size_t used = std::min(memory->used(), memory->limit());
    bytes = (memory->limit() - used) / 2;
    if (!memory->reserve(bytes)) bytes = 0;
  }
  share_.emplace(bytes);
}

Portfolio::~Portfolio() {
  if (problem_.memory() != nullptr) problem_.memory()->release(share_->limit());
}

Ended Portfolio::run(const gdl::StopSignal& stop) {
  const std::uint64_t most = settings_.states == 0 ? ~std::uint64_t{0} : settings_.states;
  const Slice whole(problem_, stop, most);
  problem_.run_under(&whole);
  Ended ended = Ended::Limited;
  while (ended == Ended::Limited && !whole.stop_requested() && anything_left()) {
    ended = round(whole);
  }
  problem_.run_under(nullptr);
  return ended;
}

bool Portfolio::anything_left() const {
  if (all_to_the_limit_) return false;
  switch (settings_.method) {
    case Method::Parts:
      return settings_.factors && !parts_over_;
    case Method::Breadth:
      return !breadth_over_;
    case Method::AStar:
      return !best_first_over_;
    case Method::Ida:
      return !deepening_over_;
    case Method::Beam:
      return settings_.width == 0 || round_ == 0;
    case Method::Auto:
    case Method::Nested:
      break;
  }
  return true;
}

/// Gives each search one turn, longer in each round. Limited: to be continued.
Ended Portfolio::round(const gdl::StopSignal& stop) {
  const std::uint64_t states = kFirstTurn << std::min(kGrowthBits * round_, 40U);
  for (; step_ < kSteps; ++step_) {
    const int before = problem_.best();
    Ended ended = Ended::Limited;
    std::string_view name;
    switch (step_) {
      case 0:
        name = "random plays", ended = look_around();
        break;
      case 1:
        name = "parts", ended = parts(stop, states);
        break;
      case 2:
        name = "beam", ended = beams(stop);
        break;
      case 3:
        name = "breadth-first", ended = breadth(stop, states * kBreadthShare);
        break;
      case 4:
        name = "nested policies", ended = nested(stop, states);
        break;
      case 5:
        name = "A*", ended = best_first(stop, states);
        break;
      default:
        name = "IDA*", ended = deepening(stop, states);
        break;
    }
    if (problem_.best() > before) found_by_ = name;
    if (ended == Ended::Solved || ended == Ended::Exhausted) return ended;
    if (stop.stop_requested()) return Ended::Stopped;
  }
  step_ = 1;
  ++round_;
  return Ended::Limited;
}

/// Runs a search for this many more states; Limited if only that stopped it.
template <typename Search>
Ended Portfolio::turn(Search& search, const gdl::StopSignal& stop, std::uint64_t states,
                      bool& over) {
  const Slice turn(problem_, stop, problem_.states + states);
  problem_.run_under(&turn);
  const Ended ended = search.run();
  problem_.run_under(&stop);
  over = ended != Ended::Stopped;
  return ended == Ended::Stopped && !stop.stop_requested() ? Ended::Limited : ended;
}

Ended Portfolio::look_around() {
  std::size_t plays = kPlays;
  if (settings_.states != 0) plays = std::clamp<std::size_t>(settings_.states / 64, 8, kPlays);
  const Ended ended = observations_.gather(problem_, plays);
  rankings_ = guide_.rankings();
  return ended == Ended::Exhausted ? Ended::Limited : ended;
}

Ended Portfolio::parts(const gdl::StopSignal& stop, std::uint64_t states) {
  if (!does(Method::Parts) || !settings_.factors || parts_over_) return Ended::Limited;
  if (!parts_) {
    parts_over_ = PartSearch::moved_parts(problem_.machine()) == 0;
    if (parts_over_) return Ended::Limited;
    parts_ = std::make_unique<PartSearch>(problem_, guide_, &*share_);
  }
  const Ended ended = turn(*parts_, stop, states, parts_over_);
  if (parts_over_) parts_.reset();
  return ended;
}

Ended Portfolio::beams(const gdl::StopSignal& stop) {
  if (!does(Method::Beam)) return Ended::Limited;
  const std::size_t width =
      settings_.width != 0 ? settings_.width
                           : std::min(kFirstWidth << std::min(kGrowthBits * round_, 40U), widest_);
  const double play =
      std::max(10.0, observations_.mean_length()) * std::max(1.0, observations_.mean_moves());
  const auto most = static_cast<std::uint64_t>(kBeamCap * static_cast<double>(width) * play);
  const bool without_clock = observations_.has_clock() && round_ % 2 == 0;
  for (; ranking_ < rankings_.size(); ++ranking_) {
    if (!beam_) {
      LayersSettings settings;
      settings.width = width;
      settings.ranking = rankings_[ranking_];
      settings.tries = kFirstTries << std::min(round_, 20U);
      settings.without_clock = without_clock;
      beam_ = std::make_unique<Layers>(problem_, guide_, problem_.memory(), settings);
    }
    bool over = false;
    const Ended ended = turn(*beam_, stop, most, over);
    if (ended == Ended::Stopped) return ended;
    const bool proof = ended == Ended::Exhausted && !without_clock;
    all_to_the_limit_ |= beam_->all_to_the_limit() && !without_clock;
    if (beam_->out_of_memory()) widest_ = std::max(kFirstWidth, width / 2);
    beam_.reset();
    if (ended == Ended::Solved || proof) return ended;
  }
  ranking_ = 0;
  return Ended::Limited;
}

Ended Portfolio::breadth(const gdl::StopSignal& stop, std::uint64_t states) {
  if (!does(Method::Breadth) || breadth_over_) return Ended::Limited;
  for (;;) {
    const bool without_clock = observations_.has_clock() && !with_clock_;
    if (!breadth_) {
      breadth_ = std::make_unique<Layers>(problem_, guide_, &*share_,
                                          LayersSettings{.without_clock = without_clock});
    }
    bool over = false;
    const Ended ended = turn(*breadth_, stop, states, over);
    if (!over || ended == Ended::Solved) return ended;
    const bool to_the_limit = breadth_->all_to_the_limit();
    breadth_.reset();
    if (ended == Ended::Exhausted && !without_clock) return ended;
    if (!without_clock || (ended == Ended::Limited && !to_the_limit)) {
      breadth_over_ = true;
      all_to_the_limit_ |= to_the_limit && !without_clock;
      return Ended::Limited;
    }
    with_clock_ = true;
  }
}

Ended Portfolio::nested(const gdl::StopSignal& stop, std::uint64_t states) {
  if (!does(Method::Nested)) return Ended::Limited;
  if (!nested_) {
    nested_ = std::make_unique<NestedPolicy>(problem_, guide_, settings_.nested);
  }
  bool over = false;
  return turn(*nested_, stop, states, over);
}

Ended Portfolio::best_first(const gdl::StopSignal& stop, std::uint64_t states) {
  if (!does(Method::AStar) || best_first_over_) return Ended::Limited;
  if (!best_first_) {
    make_estimate();
    const bool without_clock = settings_.method == Method::Auto && observations_.has_clock();
    best_first_ = std::make_unique<BestFirst>(
        problem_, guide_, &*share_, BestFirstSettings{settings_.weight, without_clock}, *estimate_);
  }
  const Ended ended = turn(*best_first_, stop, states, best_first_over_);
  if (best_first_over_ && ended != Ended::Solved) best_first_.reset();
  return ended;
}

Ended Portfolio::deepening(const gdl::StopSignal& stop, std::uint64_t states) {
  // In a portfolio, it is for problems too large for the table of best-first search.
  const bool wanted = settings_.method == Method::Auto ? best_first_over_ : does(Method::Ida);
  if (!wanted || deepening_over_) return Ended::Limited;
  if (!deepening_) {
    make_estimate();
    deepening_ = std::make_unique<Deepening>(problem_, settings_.weight, *estimate_);
  }
  return turn(*deepening_, stop, states, deepening_over_);
}

/// Makes the estimate of A* and IDA*: by the goal if it distinguishes states, otherwise by the
/// conditions.
void Portfolio::make_estimate() {
  if (estimate_) return;
  if (!observations_.goals_tell() && CountEstimate::suits(problem_.machine())) {
    estimate_ = std::make_unique<CountEstimate>(problem_);
  } else {
    estimate_ = std::make_unique<GoalEstimate>(guide_);
  }
}

std::string Portfolio::summary() const {
  char text[160];
  std::snprintf(text, sizeof text, "round %u, %llu states, depth %u%s%s", round_ + 1,
                static_cast<unsigned long long>(problem_.states), problem_.deepest,
                found_by_.empty() ? "" : ", best play by ", found_by_.c_str());
  return text;
}

}  // namespace ludens::search::puzzle
