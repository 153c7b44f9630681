// SPDX-License-Identifier: MIT
#include "server/records/record_files.h"

#include <algorithm>
#include <string_view>

#include "gdl/text/file.h"
#include "gdl/text/utf8.h"
#include "server/game/rulesheet.h"
#include "server/records/atomic_file.h"
#include "server/records/dresden_xml.h"
#include "server/records/ggp_json.h"
#include "server/records/text_place.h"
#include "server/records/xml_record.h"

namespace ludens::server {

namespace fs = std::filesystem;

namespace {

/// What saves may take before the end of a match, besides one of so many parts of its time.
constexpr std::chrono::seconds kFreeTime{1};
constexpr int kShareOfTime = 10;

/// Removes the states of an earlier match of that id: its last ones would seem to belong to this
/// match. What can't be removed is reported when it is written.
void remove_states(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> states;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with("step_") || name == "finalstate.xml") states.push_back(it->path());
  }
  for (const fs::path& state : states) fs::remove(state, error);
}

}  // namespace

RecordFiles::RecordFiles(const fs::path& folder, const std::string& match_id)
    : json_(folder / (safe_file_name(match_id) + ".json")),
      xml_(folder / (safe_file_name(match_id) + ".xml")) {}

std::error_code RecordFiles::reserve() const {
  const std::error_code taken = std::make_error_code(std::errc::file_exists);
  std::error_code error;
  fs::create_directories(xml_.parent_path(), error);
  if (error) return error;
  if (fs::exists(json_, error)) return taken;
  // Of several processes, one alone creates the folder.
  if (!fs::create_directory(xml_, error) && !error) return taken;
  return error;
}

void RecordFiles::drop() const {
  std::error_code ignored;
  fs::remove(xml_, ignored);  // fails for a folder with anything in it
}

std::optional<std::string> RecordFiles::save(const MatchRecord& record) {
  const auto now = std::chrono::steady_clock::now();
  if (!begun_) begun_ = now;
  const bool late = spent_ > kFreeTime + (now - *begun_) / kShareOfTime;
  if (late && !record.completed && !record.aborted) return std::nullopt;
  problem_ = try_save(record);
  spent_ += std::chrono::steady_clock::now() - now;
  if (problem_.empty() || told_) return std::nullopt;
  told_ = true;
  return problem_;
}

std::string RecordFiles::try_save(const MatchRecord& record) {
  std::error_code error;
  fs::create_directories(xml_, error);
  if (error) return xml_.string() + ": " + error.message();
  const bool ended = record.completed || record.aborted;
  const Durability durability = ended ? Durability::Synced : Durability::Renamed;
  if (ended || record.states.size() >= next_json_) {
    error = write_atomically(json_, to_ggp_json(record), durability);
    if (error) return json_.string() + ": " + error.message();
    next_json_ = record.states.size() + std::max<std::size_t>(1, record.states.size() / 8);
  }

  const auto write_xml = [&](const std::string& name, const std::string& content) {
    error = write_atomically(xml_ / name, content, Durability::Renamed);
    return error ? (xml_ / name).string() + ": " + error.message() : std::string();
  };
  if (states_saved_ == 0) {
    remove_states(xml_);
    // Spelled like the names in the states, so that these are found in it again.
    if (std::string problem = write_xml("rulesheet.kif", storable(record.rulesheet));
        !problem.empty()) {
      return problem;
    }
  }
  // The last state is written again at the end: it has the scores then.
  for (std::size_t state = std::min(states_saved_, record.states.size() - (ended ? 1 : 0));
       state < record.states.size(); ++state) {
    std::string problem =
        write_xml("step_" + std::to_string(state + 1) + ".xml", to_dresden_xml(record, state));
    if (!problem.empty()) return problem;
    states_saved_ = state + 1;
  }
  if (!ended || record.states.empty()) return {};
  return write_xml("finalstate.xml", to_dresden_xml(record, record.states.size() - 1));
}

namespace {

using Parsed = gdl::Result<MatchRecord>;

/// Whether every line must be an object of its own, because the first one is.
bool is_archive(std::string_view text) {
  const std::string_view first = trimmed(text.substr(0, text.find('\n')));
  return first.size() < text.size() && first.ends_with('}');
}

/// Reads one object that is the whole text, or one object a line.
std::vector<FoundRecord> read_json(const std::string& place, std::string_view text) {
  Parsed whole = parse_ggp_json(text);
  if (whole || !is_archive(text)) return {{place, std::move(whole)}};
  std::vector<FoundRecord> found;
  for (std::size_t begin = 0, number = 1; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(text.substr(begin, end - begin));
    if (!line.empty()) {
      found.push_back({place + ":" + std::to_string(number), parse_ggp_json(line)});
    }
    begin = end + 1;
  }
  return found;
}

Parsed read_xml_file(const fs::path& file) {
  const auto text = gdl::read_file(file);
  if (!text) return gdl::Error{text.error().message()};
  return parse_xml_record(*text);
}

void attach_rulesheet(MatchRecord& record, const fs::path& folder) {
  auto rules = gdl::read_file(folder / "rulesheet.kif");
  if (rules) record.rulesheet = *std::move(rules);
}

std::size_t count_steps(const fs::path& folder) {
  std::size_t count = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const fs::path& file = it->path();
    count += file.extension() == ".xml" && file.stem().string().starts_with("step_") ? 1 : 0;
  }
  return count;
}

