// SPDX-License-Identifier: MIT
#include "gdl/native/executable.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>
#else
#include <sys/mman.h>
#endif

#include <cstring>
#include <utility>

#include "gdl/memory/address_range.h"

namespace ludens::gdl::native {

// Both forms of `load` return null if there is nothing to run.

#if defined(__EMSCRIPTEN__)

// A table never becomes smaller, so places in it are reused.
// clang-format off
EM_JS(std::uint32_t, ludens_load_functions, (const void* bytes, std::size_t size), {
  try {
    var module = new WebAssembly.Module(HEAPU8.subarray(bytes, bytes + size));
    var functions = new WebAssembly.Instance(module, {"e": {"m": wasmMemory}}).exports;
    var count = WebAssembly.Module.exports(module).length;
    var blocks = Module.functionBlocks || (Module.functionBlocks = []);
    var block = blocks.find(function(b) { return b.free && b.count === count; });
    if (!block) {
      block = {first: wasmTable.grow(count), count: count};
      blocks.push(block);
    }
    block.free = false;
    for (var i = 0; i < count; ++i) wasmTable.set(block.first + i, functions[i]);
    return block.first;
  } catch (error) {
    return 0;
  }
});

EM_JS(void, ludens_drop_functions, (std::uint32_t first), {
  var block = Module.functionBlocks.find(function(b) { return b.first === first; });
  for (var i = 0; i < block.count; ++i) wasmTable.set(first + i, null);
  block.free = true;
});
// clang-format on

namespace {

/// The memory that an engine uses for each byte of a module: the module, and machine code in two
/// forms, initial and optimised.
constexpr std::size_t kTakenByByte = 4;

std::size_t memory_of(std::size_t code) {
  return code * kTakenByByte;
}

std::byte* load(std::span<const std::uint8_t> code) {
  return reinterpret_cast<std::byte*>(ludens_load_functions(code.data(), code.size()));
}
void unload(std::byte* begin, std::size_t /*size*/) {
  ludens_drop_functions(reinterpret_cast<std::uintptr_t>(begin));
}

}  // namespace

#else

namespace {

/// From this size on, code is in large pages: each pass runs all of it, and the processor does not
/// remember the addresses of that many small ones.
constexpr std::size_t kLargeCode = std::size_t{1} << 18;

std::size_t memory_of(std::size_t code) {
  constexpr std::size_t kPage = AddressRange::kLargePage;
  return code < kLargeCode ? code : (code + kPage - 1) / kPage * kPage;
}

void unload(std::byte* begin, std::size_t size) {
  munmap(begin, memory_of(size));
}

/// Memory that begins with a large page, if code of this size does; null if there is none.
std::byte* map_for(std::size_t code) {
  const std::size_t bytes = memory_of(code);
  const std::size_t more = code < kLargeCode ? 0 : AddressRange::kLargePage;
  void* const pages =
      mmap(nullptr, bytes + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(pages);
  if (more == 0) return begin;
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(pages) % more;
  if (before != 0) munmap(begin, before);
  munmap(begin + before + bytes, more - before);
  AddressRange::prefer_large_pages(begin + before, bytes);
  return begin + before;
}

std::byte* load(std::span<const std::uint8_t> code) {
  std::byte* const begin = map_for(code.size());
  if (begin == nullptr) return nullptr;
  std::memcpy(begin, code.data(), code.size());
  if (mprotect(begin, memory_of(code.size()), PROT_READ | PROT_EXEC) == 0) return begin;
  unload(begin, code.size());
  return nullptr;
}

}  // namespace

#endif

std::optional<Executable> Executable::make(std::span<const std::uint8_t> code) {
  if (code.empty()) return std::nullopt;
  std::byte* const begin = load(code);
  if (begin == nullptr) return std::nullopt;
  return Executable(begin, code.size());
}

Executable::Executable(Executable&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Executable& Executable::operator=(Executable&& other) noexcept {
  std::swap(begin_, other.begin_);
  std::swap(size_, other.size_);
  return *this;
}

Executable::~Executable() {
  if (begin_ != nullptr) unload(begin_, size_);
}

std::size_t Executable::size() const {
  return memory_of(size_);
}

}  // namespace ludens::gdl::native
