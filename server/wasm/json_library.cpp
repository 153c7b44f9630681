// SPDX-License-Identifier: MIT
// Boost.JSON as source, because the library of this machine is built for its processor.
#include <boost/json/src.hpp>
