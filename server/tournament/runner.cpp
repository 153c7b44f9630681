// SPDX-License-Identifier: MIT
#include "server/tournament/runner.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "server/tournament/completed_blocks.h"
#include "server/tournament/cores.h"
#include "server/tournament/demand.h"
#include "server/tournament/log_writer.h"
#include "server/tournament/match_queue.h"
#include "server/tournament/played_match.h"
#include "server/tournament/player_pool.h"

namespace ludens::server {

using std::chrono::milliseconds;

namespace {

/// The time for looking at all games before the first match, and at each one.
constexpr milliseconds kLookAtGames{4000}, kLookAtGame{200};

/// One run. It has several lanes, each a thread that plays one match after the other. `mutex_`
/// guards what the lanes share to choose their matches, `log_mutex_` what follows from the matches
/// that have ended. A thread that needs both takes `log_mutex_` first.
class Run {
 public:
  Run(const TournamentFile& file, const RunOptions& options, const std::stop_token& stop,
      TournamentObserver& observer)
      : file_(file),
        plan_(file.plan),
        options_(options),
        observer_(observer),
        tournament_(plan_.id()),
        schedule_(plan_),
        pool_(plan_, options.folder / "players", stop),
        own_cores_(usable_cores()),
        cores_(file.cores.cores.empty() ? own_cores_ : file.cores.cores),
        book_(options.shard),
        on_stop_(stop, [this] { halt(); }) {}

  gdl::Result<TournamentEnding, NotStarted> run() {
    if (auto problems = prepare(); !problems.empty()) return NotStarted{std::move(problems)};
    play_lanes();
    if (const auto problem = writer_->sync()) fail(*problem);
    if (const std::string text = repetitions_.warning(); !text.empty()) observer_.warned(text);
    const TournamentEnding ending = conclude();
    observer_.ended(ending);
    return ending;
  }

 private:
  /// A match on its lane, with all that it has borrowed.
  struct Job {
    QueuedMatch match;
    StartedMatch started;
    std::vector<std::optional<std::size_t>> players;  // by role
    std::vector<std::optional<Loan>> loans;           // by role, of players elsewhere
    std::vector<int> cores;
  };
  class EarlyReturns;
  using Matches = std::vector<MatchResult>;

  std::vector<std::string> prepare();
  std::vector<std::string> open_players();
  void look_at_games();

  void play_lanes();
  void lane();
  std::optional<Job> next_job(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] bool can_start(const QueuedMatch& match);
  Job begin(QueuedMatch match);
  void prepare(Job& job, QueuedMatch match);
  void end(const Job& job);
  void give_cores_back(Job& job);
  void let_go(Job& job, gdl::RoleIndex role, bool faultless);

  void play_job(Job& job);
  std::optional<MatchResult> find_players(const Job& job);
  void blame(const Job& job, const MatchResult& result);
  void finish(const Job& job, const MatchResult& result);
  std::optional<Matches> count(const MatchResult& result);
  void end_decided();
  void fail(const std::string& problem);
  void lose(const std::optional<Job>& job, const char* why) noexcept;
  void drop(const Job& job);
  /// Wakes the lanes, so that they see that the run is over.
  void halt();
  [[nodiscard]] TournamentEnding conclude();

  const TournamentFile& file_;
  const TournamentPlan& plan_;
  const RunOptions& options_;
  TournamentObserver& observer_;
  const std::string tournament_;
  const Schedule schedule_;
  std::vector<std::size_t> threads_;   // by player
  std::vector<std::size_t> thinking_;  // by game
  std::stop_source stop_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<MatchQueue> queue_;
  PlayerPool pool_;
  const std::vector<int> own_cores_;  // those of the program
  CorePool cores_;
  std::size_t running_ = 0;
  std::atomic<bool> dropped_ = false;

  std::mutex log_mutex_;
  std::unique_ptr<LogWriter> writer_;
  BlockBook book_;
  Repetitions repetitions_;
  std::string verdict_;

