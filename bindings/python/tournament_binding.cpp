// SPDX-License-Identifier: MIT
// The parts of this program's tournaments other than playing: plan, schedule, log and statistics.
#include <pybind11/stl.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "agent/knowledge/knowledge_files.h"
#include "bindings/python/game_binding.h"
#include "bindings/python/strategy_binding.h"
#include "gdl/text/file.h"
#include "server/records/match_record.h"
#include "server/statistics/standings.h"
#include "server/statistics/standings_text.h"
#include "server/tournament/log_writer.h"
#include "server/tournament/played_match.h"
#include "server/tournament/schedule.h"

namespace ludens::bindings {

namespace py = pybind11;

namespace {

using server::MatchRecord;
using server::MatchResult;

server::PlannedGame planned_game(const PythonGame& game, double start_clock, double play_clock) {
  const server::Rulesheet& sheet = game.loaded()->sheet();
  server::PlannedGame planned;
  planned.name = server::storable(sheet.name);
  planned.file = sheet.file;
  planned.hash = server::text_hash(sheet.text);
  for (gdl::RoleIndex r = 0; r < game.machine().role_count(); ++r) {
    planned.roles.push_back(server::storable(game.machine().role_name(r)));
    planned.chance.push_back(r == game.machine().random_role());
  }
  planned.start_clock = start_clock;
  planned.play_clock = play_clock;
  return planned;
}

/// ValueError if a match can't have these clocks, in seconds.
void check_clocks(double start_clock, double play_clock) {
  if (server::is_clock(start_clock) && server::is_clock(play_clock)) return;
  throw py::value_error("clocks are of 0 to " + std::to_string(server::kLongestClock) + " seconds");
}

/// The name, a description for people, and the strategy that plays for it; empty: it has none.
using GivenPlayer = std::tuple<std::string, std::string, std::string>;

/// The hash of the knowledge that a strategy names; empty if it names none.
std::string knowledge_hash(const std::string& strategy) {
  if (strategy.empty()) return {};
  const auto file = agent::named_knowledge(strategy_of(strategy, false));
  if (!file) return {};
  const auto content = gdl::read_file(*file);
  if (!content) throw py::value_error(*file + ": " + content.error().message());
  return server::text_hash(*content);
}

/// The schedule and the results. Does not play itself.
class PythonTournament {
 public:
  /// `folder`: the folder of the log; no log is kept if it is empty.
  PythonTournament(const std::vector<GivenPlayer>& players,
                   const std::vector<std::shared_ptr<PythonGame>>& games, std::size_t rounds,
                   double start_clock, double play_clock, std::uint64_t seed,
                   const std::string& name, const std::string& folder, bool resume)
      : plan_(planned(players, games, {start_clock, play_clock}, rounds, seed, name)),
        schedule_(plan_) {
    for (std::size_t b = 0; b < schedule_.blocks(); ++b) {
      const std::size_t size = schedule_.block(b).size();
      for (std::size_t rotation = 0; rotation < size; ++rotation) places_.push_back({b, rotation});
    }
    if (folder.empty()) return;
    auto opened = server::LogWriter::open(folder, plan_, {}, resume);
    if (!opened) throw py::value_error(opened.error().text());
    writer_ = std::move(opened->writer);
    results_ = std::move(opened->results);
  }

  [[nodiscard]] std::size_t total() const { return places_.size(); }

  /// The id of a match, its game, its players by role (None: `random`), and its seed.
  [[nodiscard]] py::tuple match(std::size_t number) const {
    const Place place = places_.at(number);
    const server::Block block = schedule_.block(place.block);
    return py::make_tuple(server::match_id(plan_.id(), block, place.rotation), block.game,
                          server::seats(plan_.games[block.game], block, place.rotation),
                          block.seed);
  }

