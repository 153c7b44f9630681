# SPDX-License-Identifier: MIT
# Debian's Emscripten. Its tools need what Debian's node-acorn has where node is not Debian's.
set(ENV{NODE_PATH} /usr/share/nodejs)
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
