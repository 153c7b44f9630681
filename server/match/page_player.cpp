// SPDX-License-Identifier: MIT
#include "server/match/page_player.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <exception>
#include <new>
#include <optional>
#include <stop_token>
#include <utility>

#include "agent/runtime/referee.h"
#include "gdl/interpreter/interpreter.h"
#include "server/http/io_thread.h"
#include "server/match/answers.h"
#include "server/match/page_stage.h"
#include "server/venue/manager_words.h"

namespace ludens::server {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// The memory for the rules, which say when it is the page's turn.
constexpr std::size_t kRulesBytes = std::size_t{256} << 20;
constexpr milliseconds kBetweenPings{200};
/// The time before the host's deadline for finding out what a silent page does instead.
constexpr milliseconds kLooking{900};

/// The match as the page sees it. Used in the page's own thread.
class PageMatch {
 public:
  /// An abort ends the open question.
  PageMatch(PageStage& stage, const MatchInvitation& invitation, std::stop_token aborted)
      : stage_(stage),
        aborted_(std::move(aborted)),
        referee_(interrupt_, agent::MatchMemory(kRulesBytes), [](auto names, const auto& limits) {
          return gdl::make_interpreter(std::move(names), limits);
        }) {
    problem_ = referee_.prepare(invitation.game->rules(), invitation.role);
    if (invitation.game->hides_moves())
      problem_ = "a page needs to know the moves, which the rules hide";
  }

  Answer start(const MatchInvitation& invitation, TimePoint deadline) {
    if (problem_) return dropped_answer(*problem_);
    auto rules = write_page_rules(*invitation.game->rules());
    if (!rules) return dropped_answer(rules.error().text);
    rules_ = *std::move(rules);
    play_clock_ = std::chrono::seconds(invitation.play_clock_seconds);
    const TimePoint until = deadline - kLooking;
    // A page that has just been loaded may not listen yet.
    PageReply reply;
    while (!reply.answer && Clock::now() < until && !aborted_.stop_requested()) {
      reply = ask(kPing, std::min(until, Clock::now() + kBetweenPings));
      if (reply.failed) return dropped_answer(reply.fault);
    }
    if (!reply.answer) return late_answer("no answer to ping; " + reply.fault);
    // The browser had to start and the page to load, so the page gets the time that is left.
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(until - Clock::now());
    return answer_of(ask("start(" + rules_.for_page(invitation.role) + "," + rules_.ruleset + "," +
                             std::to_string(std::max<std::int64_t>(1, left.count())) + "," +
                             std::to_string(invitation.play_clock_seconds) + ")",
                         until));
  }

  Answer play(const ToldMoves& moves, TimePoint deadline) {
    if (problem_) return dropped_answer(*problem_);
    const std::string told = last_move(moves);
    adopt(moves);
    if (referee_.waits()) {
      stage_.tell("play(" + told + ")", aborted_);
      return text_answer("noop");
    }
    const TimePoint until = std::min(deadline - kLooking, Clock::now() + play_clock_);
    return answer_of(ask("play(" + told + ")", until));
  }

  void stop(const ToldMoves& moves) {
    if (!problem_) stage_.tell("stop(" + last_move(moves) + ")");
  }

 private:
  [[nodiscard]] std::string last_move(const ToldMoves& moves) const {
    std::vector<std::string> names;
    for (const ToldMove& move : moves) names.push_back(move.text);
    return rules_.last_move(names);
  }

  PageReply ask(const std::string& content, TimePoint until) {
    return stage_.ask(content, until, aborted_);
  }

  void adopt(const ToldMoves& moves) {
    agent::GroundMoves ground;
    for (const ToldMove& move : moves) ground.push_back(move.term);
    (void)referee_.adopt(ground, std::nullopt);
  }

  [[nodiscard]] Answer answer_of(PageReply reply) const {
    if (reply.answer) return text_answer(rules_.of_page(*reply.answer));
    if (reply.failed) return dropped_answer(std::move(reply.fault));
    std::string why = "nothing was said in time";
    if (!reply.fault.empty()) why += "; " + reply.fault;
    if (reply.unasked > 0) {
      why += "; " + std::to_string(reply.unasked) + " messages answered nothing that was asked";
    }
    return late_answer(std::move(why));
  }