/// Whether a list is the beginning of another one.
template <class T>
bool begins(const std::vector<T>& part, const std::vector<T>& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

/// What a document of an earlier state says otherwise than the last one; empty: nothing.
std::string_view contradiction(const MatchRecord& part, const MatchRecord& whole) {
  if (part.match_id != whole.match_id) return "match-id";
  if (part.roles != whole.roles) return "roles";
  if (part.players != whole.players) return "players";
  if (part.start_clock != whole.start_clock || part.play_clock != whole.play_clock) return "clocks";
  if (!begins(part.moves, whole.moves)) return "moves";
  if (!begins(part.percepts, whole.percepts)) return "percepts";
  if (!begins(part.errors, whole.errors)) return "errors";
  return {};
}

/// What `finalstate.xml` says otherwise than the document of the last state.
std::string_view final_contradiction(const MatchRecord& end, const MatchRecord& last) {
  if (end.moves.size() != last.moves.size()) return "moves";
  if (end.states.back() != last.states.back()) return "state";
  if (end.completed != last.completed || end.goals != last.goals) return "scores";
  if (end.aborted != last.aborted || end.end_reason != last.end_reason) return "abort";
  return contradiction(end, last);
}

/// Compares the document of the end with that of the last state, or notes that it is missing.
/// Returns what is wrong.
std::optional<gdl::Error> check_final_state(const fs::path& folder, MatchRecord& last) {
  const std::string name = "finalstate.xml";
  std::error_code error;
  if (!fs::exists(folder / name, error)) {
    if (last.completed || last.aborted) last.missing.push_back(name);
    return std::nullopt;
  }
  const Parsed end = read_xml_file(folder / name);
  if (!end) return gdl::Error{name + ": " + end.error().text};
  const std::string_view differs = final_contradiction(*end, last);
  if (differs.empty()) return std::nullopt;
  return gdl::Error{name + " has other " + std::string(differs) + " than step_" +
                    std::to_string(last.states.size()) + ".xml"};
}

/// `step_1.xml`, `step_2.xml`, ...: the last has the history, each has its state.
Parsed read_xml_folder(const fs::path& folder) {
  std::vector<MatchRecord> steps;
  std::error_code error;
  for (;;) {
    const fs::path file = folder / ("step_" + std::to_string(steps.size() + 1) + ".xml");
    if (!fs::exists(file, error)) break;
    Parsed step = read_xml_file(file);
    if (!step) return gdl::Error{file.filename().string() + ": " + step.error().text};
    steps.push_back(*std::move(step));
  }
  if (steps.empty()) return gdl::Error{"no step_1.xml in it"};
  if (count_steps(folder) > steps.size()) {
    return gdl::Error{"step_" + std::to_string(steps.size() + 1) +
                      ".xml is missing, and later ones are there"};
  }
  MatchRecord record = steps.back();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string name = "step_" + std::to_string(i + 1) + ".xml";
    if (steps[i].states.size() != i + 1) {
      return gdl::Error{name + " has a history of " + std::to_string(steps[i].moves.size()) +
                        " steps"};
    }
    const std::string_view differs = contradiction(steps[i], steps.back());
    const bool ended = steps[i].completed || steps[i].aborted;
    if (!differs.empty()) {
      return gdl::Error{name + " has other " + std::string(differs) + " than step_" +
                        std::to_string(steps.size()) + ".xml"};
    }
    if (ended && i + 1 < steps.size())
      return gdl::Error{name + " is not the last, and has the end"};
    record.states[i] = steps[i].states.back();
    record.state_times_ms[i] = steps[i].state_times_ms.back();
  }
  if (auto problem = check_final_state(folder, record)) return *std::move(problem);
  attach_rulesheet(record, folder);
  return record;
}

bool is_xml_folder(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "step_1.xml", error);
}

/// Other documents, for instance those of tournaments, are skipped, and so is the folder of a match
/// without a state.
bool is_xml_record(const fs::path& file) {
  std::error_code error;
  if (file.extension() != ".xml" || fs::is_directory(file, error)) return false;
  const auto text = gdl::read_file(file);
  return !text || may_be_xml_record(*text);
}

}  // namespace

gdl::Result<std::vector<fs::path>> find_records(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error) || is_xml_folder(path)) return std::vector{path};
  std::vector<fs::path> found;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    const fs::path& entry = it->path();
    if (is_xml_folder(entry)) {
      it.disable_recursion_pending();
      fs::path json = entry;
      if (!fs::exists(json.replace_extension(".json"), error)) found.push_back(entry);
      error.clear();
    } else if (entry.extension() == ".json" || is_xml_record(entry)) {
      found.push_back(entry);
    }
  }
  if (error) return gdl::Error{path.string() + ": " + error.message()};
  if (found.empty()) return gdl::Error{path.string() + ": no records in it"};
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<FoundRecord> xml_beside(const fs::path& json) {
  fs::path folder = json;
  if (json.extension() != ".json" || !is_xml_folder(folder.replace_extension(".xml"))) {
    return std::nullopt;
  }
  return FoundRecord{folder.string(), read_xml_folder(folder)};
}

gdl::Result<std::vector<FoundRecord>> read_records(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return std::vector<FoundRecord>{{path.string(), read_xml_folder(path)}};
  }
  const auto text = gdl::read_file(path);
  if (!text) return gdl::Error{path.string() + ": " + text.error().message()};
  const std::string_view content = trimmed(gdl::without_byte_order_mark(*text));
  if (content.empty()) return gdl::Error{path.string() + ": it is empty"};
  if (content.front() != '<') return read_json(path.string(), content);
  Parsed parsed = parse_xml_record(content);
  if (parsed) attach_rulesheet(*parsed, path.parent_path());
  return std::vector<FoundRecord>{{path.string(), std::move(parsed)}};
}

}  // namespace ludens::server
