// SPDX-License-Identifier: MIT
#include "server/http/random_token.h"

#include <random>

namespace ludens::server {

std::string random_token() {
  std::random_device device;
  std::string token;
  while (token.size() < kTokenLength) token += "0123456789abcdef"[device() % 16];
  return token;
}

}  // namespace ludens::server
