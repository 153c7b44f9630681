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
///     {"do":"look","text":..}  tells {"roles":[..],"diagnostics":[..],"more":n,"strategies":[..]}:
///     a diagnostic is {"line","column","severity","text"}, of the first hundred, and `more` those
///     left out; {"do":"look","text":..,"all":true}, which takes up to two seconds, tells all that
///     can be said
///     {"do":"table","game":..,"text":..,"seats":[..],"startClock":s,"playClock":s,"seed":..,
///     "record":..}  begins a match; a seat is {"person":true}, {"page":identifier} or
///     {"strategy":..,"ms":..}; `record`: the text of the match that goes on, if there is one
///     {"do":"move","role":..,"step":..,"move":..,"ms":taken}  {"do":"hint","role":..,"step":..}
///     {"do":"answer","role":..,"step":..,"text":..,"ms":..}  of a page; without `text`: none
///     {"do":"undo"}  {"do":"resign","role":..}  {"do":"restart","role":..}
///     these six with the match's "id", too: refused if another match has begun meanwhile
///     {"do":"record"}  answers {"record":text,"steps":n}: the match so far in the JSON of ggp.org
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
