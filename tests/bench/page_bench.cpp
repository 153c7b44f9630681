// SPDX-License-Identifier: MIT
// How fast the page with Ludens in it is in a headless Chromium:
//
//     ludens_page_bench PAGE SECONDS ROUNDS MACHINE[,MACHINE...] GAME...
//
// PAGE is build/wasm/ludens.html, MACHINE one of those of `--machine`, GAME a rulesheet. The
// machines take turns, so that they meet the same load; each round measures random playouts for
// that long, and as long a search. Figures are medians, then least and most.
#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "gdl/text/file.h"
#include "server/browser/browser.h"

namespace ludens {
namespace {

namespace json = boost::json;

struct Settings {
  int milliseconds;
  int rounds;
  std::vector<std::string> machines;
};

/// What came of a machine's rounds.
struct Figures {
  std::vector<double> ready, steps, iterations;  // ms, M/s, k/s
  std::string form;
};

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> out{""};
  for (const char c : names) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

double number(const json::object& from, const char* name) {
  const json::value* found = from.if_contains(name);
  return found == nullptr ? 0 : found->to_number<double>();
}

void print(const char* name, std::vector<double> values) {
  std::ranges::sort(values);
  std::printf(" | %s %.4g (%.4g..%.4g)", name, values[values.size() / 2], values.front(),
              values.back());
}

/// False if a machine can't play it.
bool measure(server::Browser& page, const Settings& settings, const std::string& game) {
  const auto text = gdl::read_file(game);
  if (!text) return false;
  std::vector<Figures> all(settings.machines.size());
  for (int round = 0; round < settings.rounds; ++round) {
    for (std::size_t m = 0; m < all.size(); ++m) {
      const json::object request{{"do", "measure"},
                                 {"text", *text},
                                 {"machine", settings.machines[m]},
                                 {"ms", settings.milliseconds}};
      const json::value answer =
          page.evaluate("ludens.engine.ask(" + json::serialize(request) + ")");
      if (!answer.is_object() || answer.get_object().contains("problem")) {
        std::fprintf(stderr, "%s, %s: %s\n", game.c_str(), settings.machines[m].c_str(),
                     json::serialize(answer).c_str());
        return false;
      }
      const json::object& figures = answer.get_object();
      all[m].ready.push_back(number(figures, "ready_ms"));
      all[m].steps.push_back(number(figures, "steps_per_s") / 1e6);
      all[m].iterations.push_back(number(figures, "iterations_per_s") / 1e3);
      all[m].form = json::serialize(figures.at("gates")) + " gates, " +
                    json::serialize(figures.at("lanes")) + " lanes" +
                    (figures.at("generated").get_bool() ? ", generated" : "");
    }
  }
  for (std::size_t m = 0; m < all.size(); ++m) {
    std::printf("%-18s %-20s", std::filesystem::path(game).stem().c_str(),
                settings.machines[m].c_str());
    print("M steps/s", all[m].steps);
    print("k iterations/s", all[m].iterations);
    print("ready ms", all[m].ready);
    std::printf(" | %s\n", all[m].form.c_str());
  }
  std::fflush(stdout);
  return true;
}

int run(const std::vector<std::string>& arguments) {
  const auto chromium = server::find_chromium();
  if (!chromium || arguments.size() < 5) {
    std::fprintf(stderr,
                 "usage: ludens_page_bench PAGE SECONDS ROUNDS MACHINE[,MACHINE...] "
                 "GAME..., with a Chromium\n");
    return 2;
  }
  const Settings settings{static_cast<int>(1000 * std::atof(arguments[1].c_str())),
                          std::max(1, std::atoi(arguments[2].c_str())), split(arguments[3])};
  server::Browser page(*chromium);
  page.set_patience(std::chrono::minutes(2));
  page.open("file://" + std::filesystem::absolute(arguments[0]).string());
  if (!page.wait_until("document.body.dataset.ready")) return 1;
  std::printf("ready after %s ms\n",
              json::serialize(page.evaluate("document.body.dataset.ready")).c_str());
  bool all = true;
  for (auto game = arguments.begin() + 4; game != arguments.end(); ++game) {
    all = measure(page, settings, *game) && all;
  }
  return all ? 0 : 1;
}

}  // namespace
}  // namespace ludens

int main(int count, char** arguments) {
  return ludens::run({arguments + 1, arguments + count});
}
