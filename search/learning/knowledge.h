// SPDX-License-Identifier: MIT
// What was learned about a game, in a form that outlives the match.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/machine/vocabulary.h"
#include "gdl/rules/canonical_names.h"
#include "gdl/text/error.h"
#include "search/learning/learning_options.h"
#include "search/learning/training.h"
#include "search/learning/tuple_form.h"
#include "search/learning/value_shape.h"

namespace ludens::search {

/// Everything that a learner needs to continue where another one stopped. Plain data, in the ids of
/// one vocabulary.
struct Knowledge {
  LearningStatistics statistics;
  TupleForm form;
  ValueShape shape;
  std::vector<std::vector<gdl::MoveId>> waits;  // of Movers
  std::vector<TrainedWeight> weights;           // of Training
  /// The most moves for which the values depend on what roles can reach: of the machine that it is
  /// for (see `reach.h`). 0 for a machine without that.
  std::uint32_t reach = 0;
};

/// Bytes of the longest file of knowledge.
inline constexpr std::size_t kMostKnowledge = std::size_t{64} << 20;
/// No more weights make up a value in a file.
inline constexpr std::size_t kMostLookups = 4'096;

/// The bytes of a file: the fingerprint of the game, then everything in terms of canonical names,
/// so that it can be used after a host has scrambled the names.
std::string write_knowledge(const Knowledge& knowledge, const gdl::Vocabulary& vocabulary,
                            const gdl::CanonicalNames& names);

/// Whether the file is short enough to be read again, whatever the weights become. Those that
/// `knowledge` has, if it has any, do not matter.
bool fits_into_a_file(const Knowledge& knowledge, const gdl::Vocabulary& vocabulary);

/// Reads it in the ids of `vocabulary`, or returns a sentence about what is wrong with the bytes.
/// The bytes may be untrusted: whatever they contain, the result is consistent and takes no more
/// memory than three times `kMostKnowledge`.
gdl::Result<Knowledge> read_knowledge(std::string_view bytes, const gdl::Vocabulary& vocabulary,
                                      const gdl::CanonicalNames& names);

/// `Knowledge::reach` of the bytes: they can only be read in the ids of a machine that reaches as
/// far. A sentence as of `read_knowledge` if they are damaged or for another game, or if it is more
/// than `gdl::kMostReach`; nothing else in them is examined.
gdl::Result<std::uint32_t> reach_of_knowledge(std::string_view bytes,
                                              const gdl::CanonicalNames& names);

/// A sentence that says what is wrong with the bytes as a whole, or with the game that they are
/// for; nullopt if nothing is. Does not examine their contents. An empty `fingerprint` accepts any
/// game.
std::optional<std::string> problem_of_knowledge(std::string_view bytes,
                                                std::string_view fingerprint);

/// Where knowledge is kept. Thread-safe.
class KnowledgeStore {
 public:
  virtual ~KnowledgeStore() = default;
  /// The bytes of the file for a game, by its fingerprint; empty if there is none.
  [[nodiscard]] virtual std::string find(const std::string& fingerprint) const = 0;
};

}  // namespace ludens::search
