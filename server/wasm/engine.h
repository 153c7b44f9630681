// SPDX-License-Identifier: MIT
// Everything that a page asks of the program inside it, as JSON.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace ludens::server::wasm {

/// One match at a time: at a table, or in a seat at Gamemaster. Not thread-safe.
///
///     {"do":"look","text":..}  tells {"roles":[..]} of rules
///     {"do":"table","game":..,"text":..,"people":[role,..],"ms":..,"seed":..}  begins a match
///     {"do":"move","role":..,"step":..,"move":..}  {"do":"hint","role":..,"step":..}
///     {"do":"undo"}  {"do":"resign","role":..}  {"do":"restart","role":..}
///     these five with the match's "id", too: refused if another match has begun meanwhile
///     {"do":"go"}    does a part of what there is to do, as long as one move's clock
///     {"do":"message","player":..,"text":..,"ms":..}   of the manager; ms: the rest of its clock
///     {"do":"ponder","ms":..}
///     {"do":"measure","text":..,"machine":..,"ms":..}   playouts and searches, for figures
///
/// Each is answered by {"busy":b} with `problem`, a sentence, if it could not be done; `busy` says
/// whether `go`, or `ponder`, has something to do. A message is answered as Seat describes. Events
/// in between are reported: {"event":..,"data":..} for a table, {"view":..} for a seat.
class Engine {
 public:
  using Tell = std::function<void(const std::string& json)>;

  /// `memory_bytes`: for a match.
  Engine(std::size_t memory_bytes, Tell tell);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  std::string ask(std::string_view request);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ludens::server::wasm
