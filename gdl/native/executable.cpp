// SPDX-License-Identifier: MIT
#include "gdl/native/executable.h"

#include <sys/mman.h>

#include <cstring>
#include <utility>

namespace ludens::gdl::native {

std::optional<Executable> Executable::make(std::span<const std::uint8_t> code) {
  if (code.empty()) return std::nullopt;
  void* pages =
      mmap(nullptr, code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return std::nullopt;
  Executable made(pages, code.size());
  std::memcpy(pages, code.data(), code.size());
  if (mprotect(pages, code.size(), PROT_READ | PROT_EXEC) != 0) return std::nullopt;
  return made;
}

Executable::Executable(Executable&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Executable& Executable::operator=(Executable&& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(size_, other.size_);
  return *this;
}

Executable::~Executable() {
  if (pages_ != nullptr) munmap(pages_, size_);
}

}  // namespace ludens::gdl::native
