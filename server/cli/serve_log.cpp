// SPDX-License-Identifier: MIT
#include "server/cli/serve_log.h"

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gdl/text/printable.h"
#include "server/cli/file_sink.h"
#include "server/cli/terminal.h"
#include "server/match/repeated_warnings.h"
#include "server/records/match_record.h"

namespace ludens::server {
namespace {

constexpr std::size_t kQueuedLines = 8192, kQueuedBodies = 64;
/// A description of 70 kB is worth reading at debug level; sixteen megabytes are not.
constexpr std::size_t kLongestBody = 200'000;

/// How long the end waits for lines that a slow disk or reader has not taken yet.
constexpr std::chrono::milliseconds kLastLines{500};

using Pool = spdlog::details::thread_pool;

/// Forwards lines to another sink, makes text of peers and rulesheets in them printable, and says
/// how many lines are missing before them. For the thread of the pool, which outlives it.
class SafeSink final : public spdlog::sinks::sink {
 public:
  SafeSink(spdlog::sink_ptr inner, Pool& pool) : inner_(std::move(inner)), pool_(pool) {}

  void log(const spdlog::details::log_msg& message) override {
    if (const std::size_t dropped = pool_.overrun_counter(); dropped > told_) {
      const std::string text = std::to_string(dropped - std::exchange(told_, dropped)) +
                               " lines were left out: they came faster than they could be written";
      spdlog::details::log_msg note = message;
      note.payload = text;
      note.level = spdlog::level::warn;
      inner_->log(note);
    }
    const std::string text = gdl::printable({message.payload.data(), message.payload.size()});
    spdlog::details::log_msg safe = message;
    safe.payload = text;
    inner_->log(safe);
  }
  void flush() override { inner_->flush(); }
  void set_pattern(const std::string& pattern) override { inner_->set_pattern(pattern); }
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override {
    inner_->set_formatter(std::move(formatter));
  }

 private:
  spdlog::sink_ptr inner_;
  Pool& pool_;
  std::size_t told_ = 0;
};

/// Runs functions in the thread that writes, in the order of the lines.
class Calls final : public spdlog::sinks::sink {
 public:
  void add(std::function<void()> call) {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
  }
  /// Any line runs what was added before it.
  void log(const spdlog::details::log_msg& /*line*/) override {
    std::vector<std::function<void()>> calls;
    {
      const std::lock_guard lock(mutex_);
      calls.swap(calls_);
    }
    for (const auto& call : calls) call();
  }
  void flush() override {}
  void set_pattern(const std::string& /*pattern*/) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter> /*formatter*/) override {}

