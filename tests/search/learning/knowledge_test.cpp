// SPDX-License-Identifier: MIT
#include "search/learning/knowledge.h"

#include <gmock/gmock.h>

#include <cmath>

#include "search/learning/growth.h"
#include "search/learning/learner.h"
#include "tests/search/games/bundled.h"
#include "tests/search/learning/changed_file.h"

namespace ludens::search::test {
namespace {

using testing::HasSubstr;

struct Played {
  std::shared_ptr<const gdl::Machine> machine;
  gdl::CanonicalNames names;
  std::unique_ptr<Learner> learner;

  [[nodiscard]] std::string written() const {
    return write_knowledge(learner->knowledge(), *machine->vocabulary(), names);
  }
  [[nodiscard]] gdl::Result<Knowledge> read(std::string_view bytes) const {
    return read_knowledge(bytes, *machine->vocabulary(), names);
  }
};

Played play(std::shared_ptr<const gdl::Machine> machine, std::uint64_t games) {
  Played played{machine, *gdl::canonical_names(machine->vocabulary()->rules()), nullptr};
  played.learner = Learner::make(machine, {}, nullptr, Deadline()).value();
  if (games > 0) {
    EXPECT_EQ(played.learner->learn(Deadline(), {.games = games}), gdl::Status::Ok);
  }
  return played;
}

/// What the roles expect at the beginning.
std::vector<float> expected(const gdl::Machine& machine, const ValueFunction& value,
                            std::size_t mover = 0) {
  const auto context = machine.make_context();
  gdl::State state;
  EXPECT_EQ(machine.initial(*context, state), gdl::Status::Ok);
  std::vector<float> values(value.role_count());
  value.values(mover, state, 0, values);
  return values;
}

std::string problem_of(const gdl::Result<Knowledge>& read) {
  return read ? "none" : read.error().text;
}

TEST(Knowledge, HasTheSameValuesWithUntrainedTuples) {
  const Played first = play(bundled("breakthrough_small", "sliced"), 300);
  Knowledge knowledge = first.learner->knowledge();
  const std::size_t tuples = knowledge.form.tuple_count();
  gdl::Rng rng(3);
  add_untrained_tuples(knowledge, *StateBits::of(*first.machine), 32, rng);
  EXPECT_EQ(knowledge.form.tuple_count(), tuples + 32);
  const auto grown = Learner::resume(first.machine, knowledge, {}, nullptr);
  EXPECT_THAT(expected(*first.machine, *(*grown)->snapshot()),
              testing::Pointwise(testing::FloatNear(1e-4F),
                                 expected(*first.machine, *first.learner->snapshot())));
}

TEST(Knowledge, FitsIntoAFileHoweverManyTuplesAreAdded) {
  const auto machine = bundled("breakthrough_small", "sliced");
  LearningOptions options;
  options.most_tuples = 1'000'000;
  options.plies_per_weight = 0;
  Played played{machine, *gdl::canonical_names(machine->vocabulary()->rules()), nullptr};
  played.learner = Learner::make(machine, options, nullptr, Deadline()).value();
  EXPECT_EQ(played.learner->learn(Deadline(), {.games = 1'000}), gdl::Status::Ok);
  EXPECT_GT(played.learner->knowledge().form.lookup_count(), 128U);
  EXPECT_EQ(problem_of(played.read(played.written())), "none");
}

/// So many roles mark cells in turn, and like the first two.
std::string marking_in_turn(std::size_t roles, std::size_t cells) {
  std::string text;
  for (std::size_t r = 0; r < roles; ++r) {
    const std::string role = "p" + std::to_string(r);
    text += "(role " + role + ") (after " + role + " p" + std::to_string((r + 1) % roles) + ")";
  }
  for (std::size_t c = 0; c < cells; ++c) text += "(init (cell c" + std::to_string(c) + " b))";
  return text + R"(
    (init (control p0)) (<= (next (control ?q)) (true (control ?p)) (after ?p ?q))
    (<= (legal ?p (mark ?c)) (true (control ?p)) (true (cell ?c b)))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (cell ?c ?p)) (does ?p (mark ?c)))
    (<= (next (cell ?c ?x)) (true (cell ?c ?x)) (role ?x))
    (<= (marked ?c) (does ?p (mark ?c)))
    (<= (next (cell ?c b)) (true (cell ?c b)) (not (marked ?c)))
    (<= open (true (cell ?c b))) (<= terminal (not open))
    (<= (goal ?p 100) (true (cell c0 ?p)))
    (<= (goal ?p 50) (role ?p) (not (true (cell c0 ?p))) (true (cell c1 ?p)))
    (<= (goal ?p 0) (role ?p) (not (true (cell c0 ?p))) (not (true (cell c1 ?p)))))";
}

/// So many roles choose one of two moves at once, twice.
std::string daring_at_once(std::size_t roles) {
  std::string text = "(init (round 0)) (succ 0 1) (succ 1 2) (<= terminal (true (round 2)))";
  for (std::size_t r = 0; r < roles; ++r) text += "(role r" + std::to_string(r) + ")";
  return text + R"((<= (legal ?r dare) (role ?r)) (<= (legal ?r wait) (role ?r))
    (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
    (<= (next (dared ?r)) (does ?r dare)) (<= (next (dared ?r)) (true (dared ?r)))
    (<= (goal ?r 100) (true (dared ?r))) (<= (goal ?r 0) (role ?r) (not (true (dared ?r)))))";
}

/// Whatever is learned: here every weight has learned something.
TEST(Knowledge, FitsIntoAFileHoweverManyRolesThereAre) {
  LearningOptions options;
  options.for_a_file = true;
  for (const std::string& text : {marking_in_turn(12, 40), daring_at_once(100)}) {
    const auto machine = machine_of(text, "sliced");
    const gdl::Vocabulary& vocabulary = *machine->vocabulary();
    const auto names = *gdl::canonical_names(vocabulary.rules());
    Knowledge knowledge;
    {
      const auto learner = Learner::make(machine, options, nullptr, Deadline());
      ASSERT_TRUE(learner) << learner.error().text;
      knowledge = (*learner)->knowledge();
    }
    for (TrainedWeight& weight : knowledge.weights) weight.error_size = 1;
    const std::string bytes = write_knowledge(knowledge, vocabulary, names);
    knowledge.weights = {};
    EXPECT_EQ(problem_of(read_knowledge(bytes, vocabulary, names)), "none");
  }
}

TEST(Knowledge, OfTooManyRolesForAFileIsNotBegun) {
  LearningOptions options;
  const auto machine = machine_of(marking_in_turn(16, 20), "sliced");
  EXPECT_TRUE(Learner::make(machine, options, nullptr, Deadline()));
  options.for_a_file = true;
  const auto learner = Learner::make(machine, options, nullptr, Deadline());
  ASSERT_FALSE(learner);
  EXPECT_THAT(learner.error().text, HasSubstr("into a file"));
}

TEST(Knowledge, GoesOnWhereItWasWritten) {
  const Played first = play(bundled("breakthrough_small", "sliced"), 300);
  const auto read = first.read(first.written());
  ASSERT_EQ(problem_of(read), "none");
  const auto& knowledge = *read;
  EXPECT_EQ(knowledge.statistics.games, first.learner->statistics().games);
  auto resumed = Learner::resume(first.machine, knowledge, {}, nullptr);
  const auto& learner = *resumed;
  EXPECT_EQ(expected(*first.machine, *learner->snapshot()),
            expected(*first.machine, *first.learner->snapshot()));
  EXPECT_EQ(write_knowledge(learner->knowledge(), *first.machine->vocabulary(), first.names),
            first.written());
  EXPECT_EQ(learner->learn(Deadline(), {.games = 100}), gdl::Status::Ok);
  EXPECT_GE(learner->statistics().games, first.learner->statistics().games + 100);
}

/// A race of two, whose names are all that changes.
std::string race(const std::string& one, const std::string& other, const std::string& at) {
  std::string text = "(role " + one + ") (role " + other + ") (init (" + at + " " + one +
                     " 0)) (init (" + at + " " + other + " 0)) (init (turn " + one + "))";
  for (int i = 0; i < 8; ++i) {
    text += "(plus " + std::to_string(i) + " 1 " + std::to_string(i + 1) + ") (plus " +
            std::to_string(i) + " 2 " + std::to_string(i + 2) + ")";
  }
  return text + "(other " + one + " " + other + ") (other " + other + " " + one + ")" +
         "(<= (legal ?r (go ?n)) (true (turn ?r)) (true (" + at +
         " ?r ?x)) (plus ?x ?n ?y))"
         "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))"
         "(<= (next (" +
         at + " ?r ?y)) (does ?r (go ?n)) (true (" + at +
         " ?r ?x)) (plus ?x ?n ?y))"
         "(<= (next (" +
         at + " ?r ?x)) (does ?r wait) (true (" + at +
         " ?r ?x)))"
         "(<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))"
         "(<= won (true (" +
         at +
         " ?r 8)))"
         "(<= (goal ?r 100) (true (" +
         at +
         " ?r 8)))"
         "(<= (goal ?r 0) (role ?r) (not (true (" +
         at +
         " ?r 8))))"
         "(<= terminal won) (<= terminal (true (" +
         at + " ?r 9)))";
}

TEST(Knowledge, IsFoundAgainInAScrambledGame) {
  const Played first = play(machine_of(race("red", "blue", "at"), "sliced"), 500);
  const Played other = play(machine_of(race("zeta", "alpha", "place"), "sliced"), 0);
  ASSERT_EQ(first.names.fingerprint, other.names.fingerprint);
  const auto read = other.read(first.written());
  ASSERT_EQ(problem_of(read), "none");
  auto resumed = Learner::resume(other.machine, *read, {}, nullptr);
  EXPECT_EQ(expected(*other.machine, *(*resumed)->snapshot()),
            expected(*first.machine, *first.learner->snapshot()));
}

TEST(Knowledge, KeepsSymmetriesThatArePermutations) {
  const Played first = play(bundled("breakthrough_small", "sliced"), 20);
  Knowledge knowledge = first.learner->knowledge();
  const auto written = [&] {
    return write_knowledge(knowledge, *first.machine->vocabulary(), first.names);
  };
  ASSERT_EQ(knowledge.form.images(), 2U);
  ASSERT_FALSE(knowledge.form.exchange.empty());
  EXPECT_EQ(first.read(written())->form.exchange, knowledge.form.exchange);
  EXPECT_EQ(first.read(written())->form.symmetries, knowledge.form.symmetries);
  const Symmetry good = knowledge.form.symmetries[0];
  knowledge.form.symmetries[0][0] = knowledge.form.symmetries[0][1];
  EXPECT_THAT(problem_of(first.read(written())), HasSubstr("leads out of the variables"));
  knowledge.form.symmetries[0][0].pop_back();
  EXPECT_THAT(problem_of(first.read(written())), HasSubstr("has no image"));
  knowledge.form.symmetries[0] = good;
  knowledge.form.symmetries.resize(8, good);
  EXPECT_THAT(problem_of(first.read(written())), HasSubstr("too many symmetries"));
  knowledge.form.symmetries.pop_back();
  knowledge.form.exchange[0] = knowledge.form.exchange[1];
  EXPECT_THAT(problem_of(first.read(written())), HasSubstr("leads out of the variables"));
}

/// No tuples can be added where there are no variables.
TEST(Knowledge, WithoutVariablesIsRefused) {
  const Played first = play(bundled("tic_tac_toe", "sliced"), 5);
  Knowledge knowledge = first.learner->knowledge();
  knowledge.form = {};
  knowledge.form.tuples.resize(1);
  knowledge.weights.assign(knowledge.shape.tables() * TableLayout(knowledge.form).entries(), {});
  const auto read =
      first.read(write_knowledge(knowledge, *first.machine->vocabulary(), first.names));
  EXPECT_THAT(problem_of(read), HasSubstr("no variables"));
}

/// At most one fluent of a variable holds, and no other variable may have it.
TEST(Knowledge, WithAFluentInTwoVariablesIsRefused) {
  const Played first = play(bundled("breakthrough_small", "sliced"), 5);
  Knowledge knowledge = first.learner->knowledge();
  knowledge.form.symmetries.clear();
  knowledge.form.exchange.clear();
  auto& variables = knowledge.form.variables;
  variables[1].fluents.push_back(variables[0].fluents[0]);
  const auto read =
      first.read(write_knowledge(knowledge, *first.machine->vocabulary(), first.names));
  EXPECT_THAT(problem_of(read), HasSubstr("twice in the variables"));
}

/// Before there is memory for them, and before anything else is found to be wrong with them.
TEST(Knowledge, OfTooManyThingsIsRefusedAtTheirCount) {
  const Played first = play(bundled("checkers", "sliced"), 5);
  const auto problem = [&](const auto& change) {
    Knowledge knowledge = first.learner->knowledge();
    change(knowledge.form);
    knowledge.weights.clear();
    return problem_of(
        first.read(write_knowledge(knowledge, *first.machine->vocabulary(), first.names)));
  };
  ASSERT_GT(first.machine->vocabulary()->fluent_count(), kMostVariables);
  EXPECT_THAT(problem([](TupleForm& form) { form.variables.assign(kMostVariables + 1, {}); }),
              HasSubstr("too many variables"));
  EXPECT_THAT(problem([](TupleForm& form) {
                form.tuples.assign(kMostLookups + 1, {1, 0});
              }),
              HasSubstr("too many tuples"));
  EXPECT_THAT(problem([](TupleForm& form) { form.symmetries.assign(8, {}); }),
              HasSubstr("too many symmetries"));
  EXPECT_THAT(problem([](TupleForm& form) { form.counts.assign(kMostLookups + 1, {}); }),
              HasSubstr("too many counts"));
}

TEST(Knowledge, SaysHowFarItSeesIfItIsForTheGame) {
  const Played first = play(bundled("tic_tac_toe", "sliced"), 5);
  const std::string bytes = first.written();
  const auto reach = [&](std::string_view file, const gdl::CanonicalNames& names) {
    const auto read = reach_of_knowledge(file, names);
    return read ? std::to_string(*read) : read.error().text;
  };
  EXPECT_EQ(reach(bytes, first.names), "0");
  EXPECT_EQ(reach(with_number(bytes, kPlaceOfReach, std::uint32_t{3}), first.names), "3");
  for (const std::uint32_t far : {4U, 0xffffffffU}) {
    EXPECT_THAT(reach(with_number(bytes, kPlaceOfReach, far), first.names),
                HasSubstr("too many moves ahead"));
  }
  EXPECT_THAT(reach(bytes.substr(0, 60), first.names), HasSubstr("damaged"));
  const auto other = bundled("nim", "sliced")->vocabulary();
  EXPECT_THAT(reach(bytes, *gdl::canonical_names(other->rules())), HasSubstr("another game"));
}

TEST(Knowledge, OfAnotherGameIsRefused) {
  const Played first = play(bundled("tic_tac_toe", "sliced"), 10);
  const Played other = play(bundled("connect_four_small", "sliced"), 0);
  EXPECT_THAT(problem_of(other.read(first.written())), HasSubstr("another game"));
}

TEST(Knowledge, ThatIsDamagedIsAnErrorWithASentence) {
  const Played first = play(bundled("tic_tac_toe", "sliced"), 20);
  const std::string bytes = first.written();
  EXPECT_THAT(problem_of(first.read("")), HasSubstr("no file of knowledge"));
  EXPECT_THAT(problem_of(first.read("LUDENSKN")), HasSubstr("too early"));
  std::string changed = bytes;
  changed[8] ^= 1;
  EXPECT_THAT(problem_of(first.read(changed)), HasSubstr("another version"));
  for (std::size_t length = 8; length < bytes.size(); length += 1 + length / 100) {
    EXPECT_NE(problem_of(first.read(bytes.substr(0, length))), "none") << length;
  }
  for (std::size_t at = 8; at < bytes.size(); at += 1 + at / 100) {
    changed = bytes;
    changed[at] ^= 0x10;
    EXPECT_NE(problem_of(first.read(changed)), "none") << at;
  }
}

/// Whatever passes may be learned on with: the sanitizers see whether it is consistent.
TEST(Knowledge, OfAStrangerDoesNoHarm) {
  const Played first = play(bundled("tic_tac_toe", "sliced"), 5);
  const std::string bytes = first.written();
  gdl::Rng rng(1);
  const auto below = [&](std::size_t bound) {
    return rng.below(static_cast<std::uint32_t>(bound));
  };
  int passed = 0;
  for (int round = 0; round < 1'500; ++round) {
    std::string changed = bytes;
    for (std::uint32_t i = below(3) + 1; i > 0; --i) {
      // The form and the shape stand before the weights.
      const std::size_t at = 12 + below(below(2) == 0 ? 4'000 : changed.size() - 24);
      changed[std::min(at, changed.size() - 9)] = static_cast<char>(below(256));
    }
    const auto read = first.read(summed(std::move(changed)));
    if (problem_of(read) != "none" || ++passed % 20 != 0) continue;
    auto resumed = Learner::resume(first.machine, *read, {}, nullptr);
    const auto& learner = *resumed;
    EXPECT_EQ(learner->learn(Deadline(), {.games = 10}), gdl::Status::Ok);
    for (const float value : expected(*first.machine, *learner->snapshot())) {
      EXPECT_FALSE(std::isnan(value));
    }
  }
  EXPECT_GT(passed, 20);
}

}  // namespace
}  // namespace ludens::search::test
