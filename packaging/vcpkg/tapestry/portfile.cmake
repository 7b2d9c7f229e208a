# An overlay port: it builds the checkout that it is a part of.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_check_features(OUT_FEATURE_OPTIONS feature_options FEATURES
  deeplearning TAPESTRY_BUILD_DEEPLEARNING
  onnx TAPESTRY_BUILD_ONNX
  compute TAPESTRY_BUILD_COMPUTE
  distributed TAPESTRY_BUILD_DISTRIBUTED)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DTAPESTRY_BUILD_TESTS=OFF
    -DTAPESTRY_BUILD_EXAMPLES=OFF
    -DTAPESTRY_BUILD_BENCHMARKS=OFF
    -DTAPESTRY_WARNINGS=OFF
    -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON  # of tapestry-devices, a program that the port does not have
    ${feature_options}
  MAYBE_UNUSED_VARIABLES  # without deeplearning
    TAPESTRY_BUILD_COMPUTE TAPESTRY_BUILD_DISTRIBUTED CMAKE_DISABLE_FIND_PACKAGE_CLI11)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/tapestry)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
