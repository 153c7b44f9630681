// SPDX-License-Identifier: MIT
// The player of Gamemaster's protocol in one thread: what the bridge and the agent do together if
// there are threads and sockets.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace ludens::server::wasm {

/// Plays one match at a time. Not thread-safe.
class Seat {
 public:
  /// Called with what the page shows while a move is searched for: the members of a view.
  using Tell = std::function<void(const boost::json::object&)>;

  Seat(std::size_t memory_bytes, Tell tell);
  ~Seat();
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  /// A message of the manager to `player`, answered within `left`: {"answer": text or null}, and
  /// `problem`, a sentence, if it was ignored. Without time it is processed without thinking.
  boost::json::object message(const std::string& player, const std::string& text,
                              std::chrono::milliseconds left);
  /// Keeps thinking while the manager asks for nothing; false if there is nothing to think about.
  bool ponder(std::chrono::milliseconds time);

 private:
  class Match;
  const std::size_t memory_bytes_;
  Tell tell_;
  std::unique_ptr<Match> match_;
};

}  // namespace ludens::server::wasm
