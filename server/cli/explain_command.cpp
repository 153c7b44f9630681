// SPDX-License-Identifier: MIT
// `ludens explain`: why to play like that in one position.
#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "gdl/text/printable.h"
#include "search/hidden/exploitability.h"
#include "search/solve/solve.h"
#include "server/cli/commands.h"
#include "server/cli/equilibrium.h"
#include "server/cli/exit_code.h"
#include "server/cli/study.h"

namespace ludens::server {

namespace {

namespace json = boost::json;
using search::hidden::SetId;

/// This many answers of the others are shown: there may be one for each joint move.
constexpr std::size_t kMostAnswers = 40;

std::string readable(const std::string& text) {
  return gdl::printable(text);
}

// --- An information set --------------------------------------------------------------------------

/// One move of an information set.
struct Share {
  gdl::MoveId move;
  double probability, value;
};

std::vector<Share> shares_of(const FoundEquilibrium& found, SetId set) {
  const auto& info = found.form.sets()[set];
  const auto values = search::hidden::move_values(found.form, found.strategy, set);
  std::vector<Share> shares;
  for (std::size_t i = 0; i < info.moves.size(); ++i) {
    shares.push_back({info.moves[i], found.strategy[info.first_action + i], values[i]});
  }
  return shares;
}

void print_set_json(const FoundEquilibrium& found, SetId set, const Study& study) {
  json::array moves;
  for (const Share& share : shares_of(found, set)) {
    moves.push_back(json::object{{"move", study.move_name(share.move)},
                                 {"probability", share.probability},
                                 {"value", share.value}});
  }
  const auto reach = search::hidden::reach_of_set(found.form, found.strategy, set);
  std::cout << json::serialize(
                   json::object{{"role", study.role_name()},
                                {"knows", story_of(found.form, found.form.sets()[set], study)},
                                {"histories", reach.histories},
                                {"reached", reach.probability},
                                {"iterations", found.last.iterations},
                                {"exploitability", found.last.exploitability},
                                {"moves", std::move(moves)}})
            << std::endl;
}

void print_set(const FoundEquilibrium& found, SetId set, const Study& study) {
  const auto reach = search::hidden::reach_of_set(found.form, found.strategy, set);
  std::printf("%s knows: %s\n", readable(study.role_name()).c_str(),
              readable(story_of(found.form, found.form.sets()[set], study)).c_str());
  std::printf("%zu %s; if all play like this, it is reached %.4g times in 100\n", reach.histories,
              reach.histories == 1 ? "history fits" : "histories fit", 100 * reach.probability);
  std::printf("%llu iterations, exploitability %.3g\n\n",
              static_cast<unsigned long long>(found.last.iterations), found.last.exploitability);
  std::printf("how often   worth  move\n");
  for (const Share& share : shares_of(found, set)) {
    std::printf("   %.4f  %6.2f  %s\n", share.probability, share.value,
                readable(study.move_name(share.move)).c_str());
  }
  std::fflush(stdout);
}

/// The equilibrium of the whole game.
gdl::Result<FoundEquilibrium> equilibrium_of(Study& study, const search::Deadline& deadline) {
  const auto context = study.machine().make_context({&deadline, &study.memory()});
  gdl::State initial;
  if (const auto status = study.machine().initial(*context, initial); status != gdl::Status::Ok) {
    return gdl::Error{std::string(explain(status))};
  }
  return seek_equilibrium(
      study, initial, deadline, [](const auto&) {}, [](const auto&) {});
}

int explain_set(const ExplainOptions& options, Study& study) {
  const std::vector<gdl::MoveId>& legal = study.legal();
  if (legal.size() < 2) {
    return fail(kNotGood, "explain", study.role_name() + " has no choice in this position");
  }
  gdl::Result<FoundEquilibrium> found{gdl::Error{}};
  study.run(study.deadline(options.study.seconds), [&](const search::Deadline& until) {
    found = equilibrium_of(study, until);
    return found && found->last.solved();
  });
  if (!found) return fail(kNotGood, "explain", found.error().text);
  const auto& position = study.position();
  const auto set = found->form.find(position.role, *position.known, position.history, legal);
  if (!set) return fail(kNotGood, "explain", "the moves do not lead to a situation of the game");
  if (options.study.json) {
    print_set_json(*found, *set, study);
  } else {
    print_set(*found, *set, study);
  }
  return found->last.solved() ? kGood : kNotGood;
}

// --- A position that all see ---------------------------------------------------------------------

/// What the others may do at the same time, or next, and what the role then does.
struct Continuation {
  std::vector<gdl::MoveId> joint;
  gdl::MoveId then = gdl::kNoMove;  // none: the match is over, or only noop is left
};

struct Answers {
  std::vector<Continuation> shown;
  bool all = true;
};

/// The move of the policy in a state.
gdl::MoveId move_in(const search::Policy& policy, gdl::StateView state) {
  const auto same = [&](const auto& step) {
    return std::ranges::equal(gdl::StateView(step.state).words(), state.words());
  };
  const auto found = std::ranges::find_if(policy.steps, same);
  return found == policy.steps.end() ? gdl::kNoMove : found->move;
}

/// The joint moves in which the role makes its move; one more than the limit if there are more.
std::vector<std::vector<gdl::MoveId>> joint_moves(const Study& study, gdl::StateView state,
                                                  gdl::MoveId own, std::size_t most) {
  const auto context = study.machine().make_context();
  std::vector<std::vector<gdl::MoveId>> joints{{}};
  for (gdl::RoleIndex role = 0; role < study.machine().role_count(); ++role) {
    std::vector<gdl::MoveId> legal{own};
    if (role != study.position().role &&
        study.machine().legal(*context, state, role, legal) != gdl::Status::Ok) {
      return {};
    }
    std::vector<std::vector<gdl::MoveId>> longer;
    for (const auto& joint : joints) {
      for (const gdl::MoveId move : legal) {
        if (longer.size() > most) break;
        longer.push_back(joint);
        longer.back().push_back(move);
      }
    }
    joints = std::move(longer);
  }
  return joints;
}

/// The continuations after the best move, according to the policy. If the others only wait, their
/// next moves.
Answers answers_of(const Study& study, const search::Solution& solution,
                   const search::Policy& policy) {
  const auto context = study.machine().make_context();
  Answers answers;
  gdl::State now(study.position().state), after;
  gdl::MoveId own = solution.move;
  auto joints = joint_moves(study, now, own, kMostAnswers);
  if (joints.size() == 1 &&
      study.machine().next(*context, now, joints.front(), after) == gdl::Status::Ok) {
    now = after;
    own = move_in(policy, now);
    if (own == gdl::kNoMove) return {};
    joints = joint_moves(study, now, own, kMostAnswers);
  }
  answers.all = joints.size() <= kMostAnswers;
  joints.resize(std::min(joints.size(), kMostAnswers));
  for (auto& joint : joints) {
    if (study.machine().next(*context, now, joint, after) != gdl::Status::Ok) continue;
    answers.shown.push_back({std::move(joint), move_in(policy, after)});
  }
  return answers;
}

void print_proof_json(const search::Solution& solution, const Answers& answers,
                      const Study& study) {
  json::array moves, after;
  for (const search::RootMove& move : solution.root) {
    moves.push_back(
        json::object{{"move", study.move_name(move.move)}, {"low", move.low}, {"high", move.high}});
  }
  for (const Continuation& answer : answers.shown) {
    after.push_back(json::object{{"joint", study.joint_move_name(answer.joint)},
                                 {"then", study.move_name(answer.then)}});
  }
  std::cout << json::serialize(json::object{{"role", study.role_name()},
                                            {"low", solution.low},
                                            {"high", solution.high},
                                            {"exact", solution.exact},
                                            {"move", study.move_name(solution.move)},
                                            {"nodes", solution.nodes},
                                            {"moves", std::move(moves)},
                                            {"answers", std::move(after)},
                                            {"all_answers", answers.all}})
            << std::endl;
}

void print_proof(const search::Solution& solution, const search::Policy& policy,
                 const Answers& answers, const Study& study) {
  const std::string role = readable(study.role_name()),
                    best = readable(study.move_name(solution.move));
  std::printf(
      solution.exact ? "%s can force %.6g, with %s\n" : "%s is not known to force %.6g: %s\n",
      role.c_str(), solution.exact ? solution.low : solution.high, best.c_str());
  std::printf("%llu states searched; the policy has %zu\n\nproved  move\n",
              static_cast<unsigned long long>(solution.nodes), policy.steps.size());
  for (const search::RootMove& move : solution.root) {
    std::printf("%.6g..%.6g  %s\n", move.low, move.high,
                readable(study.move_name(move.move)).c_str());
  }
  if (!answers.shown.empty()) std::printf("\nand after it\n");
  for (const Continuation& answer : answers.shown) {
    std::printf(
        "  %s: %s\n", readable(study.joint_move_name(answer.joint)).c_str(),
        answer.then == gdl::kNoMove ? "the end" : readable(study.move_name(answer.then)).c_str());
  }
  if (!answers.shown.empty() && !answers.all) std::printf("  ...\n");
  std::fflush(stdout);
}

int explain_proof(const ExplainOptions& options, Study& study) {
  search::Policy policy;
  const search::Deadline deadline = study.deadline(options.study.seconds);
  const search::Solution solution =
      study.solve(search::SolveMethod::Search, deadline, &policy, true);
  const Answers answers =
      policy.complete ? answers_of(study, solution, policy) : Answers{{}, false};
  if (options.study.json) {
    print_proof_json(solution, answers, study);
  } else {
    print_proof(solution, policy, answers, study);
  }
  return solution.exact ? kGood : kNotGood;
}

}  // namespace

int explain_command(const ExplainOptions& options) {
  StudyOptions study_options = options.study;
  std::error_code error;
  const bool file = options.at == "-" || std::filesystem::exists(options.at, error) ||
                    options.at.find('(') == std::string::npos;
  (file ? study_options.moves_file : study_options.moves) = options.at;
  auto study = Study::open("explain", study_options, options.machine);
  if (!study) return study.error().exit_code;
  const bool hidden = (*study)->machine().vocabulary()->rules().has_rule(gdl::kSees);
  return hidden ? explain_set(options, **study) : explain_proof(options, **study);
}

}  // namespace ludens::server
