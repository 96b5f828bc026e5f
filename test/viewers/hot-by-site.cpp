// The tree's heading says how many contexts are hot by call site, as --view=flat and json count them, where the tree joins some of them.
// RUN: %hcct-c++ -O0 -w %s -o %t && HCCT_OPTIONS=mode=cct:output=%t.bin %t
// RUN: %hcct-decode %t.bin | FileCheck --check-prefix=JOINED %s
// JOINED: 3 hot contexts (*)
// JOINED-NEXT: (--view=flat and json count 6: here the copies that a compiler makes of a call, and folded frames, are one)
// RUN: %hcct-decode --fold= %t.bin | FileCheck --check-prefix=APART %s
// RUN: %hcct-decode --view=flat %t.bin | FileCheck --check-prefix=APART %s
// APART: 6 hot contexts (*)
// APART-NOT: json count
// RUN: %hcct-decode --format=json %t.bin | python3 -c 'import json, sys; print(sum(n["hot"] for n in json.load(sys.stdin)["nodes"]))' | FileCheck --check-prefix=JSON %s
// JSON: {{^6$}}
void leaf() {}

namespace std
{
void one()
{
    leaf();
}
void other()
{
    leaf();
}
void both()
{
    one();
    other();
}
} // namespace std

int main()
{
    std::both();
}
