// SPDX-License-Identifier: MIT
#include "server/tournament/probe.h"

#include <boost/asio/io_context.hpp>
#include <optional>

#include "gdl/text/syntax.h"
#include "server/http/io_thread.h"
#include "server/player/protocol.h"

namespace ludens::server {
namespace {

constexpr std::string_view kBusy = "busy";

}  // namespace

bool says_busy(std::string_view reply) {
  const InfoReply said = read_info_reply(reply);
  if (!said.status.empty()) return said.status == kBusy;
  const gdl::ParsedText parsed = gdl::parse(std::string(reply));
  return parsed.tree.size() == 1 && parsed.tree.is_atom(0) &&
         gdl::fold_case(parsed.tree.atom(0)) == kBusy;
}

ProbeResult probe(const Address& address, std::chrono::milliseconds limit,
                  const std::stop_token& stop) {
  boost::asio::io_context context(1);
  Exchange exchange;
  exchange.address = address;
  exchange.pieces.push_back({post_request(address, {}, info_text())});
  exchange.deadline = std::chrono::steady_clock::now() + limit;
  exchange.connect_limit = limit;
  std::optional<ExchangeResult> result;
  const Cancel cancel = start_exchange(context, std::move(exchange),
                                       [&](ExchangeResult reply) { result = std::move(reply); });
  {
    const std::stop_callback on_stop(stop, [&] { post_surely(context, cancel); });
    context.run();
  }
  ProbeResult out;
  out.there = result && result->kind == ExchangeResult::Kind::Reply;
  if (!out.there) {
    out.problem = result ? result->problem : "no answer";
    return out;
  }
  out.busy = says_busy(result->body);
  return out;
}

}  // namespace ludens::server
