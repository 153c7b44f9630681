# `cmake --install`: libraries with their headers and what find_package(Ludens) reads (component
# "development"); the program with its games and documents (component "program").
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
configure_package_config_file(config/cmake/LudensConfig.cmake.in LudensConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(LudensConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/LudensConfig.cmake
              ${PROJECT_BINARY_DIR}/LudensConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/config/cmake/LudensComponents.cmake
        DESTINATION ${package_folder} COMPONENT development)

if(TARGET ludens)
  install(TARGETS ludens RUNTIME COMPONENT program)
  install(DIRECTORY config/games config/tournaments DESTINATION ${CMAKE_INSTALL_DATADIR}/ludens
          COMPONENT program)
  install(FILES config/ludens.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/ludens COMPONENT program)
  set(documents ${CMAKE_INSTALL_DATADIR})
  install(FILES ${LUDENS_DOCUMENTS}/ludens.man RENAME ludens.1 COMPONENT program
          DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${LUDENS_DOCUMENTS}/ludens.bash RENAME ludens COMPONENT program
          DESTINATION ${documents}/bash-completion/completions)
  install(FILES ${LUDENS_DOCUMENTS}/ludens.fish COMPONENT program
          DESTINATION ${documents}/fish/vendor_completions.d)
  # Debian's zsh reads the first below /usr/local and the second below /usr.
  foreach(folder site-functions vendor-completions)
    install(FILES ${LUDENS_DOCUMENTS}/ludens.zsh RENAME _ludens COMPONENT program
            DESTINATION ${documents}/zsh/${folder})
  endforeach()
  install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/ludens COMPONENT program)
endif()
