// SPDX-License-Identifier: MIT
#include "gdl/text/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

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

}  // namespace
}  // namespace ludens::gdl
