// SPDX-License-Identifier: MIT
#include "agent/knowledge/knowledge_files.h"

#include <cstdlib>
#include <fstream>
#include <system_error>

#include "search/registry/registry.h"

namespace ludens::agent {

namespace {

namespace fs = std::filesystem;

/// Empty where there is no such file, or one that is too long.
std::string read_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  const auto bytes = fs::file_size(path, error);
  if (error || bytes > search::kMostKnowledge) return {};
  std::string content(bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(content.data(), static_cast<std::streamsize>(bytes));
  if (file.gcount() != static_cast<std::streamsize>(bytes)) return {};
  return content;
}

class OneFile final : public search::KnowledgeStore {
 public:
  explicit OneFile(fs::path path) : path_(std::move(path)) {}
  [[nodiscard]] std::string find(const std::string&) const override { return read_file(path_); }

 private:
  fs::path path_;
};

class Folder final : public search::KnowledgeStore {
 public:
  explicit Folder(fs::path path) : path_(std::move(path)) {}
  [[nodiscard]] std::string find(const std::string& fingerprint) const override {
    return read_file(knowledge_file(path_, fingerprint));
  }

 private:
  fs::path path_;
};

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

fs::path knowledge_folder() {
  if (const char* folder = variable("LUDENS_KNOWLEDGE")) return folder;
  if (const char* data = variable("XDG_DATA_HOME")) return fs::path(data) / "ludens/knowledge";
  if (const char* home = variable("HOME")) return fs::path(home) / ".local/share/ludens/knowledge";
  return {};
}

fs::path knowledge_file(const fs::path& folder, const std::string& fingerprint) {
  return folder / (fingerprint + ".knowledge");
}

std::shared_ptr<const search::KnowledgeStore> knowledge_of(const search::StrategySpec& spec) {
  const auto given = spec.options.find("knowledge");
  const std::string wanted = given == spec.options.end() ? "auto" : given->second;
  if (wanted == "none") return nullptr;
  if (wanted != "auto") return std::make_shared<OneFile>(wanted);
  if (search::limited_by_counts(spec)) return nullptr;
  fs::path folder = knowledge_folder();
  std::error_code error;
  if (!fs::is_directory(folder, error)) return nullptr;  // to find a game there takes a while
  return std::make_shared<Folder>(std::move(folder));
}

}  // namespace ludens::agent
