// SPDX-License-Identifier: MIT
#include "server/cli/join_parts.h"

#include <string>

#include "search/learning/knowledge_join.h"
#include "server/cli/exit_code.h"

namespace ludens::server {

int join_parts(const LearnOptions& options, const LearnedGame& game,
               const std::filesystem::path& file) {
  auto base = game.read(options.base);
  if (!base) return fail(kCouldNot, "learn", base.error().text);
  search::KnowledgeJoin join(*std::move(base));
  for (const std::string& name : options.join) {
    auto part = game.read(name);
    if (!part) return fail(kCouldNot, "learn", part.error().text);
    if (const auto problem = join.add(*std::move(part))) {
      return fail(kCouldNot, "learn", name + ": " + *problem);
    }
  }
  const search::Knowledge joined = join.joined();
  if (const auto error = game.write(file, joined)) {
    return fail(kCouldNot, "learn", file.string() + ": " + error.message());
  }
  print_learned(joined.statistics, std::nullopt, options.json);
  print_written(file);
  return kGood;
}

}  // namespace ludens::server
