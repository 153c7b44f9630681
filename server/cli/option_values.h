// SPDX-License-Identifier: MIT
// What values options take: checks for the command line and the configuration file, each with a
// sentence that says what is wanted.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace ludens::server {

/// The shortest and the longest time that make sense, a millisecond and three years, in seconds:
/// clocks count them without overflow.
inline constexpr double kLeastSeconds = 0.001, kMaxSeconds = 1e8;
inline constexpr std::uint64_t kMaxThreads = 1024, kMaxMemoryMb = 1 << 24;
inline constexpr std::uint64_t kMaxCount = 1'000'000'000'000;  // of playouts, states, steps
inline constexpr std::uint64_t kMaxSeed = UINT64_MAX;

/// A whole number, in decimal digits, of at least `low` and at most `high`. For `transform`: it
/// removes leading zeros, with which CLI11 reads a number as octal.
CLI::Validator whole(std::int64_t low, std::uint64_t high);

/// A number of at least `low` and at most `high`. `nan` and `inf` are not numbers.
CLI::Validator number(double low, double high);

/// One of some names; the message has the nearest, or otherwise all of them.
CLI::Validator one_of(std::vector<std::string> names);

/// A machine of the library, by name.
CLI::Validator machine_name();

/// A regular expression (ECMAScript).
CLI::Validator expression();

/// A strategy with its options.
CLI::Validator strategy();

/// A player of a match, or `human`.
CLI::Validator player();

/// An address, or a network.
CLI::Validator network();

/// A part of a tournament.
CLI::Validator shard();

}  // namespace ludens::server
