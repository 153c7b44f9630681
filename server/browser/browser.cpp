// SPDX-License-Identifier: MIT
#include "server/browser/browser.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/json.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>

#include "server/browser/process_group.h"
#include "server/http/io_thread.h"

namespace ludens::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace json = boost::json;
using tcp = asio::ip::tcp;

namespace {

using Clock = std::chrono::steady_clock;

/// How long an answer of the browser may take.
constexpr std::chrono::minutes kPatience{2};

/// The page was left while a call was waiting for its answer.
class Navigated final : public std::runtime_error {
 public:
  Navigated() : std::runtime_error("the page was left") {}
};

/// A stop was requested.
class Unneeded final : public std::runtime_error {
 public:
  Unneeded() : std::runtime_error("the browser is not needed any more") {}
};

/// The variables of this process, with another TMPDIR: Chromium is killed, so it does not remove
/// what it has put there.
std::vector<std::string> with_temporary_folder(const std::string& folder) {
  std::vector<std::string> variables{"TMPDIR=" + folder};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("TMPDIR=")) variables.emplace_back(*entry);
  }
  return variables;
}

/// The bytes of a text in base64.
std::string decoded(std::string_view text) {
  namespace iterators = boost::archive::iterators;
  using Bytes = iterators::transform_width<iterators::binary_from_base64<const char*>, 8, 6>;
  std::string bytes(Bytes(text.data()), Bytes(text.data() + text.size()));
  for (; text.ends_with('='); text.remove_suffix(1)) bytes.pop_back();
  return bytes;
}

/// What was thrown and where, of an event of the browser.
std::string thrown(const json::object& parameters) {
  const json::value details(parameters);
  json::error_code error;
  for (const char* place : {"/exceptionDetails/exception/description",
                            "/exceptionDetails/exception/value", "/exceptionDetails/text"}) {
    const json::value* text = details.find_pointer(place, error);
    if (text != nullptr && text->is_string()) return std::string(text->get_string());
  }
  return "an exception";
}

/// The words of the command line. Pages of strangers run in the browser's sandbox, which Chromium
/// refuses to root, whom it would not hold back.
std::vector<std::string> arguments(const std::string& profile,
                                   const std::vector<std::string>& switches) {
  std::vector<std::string> words{"chromium",
                                 "--headless=new",
                                 "--disable-gpu",
                                 "--disable-dev-shm-usage",
                                 "--no-first-run",
                                 "--disable-background-networking",
                                 "--hide-scrollbars",
                                 "--remote-debugging-port=0",
                                 "--user-data-dir=" + profile};
  if (::geteuid() == 0) words.emplace_back("--no-sandbox");
  words.insert(words.end(), switches.begin(), switches.end());
  words.emplace_back("about:blank");
  return words;
}

/// As exec wants them; the texts must outlive it.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Throws if the stop is requested, or if an operation of the browser did not end or failed.
void expect_success(const std::stop_token& stop, bool ended, const beast::error_code& error) {
  if (stop.stop_requested()) throw Unneeded();
  if (!ended) throw BrowserTimeout();
  if (error) throw std::runtime_error("the browser is gone: " + error.message());
}

/// Starts an operation by `begin(handler)` and runs the context until it has ended. Throws if it
/// failed, if the stop is requested, or after the patience; the context must not run any more then.
template <class Begin>
void complete(asio::io_context& context, const std::stop_token& stop, const Begin& begin) {
  bool ended = false;
  beast::error_code error;
  begin([&](const beast::error_code& what, const auto&...) {
    ended = true;
    error = what;
  });
  const std::stop_callback wake(stop, [&context] { post_surely(context, [] {}); });
  const auto until = Clock::now() + kPatience;
  context.restart();
  while (!ended && !stop.stop_requested() && context.run_one_until(until) > 0) {
  }
  expect_success(stop, ended, error);
}

}  // namespace

std::optional<std::string> find_chromium() {
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "/usr/bin:/bin";
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    for (std::size_t begin = 0; begin <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', begin), folders.size());
      const std::string file = folders.substr(begin, end - begin) + "/" + name;
      if (::access(file.c_str(), X_OK) == 0) return file;
      begin = end + 1;
    }
  }
  return std::nullopt;
}

