#include "server/cli/interrupt.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <thread>

namespace ludens::server {

/// A thread waits for the signals: whoever computes when one comes need not look at it.
class Interrupt::Implementation {
 public:
  Implementation() : signals_(context_, SIGINT, SIGTERM) {
    signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      source_.request_stop();
      signals_.clear();  // the next one does what it does by default
    });
    thread_ = std::jthread([this] { context_.run(); });
  }
  ~Implementation() { context_.stop(); }

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  boost::asio::io_context context_{1};
  boost::asio::signal_set signals_;
  std::jthread thread_;
};

Interrupt::Interrupt() : implementation_(std::make_unique<Implementation>()) {}
Interrupt::~Interrupt() = default;

std::stop_token Interrupt::token() const {
  return implementation_->token();
}

}  // namespace ludens::server
