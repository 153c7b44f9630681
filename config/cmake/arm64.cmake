# SPDX-License-Identifier: MIT
# Debian's cross compiler for ARM64 (g++-aarch64-linux-gnu), and qemu-user to run what it makes.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
# Boost's headers, all that gdl and search need of it, are the same for every processor.
file(GLOB boost_of_this_machine /usr/lib/*/cmake/Boost-1.81.0)
set(Boost_DIR ${boost_of_this_machine} CACHE PATH "Where BoostConfig.cmake is")
