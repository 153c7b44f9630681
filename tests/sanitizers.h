// SPDX-License-Identifier: MIT
// Whether this is a build with a sanitizer: ten times as slow, with memory and addresses of its
// own.
#pragma once

namespace ludens {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(undefined_behavior_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

/// How often something is tried that a sanitizer need not see as often.
constexpr int trials(int count) {
  return kSanitized ? count / 10 : count;
}

}  // namespace ludens
