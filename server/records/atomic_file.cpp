#include "server/records/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace ludens::server {

namespace {

std::error_code last_error() {
  return {errno, std::generic_category()};
}

std::error_code write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno != EINTR) return last_error();
    if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

std::error_code sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return last_error();
  const std::error_code error = ::fsync(descriptor) == 0 ? std::error_code{} : last_error();
  ::close(descriptor);
  return error;
}

std::error_code write_new(const std::string& file, std::string_view content, bool sync) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return last_error();
  std::error_code error = write_all(descriptor, content);
  if (!error && sync && ::fsync(descriptor) != 0) error = last_error();
  if (::close(descriptor) != 0 && !error) error = last_error();
  return error;
}

}  // namespace

std::error_code write_atomically(const std::filesystem::path& file, std::string_view content,
                                 Durability durability) {
  const bool sync = durability == Durability::Synced;
  const std::filesystem::path temporary =
      file.parent_path() / ("." + file.filename().string() + "." + std::to_string(::getpid()));
  std::error_code error = write_new(temporary.string(), content, sync);
  if (!error) std::filesystem::rename(temporary, file, error);
  if (error) {
    ::unlink(temporary.c_str());
    return error;
  }
  return sync ? sync_folder(file.parent_path()) : error;
}

}  // namespace ludens::server
