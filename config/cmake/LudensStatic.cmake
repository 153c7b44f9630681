# SPDX-License-Identifier: MIT
# ludens_link_statically(TARGET): TARGET has all of its libraries in it, libc too, and runs on any
# Linux. Everything is compiled as for other builds, so that the objects are the same and only the
# link differs: the libraries that were found are replaced by static ones of the same headers.
function(ludens_link_statically target)
  foreach(library json url iostreams container)
    ludens_replace_library(Boost::${library} libboost_${library}.a)
  endforeach()
  ludens_replace_library(pugixml::shared libpugixml.a)
  find_library(LUDENS_STATIC_ZLIB libz.a REQUIRED)  # of Boost.Iostreams
  set_property(TARGET Boost::iostreams APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${LUDENS_STATIC_ZLIB})

  add_library(ludens_static_logging STATIC ${PROJECT_SOURCE_DIR}/config/cmake/static_logging.cpp)
  target_compile_features(ludens_static_logging PRIVATE cxx_std_20)
  target_compile_definitions(ludens_static_logging PRIVATE
    $<TARGET_PROPERTY:spdlog::spdlog,INTERFACE_COMPILE_DEFINITIONS>
    $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  target_compile_options(ludens_static_logging PRIVATE -fPIE)
  foreach(library spdlog::spdlog fmt::fmt)
    set_target_properties(${library} PROPERTIES IMPORTED_LOCATION_NONE
                          ${CMAKE_CURRENT_BINARY_DIR}/libludens_static_logging.a)
  endforeach()
  add_dependencies(${target} ludens_static_logging)
  set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH ON)
  if(NOT LUDENS_HARDEN)  # which links position-independent code
    target_link_options(${target} PRIVATE -static)
  endif()
endfunction()

function(ludens_replace_library target file)
  find_library(LUDENS_${file} ${file} REQUIRED)
  foreach(build NONE RELEASE)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${build} ${LUDENS_${file}})
  endforeach()
endfunction()
