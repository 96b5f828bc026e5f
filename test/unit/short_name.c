/* Short names of C++ functions, against what a reader would write. With an argument it shortens the lines of
 * standard input, to look at the names of a real library. */
#include "decoder/names/short_name.h"
#include "decoder/names/apart.h"
#include "decoder/names/symbol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const struct {
    const char *demangled, *name, *with_parameters; /* NULL: as the name */
} cases[] = {
    { "main", "main", NULL },
    { "f(int)", "f", "f(int)" },
    { "ns::Class::method(char const*, int) const", "ns::Class::method",
      "ns::Class::method(char const*, int)" },
    { "std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector<~>::push_back",
      "std::vector<~>::push_back(int const&)" },
    { "void f<int>(std::vector<int, std::allocator<int> > const&)", "f<~>", "f<~>(std::vector<~> const&)" },
    { "std::enable_if<(1)<(2), int>::type ns::f<char>(char)", "ns::f<~>", "ns::f<~>(char)" },
    { "unsigned long hash<int>(int)", "hash<~>", "hash<~>(int)" },
    { "main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()",
      "main::{lambda#1}::operator()(int)" },
    { "f(int)::{lambda(int, char)#2}::operator()(int, char) const", "f::{lambda#2}::operator()",
      "f::{lambda#2}::operator()(int, char)" },
    { "C::f(int) const::Local::g()", "C::f::Local::g", "C::f::Local::g()" },
    { "(anonymous namespace)::f(int)", "(anonymous namespace)::f", "(anonymous namespace)::f(int)" },
    { "ns::(anonymous namespace)::C<int>::C(int)", "ns::(anonymous namespace)::C<~>::C",
      "ns::(anonymous namespace)::C<~>::C(int)" },
    { "std::ostream& operator<< <char>(std::ostream&, char)", "operator<<<~>",
      "operator<<<~>(std::ostream&, char)" },
    { "operator<(A const&, B const&)", "operator<", "operator<(A const&, B const&)" },
    { "A::operator->() const", "A::operator->", "A::operator->()" },
    { "bool operator><int>(A<int>, A<int>)", "operator><~>", "operator><~>(A<~>, A<~>)" },
    { "A::operator()(int)", "A::operator()", "A::operator()(int)" },
    { "void apply<&A::operator()<int> >(A)", "apply<~>", "apply<~>(A)" },
    { "A::operator[](unsigned long)", "A::operator[]", "A::operator[](unsigned long)" },
    { "A::operator std::vector<int, std::allocator<int> >() const", "A::operator std::vector<~>",
      "A::operator std::vector<~>()" },
    { "A::operator unsigned long() const", "A::operator unsigned long", "A::operator unsigned long()" },
    { "operator new(unsigned long)", "operator new", "operator new(unsigned long)" },
    { "operator delete[](void*, unsigned long)", "operator delete[]",
      "operator delete[](void*, unsigned long)" },
    { "operators::operator_less(int)", "operators::operator_less", "operators::operator_less(int)" },
    { "f[abi:cxx11](int)", "f", "f(int)" },
    { "decltype (x.begin()) begin<V>(V&)", "begin<~>", "begin<~>(V&)" },
    { "decltype(auto) ns::g<int>(int)", "ns::g<~>", "ns::g<~>(int)" },
    { "void (*signal_of<int>(int))(char)", "signal_of<~>", "signal_of<~>(int)" },
    { "non-virtual thunk to A::f(int)", "non-virtual thunk to A::f", "non-virtual thunk to A::f(int)" },
    { "void apply<void (*)(int)>(void (*)(int))", "apply<~>", "apply<~>(void (*)(int))" },
    { "void run<main::{lambda(int)#1}>(main::{lambda(int)#1}, int)", "run<~>",
      "run<~>(main::{lambda(int)#1}, int)" },
    { "A<&(B::operator<<(int))>::f()", "A<~>::f", "A<~>::f()" },
    { "f(int) [clone .cold]", "f", "f(int)" },
    { "A::~A()", "A::~A", "A::~A()" },
    /* no C++, or cut off: anything may come out, but a name */
    { "weird name", "name", NULL },
    { "f<", "f<~>", NULL },
    { "(", "(", NULL },
    { "", "", NULL },
};

static const struct {
    const char *demangled, *with_arguments;
} arguments[] = {
    { "f(int)", "f" },
    { "ns::Class<int>::method<char>(int, char) const", "ns::Class<int>::method<char>" },
    { "std::vector<std::pair<int, A<char> >, std::allocator<int> >::push_back(int const&)",
      "std::vector<std::pair<~>, std::allocator<~>>::push_back" },
    { "std::_Function_handler<std::optional<A<B> > (A<B> const&), rules()::$_0>::_M_invoke(std::_Any_data "
      "const&)",
      "std::_Function_handler<std::optional<~> (A<~> const&), rules()::$_0>::_M_invoke" },
    { "void apply<&A::operator()<int> >(A)", "apply<&A::operator()<int>>" },
    { "A<(1)<(2)>::f()", "A<(1)<(2)>::f" },
    { "f<", "f<~>" },
};

