// SPDX-License-Identifier: MIT
#include "server/records/replay.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "server/game/rulesheet.h"
#include "server/records/claims.h"
#include "server/records/ggp_json.h"
#include "server/records/xml_record.h"
#include "tests/fuzz/targets/targets.h"
#include "tests/server/heap_game.h"

namespace ludens::fuzz {

namespace {

using namespace std::chrono_literals;

/// Stops a replay after a while, as a user would.
class Patience {
 public:
  std::stop_token token() const { return source_.get_token(); }
  ~Patience() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
  }

 private:
  std::stop_source source_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::jthread thread_{[this] {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, 200ms, [this] { return over_; })) source_.request_stop();
  }};
};

}  // namespace

void replay(std::string_view input) {
  const bool xml = input.starts_with('<');
  const auto read = xml ? server::parse_xml_record(input) : server::parse_ggp_json(input);
  if (read.has_error()) return;
  const auto& record = *read;
  const server::Rulesheet sheet = server::read_rulesheet(
      "game", record.rulesheet.empty() ? std::string(kHeapGame) : record.rulesheet);
  if (gdl::has_error(sheet.diagnostics)) return;
  const Patience patience;
  const server::ReplayResult result = server::replay(record, sheet.rules, patience.token());
  require(result.steps <= record.moves.size(), "no more steps than there are");
  require(!result.stopped || !result.why.empty(), "it says why it stopped");
  server::broken_claims(record);
}

}  // namespace ludens::fuzz
