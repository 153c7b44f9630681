// SPDX-License-Identifier: MIT
#include "agent/knowledge/knowledge_files.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include "tests/agent/temporary_folder.h"

namespace ludens::agent {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class KnowledgeFiles : public testing::Test {
 protected:
  KnowledgeFiles() { ::setenv("LUDENS_KNOWLEDGE", folder_.path().c_str(), 1); }
  ~KnowledgeFiles() override { ::unsetenv("LUDENS_KNOWLEDGE"); }

  static std::shared_ptr<const search::KnowledgeStore> store(search::OptionTexts options) {
    return knowledge_of({"value", std::move(options)});
  }
  void write(const fs::path& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
  }

  TemporaryFolder folder_;
};

TEST_F(KnowledgeFiles, AreFoundByTheFingerprintOfTheGame) {
  write("abc.knowledge", "known");
  EXPECT_EQ(store({})->find("abc"), "known");
  EXPECT_EQ(store({{"knowledge", "auto"}})->find("abc"), "known");
  EXPECT_EQ(store({})->find("abd"), "");
}

TEST_F(KnowledgeFiles, MayBeNamed) {
  write("mine", "my own");
  const auto named = store({{"knowledge", (folder_.path() / "mine").string()}, {"nodes", "10"}});
  EXPECT_EQ(named->find("abc"), "my own");
  EXPECT_EQ(store({{"knowledge", (folder_.path() / "no").string()}})->find("abc"), "");
}

TEST_F(KnowledgeFiles, AreLeftAloneWhereMatchesRepeat) {
  EXPECT_EQ(store({{"knowledge", "none"}}), nullptr);
  for (const char* count : {"playouts", "nodes", "games"}) {
    EXPECT_EQ(store({{count, "100"}}), nullptr) << count;
    EXPECT_NE(store({{count, "0"}}), nullptr) << count;
  }
}

TEST_F(KnowledgeFiles, ThatAreNoFilesAreNotReadFrom) {
  ASSERT_EQ(::mkfifo((folder_.path() / "abc.knowledge").c_str(), 0600), 0);
  EXPECT_EQ(store({})->find("abc"), "");
  fs::create_directory(folder_.path() / "abd.knowledge");
  EXPECT_EQ(store({})->find("abd"), "");
  write("abe.knowledge", "");
  fs::resize_file(folder_.path() / "abe.knowledge", search::kMostKnowledge + 1);
  EXPECT_EQ(store({})->find("abe"), "");
}

TEST_F(KnowledgeFiles, ThatAreNamedAndCannotBeReadAreAProblem) {
  const auto problem = [&](const std::string& name) {
    const std::string path = (folder_.path() / name).string();
    return problem_with_knowledge({"value", {{"knowledge", path}}}, nullptr).value_or("none");
  };
  EXPECT_THAT(problem("no"), HasSubstr("No such file"));
  EXPECT_THAT(problem("no"), HasSubstr("ludens learn GAME --out"));
  EXPECT_THAT(problem(""), HasSubstr("directory"));
  write("text", "known");
  EXPECT_THAT(problem("text"), HasSubstr("no file of knowledge"));
  fs::resize_file(folder_.path() / "text", search::kMostKnowledge + 1);
  EXPECT_THAT(problem("text"), HasSubstr("too large"));
  for (const char* wanted : {"auto", "none"}) {
    EXPECT_EQ(problem_with_knowledge({"value", {{"knowledge", wanted}}}, nullptr), std::nullopt);
  }
  EXPECT_EQ(problem_with_knowledge({"value", {}}, nullptr), std::nullopt);
}

/// Sets a variable of the environment while it lives; null: there is none.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) { value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1); }
  const char* name_;
  std::optional<std::string> before_;
};

TEST_F(KnowledgeFiles, LieWithTheDataOfTheUser) {
  EXPECT_EQ(knowledge_folder(), folder_.path());
  const Variable own("LUDENS_KNOWLEDGE", nullptr), home("HOME", "/h");
  {
    const Variable data("XDG_DATA_HOME", "/somewhere");
    EXPECT_EQ(knowledge_folder(), "/somewhere/ludens/knowledge");
  }
  for (const char* useless : {"", "rel", "./rel"}) {  // the rules of XDG want an absolute path
    const Variable data("XDG_DATA_HOME", useless);
    EXPECT_EQ(knowledge_folder(), "/h/.local/share/ludens/knowledge");
    const Variable nowhere("HOME", useless);
    EXPECT_EQ(knowledge_folder(), "");
  }
}

}  // namespace
}  // namespace ludens::agent