/* No demangler knows this linkage name; the debug information has the name, perhaps with arguments. */
static const struct {
    enum hcct_names names;
    const char *source, *name;
} sources[] = {
    { HCCT_NAMES_SHORT, "key<int, 0U>", "key<~>" },
    { HCCT_NAMES_PARAMETERS, "key<int, 0U>", "key<~>" },
    { HCCT_NAMES_ARGUMENTS, "key<std::basic_string<char, std::char_traits<char> >, 0U>",
      "key<std::basic_string<~>, 0U>" },
    { HCCT_NAMES_FULL, "key<A<int>, 0U>", "key<A<int>, 0U>" },
    { HCCT_NAMES_LINKAGE, "key<int, 0U>", "_Z?" },
    { HCCT_NAMES_SHORT, "operator()", "operator()" },
    { HCCT_NAMES_SHORT, "operator unsigned long", "operator unsigned long" },
    { HCCT_NAMES_SHORT, "", "_Z?" },
};

/* Names that libstdc++ 12 does not demangle, as clang 19 makes them. */
static const struct {
    const char *linkage, *source, *name;
} scopes[] = {
    { "_ZN4fast3getITkSt8integraliEEvT_", "get<int>", "fast::get<int>" },
    { "_ZN4slow3getITkSt8integraliEEvT_", "get<int>", "slow::get<int>" },
    { "_Z3getITkSt8integraliEEvT_", "get<int>", "get<int>" },
    { "_ZNKSt6ranges9__sort_fnclITkNS_19random_access_rangeERSt6vectorIiSaIiEENS_4lessEEE", "operator()<int>",
      "std::ranges::__sort_fn::operator()<int>" },
    { "_ZSt4sortITkSt8integraliEvT_", "sort<int>", "std::sort<int>" },
    { "_ZN12_GLOBAL__N_13getITkSt8integraliEEvT_", "get<int>", "(anonymous namespace)::get<int>" },
    { "_ZN2ns5ClassIiE3getITkSt8integraliEEvT_", "get<int>", "ns::Class<...>::get<int>" },
    { "_ZN2ns5ClassC2ITkSt8integraliEET_", "Class<int>", "ns::Class::Class<int>" },
    { "_ZN2ns3BoxIiEC2IdQ1x", "Box<double>", "ns::Box<...>::Box<double>" },
    { "_ZZN4slow4eachIiQ1xEvT_EN1H4hookEv", "hook", "slow::each<...>::hook" },
    { "_ZZN4slow4eachIiQ1xEvT_ENKUlS1_E_clIiEEDaS1_", "operator()<int>", "slow::each<...>::operator()<int>" },
    { "_ZNH2ns1A1fERS0_", "f", "ns::A::f" },
    { "_ZN2nsW1mW3sub5ClassB5cxx111gEDF16_Q1x", "g", "ns::Class::g" },
    { "_ZNVKR2ns1A1fEQ1x", "f", "ns::A::f" },
    { "_ZN99999999999999999999x1fQ", "f", "f" },
    { "_ZN9shortQ", "f", "f" },
    { "_ZN0Q", "f", "f" },
    { "_ZN", "f", "f" },
    { "_Z", "f", "f" },
};

/* Of rustc 1.95: both kinds of names. */
static const struct {
    const char *linkage, *full, *name, *with_arguments;
    bool is_library;
} rust[] = {
#ifdef HCCT_HAS_RUST_DEMANGLER
    { "_ZN1b4main28_$u7b$$u7b$closure$u7d$$u7d$17hb7194652a60ff640E", "b::main::{{closure}}",
      "b::main::{closure}", "b::main::{closure}", false },
    { "_ZN46_$LT$c..D$u20$as$u20$core..ops..drop..Drop$GT$4drop17h6ed6e928e5f756bbE.llvm.123",
      "<c::D as core::ops::drop::Drop>::drop", "<D as Drop>::drop", "<D as Drop>::drop", false },
    { "_ZN9hashbrown11rustc_entry62_$LT$impl$u20$hashbrown..map..HashMap$LT$K$C$V$C$S$C$A$GT$$GT$11rustc_"
      "entry17he6f2e285dbd09721E",
      "hashbrown::rustc_entry::<impl hashbrown::map::HashMap<K,V,S,A>>::rustc_entry",
      "hashbrown::rustc_entry::<impl HashMap<~>>::rustc_entry",
      "hashbrown::rustc_entry::<impl HashMap<~>>::rustc_entry", true },
    { "_RINvNtCsgEmfK2I1SDS_4core3ptr13drop_in_placeNtNtNtCsjrHSEGnQ3l9_3std6thread9spawnhook10SpawnHooksE"
      "BM_",
      "core::ptr::drop_in_place::<std::thread::spawnhook::SpawnHooks>", "core::ptr::drop_in_place<~>",
      "core::ptr::drop_in_place<SpawnHooks>", true },
    { "_RNvXsZ_NtNtCsgEmfK2I1SDS_4core3fmt3numjNtB7_5Debug3fmt", "<usize as core::fmt::Debug>::fmt",
      "<usize as Debug>::fmt", "<usize as Debug>::fmt", true },
    { "_RNvMs0_NtNtNtCsjrHSEGnQ3l9_3std3sys6thread4unixNtB5_6Thread3new",
      "<std::sys::thread::unix::Thread>::new", "std::sys::thread::unix::Thread::new",
      "std::sys::thread::unix::Thread::new", true },
    { "_RNvMNtCslNYArtu3iFV_5alloc3stre12to_lowercase", "<str>::to_lowercase", "str::to_lowercase",
      "str::to_lowercase", true },
    { "_RNCNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal0B5_", "std::rt::lang_start_internal::{closure#0}",
      "std::rt::lang_start_internal::{closure#0}", "std::rt::lang_start_internal::{closure#0}", true },
#endif
    { "_ZN3std3abcEv", "std::abc()", "std::abc", "std::abc", false }, /* C++ */
};

