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

/// Counts the parentheses of a text that comes in pieces, comments left out (`;` to the line's end,
/// `#| |#`), as the parser reads them.
class ParenthesisCount {
 public:
  /// Reads up to the byte that closes the outermost list and returns how many bytes that were; all
  /// of them if none does.
  std::size_t feed(std::string_view bytes);
  /// As many closed as opened, or more.
  [[nodiscard]] bool balanced() const { return depth_ <= 0; }
  /// A list has been opened and closed again.
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
  Hosts,  // as below
  Plain   // by Content-Length or the last chunk; without either there is none
};

/// Collects one body. Chunks are taken apart. With Content-Length, that many bytes; if the
/// parentheses don't balance then, more, until they do. Without, up to the parenthesis that closes
/// the first one. In both of these cases the end of the stream ends the body, and so does a silence
/// of `patience`.
class BodyReader {
 public:
  enum class State { More, Complete, TooLarge, Malformed, NoMemory };

  /// What the body takes is held of `memory`, which `take_memory` hands on.
  BodyReader(const BodyAnnounced& announced, std::size_t max_bytes, BodyRule rule = BodyRule::Hosts,
             HeldBytes memory = HeldBytes());

  State feed(std::string_view bytes);
  /// The peer sends nothing more.
  State end_of_stream();
  /// While more is waited for that may never come: how long to wait before the body is taken as it
  /// is. nullopt: as long as any request may take.
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

/// Decodes `/%28INFO%29` as a form would: `+` is a blank, `%2B` a plus. Without the leading slash;
/// nullopt if the encoding is broken.
std::optional<std::string> decode_target(std::string_view target);

}  // namespace ludens::server
