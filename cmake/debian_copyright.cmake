# CPack runs this before it makes the packages: each gets the file that Debian asks of all packages.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  file(COPY "${CMAKE_CURRENT_LIST_DIR}/../packaging/debian/copyright"
       DESTINATION "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr/share/doc/libtapestry-${component}-dev")
endforeach()
