// SPDX-License-Identifier: MIT
// WebAssembly with registers of 128 bits.
// Source: WebAssembly Core Specification, release 2.0, chapter 5 (binary format).
#include <string_view>
#include <utility>

#include "gdl/native/encoder.h"
#include "gdl/native/expression.h"

namespace ludens::gdl::native {

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr Encoder::Abilities kSimd128{13, 2, true};
constexpr std::uint32_t kSlotBytes = 16, kSlotAlignment = 4;  // a power of two
/// Engines compile a function as a whole, which takes more than twice as long for one of twice the
/// length, and refuse those of more than seven megabytes.
constexpr std::size_t kMostFunctionBytes = 32768;

enum Opcode : std::uint8_t {
  kCall = 0x10,
  kLocalGet = 0x20,
  kLocalSet = 0x21,
  kSimd = 0xfd,  // then one of the others
  kLoad = 0x00,
  kStore = 0x0b,
  kConst = 0x0c,
  kNot = 0x4d,
  kBothOf = 0x4e,
  kFirstWithout = 0x4f,  // a & ~b
  kEitherOf = 0x50,
  kOneOf = 0x51,
  kEnd = 0x0b,
};
enum Type : std::uint8_t { kI32 = 0x7f, kV128 = 0x7b, kFunction = 0x60 };
enum Section : std::uint8_t { kTypes = 1, kImports, kFunctions, kExports = 7, kCode = 10 };
constexpr std::uint8_t kMemoryKind = 2, kFunctionKind = 0;
constexpr std::uint32_t kPointer = 0;  // the local with the address of slot 0; registers follow

/// Numbers are LEB128.
void append_number(Bytes& to, std::uint64_t n) {
  for (; n >= 0x80; n >>= 7) to.push_back(static_cast<std::uint8_t>(n | 0x80));
  to.push_back(static_cast<std::uint8_t>(n));
}
void append(Bytes& to, const Bytes& from) {
  to.insert(to.end(), from.begin(), from.end());
}
void append_name(Bytes& to, std::string_view name) {
  append_number(to, name.size());
  to.insert(to.end(), name.begin(), name.end());
}
/// Appends bytes with their length before them.
void append_sized(Bytes& to, const Bytes& from) {
  append_number(to, from.size());
  append(to, from);
}

std::uint8_t opcode_of(std::uint8_t table) {
  switch (table) {
    case kAnd:
      return kBothOf;
    case kOr:
      return kEitherOf;
    case kAndNot:
      return kFirstWithout;
    default:
      return kOneOf;
  }
}

/// Registers are locals: an engine decides which of them it keeps in registers of the processor,
/// which is easiest if there are about as many. A function that grows long is cut into pieces, and
/// another function calls them in order.
class WasmEncoder final : public Encoder {
 public:
  WasmEncoder() : Encoder(kSimd128) {}

  void load(std::uint8_t to, std::uint32_t slot) override {
    push({true, slot});
    pop(to);
  }
  void store(std::uint32_t slot, std::uint8_t from) override {
    get(kPointer);
    push({false, from});
    at_slot(kStore, slot);
  }
  void move(std::uint8_t to, std::uint8_t from) override {
    push({false, from});
    pop(to);
  }
  void constant(std::uint8_t to, bool value) override {
    simd(kConst);
    body_.insert(body_.end(), kSlotBytes, value ? 0xff : 0x00);
    pop(to);
  }
  void complement(std::uint8_t to, Place from) override {
    push(from);
    simd(kNot);
    pop(to);
  }
  void bitwise(std::uint8_t table, std::uint8_t to, Place first, Place second) override {
    if (table == kAndNot) std::swap(first, second);
    push(first);
    push(second);
    simd(opcode_of(table));
    pop(to);
  }

  [[nodiscard]] bool is_long() const override { return body_.size() >= kMostFunctionBytes; }

  void split() override { pieces_.push_back(add(body_)); }

  // Addresses have 32 bits.
  std::optional<std::size_t> end_function(std::size_t slots) override {
    if (slots >= (std::uint64_t{1} << 32) / kSlotBytes) return std::nullopt;
    if (!pieces_.empty()) {
      split();
      for (const std::uint32_t piece : pieces_) {
        get(kPointer);
        body_.push_back(kCall);
        append_number(body_, piece);
      }
      pieces_.clear();
    }
    exported_.push_back(add(body_));
    return exported_.size() - 1;
  }

  std::vector<std::uint8_t> finish() override {
    Bytes module{0x00, 'a', 's', 'm', 0x01, 0x00, 0x00, 0x00};
    append_section(module, kTypes, {1, kFunction, 1, kI32, 0});
    Bytes import{1};
    append_name(import, "e");
    append_name(import, "m");
    append(import, {kMemoryKind, 0, 0});  // of any size
    append_section(module, kImports, import);
    Bytes functions;
    append_number(functions, count_);
    functions.insert(functions.end(), count_, 0);  // their type
    append_section(module, kFunctions, functions);
    Bytes exports;
    append_number(exports, exported_.size());
    for (std::size_t i = 0; i < exported_.size(); ++i) {
      append_name(exports, std::to_string(i));
      exports.push_back(kFunctionKind);
      append_number(exports, exported_[i]);
    }
    append_section(module, kExports, exports);
    Bytes code;
    append_number(code, count_);
    append(code, functions_);
    append_section(module, kCode, code);
    return module;
  }

 private:
  static void append_section(Bytes& module, Section section, const Bytes& content) {
    module.push_back(section);
    append_sized(module, content);
  }

  void get(std::uint32_t local) {
    body_.push_back(kLocalGet);
    append_number(body_, local);
  }
  void push(Place place) {
    if (!place.in_slot) return get(place.number + 1);
    get(kPointer);
    at_slot(kLoad, place.number);
  }
  void pop(std::uint8_t to) {
    body_.push_back(kLocalSet);
    append_number(body_, to + 1U);
  }
  void simd(std::uint8_t operation) {
    body_.push_back(kSimd);
    body_.push_back(operation);
  }
  void at_slot(std::uint8_t operation, std::uint32_t slot) {
    simd(operation);
    append_number(body_, kSlotAlignment);
    append_number(body_, std::uint64_t{slot} * kSlotBytes);
  }

  /// Returns its number; the body is empty afterwards.
  std::uint32_t add(Bytes& body) {
    Bytes function{1};  // one kind of locals
    append_number(function, abilities().registers);
    function.push_back(kV128);
    append(function, body);
    function.push_back(kEnd);
    append_sized(functions_, function);
    body.clear();
    return count_++;
  }

  Bytes body_;       // of the current piece
  Bytes functions_;  // bodies, each with its length
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> pieces_;    // of the current function
  std::vector<std::uint32_t> exported_;  // their numbers
};

}  // namespace

std::unique_ptr<Encoder> make_wasm_encoder() {
  return std::make_unique<WasmEncoder>();
}

}  // namespace ludens::gdl::native