  PageStage& stage_;
  const std::stop_token aborted_;
  agent::Interrupt interrupt_;
  agent::Referee referee_;
  std::optional<std::string> problem_;
  std::chrono::seconds play_clock_{0};
  PageRules rules_;
};

class PagePlayer final : public MatchPlayer {
 public:
  PagePlayer(std::filesystem::path file, asio::io_context& context)
      : file_(std::move(file)), context_(context) {}
  ~PagePlayer() override {
    stop_.request_stop();
    thread_.join();
  }

  [[nodiscard]] std::string name() const override { return "page:" + file_.string(); }

  void preview(const ToldGame& /*game*/, int /*seconds*/, TimePoint deadline, Done done) override {
    run(deadline, std::move(done), [] { return text_answer("ready"); });
  }
  void start(const MatchInvitation& invitation, TimePoint deadline, Done done) override {
    abort_ = std::stop_source();
    run(deadline, std::move(done),
        [this, invitation = invitation, deadline, aborted = abort_.get_token()] {
          match_.reset();
          if (stage_ != nullptr && stage_->crashed()) stage_.reset();
          if (stage_ == nullptr) stage_ = std::make_unique<PageStage>(file_, stop_.get_token());
          opened_ = true;
          match_ = std::make_unique<PageMatch>(*stage_, invitation, aborted);
          return match_->start(invitation, deadline);
        });
  }
  void play(const ToldTurn& turn, TimePoint deadline, Done done) override {
    run(deadline, std::move(done), [this, moves = turn.moves, deadline] {
      return match_ == nullptr ? dropped_answer("the page was not opened")
                               : match_->play(moves, deadline);
    });
  }
  void stop(const ToldTurn& turn, TimePoint deadline, Done done) override {
    run(deadline, std::move(done), [this, moves = turn.moves] {
      if (match_ != nullptr) match_->stop(moves);
      match_.reset();
      return text_answer("done");
    });
  }
  void abort(const ToldTurn& /*turn*/, TimePoint deadline, Done done) override {
    abort_.request_stop();
    // Opening a page takes seconds, and one that is not there need not be told.
    if (!opened_) return asio::post(context_, [done] { done(text_answer("aborted")); });
    run(deadline, std::move(done), [this] {
      if (match_ != nullptr) stage_->tell(kAbort);
      match_.reset();
      return text_answer("aborted");
    });
  }

 private:
  /// One request: reports its answer or its deadline, whichever comes first.
  struct Request {
    Request(asio::io_context& context, Done d) : timer(context), done(std::move(d)) {}
    asio::steady_timer timer;
    Done done;  // empty once called
    Clock::time_point begun = Clock::now();

    void finish(Answer answer) {
      if (!done) return;
      timer.cancel();
      answer.latency_ms = std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
      std::exchange(done, nullptr)(std::move(answer));
    }
  };

  /// Makes the call in the page's thread, after earlier calls.
  template <class Call>
  void run(TimePoint deadline, Done done, Call call) {
    auto request = std::make_shared<Request>(context_, std::move(done));
    request->timer.expires_at(deadline);
    request->timer.async_wait([request](const boost::system::error_code& error) {
      if (!error) request->finish(late_answer("nothing was said in time"));
    });
    post_aside(thread_, [&context = context_, request, call = std::move(call),
                         otherwise = dropped_answer("there is no memory left")]() mutable {
      post_surely(context, [request, answer = answer_of(call, std::move(otherwise))] {
        request->finish(answer);
      });
    });
  }
  /// `otherwise`: the answer if there is no memory to say what failed.
  template <class Call>
  static Answer answer_of(Call& call, Answer otherwise) noexcept {
    try {
      try {
        return call();
      } catch (const std::exception& exception) {
        return dropped_answer(exception.what());
      }
    } catch (const std::bad_alloc&) {
      return otherwise;
    }
  }

  const std::filesystem::path file_;
  asio::io_context& context_;
  std::stop_source stop_;   // for good
  std::stop_source abort_;  // of the current match
  std::atomic<bool> opened_{false};
  // Used in the thread only.
  std::unique_ptr<PageStage> stage_;
  std::unique_ptr<PageMatch> match_;
  asio::thread_pool thread_{1};  // joined before the rest goes
};

}  // namespace

std::unique_ptr<MatchPlayer> make_page_player(std::filesystem::path file,
                                              asio::io_context& context) {
  return std::make_unique<PagePlayer>(std::move(file), context);
}

}  // namespace ludens::server
