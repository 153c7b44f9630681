// SPDX-License-Identifier: MIT
#include "server/http/name_lookup.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <exception>
#include <memory>
#include <thread>
#include <utility>

#include "agent/thread/line.h"
#include "server/http/asio_scheduler.h"

namespace ludens::server {
namespace {

namespace asio = boost::asio;

/// The way back to a context, which is closed when the destruction of the context begins.
class LineOfContext final : public asio::execution_context::service {
 public:
  inline static asio::execution_context::id id;
  explicit LineOfContext(asio::io_context& context)
      : service(context), scheduler_(context), line_(std::make_shared<agent::Line>(scheduler_)) {}
  [[nodiscard]] const std::shared_ptr<agent::Line>& line() const { return line_; }

 private:
  void shutdown() override { line_->close(); }
  AsioScheduler scheduler_;
  std::shared_ptr<agent::Line> line_;
};

FoundAddresses find(const LookUp& look_up, const std::string& name) {
  try {
    return {look_up(name), "the name has no address"};
  } catch (const std::exception& exception) {
    return {{}, exception.what()};
  }
}

}  // namespace

NumericAddresses system_look_up(const std::string& name) {
  asio::io_context context;
  asio::ip::tcp::resolver resolver(context);
  NumericAddresses addresses;
  for (const auto& entry : resolver.resolve(name, "")) {
    addresses.push_back(entry.endpoint().address().to_string());
  }
  return addresses;
}

void look_up_aside(asio::io_context& context, LookUp look_up, std::string name,
                   std::function<void(FoundAddresses)> found) {
  auto line = asio::use_service<LineOfContext>(context).line();
  std::thread([line = std::move(line), look_up = std::move(look_up), name = std::move(name),
               found = std::move(found)]() mutable {
    try {
      line->post([found = std::move(found), result = find(look_up, name)]() mutable {
        found(std::move(result));
      });
    } catch (...) {  // no memory: those who wait have a deadline
    }
  }).detach();
}

}  // namespace ludens::server
