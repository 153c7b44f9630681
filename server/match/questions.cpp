// SPDX-License-Identifier: MIT
#include "server/match/questions.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "server/http/io_thread.h"

namespace ludens::server {

namespace asio = boost::asio;

namespace {

/// Shared with the callbacks, which may come after a wait that was cancelled.
struct Round {
  Answers answers;
  std::size_t open = 0;
};

}  // namespace

Answers ask_all(const std::vector<std::unique_ptr<MatchPlayer>>& players, const Request& request,
                asio::io_context& context, const std::stop_token& stop) {
  const auto round = std::make_shared<Round>();
  round->answers.resize(players.size());
  for (gdl::RoleIndex role = 0; role < players.size(); ++role) {
    if (!players[role]) continue;
    ++round->open;
    request(*players[role], role, [round, role](Answer answer) {
      round->answers[role] = std::move(answer);
      --round->open;
    });
  }
  // Players answer from threads of their own, so the context may have no work for a while; a stop
  // request must wake it.
  const auto work = asio::make_work_guard(context);
  const std::stop_callback wake(stop, [&context] { post_surely(context, [] {}); });
  context.restart();
  while (round->open > 0 && !stop.stop_requested()) context.run_one();
  return round->answers;
}

}  // namespace ludens::server
