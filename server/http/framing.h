// SPDX-License-Identifier: MIT
// Where a body ends, for peers that break HTTP: hosts that count characters instead of bytes, that
// send no Content-Length, or that neither say how long a body is nor close the connection.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/chunks.h"
#include "server/http/head.h"
#include "server/http/wire_memory.h"

namespace ludens::server {

/// Counts the parentheses of a text that arrives in pieces, without comments (`;` to the line's
/// end, `#| |#`), like the parser.
class ParenthesisCount {
 public:
  /// Reads up to the byte that closes the outermost list and returns how many bytes that were; all
  /// of them if none does.
  std::size_t feed(std::string_view bytes);
  /// Whether at least as many are closed as opened.
  [[nodiscard]] bool balanced() const { return depth_ <= 0; }
  /// Whether a list has been opened and closed again.
  [[nodiscard]] bool list_closed() const { return closed_ && balanced(); }

 private:
  enum class Where { Between, Atom, Hash, LineComment, BlockComment, BlockBar };
  void read(char c);
  void read_text(char c);
  Where where_ = Where::Between;
  long depth_ = 0;
  bool closed_ = false;
};

/// How bodies end.
enum class BodyRule {
  Hosts,    // as below
  Replies,  // as below, but a body without Content-Length may be long in coming: a player may send
            // the head at once and the body when it has thought
  Plain     // by Content-Length or the last chunk; without either there is no body
};

/// Collects one body. Chunks are decoded. With Content-Length, the body has that many bytes; if the
/// parentheses don't balance then, it continues until they do. Without it, the body extends to the
/// parenthesis that closes the first one. In both of these cases the end of the stream ends the
/// body, and so does a silence of `patience`.
class BodyReader {
 public:
  enum class State { More, Complete, TooLarge, Malformed, NoMemory };

  /// The body's memory is reserved from `memory`; `take_memory` passes it on.
  BodyReader(const BodyAnnounced& announced, std::size_t max_bytes, BodyRule rule = BodyRule::Hosts,
             HeldBytes memory = HeldBytes());

  State feed(std::string_view bytes);
  /// To be called when the peer sends nothing more.
  State end_of_stream();
  /// How long to wait for more bytes, which may never come, before the body is accepted as it is.
  /// nullopt: as long as the whole message may take.
  [[nodiscard]] std::optional<std::chrono::milliseconds> patience() const;
  std::string take();
  HeldBytes take_memory() { return std::move(memory_); }

 private:
  State feed_chunks(std::string_view bytes);
  State feed_announced(std::string_view bytes);
  State feed_to_balance(std::string_view bytes);
  [[nodiscard]] State append(std::string_view bytes, State state);

  BodyAnnounced announced_;
  std::size_t max_bytes_;
  BodyRule rule_;
  HeldBytes memory_;
  std::optional<ChunkDecoder> chunks_;
  std::string body_;
  ParenthesisCount count_;
};

/// Ends a body that may be complete when nothing arrives for as long as its `patience` says. Every
/// piece that arrives begins the silence anew.
class Silence {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// Records that a piece has arrived, and the patience of the body after it.
  void heard(TimePoint now, std::optional<std::chrono::milliseconds> patience) {
    end_.reset();
    if (patience) end_ = now + *patience;
  }
  /// When the body is over if nothing arrives until then; nullopt: not by silence.
  [[nodiscard]] std::optional<TimePoint> end() const { return end_; }
  [[nodiscard]] bool over(TimePoint now) const { return end_ && now >= *end_; }

 private:
  std::optional<TimePoint> end_;
};

/// Decodes `/%28INFO%29` as a form would: `+` is a blank, `%2B` a plus. Without the leading slash;
/// nullopt if the encoding is broken.
std::optional<std::string> decode_target(std::string_view target);

}  // namespace ludens::server
