# SPDX-License-Identifier: MIT
# ludens_group_by_folder(TARGET): where CMAKE_UNITY_BUILD is on, the sources of a folder are compiled as
# one. Sources with compile options of their own, those without the precompiled header, and those of
# folders whose files give the same names to different things, stay alone.
set(ludens_folders_apart server/compliance)
function(ludens_group_by_folder target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    get_source_file_property(alone ${source} SKIP_PRECOMPILE_HEADERS)
    if(folder IN_LIST ludens_folders_apart)
      set(alone ON)
    endif()
    string(REPLACE "/" "_" folder "${folder}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}
                                                     SKIP_UNITY_BUILD_INCLUSION ${alone})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# ludens_library(COMPONENT SOURCE...): the library Ludens::COMPONENT of the folder COMPONENT. Warnings,
# hardening and precompiled headers are of this build; users get the language level and the headers.
# Its code is position-independent, as the shared library and the Python module take it in, too; names
# are hidden there, which also makes the code as fast as that of a program.
function(ludens_library component)
  set(target ludens_${component})
  add_library(${target} STATIC ${ARGN})
  add_library(Ludens::${component} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${component} CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  if(NOT EMSCRIPTEN)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ludens_options>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                              $<INSTALL_INTERFACE:include/ludens>)
  target_precompile_headers(${target} PRIVATE <algorithm> <string> <vector> <memory> <span>
                            <unordered_map> <functional> <optional>)
  cmake_language(EVAL CODE "cmake_language(DEFER CALL ludens_group_by_folder ${target})")
endfunction()

# ludens_compile_quickly(TARGET): for a library that no search waits for. It is compiled with fewer
# optimisations, and for Clang's sanitizers with fewer checks (CMakeLists.txt), each of which takes a third
# off the time. GCC then takes optional values for uninitialised.
function(ludens_compile_quickly target)
  set_target_properties(${target} PROPERTIES LUDENS_LIGHT_CHECKS ON)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endfunction()
