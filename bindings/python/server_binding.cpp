// SPDX-License-Identifier: MIT
// A player that listens on a separate thread.
#include <pybind11/stl.h>

#include <boost/asio/io_context.hpp>
#include <future>
#include <thread>

#include "agent/reasoner/acceleration.h"
#include "bindings/python/strategy_binding.h"
#include "server/http/io_thread.h"
#include "server/player/player_server.h"

namespace ludens::bindings {

namespace py = pybind11;

namespace {

/// The time that open replies have to leave when the server is closed.
constexpr auto kLeave = std::chrono::seconds(2);

/// `evaluate` is for PythonEvaluator, or None; or `make` is an argument of PythonStrategy.
agent::MakeStrategy maker_of(const py::object& evaluate, const py::object& make) {
  if (!make.is_none()) {
    return [make = hold(make)](const search::StrategySpec&, const search::Resources&) {
      return std::make_unique<PythonStrategy>(make);
    };
  }
  if (evaluate.is_none()) return {};
  return [evaluate = hold(evaluate)](const search::StrategySpec& spec,
                                     const search::Resources& resources) {
    return agent::accelerate(
        make_player_strategy(spec, resources, std::make_shared<PythonEvaluator>(evaluate)), spec,
        resources.memory);
  };
}

class PythonServer {
 public:
  PythonServer(const std::string& strategy, const py::object& evaluate, const py::object& make,
               const std::string& name, const std::string& bind, std::uint16_t port,
               unsigned threads, std::size_t memory_bytes, unsigned matches, int margin_ms,
               bool ponder) {
    options_.player.name = name;
    options_.player.make_strategy = maker_of(evaluate, make);
    if (make.is_none()) options_.player.strategy = strategy_of(strategy, !evaluate.is_none());
    options_.player.threads = threads;
    options_.player.memory_bytes = memory_bytes;
    options_.player.matches = matches;
    options_.player.margin_ms = margin_ms;
    options_.player.ponder = ponder;
    options_.bind = bind;
    options_.port = port;
    options_.version = LUDENS_VERSION;
    std::promise<std::optional<std::string>> listening;
    auto problem = listening.get_future();
    thread_ = std::thread([this, &listening] { run(listening); });
    std::optional<std::string> why;
    {
      const Unlocked unlocked;
      why = problem.get();
    }
    if (!why) return;
    close();
    throw std::runtime_error(*why);
  }
  ~PythonServer() { close(); }
  PythonServer(const PythonServer&) = delete;
  PythonServer& operator=(const PythonServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }

  /// With the GIL, which players may need to end.
  void close() {
    if (!thread_.joinable()) return;
    const Unlocked unlocked;
    server::post_surely(context_, [this] {
      if (server_ != nullptr) server_->shut_down([this] { context_.stop(); });
    });
    if (ended_.get_future().wait_for(kLeave) != std::future_status::ready) context_.stop();
    thread_.join();
  }

 private:
  void run(std::promise<std::optional<std::string>>& listening) {
    std::optional<server::PlayerServer> listener;
    std::optional<std::string> problem;
    try {
      listener.emplace(context_, options_);
      problem = listener->listen();
      if (!problem) port_ = listener->port();
    } catch (const std::exception& error) {
      problem = error.what();
    }
    listening.set_value(problem);
    if (!problem) {
      server_ = &*listener;
      server::run_guarded(context_, [&listener](const char*) { listener->resume(); });
      server_ = nullptr;
    }
    ended_.set_value();
  }

  server::PlayerServerOptions options_;
  boost::asio::io_context context_{1};
  server::PlayerServer* server_ = nullptr;  // of the thread, while it runs
  std::uint16_t port_ = 0;
  std::promise<void> ended_;
  std::thread thread_;
};

}  // namespace

void bind_servers(py::module_& module) {
  py::class_<PythonServer>(module, "ServerCore")
      .def(
          py::init<const std::string&, const py::object&, const py::object&, const std::string&,
                   const std::string&, std::uint16_t, unsigned, std::size_t, unsigned, int, bool>())
      .def_property_readonly("port", &PythonServer::port)
      .def("close", &PythonServer::close);
}

}  // namespace ludens::bindings
