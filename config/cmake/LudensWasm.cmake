# SPDX-License-Identifier: MIT
# What the libraries need where they are compiled to WebAssembly: Boost's headers alone of all that lies
# in the folder of this machine's headers, what the C++ library lacks, exceptions, and registers of 128
# bits. There is one thread.
set(headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
find_path(LUDENS_BOOST_FOLDER boost/version.hpp PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH NO_DEFAULT_PATH REQUIRED)
file(CREATE_LINK ${LUDENS_BOOST_FOLDER}/boost ${headers}/boost SYMBOLIC)
add_library(Boost::headers INTERFACE IMPORTED)
target_include_directories(Boost::headers INTERFACE ${headers})
add_library(Threads::Threads INTERFACE IMPORTED)

# One word, as the name of a folder may have spaces.
add_compile_options(-isystem${PROJECT_SOURCE_DIR}/config/wasm/library -fwasm-exceptions -msimd128 -msse2)
add_link_options(-fwasm-exceptions)
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=$ENV{NODE_PATH}")
