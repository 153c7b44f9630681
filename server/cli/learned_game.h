// SPDX-License-Identifier: MIT
// Files and lines of `learn`.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "gdl/machine/vocabulary.h"
#include "gdl/rules/canonical_names.h"
#include "gdl/text/error.h"
#include "search/learning/knowledge.h"

namespace ludens::server {

/// A game whose values are learned, and the files with what is known about it.
class LearnedGame {
 public:
  explicit LearnedGame(std::shared_ptr<const gdl::Vocabulary> vocabulary)
      : vocabulary_(std::move(vocabulary)), names_(*gdl::canonical_names(vocabulary_->rules())) {}

  [[nodiscard]] const std::string& fingerprint() const { return names_.fingerprint; }
  /// Fails with a sentence that begins with the name of the file.
  [[nodiscard]] gdl::Result<search::Knowledge> read(const std::filesystem::path& file) const;
  /// The moves for which the knowledge in a file looks ahead. Fails as `read`.
  [[nodiscard]] gdl::Result<std::uint32_t> reach_of(const std::filesystem::path& file) const;
  /// Makes the folder if it is missing, and writes the file completely or not at all. It is not
  /// written if it would be too long to be read again.
  [[nodiscard]] std::error_code write(const std::filesystem::path& file,
                                      const search::Knowledge& knowledge) const;

 private:
  std::shared_ptr<const gdl::Vocabulary> vocabulary_;
  gdl::CanonicalNames names_;
};

/// Says on standard error, at the end of `learn`, where the knowledge is.
void print_written(const std::filesystem::path& file);

/// A line of `learn`; `score`: percent of the points against mcts, if there were matches.
void print_learned(const search::LearningStatistics& done, std::optional<double> score, bool json);

}  // namespace ludens::server
