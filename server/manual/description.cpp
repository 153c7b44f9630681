// SPDX-License-Identifier: MIT
#include "server/manual/description.h"

#include <sstream>

namespace ludens::server {

std::vector<std::string> words_of(const OptionDescription& option) {
  const std::size_t list = option.values.find(':');
  if (list == std::string::npos || option.values.find('|', list) == std::string::npos) return {};
  std::vector<std::string> words;
  std::istringstream list_text(option.values.substr(list + 1));
  for (std::string word; std::getline(list_text, word, '|');) words.push_back(word);
  return words;
}

}  // namespace ludens::server
