// SPDX-License-Identifier: MIT
// The chunked transfer coding (RFC 9112, section 7.1), decoded as the bytes arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ludens::server {

/// A state machine over single bytes, so that it makes no difference how they are split. It stores
/// no bytes: everything except chunk data is checked, counted and discarded. Chunk extensions and
/// trailer fields are of no use to us and are limited in length, each over the whole body.
class ChunkDecoder {
 public:
  enum class State { More, Complete, TooLarge, Malformed };
  /// The most bytes of all extensions, and of all trailer fields.
  static constexpr std::size_t kMaxExtensions = std::size_t{16} << 10;
  static constexpr std::size_t kMaxTrailers = std::size_t{16} << 10;

  /// A body may have `max_bytes` of data.
  explicit ChunkDecoder(std::size_t max_bytes) : left_(max_bytes) {}

  /// Continues in `bytes`, up to the end of a piece of data or to the end of everything. Removes
  /// what it has read from the front; `data` is the piece of the body that was found, a view into
  /// `bytes`. Must be called until `bytes` is empty or the state is no longer More.
  State next(std::string_view& bytes, std::string_view& data);

 private:
  enum class At {
    SizeStart,
    Size,
    Padding,
    Extension,
    SizeEnd,
    Data,
    DataCr,
    DataLf,
    TrailerStart,
    TrailerName,
    TrailerValue,
    TrailerEnd,
    LastLf
  };
  State read(char c);
  State read_size(char c);
  State read_padding(char c);
  State read_extension(char c);
  State size_ended(char c);
  State read_trailer(char c);
  /// Moves on to `at` if `c` is the expected byte.
  State expect(char c, char expected, At at);

  At at_ = At::SizeStart;
  std::uint64_t size_ = 0;  // of the chunk; the missing part while its data arrives
  int digits_ = 0;
  std::uint64_t left_;  // data that may still come
  std::size_t extensions_ = 0, trailers_ = 0;
};

}  // namespace ludens::server
