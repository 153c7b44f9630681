// SPDX-License-Identifier: MIT
// Where records are stored: `DIR/ID.json` and the folder `DIR/ID.xml/`, one file per state.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "gdl/text/error.h"
#include "server/records/match_record.h"

namespace ludens::server {

/// Writes the record of one match after each of its steps: a document of XML for each state. The
/// JSON has the whole match, so it is written again when the match has grown by an eighth, and at
/// the end: all that is written of it is a few times its size. What it lacks if the program is
/// killed is in the XML. A match that is long and fast leaves steps out, which the next save
/// contains: no more than a second and a tenth of the time of the match goes into its record before
/// the end. A match continues without its record: what can't be written is reported once, and tried
/// again with the next step.
class RecordFiles {
 public:
  /// The folders are created by `reserve`, or otherwise with the first save.
  RecordFiles(const std::filesystem::path& folder, const std::string& match_id);

  [[nodiscard]] const std::filesystem::path& json() const { return json_; }
  /// With `step_N.xml` from 1, `finalstate.xml`, and the rules in `rulesheet.kif`.
  [[nodiscard]] const std::filesystem::path& xml() const { return xml_; }

  /// Creates the folder, and in it an empty folder for the XML. `file_exists` if a record of that
  /// id is there or reserved, by this process or another one.
  [[nodiscard]] std::error_code reserve() const;

  /// Removes what was reserved, if nothing was saved.
  void drop() const;

  /// To be called when a state was appended, and when the match has ended: then all is written.
  /// Returns what went wrong, unless that was reported before.
  std::optional<std::string> save(const MatchRecord& record);
  /// What went wrong with the last save; empty if nothing did.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::string try_save(const MatchRecord& record);

  std::filesystem::path json_, xml_;
  std::size_t states_saved_ = 0;
  std::size_t next_json_ = 0;  // states with which the JSON is written again
  std::optional<std::chrono::steady_clock::time_point> begun_;  // the first save
  std::chrono::steady_clock::duration spent_{};                 // on saves
  bool told_ = false;
  std::string problem_;
};

/// A match found in a file, with the place where it was found (`FILE`, or `FILE:LINE` in an
/// archive).
struct FoundRecord {
  std::string place;
  gdl::Result<MatchRecord> record;  // or what is wrong with it
};

/// The records at a path: the file itself, or a folder of one match in Dresden's XML; otherwise all
/// records below the folder, sorted, where a match that exists as JSON and as XML is listed once.
/// The error is a sentence `PATH: why`, also if there are none.
gdl::Result<std::vector<std::filesystem::path>> find_records(const std::filesystem::path& path);

/// The same match in the folder of XML beside a JSON record; nullopt if there is none.
std::optional<FoundRecord> xml_beside(const std::filesystem::path& json);

/// Reads a JSON record, an archive of JSON lines, an XML document, or a folder of Dresden's XML.
/// The error is a sentence `PATH: why`.
gdl::Result<std::vector<FoundRecord>> read_records(const std::filesystem::path& path);

}  // namespace ludens::server
