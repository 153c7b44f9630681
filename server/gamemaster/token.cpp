// SPDX-License-Identifier: MIT
#include "server/gamemaster/token.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "server/http/random_token.h"

namespace ludens::server {
namespace {

bool is_token(const std::string& text) {
  return text.size() == kTokenLength &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// What stands in a regular file; empty where there is none.
std::string read_token(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor < 0) return {};
  char text[kTokenLength + 1] = {};
  const ssize_t count = ::read(descriptor, text, sizeof text);
  ::close(descriptor);
  return count == kTokenLength ? std::string(text, kTokenLength) : std::string();
}

/// Empty, or what went wrong.
std::string write_token(const std::string& file, const std::string& token) {
  ::unlink(file.c_str());  // whatever lies there, it is not written to
  const int descriptor =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return file + ": " + std::strerror(errno);
  const bool whole =
      ::write(descriptor, token.data(), token.size()) == static_cast<ssize_t>(token.size());
  const std::string problem = whole ? "" : file + ": " + std::strerror(errno);
  ::close(descriptor);
  return problem;
}

}  // namespace

gdl::Result<std::string> kept_token(const std::string& folder) {
  std::string token = random_token();
  if (folder.empty()) return {boost::system::in_place_value, std::move(token)};
  const std::string file = (std::filesystem::path(folder) / "gamemaster-token").string();
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
