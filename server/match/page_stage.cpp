// SPDX-License-Identifier: MIT
#include "server/match/page_stage.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/json.hpp>
#include <cctype>
#include <stdexcept>
#include <thread>
#include <utility>

#include "gdl/text/file.h"
#include "server/browser/browser.h"
#include "server/http/io_thread.h"
#include "server/http/server.h"
#include "server/match/beside_page.h"
#include "server/match/manager_script.h"

namespace ludens::server {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// The time limit for what a browser does at once.
constexpr milliseconds kBrowserPatience{10'000};
/// The time after which a page counts as hung: an idle page answers its browser much sooner.
constexpr milliseconds kHung{350};
constexpr std::size_t kLongestFault = 300;

/// The manager's page, which nobody looks at.
std::string manager_page() {
  return R"(<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">)"
         "<title>manager</title></head><body><script>" +
         std::string(kManagerScript) + "const manager = new Manager();\n</script></body></html>";
}

/// Serves the two pages, and what the player's may load, to anyone on this machine.
class PageServer {
 public:
  PageServer(std::string path, std::string page, std::filesystem::path folder)
      : path_(std::move(path)), page_(std::move(page)), folder_(std::move(folder)) {
    HttpLimits limits;
    limits.audience = Audience::Browsers;
    server_ = std::make_unique<HttpServer>(
        context_, limits, [this](const HttpRequest& request, const Respond& r) {
          const std::string& target = request.head.target;
          if (target == "/manager.html") {
            return r({200, "text/html; charset=utf-8", manager_page(), {}});
          }
          if (target == path_) return r({200, "text/html; charset=utf-8", page_, {}});
          r(beside_page(target));
        });
    if (const auto problem = server_->listen("127.0.0.1", 0)) throw std::runtime_error(*problem);
    port_ = server_->port();
    thread_ = std::jthread([this] { run_guarded(context_, [](const char*) {}); });
  }
  ~PageServer() {
    post_surely(context_, [this] {
      server_.reset();
      context_.stop();
    });
  }
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  [[nodiscard]] std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }

 private:
  [[nodiscard]] Response beside_page(const std::string& target) const {
    const auto found = file_beside_page(folder_, target);
    auto text = found ? gdl::read_file(found->file) : std::make_error_code(std::errc());
    if (!found || !text) return {404, "text/plain", "not found\n", {}};
    return {200, std::string(found->content_type), *std::move(text), {}};
  }

  const std::string path_, page_;
  const std::filesystem::path folder_;
  boost::asio::io_context context_{1};
  std::unique_ptr<HttpServer> server_;
  std::uint16_t port_ = 0;
  std::jthread thread_;  // last: it uses the rest
};

/// The letters, digits and `_` of the file's name, as in identifiers of the venue.
std::string identifier_of(const std::filesystem::path& file) {
  std::string name = file.stem().string();
  std::erase_if(name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; });
  if (name.empty() || name == "manager") return "player";
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

std::string text_of(const std::filesystem::path& file) {
  auto text = gdl::read_file(file);
  if (!text) throw std::runtime_error(file.string() + ": " + text.error().message());
  return *std::move(text);
}

std::string chromium() {
  if (auto found = find_chromium()) return *std::move(found);
  throw std::runtime_error("pages need Chromium, and there is none (Debian: chromium)");
}

std::string first_line(const std::string& text) {
  return text.substr(0, std::min(text.find('\n'), kLongestFault));
}

}  // namespace

class PageStage::Implementation {
 public:
  Implementation(const std::filesystem::path& file, std::stop_token stop)
      : player_(identifier_of(file)),
        server_("/" + player_ + ".html", text_of(file), file.parent_path()),
        manager_(chromium(), std::move(stop)) {
    manager_.set_patience(kBrowserPatience);
    manager_.open(server_.url("/manager.html"));
    page_ = manager_.new_tab();
    page_->set_patience(kBrowserPatience);
    page_->set_prompt(player_);
    page_->open(server_.url("/" + player_ + ".html#player=" + player_));
    // Most pages of the venue are asked for their identifier by this function of theirs.
    page_->evaluate("try { doplayer(); } catch {} true");
    page_->set_patience(kHung);
  }

  [[nodiscard]] const std::string& player() const { return player_; }

  PageReply ask(const std::string& content, Clock::time_point until, const std::stop_token& stop) {
    const std::size_t exceptions = page_->exceptions().size();
    PageReply reply;
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    manager_.set_patience(std::max(left, milliseconds(1)));
    try {
      const json::value said = manager_.evaluate(
          "manager.ask(" + quoted(player_) + "," + quoted(content) + ").answer", stop);
      reply.answer = std::string(said.at("answer").as_string());
      reply.unasked = said.at("unasked").to_number<std::size_t>();
    } catch (const BrowserTimeout&) {
      if (!stop.stop_requested()) find_fault(exceptions, reply);
    }
    manager_.set_patience(kBrowserPatience);
    return reply;
  }

  bool crashed() {
    bool gone = false;
    manager_.set_patience(kHung);
    try {
      (void)answers(manager_);
      (void)answers(*page_);
    } catch (const std::runtime_error&) {
      gone = true;
    }
    manager_.set_patience(kBrowserPatience);
    return gone;
  }

  void tell(const std::string& content, const std::stop_token& stop) {
    manager_.evaluate("manager.tell(" + quoted(player_) + "," + quoted(content) + ")", stop);
  }

 private:
  static std::string quoted(const std::string& text) { return json::serialize(json::value(text)); }

  /// False if it hangs; it may go on later. Throws if it is gone.
  static bool answers(Browser& page) {
    try {
      page.evaluate("1");
      return true;
    } catch (const BrowserTimeout&) {
      return false;
    }
  }

  /// Finds out why there was no answer.
  void find_fault(std::size_t exceptions, PageReply& reply) {
    try {
      // Exceptions that it threw arrive before its answer.
      if (!answers(*page_)) reply.fault = "the page hangs";
    } catch (const std::runtime_error& error) {
      reply.failed = true;
      reply.fault = error.what();
    }
    if (page_->exceptions().size() > exceptions) {
      reply.failed = true;
      reply.fault = "the page threw: " + first_line(page_->exceptions()[exceptions]);
    } else if (exceptions > 0 && reply.fault.empty()) {
      reply.fault = "before, the page threw: " + first_line(page_->exceptions().front());
    }
    try {
      manager_.set_patience(kHung);
      reply.unasked = manager_.evaluate("manager.forget()").to_number<std::size_t>();
    } catch (const BrowserTimeout&) {
      reply.fault = "the page keeps the manager's page from answering";
    }
  }

  const std::string player_;
  PageServer server_;
  Browser manager_;
  std::unique_ptr<Browser> page_;
};

PageStage::PageStage(const std::filesystem::path& file, std::stop_token stop)
    : implementation_(std::make_unique<Implementation>(file, std::move(stop))) {}
PageStage::~PageStage() = default;

bool PageStage::crashed() {
  return implementation_->crashed();
}

const std::string& PageStage::player() const {
  return implementation_->player();
}
PageReply PageStage::ask(const std::string& content, Clock::time_point until,
                         const std::stop_token& stop) {
  return implementation_->ask(content, until, stop);
}
void PageStage::tell(const std::string& content, const std::stop_token& stop) {
  implementation_->tell(content, stop);
}

}  // namespace ludens::server
