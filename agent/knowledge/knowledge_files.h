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

/// Where knowledge of all games lies: the folder that the environment variable LUDENS_KNOWLEDGE
/// names, else `ludens/knowledge` below XDG_DATA_HOME, which is `.local/share` at home if nothing
/// else is said; empty where there is no home.
std::filesystem::path knowledge_folder();

/// The file of a game in a folder, by its fingerprint.
std::filesystem::path knowledge_file(const std::filesystem::path& folder,
                                     const std::string& fingerprint);

/// What the option `knowledge` of a strategy asks for: `auto`, the folder of knowledge; `none`, or
/// `auto` where counts limit the search, so that matches repeat whatever lies in that folder, or
/// where there is no such folder: null; else that one file.
std::shared_ptr<const search::KnowledgeStore> knowledge_of(const search::StrategySpec& spec);

/// What is wrong with the file that the option `knowledge` of a strategy names, as a sentence that
/// says what to do; nullopt where nothing is wrong or no file is named. `rules`: of the game that
/// it has to be for; null: any game is right.
std::optional<std::string> problem_with_knowledge(const search::StrategySpec& spec,
                                                  const gdl::Rules* rules);

}  // namespace ludens::agent
