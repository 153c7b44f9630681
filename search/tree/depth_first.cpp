// SPDX-License-Identifier: MIT
#include "search/tree/depth_first.h"

namespace ludens::search {

namespace {

Arrival arrival_of(gdl::Status status) {
  return status == gdl::Status::Stopped ? Arrival::Stopped : Arrival::Unknown;
}

}  // namespace

Arrival arrive(GameTree& tree, std::size_t limit) {
  const gdl::StopSignal* stop = tree.context().limits.stop;
  if (stop != nullptr && stop->stop_requested()) return Arrival::Stopped;
  if (!tree.is_state()) return Arrival::Branch;
  if (tree.terminal()) return Arrival::Terminal;
  if (tree.recurrence()) return Arrival::Recurrence;
  return tree.depth() >= limit ? Arrival::Horizon : Arrival::Branch;
}

Arrival open_branch(GameTree& tree) {
  const gdl::Status status = tree.open();
  if (status != gdl::Status::Ok) return arrival_of(status);
  return tree.terminal() ? Arrival::Terminal : Arrival::Branch;
}

}  // namespace ludens::search
