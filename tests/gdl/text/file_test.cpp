// SPDX-License-Identifier: MIT
#include "gdl/text/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace ludens::gdl {
namespace {

TEST(ReadFile, GivesWholeFilesOfAnyBytesOrTheReason) {
  const std::filesystem::path folder = testing::TempDir();
  const std::filesystem::path file = folder / ("ludens_read_file_" + std::to_string(::getpid()));
  std::string bytes(100'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31);
  std::ofstream(file, std::ios::binary) << bytes;
  EXPECT_EQ(read_file(file).value(), bytes);
  std::ofstream(file, std::ios::binary | std::ios::trunc).close();
  EXPECT_EQ(read_file(file).value(), "");
  std::filesystem::remove(file);
  EXPECT_EQ(read_file(folder).error(), std::errc::is_a_directory);
  EXPECT_EQ(read_file(file).error(), std::errc::no_such_file_or_directory);
}

TEST(WriteAll, SaysHowManyBytesWereTakenAndWhyNotAll) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_NONBLOCK | O_CLOEXEC), 0);
  EXPECT_EQ(write_all(ends[1], ""), 0U);
  EXPECT_EQ(write_all(ends[1], "whole"), 5U);
  const auto room = static_cast<std::size_t>(::fcntl(ends[1], F_GETPIPE_SZ));
  const std::size_t taken = write_all(ends[1], std::string(2 * room, 'x'));
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_GT(taken, 0U);
  EXPECT_LE(taken, room);
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_EQ(write_all(ends[1], "gone"), 0U);
  EXPECT_EQ(errno, EBADF);
}

}  // namespace
}  // namespace ludens::gdl
