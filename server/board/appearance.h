// SPDX-License-Identifier: MIT
// How things on a board look on a page.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/board/layout.h"
#include "server/board/picture.h"

namespace ludens::server {

/// The colour of each role: the one that its name has (`white`, `red_player`), else one of its own.
std::map<std::string, std::string> role_colours(const std::vector<std::string>& roles);

/// The colour that a word is the name of.
std::optional<std::string> colour_of_word(const std::string& word);

/// How all things look that symbols exist for. `owners`: of things whose name does not say it.
/// `initial` tells which pieces are there from the start: where each side has one kind then and
/// more may come, that kind is the plain one.
std::map<std::string, Appearance> choose_appearances(
    const BoardLayout& layout, const Symbols& symbols, const std::vector<Fact>& initial,
    const std::vector<std::string>& roles, const std::map<std::string, std::string>& owners);

/// Makes tiles of things that are listed by size, the smallest first.
void show_sizes(const std::vector<std::string>& things, const Symbols& symbols,
                std::map<std::string, Appearance>& appearances);

}  // namespace ludens::server
