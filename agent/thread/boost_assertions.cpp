// SPDX-License-Identifier: MIT
// What a failed assertion of Boost does where BOOST_ENABLE_ASSERT_HANDLER is defined: it throws, so
// that only the current request or job fails, instead of the program with all its matches.
#include <boost/assert.hpp>
#include <stdexcept>
#include <string>

namespace boost {

void assertion_failed(const char* expression, const char* function, const char* file, long line);
void assertion_failed_msg(const char* expression, const char* message, const char* function,
                          const char* file, long line);

void assertion_failed(const char* expression, const char* /*function*/, const char* file,
                      long line) {
  throw std::logic_error(std::string("assertion ") + expression + " failed in " + file + ":" +
                         std::to_string(line));
}

void assertion_failed_msg(const char* expression, const char* /*message*/, const char* function,
                          const char* file, long line) {
  assertion_failed(expression, function, file, line);
}

}  // namespace boost
