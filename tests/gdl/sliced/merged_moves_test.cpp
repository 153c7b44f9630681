// SPDX-License-Identifier: MIT
// Playouts in which moves of which only one can be legal are chosen as one.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "gdl/kernel/kernel.h"
#include "gdl/network/exclusive_moves.h"
#include "gdl/pipeline/pipeline.h"
#include "gdl/sliced/network_machine.h"
#include "tests/gdl/ground/ground_rules.h"

namespace ludens::gdl {
namespace {

/// Black puts pieces on the board, then white goes with one of them or waits. Who goes gets 100,
/// who waits 50, and who goes with a piece that is not there, or with two, gets nothing.
std::string game_text(const char* puts) {
  return std::string(puts) + R"((role white) (role black) (init (control black))
  (legal black few) (legal black many)
  (<= (next (control white)) (true (control black)))
  (<= (next (at ?p)) (does black ?m) (puts ?m ?p))
  (<= (next (control end)) (true (control white)))
  (<= (next (open)) (does black ?m) (puts ?m ?p))
  (<= (legal white (go ?p)) (true (control white)) (true (open)) (true (at ?p)) (piece ?p))
  (<= (legal white wait) (true (control white))) (<= (legal white noop) (true (control black)))
  (<= (next (went ?p)) (does white (go ?p))) (<= (next (at ?p)) (true (at ?p)))
  (<= went_one (true (went ?p))) (piece king) (piece rook)
  (<= wrong (true (went ?p)) (not (true (at ?p))))
  (<= wrong (true (went king)) (true (went rook)))
  (<= terminal (true (control end)))
  (<= (goal white 100) went_one (not wrong)) (<= (goal white 50) (not went_one))
  (<= (goal white 0) wrong) (goal black 0))";
}
constexpr const char* kEither = "(puts few king) (puts many rook)";
constexpr const char* kBoth = "(puts few king) (puts many rook) (puts many king)";

/// What white's playouts bring on average, on machines of all widths and forms that choose to go
/// with either piece as one move, wherever `(at king)` and `(at rook)` don't both hold.
std::vector<double> means(const char* puts) {
  const auto vocabulary = std::make_shared<Vocabulary>(tests::rules_of(game_text(puts)));
  const auto made = make_network(vocabulary);
  EXPECT_TRUE(made);
  GameNetwork game = **made;
  game.observed_exclusions = {
      {*vocabulary->find_fluent("( at king )"), *vocabulary->find_fluent("( at rook )")}};
  const auto changed = std::make_shared<const GameNetwork>(std::move(game));
  std::vector<double> means;
  for (const std::size_t lanes : {64, 128, 256, 512}) {
    if (kernel::find(lanes) == nullptr) continue;
    for (const auto form :
         {EvaluationForm::Interpreted, EvaluationForm::Generated, EvaluationForm::BySets}) {
      const auto machine = make_network_machine(vocabulary, changed, {{}, lanes, form}).value();
      const auto context = machine->make_context();
      State start;
      EXPECT_EQ(machine->initial(*context, start), Status::Ok);
      const std::vector<StateView> starts{start};
      Rng rng(1);
      PlayoutSums sums;
      EXPECT_EQ(machine->playouts(*context, starts, {.per_start = 20'000}, rng, sums), Status::Ok);
      means.push_back(static_cast<double>(sums.goals[0]) / 20'000);
    }
  }
  return means;
}

TEST(MergedMoves, AreChosenLikeOthers) {
  for (const double mean : means(kEither)) EXPECT_NEAR(mean, 75, 1.5);
}

TEST(MergedMoves, AreNotUsedWhereTwoMembersAreLegal) {
  // One piece: 1/2 goes. Two pieces: 2/3 go.
  const double expected = (75 + (2.0 * 100 + 50) / 3) / 2;
  for (const double mean : means(kBoth)) EXPECT_NEAR(mean, expected, 1.5);
}

}  // namespace
}  // namespace ludens::gdl
