// SPDX-License-Identifier: MIT
// Makes ground rules for one head at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gdl/ground/grounder.h"
#include "gdl/memory/held_memory.h"

namespace ludens::gdl {

/// The bodies of the ground rules of one head.
class Bodies {
 public:
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::span<const AtomLiteral> operator[](std::size_t i) const {
    const std::uint32_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(literals_).subspan(begin, ends_[i] - begin);
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_of(literals_, ends_); }
  void clear() {
    literals_.clear();
    ends_.clear();
  }
  void add(AtomLiteral literal) { literals_.push_back(literal); }
  void end_body() { ends_.push_back(static_cast<std::uint32_t>(literals_.size())); }

 private:
  std::vector<AtomLiteral> literals_;
  std::vector<std::uint32_t> ends_;
};

/// Joins each rule's body with its head given, so that tens of millions of ground rules are never
/// stored. Static literals and what filters vanish from the bodies. The program must outlive it and
/// must not change, except for the indices that this adds to it.
class Instances {
 public:
  Instances(GroundProgram& program, const GroundingLimits& limits);
  ~Instances();
  Instances(const Instances&) = delete;
  Instances& operator=(const Instances&) = delete;

  /// Replaces `out`. False if a limit was reached; from then on `out` means nothing.
  bool of(Atom head, Bodies& out);
  /// Counts the bytes that the caller has made from the ground rules so far, too.
  void note_made(std::size_t bytes);
  /// The number of ground rules so far.
  [[nodiscard]] std::uint64_t count() const;
  /// Why `of` returned false.
  [[nodiscard]] const GroundingFailure& failure() const;

 private:
  class Maker;
  std::unique_ptr<Maker> maker_;
};

}  // namespace ludens::gdl
