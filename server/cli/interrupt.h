// SPDX-License-Identifier: MIT
// Signals as a request to stop.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

namespace ludens::server {

/// While it lives, the first SIGINT, SIGTERM, SIGQUIT or SIGHUP (unless that one is ignored, as
/// `nohup` wants it) requests a stop. The running work then has a little less than two seconds to
/// end; after that, or at a second signal, the program is ended by the signal's default action.
class Interrupt {
 public:
  /// Other effects of signals, in a separate thread. Empty: as described above.
  struct Calls {
    std::function<void()> hangup;  // at each SIGHUP, which is then not a request to stop
    std::function<void()> second;  // at the second signal; the third is by default
  };

  explicit Interrupt(Calls calls);
  /// Where the system has no thread for it, signals keep their default effect.
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
