// SPDX-License-Identifier: MIT
// The chunked transfer coding (RFC 9112, section 7.1), decoded as the bytes come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ludens::server {

/// A state machine over single bytes, so that it makes no difference how they are split. It stores
/// no byte: what is not data of a chunk is checked, counted and forgotten. Chunk extensions and
/// trailer fields carry nothing for us and are limited in length, each over the whole body.
class ChunkDecoder {
 public:
  enum class State { More, Complete, TooLarge, Malformed };
  /// Bytes of all extensions, and bytes of all trailer fields.
  static constexpr std::size_t kMaxExtensions = std::size_t{16} << 10;
  static constexpr std::size_t kMaxTrailers = std::size_t{16} << 10;

  /// A body may have `max_bytes` of data.
  explicit ChunkDecoder(std::size_t max_bytes) : left_(max_bytes) {}

  /// Reads on in `bytes`, up to the end of a piece of data or to the end of all. Takes what it has
  /// read off the front; `data` is the piece of the body that was found, a view into `bytes`. To be
  /// called until `bytes` is empty or the state is no longer More.
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
  /// Goes on to `at` if `c` is the byte expected.
  State expect(char c, char expected, At at);

  At at_ = At::SizeStart;
  std::uint64_t size_ = 0;  // of the chunk; what is missing of it while its data comes
  int digits_ = 0;
  std::uint64_t left_;  // data that may still come
  std::size_t extensions_ = 0, trailers_ = 0;
};

}  // namespace ludens::server