/// Chromium itself, with a profile of its own that is removed with it.
class Browser::Process {
 public:
  Process(const std::string& chromium, std::stop_token stop,
          const std::vector<std::string>& switches)
      : Process(std::move(stop)) {
    std::string folder =
        (std::filesystem::temp_directory_path() / "ludens-browser-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) {
      throw std::runtime_error("no folder for the browser can be made in " +
                               std::filesystem::temp_directory_path().string());
    }
    folder_ = folder;
    launch(chromium, switches);
    wait_for_port();
  }
  ~Process() {
    if (pid_ > 0) {
      ::kill(-pid_, SIGKILL);  // a process group of its own
      ::waitpid(pid_, nullptr, 0);
    }
    if (!folder_.empty()) remove_folder();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] const std::string& port() const { return port_; }
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }

  /// The path for talking to the page that was opened first; there may be none for a moment.
  std::string first_tab() {
    for (int tries = 0; tries < 200; ++tries) {
      const json::value targets = ask(beast::http::verb::get, "/json/list");
      for (const json::value& target : targets.as_array()) {
        if (target.at("type") == "page") return path_of(target);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    throw std::runtime_error("Chromium has no page");
  }
  std::string new_tab() { return path_of(ask(beast::http::verb::put, "/json/new?about:blank")); }

 private:
  /// The first half of the construction: if the second half fails, the destructor tidies up.
  explicit Process(std::stop_token stop) : stop_(std::move(stop)) {}

  /// Files that the killed processes of the group still write may be in the way for a moment, or be
  /// there again after it. On a busy machine it takes them seconds to die.
  void remove_folder() {
    std::error_code error;
    for (int tries = 0; tries < 1000; ++tries) {
      const bool writers = pid_ > 0 && group_lives(pid_);
      std::filesystem::remove_all(folder_, error);
      if (!error && !writers) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  void launch(const std::string& chromium, const std::vector<std::string>& switches) {
    std::vector<std::string> variables = with_temporary_folder(folder_.string());
    std::vector<std::string> words = arguments(folder_.string(), switches);
    const std::vector<char*> environment = pointers(variables), argv = pointers(words);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) {
      throw std::runtime_error(std::string("Chromium can't be started: ") + std::strerror(errno));
    }
    if (pid_ > 0) {
      // Both processes do this: the destructor may signal the group before the other one runs.
      ::setpgid(pid_, pid_);
      return;
    }
    ::setpgid(0, 0);
    // A program that is killed must not leave its browser behind. (The signal depends on the
    // thread: the thread that starts a browser lives as long as it.)
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
    ::execve(chromium.c_str(), argv.data(), environment.data());
    ::_exit(127);
  }

  /// Whether it has ended; the destructor still reaps it.
  [[nodiscard]] bool has_ended() const {
    siginfo_t ended{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT);
    return ended.si_pid == pid_;
  }

  void wait_for_port() {
    for (int tries = 0; tries < 600 && !stop_.stop_requested(); ++tries) {
      std::ifstream file(folder_ / "DevToolsActivePort");
      if (std::getline(file, port_) && !port_.empty()) return;
      if (has_ended()) {
        throw std::runtime_error(
            "Chromium ends at once; its sandbox may be missing (Debian: chromium-sandbox)");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    throw std::runtime_error("Chromium does not start");
  }

  json::value ask(beast::http::verb method, const std::string& target) {
    asio::io_context context;
    beast::tcp_stream stream(context);
    complete(context, stop_, [&](auto handler) {
      stream.async_connect(tcp::resolver(context).resolve("127.0.0.1", port_), handler);
    });
    beast::http::request<beast::http::empty_body> request(method, target, 11);
    request.set(beast::http::field::host, "127.0.0.1:" + port_);
    complete(context, stop_,
             [&](auto handler) { beast::http::async_write(stream, request, handler); });
    beast::flat_buffer buffer;
    beast::http::response_parser<beast::http::string_body> response;
    complete(context, stop_,
             [&](auto handler) { beast::http::async_read(stream, buffer, response, handler); });
    return json::parse(response.get().body());
  }

  static std::string path_of(const json::value& target) {
    const std::string url(target.at("webSocketDebuggerUrl").as_string());
    return url.substr(url.find('/', std::string("ws://").size()));
  }

  const std::stop_token stop_;
  std::filesystem::path folder_;
  std::string port_;
  pid_t pid_ = 0;
};

class Browser::Implementation {
 public:
  Implementation(std::shared_ptr<Process> process, const std::string& target)
      : process_(std::move(process)) {
    complete(context_, process_->stop(), [&](auto handler) {
      asio::async_connect(socket_.next_layer(),
                          tcp::resolver(context_).resolve("127.0.0.1", process_->port()), handler);
    });
    socket_.read_message_max(0);
    complete(context_, process_->stop(), [&](auto handler) {
      socket_.async_handshake("127.0.0.1:" + process_->port(), target, handler);
    });
    for (const char* domain : {"Page.enable", "Runtime.enable", "Log.enable", "Inspector.enable"}) {
      call(domain, {});
    }
  }

  json::object call(const std::string& method, json::object parameters,
                    const std::stop_token& stop = {}) {
    const int id = send(method, std::move(parameters));
    const auto until = Clock::now() + patience_;
    const std::stop_callback wake(stop, [this] { post_surely(context_, [] {}); });
    for (;;) {
      json::object message = read(until, stop);
      const json::value* answered = message.if_contains("id");
      if (answered == nullptr || answered->to_number<int>() != id) continue;
      if (const json::value* error = message.if_contains("error")) {
        if (error->at("message") == "Inspected target navigated or closed") throw Navigated();
        throw std::runtime_error(method + ": " + json::serialize(*error));
      }
      return std::move(message["result"].as_object());
    }
  }

  void open(const std::string& url) {
    opening_ = true;
    loaded_ = crashed_ = false;
    call("Page.navigate", {{"url", url}});
    const auto until = Clock::now() + patience_;
    while (!loaded_) read(until);
  }

  void capture(const std::filesystem::path& file, json::object parameters) {
    const json::object result = call("Page.captureScreenshot", std::move(parameters));
    const json::string& text = result.at("data").as_string();
    std::ofstream(file, std::ios::binary) << decoded(text);
  }

  [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }
  [[nodiscard]] const std::vector<std::string>& exceptions() const { return exceptions_; }
  [[nodiscard]] const std::shared_ptr<Process>& process() const { return process_; }
  void set_patience(std::chrono::milliseconds patience) { patience_ = patience; }
  void set_prompt(std::string text) { prompt_ = std::move(text); }

  void mouse(const std::string& type, double x, double y) {
    x_ = x;
    y_ = y;
    mouse(type);
  }
  void mouse(const std::string& type) {
    if (type == "mousePressed") pressed_ = true;
    const bool moves = type == "mouseMoved";
    call("Input.dispatchMouseEvent", {{"type", type},
                                      {"x", x_},
                                      {"y", y_},
                                      {"button", moves && !pressed_ ? "none" : "left"},
                                      {"buttons", pressed_ && type != "mouseReleased" ? 1 : 0},
                                      {"clickCount", moves ? 0 : 1}});
    if (type == "mouseReleased") pressed_ = false;
  }

 private:
  [[nodiscard]] bool stopped() const { return process_->stop().stop_requested(); }

  int send(const std::string& method, json::object parameters) {
    socket_.write(asio::buffer(json::serialize(
        json::object{{"id", ++last_id_}, {"method", method}, {"params", std::move(parameters)}})));
    return last_id_;
  }

  /// The next message. A message whose beginning has arrived when the time is over is read to its
  /// end.
  json::object read(Clock::time_point until, const std::stop_token& stop = {}) {
    if (crashed_) throw std::runtime_error("the page has crashed");
    if (!reading_) {
      reading_ = true;
      socket_.async_read(buffer_, [this](const beast::error_code& error, std::size_t) {
        reading_ = false;
        error_ = error;
      });
    }
    context_.restart();
    while (reading_ && !stopped() && !stop.stop_requested() && context_.run_one_until(until) > 0) {
    }
    expect_success(process_->stop(), !reading_, error_);
    json::object message = json::parse(beast::buffers_to_string(buffer_.data())).as_object();
    buffer_.clear();
    if (const json::value* method = message.if_contains("method")) {
      const json::value* parameters = message.if_contains("params");
      notice(std::string(method->as_string()),
             parameters != nullptr ? parameters->as_object() : json::object());
    }
    return message;
  }

  void notice(const std::string& method, const json::object& parameters) {
    if (method == "Page.frameNavigated" && opening_ &&
        !parameters.at("frame").as_object().contains("parentId")) {
      opening_ = false;
      errors_.clear();  // the page before may have reported some until now
      exceptions_.clear();
    }
    if (method == "Page.loadEventFired") loaded_ = true;
    if (method == "Inspector.targetCrashed") crashed_ = true;
    if (method == "Page.javascriptDialogOpening") {
      send("Page.handleJavaScriptDialog", {{"accept", true}, {"promptText", prompt_}});
    }
    if (method == "Runtime.exceptionThrown") exceptions_.push_back(thrown(parameters));
    const bool bad_log =
        method == "Log.entryAdded" && parameters.at("entry").at("level") == "error";
    const bool bad_call = method == "Runtime.consoleAPICalled" && parameters.at("type") == "error";
    if (bad_log || bad_call || method == "Runtime.exceptionThrown") {
      errors_.push_back(json::serialize(parameters));
    }
  }

  std::shared_ptr<Process> process_;
  asio::io_context context_;
  beast::websocket::stream<tcp::socket> socket_{context_};
  beast::flat_buffer buffer_;
  bool reading_ = false;
  beast::error_code error_;
  int last_id_ = 0;
  std::chrono::milliseconds patience_{kPatience};
  std::string prompt_;
  double x_ = 0, y_ = 0;  // of the mouse
  bool pressed_ = false;
  bool opening_ = false;  // until the page before has gone
  bool loaded_ = false;
  bool crashed_ = false;  // until another page is opened
  std::vector<std::string> errors_, exceptions_;
  // Last: it uses the context.
  const std::stop_callback<std::function<void()>> wake_{process_->stop(),
                                                        [this] { post_surely(context_, [] {}); }};
};

Browser::Browser(const std::string& chromium, std::stop_token stop,
                 const std::vector<std::string>& switches) {
  auto process = std::make_shared<Process>(chromium, std::move(stop), switches);
  const std::string tab = process->first_tab();
  implementation_ = std::make_unique<Implementation>(std::move(process), tab);
}
Browser::Browser(std::shared_ptr<Process> process) {
  const std::string tab = process->new_tab();
  implementation_ = std::make_unique<Implementation>(std::move(process), tab);
}
Browser::~Browser() = default;

std::unique_ptr<Browser> Browser::new_tab() {
  return std::unique_ptr<Browser>(new Browser(implementation_->process()));
}

void Browser::set_patience(std::chrono::milliseconds patience) {
  implementation_->set_patience(patience);
}

void Browser::set_prompt(std::string text) {
  implementation_->set_prompt(std::move(text));
}

void Browser::to_front() {
  implementation_->call("Page.bringToFront", {});
}

void Browser::resize(int width, int height, bool dark) {
  implementation_->call(
      "Emulation.setDeviceMetricsOverride",
      {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", width < 600}});
  json::array features;
  features.push_back(
      json::object{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}});
  implementation_->call("Emulation.setEmulatedMedia", {{"features", std::move(features)}});
}

void Browser::open(const std::string& url) {
  implementation_->open(url);
}

json::value Browser::evaluate(const std::string& expression, const std::stop_token& stop) {
  json::object result = implementation_->call(
      "Runtime.evaluate",
      {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}}, stop);
  if (result.contains("exceptionDetails")) {
    throw std::runtime_error(expression + ": " + json::serialize(result["exceptionDetails"]));
  }
  const json::value* value = result["result"].as_object().if_contains("value");
  return value != nullptr ? *value : json::value();
}

bool Browser::wait_until(const std::string& expression, int most_seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(most_seconds);
  while (std::chrono::steady_clock::now() < deadline) {
    try {
      if (evaluate("!!(" + expression + ")") == json::value(true)) return true;
    } catch (const Navigated&) {
      // The page reloads itself: the next answer comes from the new page.
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

void Browser::press(const std::string& key) {
  // The browser itself acts on codes, not on names: Tab would not move the focus.
  static const std::map<std::string, int> codes{{"Tab", 9}, {"Enter", 13}, {"Escape", 27}};
  const auto code = codes.find(key);
  for (const char* type : {"keyDown", "keyUp"}) {
    json::object event{{"type", type}, {"key", key}, {"code", key}};
    if (code != codes.end()) event["windowsVirtualKeyCode"] = code->second;
    implementation_->call("Input.dispatchKeyEvent", std::move(event));
  }
}

void Browser::click(const std::string& selector) {
  const json::value place = evaluate(
      "(() => { const e = document.querySelector(" + json::serialize(json::value(selector)) +
      "); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
      " return [b.left + b.width / 2, b.top + b.height / 2]; })()");
  move_mouse(place.at(0).to_number<double>(), place.at(1).to_number<double>());
  press_mouse();
  release_mouse();
}

void Browser::move_mouse(double x, double y) {
  implementation_->mouse("mouseMoved", x, y);
}
void Browser::press_mouse() {
  implementation_->mouse("mousePressed");
}
void Browser::release_mouse() {
  implementation_->mouse("mouseReleased");
}

void Browser::screenshot(const std::filesystem::path& file) {
  implementation_->capture(file, {{"format", "png"}});
}

void Browser::screenshot(const std::filesystem::path& file, const std::string& selector) {
  const json::value box = evaluate(
      "(() => { const b = document.querySelector(" + json::serialize(json::value(selector)) +
      ").getBoundingClientRect();"
      " return {x: b.left + scrollX, y: b.top + scrollY, width: b.width, height: b.height}; })()");
  json::object clip = box.as_object();
  clip["scale"] = 1;
  implementation_->capture(
      file, {{"format", "png"}, {"captureBeyondViewport", true}, {"clip", std::move(clip)}});
}

const std::vector<std::string>& Browser::errors() const {
  return implementation_->errors();
}
const std::vector<std::string>& Browser::exceptions() const {
  return implementation_->exceptions();
}

}  // namespace ludens::server
