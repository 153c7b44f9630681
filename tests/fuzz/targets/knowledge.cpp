// SPDX-License-Identifier: MIT
#include "search/learning/knowledge.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "gdl/memory/hash.h"
#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "search/learning/knowledge_join.h"
#include "search/learning/learner.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::fuzz {

namespace {

/// Learned on for a few games, a stranger's knowledge may be no larger.
constexpr std::size_t kMostTables = 8;

/// Two take one or two from a heap of four; who takes the last one has won.
constexpr const char* kHeap = R"(
(role a) (role b) (init (heap 4)) (init (turn a)) (other a b) (other b a)
(minus 4 1 3) (minus 4 2 2) (minus 3 1 2) (minus 3 2 1) (minus 2 1 1) (minus 2 2 0) (minus 1 1 0)
(<= (legal ?r (take ?n)) (true (turn ?r)) (true (heap ?h)) (minus ?h ?n ?rest))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (heap ?rest)) (does ?r (take ?n)) (true (heap ?h)) (minus ?h ?n ?rest))
(<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))
(<= terminal (true (heap 0)))
(<= (goal ?r 0) (true (turn ?r)))
(<= (goal ?r 100) (role ?r) (not (true (turn ?r)))))";

struct Game {
  std::shared_ptr<const gdl::Machine> machine;
  gdl::CanonicalNames names;
  std::string head;  // of the game's files: magic, version and fingerprint
};

std::string head_of_files(const std::shared_ptr<const gdl::Machine>& machine,
                          const gdl::CanonicalNames& names) {
  const auto learner = search::Learner::make(machine, {}, nullptr, search::Deadline());
  require(learner.has_value(), "the game can be learned");
  const std::string bytes =
      search::write_knowledge((*learner)->knowledge(), *machine->vocabulary(), names);
  return bytes.substr(0, bytes.find(names.fingerprint) + names.fingerprint.size());
}

const Game& game() {
  static const Game made = [] {
    const auto rules = gdl::read_rules(kHeap).normalised.rules;
    auto machine = gdl::make_machine("sliced", std::make_shared<gdl::Vocabulary>(rules)).value();
    auto names = *gdl::canonical_names(*rules);
    std::string head = head_of_files(machine, names);
    return Game{std::move(machine), std::move(names), std::move(head)};
  }();
  return made;
}

/// A file with these bytes behind the fingerprint: no mutation would find the sum that belongs to
/// them.
std::string file_of(std::string_view content) {
  std::string bytes = game().head;
  bytes.append(content);
  const std::uint64_t sum = gdl::hash_of_text(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

/// Whatever was read may be learned on from.
void learn_on(const search::Knowledge& knowledge) {
  if (knowledge.shape.tables() > kMostTables) return;
  search::LearningOptions options;
  options.games_at_once = 4;
  const auto learner = search::Learner::resume(game().machine, knowledge, options, nullptr);
  require(learner.has_value(), "knowledge of the game is gone on from");
  const auto status = (*learner)->learn(search::Deadline(), {.games = 4});
  require(status == gdl::Status::Ok, "learning comes to its end");
  for (const search::TrainedWeight& weight : (*learner)->knowledge().weights) {
    require(std::isfinite(weight.value), "weights stay numbers");
  }
}

/// Two learners that have learned it from nothing may be joined.
void join(const search::Knowledge& part) {
  search::Knowledge base = part;
  base.statistics = {};
  std::ranges::fill(base.weights, search::TrainedWeight());
  search::KnowledgeJoin join(base);
  for (int i = 0; i < 2; ++i) require(!join.add(part), "knowledge comes from nothing");
  for (const search::TrainedWeight& weight : join.joined().weights) {
    require(std::isfinite(weight.value), "joined weights stay numbers");
    require(weight.error_size >= std::abs(weight.error_sum), "joined errors have a size");
  }
}

}  // namespace

bool is_knowledge(std::string_view input) {
  const gdl::Vocabulary& vocabulary = *game().machine->vocabulary();
  return search::read_knowledge(file_of(input), vocabulary, game().names).has_value();
}

void knowledge(std::string_view input) {
  const gdl::Vocabulary& vocabulary = *game().machine->vocabulary();
  if (const auto problem = search::problem_of_knowledge(input, {})) require_sentence(*problem);
  const auto read = search::read_knowledge(file_of(input), vocabulary, game().names);
  if (!read) return require_sentence(read.error().text);
  const auto& knowledge = *read;
  const std::string bytes = search::write_knowledge(knowledge, vocabulary, game().names);
  const auto again = search::read_knowledge(bytes, vocabulary, game().names);
  require(again.has_value(), "what was written is read again");
  require(search::write_knowledge(*again, vocabulary, game().names) == bytes, "it says the same");
  join(knowledge);
  learn_on(knowledge);
}

}  // namespace ludens::fuzz