  std::mutex failure_mutex_;
  std::string failure_;

  std::stop_callback<std::function<void()>> on_stop_;  // last: uses what is above
};

/// Returns what keeps the tournament from starting.
std::vector<std::string> Run::prepare() {
  // The log comes first: if it can't be continued, no player should be started.
  auto opened =
      LogWriter::open(options_.folder, plan_, options_.shard, options_.resume, options_.trust);
  if (!opened) return {opened.error().text()};
  auto& log = *opened;
  writer_ = std::move(log.writer);
  MatchQueue::Done played;
  std::vector<Matches> blocks;
  for (const MatchResult& result : log.results) {
    played.emplace(result.block.number, result.block.rotation);
    if (auto block = count(result)) blocks.push_back(*std::move(block));
  }
  queue_.emplace(schedule_, options_.shard, std::move(played));
  // Players may be gone by the time when all is played.
  if (!queue_->empty() && verdict_.empty()) {
    if (auto problems = open_players(); !problems.empty()) return problems;
  }
  for (const std::string& warning : file_.warnings) observer_.warned(warning);
  if (log.repaired) observer_.warned("the log's last line was incomplete and has been removed");
  observer_.began(plan_, {schedule_.matches(options_.shard), schedule_.blocks(options_.shard),
                          log.results, options_.shard});
  for (const Matches& block : blocks) observer_.block_ended(block);
  if (!verdict_.empty()) end_decided();
  return {};
}

/// Starts the players, asks them all, and looks at how much the games need. Returns who is missing.
std::vector<std::string> Run::open_players() {
  PlayerPool::Opening players = pool_.open(stop_.get_token());
  if (!players.problems.empty()) return players.problems;
  for (const std::string& warning : players.warnings) observer_.warned(warning);
  look_at_games();
  return {};
}

/// Finds out how many players think at once in each game, and whether there are processors for all.
void Run::look_at_games() {
  const auto count = static_cast<milliseconds::rep>(plan_.games.size());
  const milliseconds limit =
      std::min(kLookAtGame, kLookAtGames / std::max<milliseconds::rep>(1, count));
  for (const PlayerSpec& player : file_.players) threads_.push_back(player_threads(player));
  const std::size_t threads = *std::ranges::max_element(threads_);
  std::size_t most = 0;
  for (const Rulesheet& game : file_.games) {
    thinking_.push_back(thinking_roles(game, limit));
    most = std::max(most, threads * thinking_.back());
  }
  const std::size_t at_once = cores_.share(options_.concurrency * most);
  if (most == 0 || at_once == options_.concurrency * most) return;
  observer_.warned("players of this program compute with up to " + std::to_string(most) +
                   " threads a match, and there are " + std::to_string(at_once) +
                   " processors: matches wait for each other");
}

/// Plays until all lanes have ended. Where the system has no more threads, fewer are enough.
void Run::play_lanes() {
  std::vector<std::jthread> lanes;
  try {
    for (std::size_t i = 0; i < options_.concurrency; ++i) {
      lanes.emplace_back([this] { lane(); });
    }
  } catch (const std::exception& problem) {
    if (lanes.empty()) throw;
    observer_.warned("only " + std::to_string(lanes.size()) + " of " +
                     std::to_string(options_.concurrency) +
                     " matches are played at once: " + problem.what());
  }
}

void Run::lane() {
  std::unique_lock lock(mutex_);
  for (;;) {
    std::optional<Job> job;
    try {
      job = next_job(lock);
      if (!job) return;
      lock.unlock();
      play_job(*job);
    } catch (const std::exception& problem) {  // no memory, no thread, no more files
      if (lock.owns_lock()) lock.unlock();
      lose(job, problem.what());
    }
    lock.lock();
    if (job) end(*job);
  }
}

/// Ends the tournament because a match can't be played, or none can begin. Works without memory.
void Run::lose(const std::optional<Job>& job, const char* why) noexcept {
  dropped_ = dropped_ || job.has_value();
  try {
    fail((job ? job->started.match + " can't be played: " : "no match can begin: ") + why);
    if (job) drop(*job);
  } catch (const std::exception&) {
    halt();
  }
}

/// Waits until a match can start; nullopt if there will be no more. No lane ends before the last
/// match does, because players end with the thread that started them. When something is given back,
/// one lane is woken; if it finds a match, it wakes the next one, which looks for another.
std::optional<Run::Job> Run::next_job(std::unique_lock<std::mutex>& lock) {
  for (;;) {
    const bool over = stop_.stop_requested() || queue_->empty();
    if (over && running_ == 0) {
      changed_.notify_all();
      return std::nullopt;
    }
    if (!over) {
      auto match = queue_->take([this](const QueuedMatch& m) { return can_start(m); });
      if (match) {
        changed_.notify_one();
        return begin(std::move(*match));
      }
    }
    changed_.wait(lock);
  }
}

bool Run::can_start(const QueuedMatch& match) {
  const auto players = seats(plan_.games[match.block.game], match.block, match.rotation);
  return pool_.can_lend(players) &&
         cores_.can_take(match_threads(threads_, players, thinking_[match.block.game]));
}

Run::Job Run::begin(QueuedMatch match) {
  Job job;
  ++running_;
  try {
    prepare(job, std::move(match));
  } catch (...) {
    end(job);
    throw;
  }
  return job;
}

/// Sets what the match is, and what it borrows.
void Run::prepare(Job& job, QueuedMatch match) {
  const PlannedGame& game = plan_.games[match.block.game];
  job.players = seats(game, match.block, match.rotation);
  job.started = {match_id(tournament_, match.block, match.rotation),
                 match.block.place(match.rotation),
                 match.block.game,
                 {}};
  for (const auto& player : job.players) {
    job.started.players.push_back(player ? plan_.players[*player].name : std::string());
  }
  job.loans.resize(job.players.size());
  for (std::size_t role = 0; role < job.players.size(); ++role) {
    const auto player = job.players[role];
    if (player && plan_.players[*player].listens()) job.loans[role] = pool_.lend(*player);
  }
  job.cores = cores_.take(match_threads(threads_, job.players, thinking_[match.block.game]));
  job.match = std::move(match);
}

/// The lane looks for its next match at once, so none is woken.
void Run::end(const Job& job) {
  for (const auto& loan : job.loans) {
    if (loan) pool_.give_back(*loan);
  }
  cores_.give(job.cores);
  --running_;
}

void Run::give_cores_back(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    cores_.give(job.cores);
    job.cores.clear();
  }
  changed_.notify_one();
}

/// Releases the role's player for other matches while the match waits for another player: the last
/// one stays until the match is in the log. A player that failed is kept until it has been checked.
void Run::let_go(Job& job, gdl::RoleIndex role, bool faultless) {
  auto& loan = job.loans[role];
  if (!loan || !faultless) return;
  const auto lent = [](const auto& other) { return other.has_value(); };
  if (std::ranges::count_if(job.loans, lent) == 1) return;
  {
    const std::lock_guard lock(mutex_);
    pool_.give_back(*loan);
    loan.reset();
  }
  changed_.notify_one();
}

/// While a match waits for players that tidy up, it returns what it no longer needs.
class Run::EarlyReturns final : public MatchReleases {
 public:
  EarlyReturns(Run& run, Job& job) : run_(run), job_(job) {}
  void thinking_ended() override { run_.give_cores_back(job_); }
  void player_left(gdl::RoleIndex role, bool faultless) override {
    run_.let_go(job_, role, faultless);
  }

