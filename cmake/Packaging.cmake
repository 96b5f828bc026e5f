# What an installation has beside the other folders' files: the CMake package, clang's configuration files,
# the uninstall target. The layout below the prefix is fixed (the wrappers find everything relative to
# themselves), so an installation can be moved.

include(CMakePackageConfigHelpers)

# --- find_package(hcct) -----------------------------------------------------------------------
# hcct::runtime chooses by what it is linked into: an executable takes the archive and exports its symbols
# for what it loads later, a shared object takes the shared runtime. Paths, not our targets: what builds the
# archive is nobody else's requirement.
add_library(hcct_package_runtime INTERFACE)
set_target_properties(hcct_package_runtime PROPERTIES EXPORT_NAME runtime)
set(is_executable "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
set(library "$<INSTALL_PREFIX>/lib")
set(exports "LINKER:--dynamic-list=${library}/hcct/exported.list")
set(rpath "LINKER:-rpath$<COMMA>${library}/hcct")
target_link_libraries(hcct_package_runtime INTERFACE
  "$<INSTALL_INTERFACE:$<IF:${is_executable},${library}/libhcct.a,${library}/hcct/libhcct_rt.so>>")
target_link_options(hcct_package_runtime INTERFACE
  "$<INSTALL_INTERFACE:$<IF:${is_executable},${exports},${rpath}>>")
target_include_directories(hcct_package_runtime INTERFACE "$<INSTALL_INTERFACE:include>")

set(package lib/cmake/hcct)
install(TARGETS hcct_package_runtime EXPORT hcctTargets)
install(EXPORT hcctTargets NAMESPACE hcct:: DESTINATION ${package})
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/hcctConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/${package}/hcctConfig.cmake" INSTALL_DESTINATION ${package})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/${package}/hcctConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion) # 0.x: a minor version may break
install(FILES "${PROJECT_BINARY_DIR}/${package}/hcctConfig.cmake"
  "${PROJECT_BINARY_DIR}/${package}/hcctConfigVersion.cmake" DESTINATION ${package})

# --- clang --config= ---------------------------------------------------------------------------
# hcct.cfg is for the default LLVM, hcct-N.cfg for each one.
function(hcct_add_clang_config name plugin)
  set(HCCT_PLUGIN "${plugin}")
  set(file "${PROJECT_BINARY_DIR}/share/hcct/${name}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/hcct.cfg.in" "${file}" @ONLY)
  install(FILES "${file}" DESTINATION share/hcct)
endfunction()
hcct_add_clang_config(hcct.cfg lib/hcct.so)
foreach(major IN LISTS HCCT_LLVM_MAJORS)
  hcct_add_clang_config(hcct-${major}.cfg lib/hcct/llvm-${major}/hcct.so)
endforeach()

# --- pkg-config, documents -----------------------------------------------------------------------
configure_file("${CMAKE_CURRENT_LIST_DIR}/hcct.pc.in" "${PROJECT_BINARY_DIR}/lib/pkgconfig/hcct.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/lib/pkgconfig/hcct.pc" DESTINATION lib/pkgconfig)
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/LICENSE"
  DESTINATION share/doc/hcct)

# --- uninstall ---------------------------------------------------------------------------------
configure_file("${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake.in" "${PROJECT_BINARY_DIR}/uninstall.cmake" @ONLY)
add_custom_target(uninstall COMMAND "${CMAKE_COMMAND}" -P "${PROJECT_BINARY_DIR}/uninstall.cmake"
  COMMENT "Removing what install_manifest.txt lists" VERBATIM)

# --- packages: cpack --config build/CPackConfig.cmake ------------------------------------------
# The tarball unpacks anywhere. The .deb wants one of the clangs that it has a plugin for, and what dpkg-shlibdeps
# finds; the runtime for AArch64, which that cannot look into, is a package of its own.
list(TRANSFORM HCCT_LLVM_MAJORS PREPEND "clang-" OUTPUT_VARIABLE clangs)
list(REMOVE_ITEM clangs clang-${HCCT_LLVM})
list(PREPEND clangs clang-${HCCT_LLVM})
list(JOIN clangs " | " clangs)
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VENDOR hcct)
set(CPACK_PACKAGE_CONTACT hcct)
set(CPACK_PACKAGE_FILE_NAME "hcct-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_VERBATIM_VARIABLES ON)
find_program(HCCT_DPKG_SHLIBDEPS dpkg-shlibdeps)
if(HCCT_DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME hcct)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "${clangs}, binutils")
  set(CPACK_DEBIAN_HEIGHTS_PACKAGE_NAME hcct-heights)
  set(CPACK_DEBIAN_HEIGHTS_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_HEIGHTS_PACKAGE_DEPENDS "hcct (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_AARCH64_PACKAGE_NAME hcct-aarch64)
  set(CPACK_DEBIAN_AARCH64_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_AARCH64_PACKAGE_DEPENDS "hcct (= ${PROJECT_VERSION}), libc6-dev-arm64-cross")
endif()
include(CPack)
