# SPDX-License-Identifier: MIT
# The libraries, what each needs of the others and of the system. Read by the build and, installed,
# by find_package(Ludens), so that there is one list.
set(ludens_all_components gdl search agent server)
set(ludens_needs_gdl "")
set(ludens_needs_search gdl)
set(ludens_needs_agent gdl search)
set(ludens_needs_server gdl search agent)

# ludens_close(RESULT COMPONENT...): these components and all that they need, lowest first.
function(ludens_close result)
  set(closed "")
  foreach(component IN LISTS ludens_all_components)
    foreach(asked IN LISTS ARGN)
      if(component STREQUAL asked OR component IN_LIST ludens_needs_${asked})
        list(APPEND closed ${component})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES closed)
  set(${result} "${closed}" PARENT_SCOPE)
endfunction()

# ludens_find_dependencies(FIND COMPONENT...): what these components need of the system, by FIND,
# which is find_package or find_dependency. A macro, as packages define things for the caller.
macro(ludens_find_dependencies find)
  ludens_close(ludens_found_for ${ARGN})
  set(ludens_boost "")
  if("agent" IN_LIST ludens_found_for)
    list(APPEND ludens_boost json)
    cmake_language(CALL ${find} spdlog REQUIRED)
  endif()
  if("server" IN_LIST ludens_found_for)
    list(APPEND ludens_boost url iostreams)
    cmake_language(CALL ${find} pugixml REQUIRED)
    cmake_language(CALL ${find} CLI11 REQUIRED)
  endif()
  cmake_language(CALL ${find} Threads REQUIRED)
  cmake_language(CALL ${find} Boost 1.81 REQUIRED COMPONENTS ${ludens_boost})
endmacro()
