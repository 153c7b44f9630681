// SPDX-License-Identifier: MIT
// Signals as a request to stop.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

namespace ludens::server {

/// While it lives, the first SIGINT, SIGTERM, SIGQUIT or SIGHUP (unless that one is ignored, as
/// `nohup` wants it) requests a stop. What runs then has a little less than two seconds to come to
/// its end; after that, or at a second signal, the program is ended as the signal does by default.
class Interrupt {
 public:
  /// What else a signal may do, in a thread of its own. Empty: what stands above.
  struct Calls {
    std::function<void()> hangup;  // at each SIGHUP, which then is no request to stop
    std::function<void()> second;  // at the second signal; the third is by default
  };

  explicit Interrupt(Calls calls);
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  [[nodiscard]] std::stop_token token() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server
