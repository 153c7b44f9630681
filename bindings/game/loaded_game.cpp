// SPDX-License-Identifier: MIT
#include "bindings/game/loaded_game.h"

#include <string_view>
#include <utility>

#include "gdl/registry/machines.h"
#include "gdl/text/utf8.h"
#include "server/game/bundled_games.h"
#include "server/records/match_record.h"

namespace ludens::bindings {

namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = gdl::utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// The same rules in UTF-8, as records keep them: other languages take no other texts and names.
server::Rulesheet in_utf8(server::Rulesheet sheet) {
  if (is_utf8(sheet.text)) return sheet;
  server::Rulesheet made = server::read_rulesheet(sheet.name, server::storable(sheet.text));
  made.file = std::move(sheet.file);
  return made;
}

}  // namespace

std::shared_ptr<LoadedGame> LoadedGame::open(const std::string& game, const std::string& machine,
                                             std::size_t memory_bytes) {
  auto sheet = server::load_game(game);
  if (!sheet) throw GameError(sheet.error().text);
  return std::shared_ptr<LoadedGame>(new LoadedGame(*std::move(sheet), machine, memory_bytes));
}

std::shared_ptr<LoadedGame> LoadedGame::from_text(const std::string& text, const std::string& name,
                                                  const std::string& machine,
                                                  std::size_t memory_bytes) {
  server::Rulesheet sheet = server::read_rulesheet(name, text);
  sheet.file = name;
  return std::shared_ptr<LoadedGame>(new LoadedGame(std::move(sheet), machine, memory_bytes));
}

std::shared_ptr<LoadedGame> LoadedGame::of(std::shared_ptr<const gdl::Machine> machine,
                                           std::size_t memory_bytes) {
  server::Rulesheet sheet = server::read_rulesheet("match", machine->vocabulary()->rules().print());
  return std::shared_ptr<LoadedGame>(
      new LoadedGame(std::move(sheet), std::move(machine), memory_bytes));
}

LoadedGame::LoadedGame(server::Rulesheet sheet, std::shared_ptr<const gdl::Machine> machine,
                       std::size_t memory_bytes)
    : memory_(std::make_shared<gdl::MemoryBudget>(memory_bytes)),
      sheet_(std::move(sheet)),
      machine_(std::move(machine)) {
  begin();
}

LoadedGame::LoadedGame(server::Rulesheet sheet, const std::string& machine,
                       std::size_t memory_bytes)
    : memory_(std::make_shared<gdl::MemoryBudget>(memory_bytes)),
      sheet_(in_utf8(std::move(sheet))) {
  std::string errors;
  for (const gdl::Diagnostic& problem : sheet_.diagnostics) {
    if (problem.severity != gdl::Severity::Error) continue;
    errors += (errors.empty() ? "" : "\n") + gdl::format(problem, sheet_.file);
  }
  if (!errors.empty()) throw GameError(errors);
  auto made = gdl::make_machine(machine, std::make_shared<gdl::Vocabulary>(sheet_.rules, memory_),
                                {nullptr, memory_.get()});
  if (!made) throw GameError(sheet_.name + ": " + made.error().text);
  machine_ = *std::move(made);
  begin();
}

void LoadedGame::begin() {
  context_ = machine_->make_context({nullptr, memory_.get()});
  if (machine_->initial(*context_, initial_) != gdl::Status::Ok) {
    throw GameError(sheet_.name + ": the initial state needs more memory than the limit");
  }
  machine_name_ = machine_->name();
  for (gdl::RoleIndex r = 0; r < machine_->role_count(); ++r) {
    roles_.push_back(machine_->role_name(r));
  }
}

std::shared_ptr<const gdl::EnvironmentGame> LoadedGame::known_environment() {
  const std::lock_guard lock(mutex_);
  return environment_;
}

std::shared_ptr<const gdl::EnvironmentGame> LoadedGame::environment(const gdl::StopSignal* stop) {
  if (auto known = known_environment()) return known;
  // Without the lock, so that nobody waits for it longer than its own stop signal allows. The
  // grounding, which takes longest, is shared by all who ask for it meanwhile.
  auto made = gdl::EnvironmentGame::make(machine_, {stop, memory_.get()});
  if (stop != nullptr && stop->stop_requested()) return nullptr;  // what there is may lack its code
  if (!made) throw GameError(sheet_.name + ": " + made.error().text);
  const std::lock_guard lock(mutex_);
  if (environment_ == nullptr) environment_ = *std::move(made);
  return environment_;
}

const server::Board& LoadedGame::board() {
  const std::lock_guard lock(mutex_);
  if (board_ == nullptr) {
    const auto own = machine_->make_context({nullptr, memory_.get()});
    board_ = std::make_unique<server::Board>(*sheet_.rules, machine_->print(*own, initial_));
  }
  return *board_;
}

const std::optional<server::BoardTensor>& LoadedGame::board_tensor() {
  const auto environment_game = environment();
  const server::Board& found = board();
  const std::lock_guard lock(mutex_);
  if (!tensor_sought_) tensor_ = server::find_board_tensor(found, environment_game->spaces());
  tensor_sought_ = true;
  return tensor_;
}

}  // namespace ludens::bindings