 private:
  Run& run_;
  Job& job_;
};

void Run::play_job(Job& job) {
  // A player that is started, again or for this match, inherits the processors of this thread.
  if (file_.cores.pin) pin_thread(own_cores_);
  if (const auto result = find_players(job)) return finish(job, *result);
  if (stop_.stop_requested()) return drop(job);
  std::vector<std::optional<Address>> addresses;
  for (const auto& loan : job.loans) {
    addresses.push_back(loan ? std::optional(pool_.address(*loan)) : std::nullopt);
  }
  const auto cores = file_.cores.pin ? job.cores : std::vector<int>();
  const MatchTask task{file_, job.match, job.started, addresses, options_.folder, cores};
  EarlyReturns returns(*this, job);
  const Played played = play(task, stop_.get_token(), observer_, returns);
  if (const auto* result = std::get_if<MatchResult>(&played)) {
    blame(job, *result);
    return finish(job, *result);
  }
  if (const auto* lost = std::get_if<RecordLost>(&played)) fail(lost->problem);
  drop(job);
}

/// The result of the match, if it can't be played because a player is missing.
std::optional<MatchResult> Run::find_players(const Job& job) {
  for (const auto& loan : job.loans) {
    if (!loan) continue;
    const auto down = pool_.revive(*loan, stop_.get_token());
    if (!down || stop_.stop_requested()) continue;
    observer_.warned(*down);
    if (plan_.down == DownPolicy::Stop) {
      fail(*down);
      continue;
    }
    return not_played(plan_, job.started, job.match.block.seed, *down,
                      plan_.players[loan->player].name);
  }
  return std::nullopt;
}

/// Players that were not there, or failed so often that the match was aborted, are checked before
/// they play again.
void Run::blame(const Job& job, const MatchResult& result) {
  for (std::size_t role = 0; role < job.loans.size(); ++role) {
    if (!job.loans[role]) continue;
    const bool culprit = std::ranges::count(result.culprits, result.players[role]) > 0;
    const bool gone = result.faults[role].refused + result.faults[role].dropped > 0;
    if (culprit || gone) pool_.blame(*job.loans[role]);
  }
}

/// Writes the result to the log first, then passes it to the followers.
void Run::finish(const Job& job, const MatchResult& result) {
  const std::lock_guard lock(log_mutex_);
  if (const auto problem = writer_->append(to_json(result))) {
    fail(*problem);
    return drop(job);
  }
  observer_.match_ended(job.started, result);
  const bool undecided = verdict_.empty();
  if (const auto block = count(result)) observer_.block_ended(*block);
  if (undecided && !verdict_.empty()) end_decided();
}

/// Counts a match of this run or an earlier one, in the order of the log, and what its block
/// decides. Returns the block if it is complete now.
std::optional<Run::Matches> Run::count(const MatchResult& result) {
  auto block = book_.add(result);
  if (block) repetitions_.add(*block);
  while (const auto next = book_.next_in_order()) {
    if (options_.stop_rule == nullptr || !verdict_.empty()) continue;
    verdict_ = options_.stop_rule->block(*next).value_or("");
  }
  return block;
}

void Run::end_decided() {
  observer_.decided(verdict_);
  halt();
}

void Run::fail(const std::string& problem) {
  {
    const std::lock_guard lock(failure_mutex_);
    if (failure_.empty()) failure_ = problem;
  }
  halt();
}

void Run::halt() {
  stop_.request_stop();
  { const std::lock_guard lock(mutex_); }  // a lane that did not see the stop is waiting now
  changed_.notify_all();
}

void Run::drop(const Job& job) {
  dropped_ = true;
  observer_.match_dropped(job.started);
}

TournamentEnding Run::conclude() {
  if (!verdict_.empty()) return {true, verdict_};
  if (!failure_.empty()) return {false, failure_};
  if (!queue_->empty() || dropped_) return {false, "interrupted"};
  return {true, "all matches played"};
}

}  // namespace

void throw_exception_from_error(const NotStarted& why, const boost::source_location& /*where*/) {
  throw std::runtime_error(why.problems.front());
}

gdl::Result<TournamentEnding, NotStarted> run_tournament(const TournamentFile& file,
                                                         const RunOptions& options,
                                                         const std::stop_token& stop,
                                                         TournamentObserver& observer) {
  return Run(file, options, stop, observer).run();
}

}  // namespace ludens::server
