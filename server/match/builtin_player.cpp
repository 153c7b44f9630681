#include "server/match/builtin_player.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "server/match/thinker.h"

namespace ludens::server {

namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

/// A request that waits for its answer: from the worker, or from the timer. On the match's thread,
/// but for the thought.
struct Pending {
  Pending(asio::io_context& context, MatchPlayer::Done on_answer)
      : done(std::move(on_answer)), timer(context) {}

  void finish(Answer answer) {
    if (!done) return;
    timer.cancel();
    stop.request_stop();
    answer.latency_ms = std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
    std::exchange(done, nullptr)(std::move(answer));
  }

  MatchPlayer::Done done;
  asio::steady_timer timer;
  TimePoint begun = Clock::now();
  std::stop_source stop;
  Thought thought;
};

/// A thread that runs jobs one after the other. Jobs still waiting at destruction are dropped.
class Worker {
 public:
  void post(std::function<void()> job) {
    {
      std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    wake_.notify_one();
  }

 private:
  void run(const std::stop_token& stop) {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !jobs_.empty(); })) return;
      if (stop.stop_requested()) return;
      const auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::function<void()>> jobs_;
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};  // last: ends first
};

class BuiltinPlayer final : public MatchPlayer {
 public:
  BuiltinPlayer(const BuiltinOptions& options, asio::io_context& context)
      : name_(search::to_string(options.strategy)),
        margin_(options.margin),
        think_at_start_(options.think_at_start),
        cap_(search::thinking_cap(options.strategy)),
        context_(context),
        thinker_(seeded(options), options.memory_bytes) {}

  ~BuiltinPlayer() override { break_off(); }

  [[nodiscard]] std::string name() const override { return name_; }

  void preview(const std::string& /*description*/, int /*seconds*/, TimePoint /*deadline*/,
               Done done) override {
    answer_at_once("ready", std::move(done));
  }

  void start(const MatchInvitation& invitation, TimePoint deadline, Done done) override {
    play_clock_ = std::chrono::seconds(invitation.play_clock_seconds);
    ask(deadline, think_at_start_ ? deadline : Clock::now(), std::move(done),
        [this, invitation](const AnswerTimes& times, Thought& thought) {
          return thinker_.start(invitation, times, thought);
        });
  }

  void play(const std::vector<std::string>& moves, TimePoint deadline, Done done) override {
    ask_move(moves, deadline, std::move(done), true);
  }

  void follow(const std::vector<std::string>& moves, TimePoint deadline, Done done) override {
    ask_move(moves, deadline, std::move(done), false);
  }

  void stop(const std::vector<std::string>& /*moves*/, TimePoint /*deadline*/, Done done) override {
    break_off();
    answer_at_once("done", std::move(done));
  }

  void abort(TimePoint /*deadline*/, Done done) override {
    break_off();
    answer_at_once("aborted", std::move(done));
  }

 private:
  static search::StrategySpec seeded(const BuiltinOptions& options) {
    search::StrategySpec spec = options.strategy;
    spec.options.try_emplace("seed", std::to_string(options.seed));
    return spec;
  }

  void answer_at_once(std::string text, Done done) {
    asio::post(context_, [text = std::move(text), done = std::move(done)] {
      Answer answer;
      answer.text = text;
      done(std::move(answer));
    });
  }

  /// The joint move is followed, and the next one thought about unless the host draws it.
  void ask_move(const std::vector<std::string>& moves, TimePoint deadline, Done done, bool choose) {
    const TimePoint now = Clock::now();
    deadline = std::min(deadline, now + play_clock_);
    const TimePoint think_until =
        cap_ ? now + std::chrono::duration_cast<Clock::duration>(*cap_) : deadline;
    ask(deadline, think_until, std::move(done),
        [this, moves, choose](const AnswerTimes& times, Thought& thought) {
          return choose ? thinker_.play(moves, times, thought) : thinker_.follow(moves, times.due);
        });
  }

  /// Lets the worker do it, and answers for it when the time is over.
  template <class Job>
  void ask(TimePoint deadline, TimePoint think_until, Done done, Job job) {
    const auto pending = std::make_shared<Pending>(context_, std::move(done));
    pending_ = pending;
    pending->timer.expires_at(deadline);
    pending->timer.async_wait([pending](const boost::system::error_code& error) {
      if (error) return;
      Answer late;
      late.kind = Answer::Kind::TimedOut;
      late.trouble = Trouble::Late;
      late.problem = "the strategy has no move in time";
      pending->finish(pending->thought.answer().value_or(late));
    });
    const TimePoint due = deadline - margin_;
    worker_.post([this, pending, due, think_until, job = std::move(job)] {
      Answer answer = try_job([&] {
        return job(AnswerTimes{search::Deadline(due, pending->stop.get_token()), think_until},
                   pending->thought);
      });
      asio::post(context_, [pending, answer = std::move(answer)] { pending->finish(answer); });
    });
  }

  /// In the worker. After an exception (no memory, no thread) the thinker is as the exception left
  /// it: nothing more is asked of it, and the match goes on without it.
  template <class Job>
  Answer try_job(const Job& job) {
    if (failure_.empty()) {
      try {
        return job();
      } catch (const std::exception& failure) {
        failure_ = std::string("it has failed: ") + failure.what();
      }
    }
    Answer answer;
    answer.kind = Answer::Kind::ConnectionFailed;
    answer.trouble = Trouble::Dropped;
    answer.problem = failure_;
    return answer;
  }

  void break_off() {
    if (pending_) pending_->stop.request_stop();
  }

  std::string name_;
  Clock::duration margin_;
  bool think_at_start_;
  std::optional<std::chrono::nanoseconds> cap_;
  std::chrono::seconds play_clock_{0};
  asio::io_context& context_;
  std::shared_ptr<Pending> pending_;  // the latest
  Thinker thinker_;                   // the worker's
  std::string failure_;               // likewise
  Worker worker_;                     // last: its thread ends before anything it uses
};

}  // namespace

std::unique_ptr<MatchPlayer> make_builtin_player(const BuiltinOptions& options,
                                                 asio::io_context& context) {
  return std::make_unique<BuiltinPlayer>(options, context);
}

}  // namespace ludens::server
