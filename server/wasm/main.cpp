// SPDX-License-Identifier: MIT
// The functions of the module that the scripts of the page call.
#include <emscripten.h>

#include <string>

#include "server/wasm/engine.h"

// Strings are UTF-8 and valid until the next call.

// clang-format off
EM_JS(void, ludens_tell, (const char* json), { Module.tell(UTF8ToString(json)); });
// clang-format on

namespace {

/// The budget, of the 1 GiB that the module may grow to.
constexpr std::size_t kMemory = std::size_t{512} << 20;

}  // namespace

extern "C" EMSCRIPTEN_KEEPALIVE const char* ludens_ask(const char* request) {
  static ludens::server::wasm::Engine engine(
      kMemory, [](const std::string& json) { ludens_tell(json.c_str()); });
  static std::string answer;
  answer = engine.ask(request);
  return answer.c_str();
}
