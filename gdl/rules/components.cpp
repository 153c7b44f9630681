// SPDX-License-Identifier: MIT
#include "gdl/rules/components.h"

#include <algorithm>

namespace ludens::gdl {

namespace {

constexpr std::uint32_t kUnseen = 0xffffffff;

template <class AnyGraph>
class ComponentSearch {
 public:
  explicit ComponentSearch(const AnyGraph& graph)
      : graph_(graph), index_(graph.size(), kUnseen), low_(graph.size()) {
    result_.of.assign(graph.size(), kUnseen);
  }

  Components run() {
    for (std::uint32_t n = 0; n < graph_.size(); ++n) {
      if (index_[n] == kUnseen) search_from(n);
    }
    return std::move(result_);
  }

 private:
  struct Frame {
    std::uint32_t node;
    std::size_t next;  // successor
  };

  void enter(std::uint32_t n) {
    index_[n] = low_[n] = visited_++;
    path_.push_back(n);
    frames_.push_back({n, 0});
  }

  void search_from(std::uint32_t start) {
    enter(start);
    while (!frames_.empty()) {
      Frame& top = frames_.back();
      const std::uint32_t n = top.node;
      if (top.next < graph_[n].size()) {
        const std::uint32_t s = graph_[n][top.next++];
        if (index_[s] == kUnseen) {
          enter(s);
        } else if (result_.of[s] == kUnseen) {
          low_[n] = std::min(low_[n], index_[s]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        const std::uint32_t parent = frames_.back().node;
        low_[parent] = std::min(low_[parent], low_[n]);
      }
      if (low_[n] == index_[n]) close_component(n);
    }
  }

  void close_component(std::uint32_t root) {
    std::uint32_t n = kUnseen;
    do {
      n = path_.back();
      path_.pop_back();
      result_.of[n] = result_.count;
    } while (n != root);
    ++result_.count;
  }

  const AnyGraph& graph_;
  Components result_;
  std::vector<std::uint32_t> index_, low_, path_;
  std::vector<Frame> frames_;
  std::uint32_t visited_ = 0;
};

}  // namespace

Components strong_components(const Graph& graph) {
  return ComponentSearch(graph).run();
}

Components strong_components(const FlatGraph& graph) {
  return ComponentSearch(graph).run();
}

std::vector<std::uint32_t> shortest_path(const Graph& graph, std::uint32_t from, std::uint32_t to,
                                         const std::vector<bool>& allowed) {
  std::vector<std::uint32_t> came_from(graph.size(), kUnseen);
  std::vector<std::uint32_t> queue{from};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::uint32_t s : graph[queue[i]]) {
      if (came_from[s] != kUnseen || (!allowed.empty() && !allowed[s])) continue;
      came_from[s] = queue[i];
      queue.push_back(s);
      if (s != to) continue;
      std::vector<std::uint32_t> path{to};
      do {
        path.push_back(came_from[path.back()]);
      } while (path.back() != from);
      std::reverse(path.begin(), path.end());
      return path;
    }
  }
  return {};
}

}  // namespace ludens::gdl
