// SPDX-License-Identifier: MIT
// Match records: read, derived again, written.
#include <pybind11/stl.h>

#include "bindings/python/game_binding.h"
#include "server/match/match.h"
#include "server/records/ggp_json.h"
#include "server/records/match_record.h"
#include "server/records/record_files.h"
#include "server/records/replay.h"

namespace ludens::bindings {

namespace py = pybind11;

namespace {

using server::MatchRecord;

py::list read(const std::string& path) {
  const auto files = server::find_records(path);
  if (!files) throw py::value_error(files.error().text);
  py::list out;
  for (const auto& file : *files) {
    const auto found = server::read_records(file);
    if (!found) throw py::value_error(found.error().text);
    for (const server::FoundRecord& f : *found) {
      if (!f.record) throw py::value_error(f.place + ": " + f.record.error().text);
      out.append(py::cast(*f.record));
    }
  }
  return out;
}

std::vector<std::string> disagreements(const MatchRecord& record, const PythonGame& game) {
  const auto& rules = game.loaded()->sheet().rules;
  server::ReplayResult result;
  {
    const Unlocked unlocked;
    result = server::replay(record, rules);
  }
  std::vector<std::string> lines;
  for (const server::Disagreement& d : result.disagreements) {
    lines.push_back("state " + std::to_string(d.step) + ": " + d.what);
  }
  return lines;
}

}  // namespace

void bind_records(py::module_& module) {
  py::class_<MatchRecord>(module, "RecordCore")
      .def(py::init<>())
      .def_readwrite("match_id", &MatchRecord::match_id)
      .def_readwrite("start_time_ms", &MatchRecord::start_time_ms)
      .def_readwrite("game", &MatchRecord::game)
      .def_readwrite("rulesheet", &MatchRecord::rulesheet)
      .def_readwrite("roles", &MatchRecord::roles)
      .def_readwrite("players", &MatchRecord::players)
      .def_readwrite("start_clock", &MatchRecord::start_clock)
      .def_readwrite("play_clock", &MatchRecord::play_clock)
      .def_readwrite("seed", &MatchRecord::seed)
      .def_readwrite("states", &MatchRecord::states)
      .def_readwrite("state_times_ms", &MatchRecord::state_times_ms)
      .def_readwrite("moves", &MatchRecord::moves)
      .def_readwrite("percepts", &MatchRecord::percepts)
      .def_readwrite("errors", &MatchRecord::errors)
      .def_readwrite("latencies_ms", &MatchRecord::latencies_ms)
      .def_readwrite("completed", &MatchRecord::completed)
      .def_readwrite("aborted", &MatchRecord::aborted)
      .def_readwrite("goals", &MatchRecord::goals)
      .def("json", &server::to_ggp_json)
      .def("disagreements", &disagreements);
  module.def("read_records", &read);
  module.def("new_match_id", &server::new_match_id);
}

}  // namespace ludens::bindings
