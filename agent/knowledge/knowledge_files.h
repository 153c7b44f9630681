// SPDX-License-Identifier: MIT
// What was learned of games, in files.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "gdl/rules/rules.h"
#include "search/learning/knowledge.h"
#include "search/strategy/factory.h"

namespace ludens::agent {

/// Where the knowledge of all games is stored: the folder that the environment variable
/// LUDENS_KNOWLEDGE names, otherwise `ludens/knowledge` below XDG_DATA_HOME, whose default is
/// `.local/share` in the home directory; empty if there is no home directory. Of the latter two,
/// relative paths are ignored.
std::filesystem::path knowledge_folder();

/// The file of a game in a folder, by its fingerprint.
std::filesystem::path knowledge_file(const std::filesystem::path& folder,
                                     const std::string& fingerprint);

/// The store that the option `knowledge` of a strategy selects. `auto`: the folder of knowledge, or
/// null if there is no such folder or if counts limit the search, so that matches repeat whatever
/// is in that folder. `none`: null. Otherwise: that one file.
std::shared_ptr<const search::KnowledgeStore> knowledge_of(const search::StrategySpec& spec);

/// The file that the option `knowledge` of a strategy names; nullopt if it is `auto` or `none`.
std::optional<std::string> named_knowledge(const search::StrategySpec& spec);

/// What is wrong with the file that the option `knowledge` of a strategy names, as a sentence that
/// says what to do; nullopt if nothing is wrong or no file is named. `rules`: those of the game
/// that it must be for; null: any game.
std::optional<std::string> problem_with_knowledge(const search::StrategySpec& spec,
                                                  const gdl::Rules* rules);

}  // namespace ludens::agent
