// SPDX-License-Identifier: MIT
// The one type for "a value, or what was wrong".
#pragma once

#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>

namespace ludens::gdl {

/// What was wrong, why, and what to do: one line for people.
struct Error {
  std::string text;
  friend bool operator==(const Error&, const Error&) = default;
};

/// A value, or why there is none:
///
///     auto machine = make_machine("auto", vocabulary);
///     if (!machine) return machine.error();
///     use(*machine);
///
/// `value()` throws what was wrong, for code that can't continue without a value: tests, examples.
template <class Value, class Why = Error>
using Result = boost::system::result<Value, Why>;

/// What `Result::value` calls where there is none.
[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location& /*where*/) {
  throw std::runtime_error(error.text);
}

}  // namespace ludens::gdl
