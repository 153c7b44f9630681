# SPDX-License-Identifier: MIT
# ludens_library(COMPONENT SOURCE...): the library Ludens::COMPONENT of the folder COMPONENT. Warnings,
# hardening and precompiled headers are of this build; users get the language level and the headers.
# Its code is position-independent, as the shared library and the Python module take it in, too; names
# are hidden there, which also makes the code as fast as that of a program.
function(ludens_library component)
  set(target ludens_${component})
  add_library(${target} STATIC ${ARGN})
  add_library(Ludens::${component} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${component} POSITION_INDEPENDENT_CODE ON
                                             CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ludens_options>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                              $<INSTALL_INTERFACE:include/ludens>)
  target_precompile_headers(${target} PRIVATE <algorithm> <string> <vector> <memory> <span>
                            <unordered_map> <functional> <optional>)
endfunction()
