# SPDX-License-Identifier: Apache-2.0
# Warnings, hardening, sanitizers and the linker, once for all targets.
add_library(kw_warnings INTERFACE)
target_compile_options(kw_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Werror)
# Tests keep the warnings but for conversions, which GoogleTest's macros trip over.
add_library(kw_warnings_test INTERFACE)
target_compile_options(kw_warnings_test INTERFACE -Wall -Wextra -Wshadow -Werror)

add_compile_definitions(_GLIBCXX_ASSERTIONS)
add_compile_options(-fno-omit-frame-pointer)
if(KW_SANITIZE)
  add_compile_options(-fsanitize=${KW_SANITIZE} -fno-sanitize-recover=all)
  # g++ 12 sees uninitialized values in code that its own sanitizers have rewritten.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${KW_SANITIZE})
  # Debian's RocksDB has no RTTI, so the dynamic type of its objects cannot be checked.
  add_compile_options(-fno-sanitize=vptr)
endif()
if(KW_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()