static void check_text(const char *from, const char *got, const char *expected)
{
    if (!got || strcmp(got, expected))
        fprintf(stderr, "%s: %s, expected %s\n", from, got ? got : "(null)", expected);
    CHECK(got && !strcmp(got, expected));
}

#define LIST "A, B, C, D, E, F, G, H, I, J, K, L"

/* In order of their bytes. A piece is the argument that differs, and takes a part of a long one. */
static const struct {
    const char *name, *pieces;
} alike[] = {
    { "f<" LIST ", left, " LIST ", down, " LIST ">", "~ left ~ down ~" },
    { "f<" LIST ", left, " LIST ", up, " LIST ">", "~ left ~ up ~" },
    { "f<" LIST ", left, " LIST ", up, " LIST ">", "~ left ~ up ~" },
    { "f<" LIST ", right, " LIST ", down, " LIST ">", "~ right ~ down ~" },
    { "f<" LIST ", right, " LIST ", up, " LIST ">", "~ right ~ up ~" },
    { "f<" LIST ", \xc3\xa4 long one without an end \xc3\xa4>", "~ \xc3\xa4 long one without ~" },
    { "f<" LIST ", \xc3\xb6>", "~ \xc3\xb6 ~" },
};

static void check_alike(void)
{
    const size_t count = sizeof alike / sizeof alike[0];
    struct hcct_apart names[sizeof alike / sizeof alike[0]] = { 0 };
    for (size_t i = 0; i < count; i++)
        names[count - 1 - i].name = alike[i].name;
    hcct_names_tell_apart(names, count, "~");
    for (size_t i = 0; i < count; i++) {
        CHECK(!strcmp(names[i].name, alike[i].name));
        check_text(names[i].name, names[i].pieces.bytes, alike[i].pieces);
        free(names[i].pieces.bytes);
    }
}

static int shorten_lines(void)
{
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
        line[length - 1] = 0;
        char *name = hcct_short_name(line, HCCT_NAMES_SHORT, "…");
        puts(name ? name : "(null)");
        free(name);
    }
    free(line);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return shorten_lines();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *longer = cases[i].with_parameters ? cases[i].with_parameters : cases[i].name;
        char *name = hcct_short_name(cases[i].demangled, HCCT_NAMES_SHORT, "~");
        char *with_parameters = hcct_short_name(cases[i].demangled, HCCT_NAMES_PARAMETERS, "~");
        check_text(cases[i].demangled, name, cases[i].name);
        check_text(cases[i].demangled, with_parameters, longer);
        free(name);
        free(with_parameters);
    }
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        char *name = hcct_short_name(arguments[i].demangled, HCCT_NAMES_ARGUMENTS, "~");
        check_text(arguments[i].demangled, name, arguments[i].with_arguments);
        free(name);
    }
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        char *name = hcct_symbol_display("_Z?", sources[i].source, sources[i].names, "~");
        check_text(sources[i].source, name, sources[i].name);
        free(name);
    }
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
        char *name = hcct_symbol_display(scopes[i].linkage, scopes[i].source, HCCT_NAMES_FULL, "~");
        check_text(scopes[i].linkage, name, scopes[i].name);
        free(name);
    }
    for (size_t i = 0; i < sizeof rust / sizeof rust[0]; i++) {
        const char *const wanted[] = { rust[i].name, rust[i].with_arguments, rust[i].full };
        static const enum hcct_names forms[] = { HCCT_NAMES_SHORT, HCCT_NAMES_ARGUMENTS, HCCT_NAMES_FULL };
        for (size_t k = 0; k < 3; k++) {
            char *name = hcct_symbol_display(rust[i].linkage, "", forms[k], "~");
            check_text(rust[i].linkage, name, wanted[k]);
            free(name);
        }
        CHECK(hcct_symbol_is_of_rust_library(rust[i].linkage) == rust[i].is_library);
    }
    check_alike();
    CHECK_DONE();
}
