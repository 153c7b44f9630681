// Ctrl-C and SIGTERM as a request to stop.
#pragma once

#include <memory>
#include <stop_token>

namespace ludens::server {

/// While it lives, the first SIGINT or SIGTERM requests a stop; the second ends the program.
class Interrupt {
 public:
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
