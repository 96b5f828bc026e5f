# use.sh PREFIX INPUTS BUILD: compiles, runs and decodes by what is below the prefix
set -eu
prefix=$1 inputs=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export PATH="$prefix/bin:$PATH" PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
program='main 1
main;add 3
main;add;leaf 3'

# A program with a library, by the wrapper.
hcct-cc -O1 -g -fPIC -shared "$inputs/library.c" -o libadd.so
hcct-cc -O1 -g "$inputs/program.c" -L. -ladd -Wl,-rpath,"$work" -o program
HCCT_OPTIONS=mode=cct ./program
[ "$(hcct-decode --format=folded --all)" = "$program" ]
[ "$(hcct decode --format=folded --all)" = "$program" ]
[ "$(hcct-run --exact --format=folded --all ./program)" = "$program" ]
hcct-merge -o twice.bin ids.bin ids.bin
hcct-compare ids.bin twice.bin >changes
hcct-top --help >help

# The library alone: it takes the shared runtime, whose soname has the ABI's number, from the package.
clang -O1 "$inputs/program.c" -L. -ladd -Wl,-rpath,"$work" -o plain
rm ids.bin
./plain
[ "$(hcct-decode --format=folded --all)" = "add 3
add;leaf 3" ]
readelf -d libadd.so | grep -q 'NEEDED.*\[libhcct_rt.so.[0-9]*\]'
ldd plain | grep -q "libhcct_rt.so.[0-9]* => $prefix/lib/hcct/libhcct_rt.so"
[ "$(readlink "$prefix/lib/hcct/libhcct_rt.so")" = "$(basename "$(ldd plain | awk '/libhcct_rt/ { print $1 }')")" ]

# clang itself, by pkg-config and by the configuration file.
# pkg-config escapes blanks as shells do, so eval reads it, as make does.
eval "clang -O1 -fpass-plugin=$(pkg-config --variable=plugin hcct) $(pkg-config --cflags hcct) -c '$inputs/api.c' -o api.o"
eval "clang api.o $(pkg-config --libs hcct) -o api"
clang --config="$prefix/share/hcct/hcct.cfg" -O1 "$inputs/api.c" -o by-config
for each in ./api ./by-config; do
    rm ids.bin
    $each
    [ "$(hcct-decode --format=folded)" = "main 1" ]
done

# A plugin for each LLVM that hcct was built for, and what shells and man look for.
for plugin in "$build"/lib/hcct/llvm-*; do
    [ -s "$prefix/lib/hcct/$(basename "$plugin")/hcct.so" ]
done
for command in hcct hcct-cc hcct-c++ hcct-run hcct-decode hcct-top hcct-compare hcct-merge; do
    [ -x "$prefix/bin/$command" ]
    [ -s "$prefix/share/man/man1/$command.1" ]
    [ -s "$prefix/share/bash-completion/completions/$command" ]
done
for command in cargo-hcct hcct-rustc; do
    [ -x "$prefix/bin/$command" ]
    [ -s "$prefix/share/man/man1/$command.1" ]
done
[ -s "$prefix/lib/cmake/hcct/hcctConfig.cmake" ]
[ -s "$prefix/share/doc/hcct/LICENSE" ]

# Nothing refers to the build.
! grep -rlF "$build/" "$prefix"