  /// Adds a finished match: `file` is that of its record, relative to the folder; empty: none.
  void add(std::size_t number, const MatchRecord& record, double seconds, const std::string& file) {
    const Place place = places_.at(number);
    const server::Block block = schedule_.block(place.block);
    MatchRecord counted = record;
    counted.faults = server::count_faults(record);
    for (std::size_t role = 0; role < counted.roles.size(); ++role) {
      if (plan_.games[block.game].chance[role]) counted.players[role].clear();
    }
    const server::StartedMatch match{server::match_id(plan_.id(), block, place.rotation),
                                     block.place(place.rotation), block.game, counted.players};
    MatchResult result = server::result_of(plan_, match, block.seed, counted);
    result.duration_ms = seconds * 1000;
    result.record = file;
    if (writer_ != nullptr) {
      if (const auto problem = writer_->append(to_json(result))) {
        throw std::runtime_error(*problem);
      }
    }
    results_.push_back(std::move(result));
  }

  /// What is known about the finished matches: number, goals by role, faults, and the file of the
  /// record.
  [[nodiscard]] py::list done() const {
    py::list out;
    for (const MatchResult& r : results_) {
      const auto at = std::ranges::find_if(places_, [&](const Place& place) {
        return place.block == r.block.number && place.rotation == r.block.rotation;
      });
      std::size_t faults = 0;
      for (const server::FaultCounts& f : r.faults) faults += f.total();
      out.append(py::make_tuple(at - places_.begin(), r.goals, faults, r.record));
    }
    return out;
  }

  /// By rank: name, matches, mean goal and its interval of 95 %, faults.
  [[nodiscard]] py::list standings() const {
    py::list out;
    for (const server::PlayerStanding& s : find_standings().players) {
      const server::Estimate& score = s.tally.score;
      const auto played = std::ranges::count_if(results_, [&](const MatchResult& r) {
        return std::ranges::find(r.players, s.player) != r.players.end();
      });
      out.append(py::make_tuple(s.player, played, score.mean * 100, score.low * 100,
                                score.high * 100, s.faults.total()));
    }
    return out;
  }
  [[nodiscard]] std::string text() const { return server::standings_text(find_standings()); }

 private:
  struct Place {
    std::size_t block, rotation;
  };
  struct Clocks {
    double start, play;  // seconds
  };

  static server::TournamentPlan planned(const std::vector<GivenPlayer>& players,
                                        const std::vector<std::shared_ptr<PythonGame>>& games,
                                        Clocks clocks, std::size_t rounds, std::uint64_t seed,
                                        const std::string& name) {
    check_clocks(clocks.start, clocks.play);
    server::TournamentPlan plan;
    plan.crash = server::CrashPolicy::Replaced;  // these players have no connection to lose
    plan.name = name;
    plan.rounds = rounds;
    plan.seed = seed;
    for (const auto& [called, what, strategy] : players) {
      server::PlannedPlayer player;
      player.name = server::storable(called);
      player.strategy = what;
      player.hash = knowledge_hash(strategy);
      plan.players.push_back(std::move(player));
    }
    for (const auto& game : games) {
      plan.games.push_back(planned_game(*game, clocks.start, clocks.play));
      const auto twice =
          std::ranges::count(plan.games, plan.games.back().name, &server::PlannedGame::name);
      if (twice > 1) throw py::value_error("two games are called " + plan.games.back().name);
    }
    return plan;
  }

  [[nodiscard]] server::Standings find_standings() const {
    return server::standings_of(server::standings_input(plan_, {}, results_));
  }

  server::TournamentPlan plan_;
  server::Schedule schedule_;
  std::vector<Place> places_;  // of all matches, in the order of play
  std::unique_ptr<server::LogWriter> writer_;
  std::vector<MatchResult> results_;
};

}  // namespace

void bind_tournaments(py::module_& module) {
  py::class_<PythonTournament>(module, "TournamentCore")
      .def(py::init<const std::vector<GivenPlayer>&,
                    const std::vector<std::shared_ptr<PythonGame>>&, std::size_t, double, double,
                    std::uint64_t, const std::string&, const std::string&, bool>())
      .def_property_readonly("total", &PythonTournament::total)
      .def("match", &PythonTournament::match)
      .def("add", &PythonTournament::add)
      .def("done", &PythonTournament::done)
      .def("standings", &PythonTournament::standings)
      .def("text", &PythonTournament::text);
  module.def("check_clocks", &check_clocks);
  module.def("safe_file_name", &server::safe_file_name);
}

}  // namespace ludens::bindings
