# SPDX-License-Identifier: MIT
# `cmake --install`: libraries with their headers and what find_package(Ludens) reads (component
# "development"); the program with its games and documents (component "program"); the package of Python
# where Debian's Python looks for it (component "python").
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Ludens)

foreach(component IN LISTS ludens_components)
  install(TARGETS ludens_${component} EXPORT Ludens-${component} COMPONENT development
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT Ludens-${component} NAMESPACE Ludens:: DESTINATION ${package_folder}
          COMPONENT development)
  # Folders are kept, as headers include each other by them.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${component}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ludens COMPONENT development
          FILES_MATCHING PATTERN "*.h")
endforeach()
# The libraries for C, with pkg-config's files. What `./run` alone has not built is left out.
if(TARGET ludens_c)
  install(TARGETS ludens_c EXPORT Ludens-c COMPONENT development OPTIONAL
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(TARGETS ludens_c_static EXPORT Ludens-c_static COMPONENT development OPTIONAL
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  foreach(library c c_static)
    install(EXPORT Ludens-${library} NAMESPACE Ludens:: DESTINATION ${package_folder}
            COMPONENT development)
  endforeach()
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}
             OUTPUT_VARIABLE library_folder)
  string(REGEX REPLACE "[^/]+" ".." up_from_libraries "${library_folder}")
  list(TRANSFORM ludens_c_needs PREPEND -l OUTPUT_VARIABLE needed_by_archive)
  list(JOIN needed_by_archive " " needed_by_archive)
  foreach(file ludens ludens-static)
    configure_file(config/cmake/${file}.pc.in ${file}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
            COMPONENT development)
  endforeach()
  set(ludens_c_libraries c c_static)
endif()
configure_package_config_file(config/cmake/LudensConfig.cmake.in LudensConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(LudensConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/LudensConfig.cmake
              ${PROJECT_BINARY_DIR}/LudensConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/config/cmake/LudensComponents.cmake
        DESTINATION ${package_folder} COMPONENT development)

if(TARGET ludens)
  install(TARGETS ludens RUNTIME COMPONENT program)
  install(DIRECTORY config/games config/schemas config/tournaments DESTINATION ${CMAKE_INSTALL_DATADIR}/ludens
          COMPONENT program)
  install(FILES config/ludens.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/ludens COMPONENT program)
  set(share ${CMAKE_INSTALL_DATADIR})
  install(FILES ${LUDENS_DOCUMENTS}/ludens.man RENAME ludens.1 COMPONENT program
          DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${LUDENS_DOCUMENTS}/ludens.bash RENAME ludens COMPONENT program
          DESTINATION ${share}/bash-completion/completions)
  install(FILES ${LUDENS_DOCUMENTS}/ludens.fish COMPONENT program
          DESTINATION ${share}/fish/vendor_completions.d)
  # Debian's zsh reads the first below /usr/local and the second below /usr.
  foreach(folder site-functions vendor-completions)
    install(FILES ${LUDENS_DOCUMENTS}/ludens.zsh RENAME _ludens COMPONENT program
            DESTINATION ${share}/zsh/${folder})
  endforeach()
  install(FILES README.md LICENSE config/systemd/ludens.service COMPONENT program
          DESTINATION ${share}/doc/ludens)
endif()

# Left out, too, if it is not built.
if(ludens_build_python)
  set(modules lib/python3/dist-packages)
  install(TARGETS ludens_python LIBRARY DESTINATION ${modules}/ludens COMPONENT python OPTIONAL)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/python/ludens DESTINATION ${modules} COMPONENT python
          PATTERN __pycache__ EXCLUDE PATTERN *.so EXCLUDE)
endif()

# `cd build/release && cpack`: a Debian package of the program; with `-D CPACK_COMPONENTS_ALL=python` that
# of Python, once it is built; in build/static an archive of the program, which runs on any Linux wherever
# it is unpacked.
if(LUDENS_STATIC)
  set(CPACK_GENERATOR TGZ)
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
  set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
else()
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_GROUPING IGNORE)
endif()
set(CPACK_COMPONENTS_ALL program)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_NAME ludens)
set(CPACK_PACKAGE_FILE_NAME ludens-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_VENDOR "the Ludens authors")
set(CPACK_PACKAGE_CONTACT "the Ludens authors <ludens@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "general game player")
set(CPACK_PACKAGE_DESCRIPTION
    "Plays games that it has never seen from their rules in the Game Description Language: over HTTP, as
hosts ask it to, in matches and tournaments that it hosts itself, or against you in a browser.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME ludens)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
if(ludens_build_python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-ludens)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  # The compiled module is for this version of Python.
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), \
python3 (<< ${Python_VERSION_MAJOR}.${next_minor}), python3-numpy")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION
      "Any game in the Game Description Language as states, and as thousands of episodes in arrays of numpy;
searches, matches and tournaments with players written in Python.")
endif()
include(CPack)
