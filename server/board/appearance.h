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

/// The colour of each role: the one in its name (`white`, `red_player`), otherwise one of its own.
std::map<std::string, std::string> role_colours(const std::vector<std::string>& roles);

/// The colour that a word names.
std::optional<std::string> colour_of_word(const std::string& word);

/// How all things that have symbols look. `owners`: those of things whose name does not say it.
/// `initial` shows which pieces are there from the start: if each side then has one kind and more
/// may come, that kind is the plain one.
std::map<std::string, Appearance> choose_appearances(
    const BoardLayout& layout, const Symbols& symbols, const std::vector<Fact>& initial,
    const std::vector<std::string>& roles, const std::map<std::string, std::string>& owners);

/// Makes tiles from things that are listed by size, the smallest first.
void show_sizes(const std::vector<std::string>& things, const Symbols& symbols,
                std::map<std::string, Appearance>& appearances);

}  // namespace ludens::server
