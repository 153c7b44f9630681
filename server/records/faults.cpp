// SPDX-License-Identifier: MIT
#include "server/records/faults.h"

namespace ludens::server {

FaultCounts& FaultCounts::operator+=(const FaultCounts& other) {
  for (const FaultKind& kind : fault_kinds()) this->*kind.count += other.*kind.count;
  return *this;
}

const std::vector<FaultKind>& fault_kinds() {
  static const std::vector<FaultKind> kinds{
      {"late", &FaultCounts::late, "no answer in time"},
      {"unfinished", &FaultCounts::unfinished, "an answer begun, but not finished in time"},
      {"illegal", &FaultCounts::illegal, "a move that is not legal"},
      {"garbage", &FaultCounts::garbage, "an answer that is not a term"},
      {"refused", &FaultCounts::refused, "no connection"},
      {"dropped", &FaultCounts::dropped, "connection closed without a reply, or an HTTP error"}};
  return kinds;
}

}  // namespace ludens::server
