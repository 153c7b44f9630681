#include "server/cli/study.h"

#include <iostream>

#include "gdl/machine/machines.h"
#include "gdl/text/nearest_name.h"
#include "gdl/text/printable.h"
#include "gdl/text/syntax.h"
#include "server/cli/command_line.h"
#include "server/cli/game_argument.h"
#include "server/game/moves_file.h"
#include "server/game/position.h"

namespace ludens::server {

namespace {

int fail(int code, const std::string& command, std::string_view text) {
  std::cerr << "ludens: " << command << ": " << gdl::printable(text) << "\n";
  return code;
}

}  // namespace

std::variant<std::unique_ptr<Study>, int> Study::open(const std::string& command,
                                                      const StudyOptions& options,
                                                      const std::string& machine) {
  auto loaded = load_playable(options.game, true);
  if (const int* code = std::get_if<int>(&loaded)) return *code;
  auto made = gdl::make_machine(
      machine, std::make_shared<gdl::Vocabulary>(std::get<Rulesheet>(loaded).rules));
  if (const auto* problem = std::get_if<std::string>(&made)) {
    return fail(kCouldNot, command, *problem);
  }
  std::unique_ptr<Study> study(
      new Study(options, std::get<std::shared_ptr<const gdl::Machine>>(made)));
  if (const int code = study->find_role(command, options.role); code != kGood) return code;
  if (const int code = study->make_moves(command, options.moves_file); code != kGood) return code;
  return study;
}

Study::Study(const StudyOptions& options, std::shared_ptr<const gdl::Machine> machine)
    : interrupted_(interrupt_.token()), memory_(options.memory_mb << 20) {
  position_.machine = std::move(machine);
}

int Study::find_role(const std::string& command, const std::string& name) {
  std::vector<std::string> names;
  for (gdl::RoleIndex role = 0; role < machine().role_count(); ++role) {
    names.push_back(machine().role_name(role));
    const bool wanted = name.empty() ? machine().random_role() != role
                                     : gdl::fold_case(names.back()) == gdl::fold_case(name);
    if (!wanted) continue;
    position_.role = role;
    return kGood;
  }
  if (name.empty()) return fail(kNotGood, command, "there is no role but random");
  const std::vector<std::string_view> known(names.begin(), names.end());
  const auto near = gdl::nearest_name(name, known);
  std::string text = "there is no role '" + name + "'";
  if (near) text += "; did you mean '" + std::string(*near) + "'?";
  return fail(kWrongUse, command, text);
}

int Study::make_moves(const std::string& command, const std::string& file) {
  Position here(position_.machine, {&interrupted_, &memory_});
  if (const auto status = here.begin(); status != gdl::Status::Ok) {
    return fail(kCouldNot, command, explain(status));
  }
  if (!file.empty()) {
    MovesMade made = make_moves_of_file(file, here);
    if (!made.problem.empty()) {
      return fail(made.readable ? kNotGood : kCouldNot, command, made.problem);
    }
    position_.history = std::move(made.history);
  }
  if (here.terminal()) return fail(kNotGood, command, "the match is over in this position");
  if (here.legal(position_.role).empty()) {
    return fail(kNotGood, command, role_name() + " has no legal move in this position");
  }
  position_.state.assign(here.state());
  return kGood;
}

std::string Study::move_name(gdl::MoveId move) const {
  return move == gdl::kNoMove ? std::string("-") : machine().vocabulary()->move_name(move);
}

std::string Study::joint_move_name(gdl::JointMove moves) const {
  std::string text = "(";
  for (const gdl::MoveId move : moves) text += " " + move_name(move);
  return text + " )";
}

search::Deadline Study::deadline(double seconds) const {
  if (seconds <= 0) return search::Deadline(interrupt_.token());
  const auto span = std::chrono::duration<double>(std::min(seconds, 1e8));
  return search::Deadline(std::chrono::steady_clock::now() +
                              std::chrono::duration_cast<std::chrono::steady_clock::duration>(span),
                          interrupt_.token());
}

}  // namespace ludens::server
