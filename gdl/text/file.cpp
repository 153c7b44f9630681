// SPDX-License-Identifier: MIT
#include "gdl/text/file.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>

namespace ludens::gdl {

Result<std::string, std::error_code> read_file(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return std::make_error_code(std::errc::is_a_directory);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::error_code(errno, std::generic_category());
  // Reads blocks: an iterator over the buffer would throw if the file can't be read.
  std::string text;
  std::array<char, 1 << 14> block;
  do {
    stream.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  } while (stream);
  if (stream.bad()) return std::make_error_code(std::errc::io_error);
  return text;
}

std::size_t write_all(int descriptor, std::string_view bytes) noexcept {
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    const ssize_t count = ::write(descriptor, bytes.data() + taken, bytes.size() - taken);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = EIO;
    if (count <= 0) break;
    taken += static_cast<std::size_t>(count);
  }
  return taken;
}

}  // namespace ludens::gdl
