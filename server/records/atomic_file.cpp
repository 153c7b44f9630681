// SPDX-License-Identifier: MIT
#include "server/records/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "gdl/text/file.h"

namespace ludens::server {

namespace {

std::error_code last_error() {
  return {errno, std::generic_category()};
}

std::error_code sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return last_error();
  const std::error_code error = ::fsync(descriptor) == 0 ? std::error_code{} : last_error();
  ::close(descriptor);
  return error;
}

std::error_code write_to(const std::filesystem::path& file, int flags, std::string_view content,
                         bool sync) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (descriptor < 0) return last_error();
  std::error_code error;
  if (gdl::write_all(descriptor, content) < content.size()) error = last_error();
  if (!error && sync && ::fsync(descriptor) != 0) error = last_error();
  if (::close(descriptor) != 0 && !error) error = last_error();
  return error;
}

/// Whether there is something that a rename would destroy.
bool is_special(const std::filesystem::path& file) {
  struct stat found {};
  return ::stat(file.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

/// Whether a device can be written to. An empty write changes nothing there, and one that is always
/// full refuses it. A pipe is not opened: its reader would take the close for the end.
std::error_code try_special(const std::filesystem::path& file) {
  if (!std::filesystem::is_character_file(file)) return {};
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) return last_error();
  const std::error_code error = ::write(descriptor, "", 0) < 0 ? last_error() : std::error_code{};
  ::close(descriptor);
  return error;
}

/// The end of a chain of links, whether it exists or not.
std::filesystem::path target_of(std::filesystem::path file) {
  constexpr int kMostLinks = 40;  // the limit of the system
  std::error_code error;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(file, error); ++i) {
    file = file.parent_path() / std::filesystem::read_symlink(file, error);
  }
  return file;
}

std::filesystem::path temporary_beside(const std::filesystem::path& file) {
  return file.parent_path() / ("." + file.filename().string() + "." + std::to_string(::getpid()));
}

}  // namespace

std::error_code write_atomically(const std::filesystem::path& name, std::string_view content,
                                 Durability durability) {
  if (is_special(name)) return write_to(name, 0, content, false);
  const std::filesystem::path file = target_of(name);
  const bool sync = durability == Durability::Synced;
  const std::filesystem::path temporary = temporary_beside(file);
  std::error_code error = write_to(temporary, O_CREAT | O_TRUNC, content, sync);
  if (!error) std::filesystem::rename(temporary, file, error);
  if (error) {
    ::unlink(temporary.c_str());
    return error;
  }
  return sync ? sync_folder(file.parent_path()) : error;
}

std::error_code try_writing(const std::filesystem::path& name) {
  if (is_special(name)) return try_special(name);
  const std::filesystem::path file = target_of(name);
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    return std::make_error_code(std::errc::is_a_directory);
  }
  const std::filesystem::path temporary = temporary_beside(file);
  error = write_to(temporary, O_CREAT | O_TRUNC, "\n", false);
  ::unlink(temporary.c_str());
  return error;
}

}  // namespace ludens::server
