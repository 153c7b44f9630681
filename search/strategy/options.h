// SPDX-License-Identifier: MIT
// The options of a strategy: their descriptions, and the given values.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "gdl/machine/rng.h"
#include "gdl/text/error.h"

namespace ludens::search {

/// The description of an option. `values` says what is accepted: `LOW..HIGH` or `LOW..` whole
/// numbers (numbers with a fraction where a bound has a point: `0.0..`), the words themselves,
/// `on|off`, or `*`: any text.
struct OptionInfo {
  std::string_view key;
  std::string_view standard;  // the default, as text
  std::string_view meaning;
  std::string_view values = "0..";
};

/// Keys and values as written.
using OptionTexts = std::map<std::string, std::string, std::less<>>;

/// machine, threads, seed, seconds, playouts, depth, threshold, ties, knowledge: known to every
/// strategy.
std::span<const OptionInfo> common_options();

/// Which of several equally good moves is taken.
enum class Ties : std::uint8_t { First, Random };

/// The checked values of one strategy's options: those given, otherwise the defaults. Requesting a
/// key that the strategy does not have, or as another type than its `values` say, is a bug and
/// throws.
class Options {
 public:
  /// The values, or a sentence about the first unknown key or bad value. `own` must outlive the
  /// result, as static tables do.
  static gdl::Result<Options> read(std::string_view strategy, std::span<const OptionInfo> own,
                                   const OptionTexts& given);

  [[nodiscard]] bool has(std::string_view key) const { return values_.contains(key); }
  [[nodiscard]] const std::string& text(std::string_view key) const;
  [[nodiscard]] std::uint64_t count(std::string_view key) const;
  /// That many times the number, or the largest one.
  [[nodiscard]] std::uint64_t count(std::string_view key, std::uint64_t times) const;
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] bool on(std::string_view key) const;

  [[nodiscard]] Ties ties() const;
  /// Seeded by `seed`, or by the system if that is 0.
  [[nodiscard]] gdl::Rng rng() const;

 private:
  OptionTexts values_;
};

}  // namespace ludens::search
