// SPDX-License-Identifier: MIT
// A game with everything that other languages need from it, created on first use.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "gdl/environment/environment_game.h"
#include "gdl/machine/machine.h"
#include "server/board/board.h"
#include "server/board/board_tensor.h"
#include "server/game/rulesheet.h"

namespace ludens::bindings {

/// Rules that are broken, a game that does not exist, or one that can't be played in the requested
/// way. `what` is for people; for rules it has one line per error, `NAME:LINE:COLUMN: error: TEXT`.
class GameError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thread-safe except for `context`.
class LoadedGame {
 public:
  static constexpr std::size_t kMemory = std::size_t{2} << 30;

  /// The name of a bundled game or a path to a rulesheet. `machine` as on the command line. Texts
  /// and names of the game are UTF-8: bytes of the file that are not are taken as Latin-1. Throws
  /// GameError.
  static std::shared_ptr<LoadedGame> open(const std::string& game, const std::string& machine,
                                          std::size_t memory_bytes = kMemory);
  /// The text of a rulesheet, in any language that Ludens reads.
  static std::shared_ptr<LoadedGame> from_text(const std::string& text, const std::string& name,
                                               const std::string& machine,
                                               std::size_t memory_bytes = kMemory);

  /// The game that a machine already plays, which a host has started.
  static std::shared_ptr<LoadedGame> of(std::shared_ptr<const gdl::Machine> machine,
                                        std::size_t memory_bytes = kMemory);

  [[nodiscard]] const server::Rulesheet& sheet() const { return sheet_; }
  [[nodiscard]] const std::shared_ptr<const gdl::Machine>& machine() const { return machine_; }
  [[nodiscard]] const std::string& machine_name() const { return machine_name_; }
  [[nodiscard]] const std::vector<std::string>& roles() const { return roles_; }
  [[nodiscard]] gdl::MemoryBudget* memory() const { return memory_.get(); }
  /// For one thread at a time.
  [[nodiscard]] gdl::Machine::Context& context() { return *context_; }

  [[nodiscard]] const gdl::State& initial() const { return initial_; }
  /// For environments; throws GameError if the game can't have one. The first call makes it, which
  /// may take long. Null, and nothing is kept, if `stop` ends that; it may be null.
  std::shared_ptr<const gdl::EnvironmentGame> environment(const gdl::StopSignal* stop = nullptr);
  /// Null if it was not made yet.
  std::shared_ptr<const gdl::EnvironmentGame> known_environment();
  /// Found in the rules; `found()` says whether there is one.
  const server::Board& board();
  /// The tensor that environments write; nullopt if there is none.
  const std::optional<server::BoardTensor>& board_tensor();

 private:
  LoadedGame(server::Rulesheet sheet, const std::string& machine, std::size_t memory_bytes);
  LoadedGame(server::Rulesheet sheet, std::shared_ptr<const gdl::Machine> machine,
             std::size_t memory_bytes);
  void begin();

  // Destroyed last: machine and environments count their memory against it.
  std::shared_ptr<gdl::MemoryBudget> memory_;
  server::Rulesheet sheet_;
  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::State initial_;
  std::string machine_name_;
  std::vector<std::string> roles_;
  std::mutex mutex_;  // guards the following
  std::shared_ptr<const gdl::EnvironmentGame> environment_;
  std::unique_ptr<server::Board> board_;
  std::optional<server::BoardTensor> tensor_;
  bool tensor_sought_ = false;
};

}  // namespace ludens::bindings
