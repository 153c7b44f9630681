// SPDX-License-Identifier: MIT
#include "agent/knowledge/knowledge_files.h"

#include <cstdlib>
#include <system_error>

#include "gdl/text/file.h"
#include "search/registry/registry.h"

namespace ludens::agent {

namespace {

namespace fs = std::filesystem;

/// All bytes of a file that is not too long.
gdl::Result<std::string, std::error_code> read_short_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error) return error;
  if (fs::is_directory(status)) return std::make_error_code(std::errc::is_a_directory);
  if (!fs::is_regular_file(status)) return std::make_error_code(std::errc::not_supported);
  const auto bytes = fs::file_size(path, error);
  if (error) return error;
  if (bytes > search::kMostKnowledge) return std::make_error_code(std::errc::file_too_large);
  return gdl::read_file(path);
}

/// Empty if it can't be read.
std::string content_of(const fs::path& path) {
  auto content = read_short_file(path);
  return content ? *std::move(content) : std::string();
}

/// What the option `knowledge` says.
std::string wanted_by(const search::StrategySpec& spec) {
  const auto given = spec.options.find("knowledge");
  return given == spec.options.end() ? "auto" : given->second;
}

class OneFile final : public search::KnowledgeStore {
 public:
  explicit OneFile(fs::path path) : path_(std::move(path)) {}
  [[nodiscard]] std::string find(const std::string&) const override { return content_of(path_); }

 private:
  fs::path path_;
};

class Folder final : public search::KnowledgeStore {
 public:
  explicit Folder(fs::path path) : path_(std::move(path)) {}
  [[nodiscard]] std::string find(const std::string& fingerprint) const override {
    return content_of(knowledge_file(path_, fingerprint));
  }

 private:
  fs::path path_;
};

/// The absolute path that a variable of the environment holds; null for anything else, which the
/// XDG base directories say to ignore.
const char* absolute_path(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value == '/' ? value : nullptr;
}

}  // namespace

fs::path knowledge_folder() {
  const char* folder = std::getenv("LUDENS_KNOWLEDGE");
  if (folder != nullptr && *folder != '\0') return folder;
  if (const char* data = absolute_path("XDG_DATA_HOME")) return fs::path(data) / "ludens/knowledge";
  const char* home = absolute_path("HOME");
  return home != nullptr ? fs::path(home) / ".local/share/ludens/knowledge" : fs::path();
}

fs::path knowledge_file(const fs::path& folder, const std::string& fingerprint) {
  return folder / (fingerprint + ".knowledge");
}

std::shared_ptr<const search::KnowledgeStore> knowledge_of(const search::StrategySpec& spec) {
  const std::string wanted = wanted_by(spec);
  if (wanted == "none") return nullptr;
  if (wanted != "auto") return std::make_shared<OneFile>(wanted);
  if (search::limited_by_counts(spec)) return nullptr;
  fs::path folder = knowledge_folder();
  std::error_code error;
  if (!fs::is_directory(folder, error)) return nullptr;  // to find a game there takes a while
  return std::make_shared<Folder>(std::move(folder));
}

std::optional<std::string> named_knowledge(const search::StrategySpec& spec) {
  std::string wanted = wanted_by(spec);
  if (wanted == "none" || wanted == "auto") return std::nullopt;
  return wanted;
}

std::optional<std::string> problem_with_knowledge(const search::StrategySpec& spec,
                                                  const gdl::Rules* rules) {
  const auto file = named_knowledge(spec);
  if (!file) return std::nullopt;
  const auto sentence = [&](const std::string& why) {
    return "knowledge=" + *file + ": " + why +
           "; `ludens learn GAME --out FILE` writes such a file, knowledge=none plays without";
  };
  const auto bytes = read_short_file(*file);
  if (!bytes) return sentence(bytes.error().message());
  const std::string fingerprint = rules == nullptr ? "" : gdl::canonical_names(*rules)->fingerprint;
  const auto problem = search::problem_of_knowledge(*bytes, fingerprint);
  return problem ? std::optional(sentence(*problem)) : std::nullopt;
}

}  // namespace ludens::agent