 private:
  std::mutex mutex_;
  std::vector<std::function<void()>> calls_;
};

spdlog::sink_ptr error_sink() {
  if (!wants_colour()) return std::make_shared<spdlog::sinks::stderr_sink_mt>();
  return std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
}

std::string without_end(const std::string& text) {
  if (text.size() <= kLongestBody) return text;
  return text.substr(0, kLongestBody) + "... (" + std::to_string(text.size()) + " bytes)";
}

/// One line of valid UTF-8, whatever a peer has sent: for terminals and for JSON.
std::string printable(const std::string& text) {
  std::string out = storable(text);
  for (char& c : out) {
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

double rounded(double ms) {
  return std::round(ms * 10) / 10;
}

}  // namespace

class ServeLog::Implementation {
 public:
  /// `file` is null where `sink` is no file.
  Implementation(const Options& options, spdlog::sink_ptr sink, std::shared_ptr<FileSink> file)
      : file_(std::move(file)),
        pool_(std::make_shared<Pool>(kQueuedLines, 1)),
        log_(make("ludens", std::make_shared<SafeSink>(std::move(sink), *pool_))) {
    log_->set_level(options.verbose ? spdlog::level::debug : spdlog::level::info);
    log_->set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$ %v");
    log_->flush_on(spdlog::level::debug);
    events_ = make("events", std::make_shared<spdlog::sinks::stdout_sink_mt>());
    events_->set_pattern("%v");
    events_->flush_on(spdlog::level::info);
    json_ = options.json;
    calls_ = std::make_shared<Calls>();
    caller_ = make("calls", calls_);
  }

  /// Joins the writing thread after all queued lines, before the sinks that it uses are destroyed.
  /// If these lines can't be written, the thread and all that it uses are left to the end of the
  /// process.
  ~Implementation() {
    try {
      if (!written_until(std::chrono::steady_clock::now() + kLastLines)) leave_behind();
    } catch (const std::bad_alloc&) {  // it waits for the lines, then
    }
    pool_.reset();
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void event(const boost::json::object& object) {
    if (json_) events_->info(boost::json::serialize(object));
  }
  void line(const std::string& text) {
    if (!json_) events_->info(text);
  }
  /// Peers that keep failing must not fill the disk.
  void warn(const std::string& text) {
    if (const auto told = warnings_.pass(text)) log_->warn(*told);
  }
  const std::shared_ptr<spdlog::logger>& log() { return log_; }
  /// Whether few enough lines wait that a long one may be added.
  bool keeps_up() { return pool_->queue_size() < kQueuedBodies; }
  /// In the thread that writes: it alone may wait for a disk.
  void reopen() {
    if (file_ == nullptr) return log_->info("hangup: there is no log file to open again");
    call([file = file_, log = log_] {
      const std::string problem = file->reopen();
      if (!problem.empty())
        return log->error("hangup: {}; the log continues in the old file", problem);
      log->info("hangup: the log continues here");
    });
  }

 private:
  void call(std::function<void()> function) {
    calls_->add(std::move(function));
    caller_->info("");
  }
  void leave_behind() {
    if (file_ != nullptr) std::fputs("ludens: serve: the log is not written to its end\n", stderr);
    (void)new auto(std::tuple(pool_, file_, log_, events_, caller_));
  }
  /// Waits for the lines so far; returns whether they are written.
  bool written_until(std::chrono::steady_clock::time_point until) {
    const auto written = std::make_shared<std::promise<void>>();
    call([written] { written->set_value(); });
    return written->get_future().wait_until(until) == std::future_status::ready;
  }
  std::shared_ptr<spdlog::logger> make(std::string name, spdlog::sink_ptr sink) {
    auto log = std::make_shared<spdlog::async_logger>(
        std::move(name), std::move(sink), pool_, spdlog::async_overflow_policy::overrun_oldest);
    // A line that can't be formatted or written is left out. This is reported once, without
    // allocations.
    log->set_error_handler([told = false](const std::string& why) mutable {
      if (!std::exchange(told, true)) std::fprintf(stderr, "ludens: the log: %s\n", why.c_str());
    });
    return log;
  }

  std::shared_ptr<FileSink> file_;
  std::shared_ptr<Pool> pool_;
  std::shared_ptr<spdlog::logger> log_, events_, caller_;
  std::shared_ptr<Calls> calls_;
  RepeatedWarnings warnings_;
  bool json_ = false;
};

gdl::Result<std::unique_ptr<ServeLog>> ServeLog::open(const Options& options) {
  std::shared_ptr<FileSink> file;
  if (!options.file.empty()) {
    auto opened = FileSink::open(options.file);
    if (!opened) return opened.error();
    file = *std::move(opened);
  }
  const spdlog::sink_ptr sink = file != nullptr ? file : error_sink();
  return std::unique_ptr<ServeLog>(
      new ServeLog(std::make_unique<Implementation>(options, sink, std::move(file))));
}

ServeLog::ServeLog(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
ServeLog::~ServeLog() = default;

const std::shared_ptr<spdlog::logger>& ServeLog::logger() const {
  return implementation_->log();
}

void ServeLog::listening(const std::string& bind, std::uint16_t port) {
  const bool ipv6 = bind.find(':') != std::string::npos;
  const std::string url =
      "http://" + (ipv6 ? "[" + bind + "]" : bind) + ":" + std::to_string(port) + "/";
  implementation_->line("Ludens listens on " + url);
  implementation_->event({{"event", "listening"}, {"address", bind}, {"port", port}, {"url", url}});
}

void ServeLog::bridging(const BridgeAccess& access, const std::string& token_file,
                        std::uint16_t port) {
  const std::string page = "http://127.0.0.1:" + std::to_string(port) + "/gamemaster";
  const std::string key = page + "#" + access.token;
  implementation_->line("Gamemaster: upload the page " + page + " to " + access.origin +
                        ", open it there and give it the key " + key);
  implementation_->event({{"event", "gamemaster"},
                          {"origin", access.origin},
                          {"page", page},
                          {"token_file", token_file}});
}

void ServeLog::served(const Served& served) {
  const auto& log = logger();
  // The agent itself logs its answers to these and the reasons; nothing is logged twice.
  const bool told = served.kind == "START" || served.kind == "PLAY" || served.kind == "STOP" ||
                    served.kind == "ABORT";
  const std::string match = printable(served.match_id);
  const bool page = served.status == 200 && served.kind == "GET";
  const std::string reply = page ? "the status page" : printable(served.reply);
  const std::string text = fmt::format(
      "{}{}{} from {}: {}{} after {:.0f} ms", printable(served.kind), match.empty() ? "" : " ",
      match, served.peer, served.status == 200 ? "" : std::to_string(served.status) + " ", reply,
      served.milliseconds);
  if (served.status != 200) {
    implementation_->warn(text);
  } else {
    log->log(told ? spdlog::level::debug : spdlog::level::info, text);
  }
  if (!served.body.empty() && implementation_->keeps_up()) {
    log->debug("body: {}", printable(without_end(served.body)));
  }
  implementation_->event({{"event", "message"},
                          {"kind", printable(served.kind)},
                          {"match", match},
                          {"from", served.peer},
                          {"status", served.status},
                          {"reply", reply},
                          {"ms", rounded(served.milliseconds)}});
}

void ServeLog::refused(const Refusal& refusal) {
  implementation_->warn("refused " + refusal.peer + ": " + std::to_string(refusal.status) + " " +
                        printable(refusal.reason));
  implementation_->event({{"event", "refused"},
                          {"from", refusal.peer},
                          {"status", refusal.status},
                          {"reason", printable(refusal.reason)}});
}

void ServeLog::lost(const char* why) {
  logger()->error("a request or a timer was lost: {}", why);
  implementation_->event({{"event", "lost"}, {"why", why}});
}

void ServeLog::reopen() {
  implementation_->reopen();
}

void ServeLog::ending() {
  logger()->info("ending: pending replies are sent now; a second signal ends at once");
  implementation_->event({{"event", "ending"}});
}

}  // namespace ludens::server
