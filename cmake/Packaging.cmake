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

# --- uninstall ---------------------------------------------------------------------------------
configure_file("${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake.in" "${PROJECT_BINARY_DIR}/uninstall.cmake" @ONLY)
add_custom_target(uninstall COMMAND "${CMAKE_COMMAND}" -P "${PROJECT_BINARY_DIR}/uninstall.cmake"
  COMMENT "Removing what install_manifest.txt lists" VERBATIM)
