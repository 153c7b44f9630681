// SPDX-License-Identifier: MIT
#include "agent/runtime/environment.h"

#include <spdlog/sinks/null_sink.h>

namespace ludens::agent {

std::shared_ptr<spdlog::logger> silent_log() {
  return std::make_shared<spdlog::logger>("none", std::make_shared<spdlog::sinks::null_sink_mt>());
}

}  // namespace ludens::agent
