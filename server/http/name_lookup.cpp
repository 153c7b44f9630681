// SPDX-License-Identifier: MIT
#include "server/http/name_lookup.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace ludens::server {
namespace {

namespace asio = boost::asio;

/// Posts to a context as long as it exists. Any thread.
class Door {
 public:
  explicit Door(asio::io_context& context) : context_(&context) {}
  void post(std::function<void()> function) {
    const std::lock_guard lock(mutex_);
    if (context_ != nullptr) asio::post(*context_, std::move(function));
  }
  void close() {
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
  }

 private:
  std::mutex mutex_;
  asio::io_context* context_;
};

/// Closes the door when the destruction of the context begins.
class DoorOfContext final : public asio::execution_context::service {
 public:
  inline static asio::execution_context::id id;
  explicit DoorOfContext(asio::io_context& context)
      : service(context), door_(std::make_shared<Door>(context)) {}
  [[nodiscard]] const std::shared_ptr<Door>& door() const { return door_; }

 private:
  void shutdown() override { door_->close(); }
  std::shared_ptr<Door> door_;
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
  auto door = asio::use_service<DoorOfContext>(context).door();
  std::thread([door = std::move(door), look_up = std::move(look_up), name = std::move(name),
               found = std::move(found)]() mutable {
    try {
      door->post([found = std::move(found), result = find(look_up, name)]() mutable {
        found(std::move(result));
      });
    } catch (...) {  // no memory: those who wait have a deadline
    }
  }).detach();
}

}  // namespace ludens::server
