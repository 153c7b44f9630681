// SPDX-License-Identifier: MIT
#include "server/gamemaster/token.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "gdl/text/file.h"
#include "server/http/random_token.h"

namespace ludens::server {
namespace {

bool is_token(const std::string& text) {
  return text.size() == kTokenLength &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// The content of a regular file; empty if there is none.
std::string read_token(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor < 0) return {};
  std::string text(kTokenLength + 1, '\0');
  std::size_t length = 0;
  for (ssize_t count = 1; count > 0 && length < text.size();) {
    count = ::read(descriptor, text.data() + length, text.size() - length);
    if (count > 0) length += static_cast<std::size_t>(count);
    if (count < 0 && errno == EINTR) count = 1;  // again
  }
  ::close(descriptor);
  text.resize(length);
  return text;
}

/// Returns an empty string, or what went wrong.
std::string write_token(const std::string& file, const std::string& token) {
  ::unlink(file.c_str());  // never writes to what is already there
  const int descriptor =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return file + ": " + std::strerror(errno);
  const bool written = gdl::write_all(descriptor, token) == token.size();
  std::string problem = written ? "" : file + ": " + std::strerror(errno);
  ::close(descriptor);
  return problem;
}

}  // namespace

std::string token_file(const std::string& folder) {
  return folder.empty() ? folder : (std::filesystem::path(folder) / "gamemaster-token").string();
}

gdl::Result<std::string> kept_token(const std::string& folder) {
  std::string token = random_token();
  if (folder.empty()) return {boost::system::in_place_value, std::move(token)};
  const std::string file = token_file(folder);
  if (std::string kept = read_token(file); is_token(kept)) {
    return {boost::system::in_place_value, std::move(kept)};
  }
  std::error_code ignored;  // opening the file says what is wrong
  std::filesystem::create_directories(folder, ignored);
  const std::string problem = write_token(file, token);
  if (!problem.empty()) return gdl::Error{problem};
  return {boost::system::in_place_value, std::move(token)};
}

}  // namespace ludens::server
