// Where records lie: `DIR/ID.json` and the folder `DIR/ID.xml/`, one file a state.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "server/records/match_record.h"

namespace ludens::server {

/// Writes the record of one match after each of its steps. A match goes on without its record: what
/// can't be written is told once, and tried again with the next step.
class RecordFiles {
 public:
  /// The folder is made with the first save.
  RecordFiles(std::filesystem::path folder, const std::string& match_id);

  [[nodiscard]] const std::filesystem::path& json() const { return json_; }
  /// With `step_N.xml` from 1, `finalstate.xml`, and the rules in `rulesheet.kif`.
  [[nodiscard]] const std::filesystem::path& xml() const { return xml_; }

  /// To be called when a state was appended, and when the match has ended. What went wrong, if
  /// nothing was said before.
  std::optional<std::string> save(const MatchRecord& record);

 private:
  std::string try_save(const MatchRecord& record);

  std::filesystem::path json_, xml_;
  std::size_t states_saved_ = 0;
  bool told_ = false;
};

/// A match found in a file, with the place it was found at (`FILE`, or `FILE:LINE` in an archive).
struct FoundRecord {
  std::string place;
  std::variant<MatchRecord, std::string> record;  // or what is wrong with it
};

/// Reads a JSON record, an archive of JSON lines, a Dresden XML document, or a folder of such
/// documents. The error is a sentence `PATH: why`.
std::variant<std::vector<FoundRecord>, std::string> read_records(const std::filesystem::path& path);

}  // namespace ludens::server
