#include "server/manual/description.h"

namespace ludens::server {

std::vector<std::string> words_of(const OptionDescription& option) {
  const std::size_t list = option.values.find(':');
  if (list == std::string::npos || option.values.find('|', list) == std::string::npos) return {};
  std::vector<std::string> words;
  for (std::size_t begin = list + 1, end; begin != 0; begin = end + 1) {
    end = option.values.find('|', begin);
    words.push_back(option.values.substr(begin, end - begin));
    if (end == std::string::npos) break;
  }
  return words;
}

}  // namespace ludens::server
