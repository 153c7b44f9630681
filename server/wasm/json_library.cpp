// SPDX-License-Identifier: MIT
// Boost.JSON as source: the library of this machine is for its processor.
#include <boost/json/src.hpp>
