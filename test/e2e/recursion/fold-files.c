// Profiles with and without recursion=fold add up, merge and compare as folded ones; hcct-run takes the option.
// RUN: %hcct-cc -O0 %s -o %t
// RUN: HCCT_OPTIONS=mode=cct:output=%t.keep.bin %t && HCCT_OPTIONS=mode=cct:recursion=fold:output=%t.fold.bin %t
// RUN: %hcct-decode --format=json --all --recursion=fold %t.keep.bin %t.keep.bin -o %t.1.json
// RUN: %hcct-decode --format=json --all %t.keep.bin %t.fold.bin -o %t.2.json
// RUN: %hcct-merge %t.fold.bin %t.keep.bin -o %t.sum.bin && %hcct-decode --format=json --all %t.sum.bin -o %t.3.json
// RUN: python3 %inputs/same_contexts.py %t.1.json %t.2.json %t.3.json
// RUN: grep -c '"recursion": "fold"' %t.1.json %t.2.json %t.3.json | FileCheck --check-prefix=FOLDED %s
// FOLDED-COUNT-3: json:1
// RUN: %hcct-decode --format=json %t.keep.bin | FileCheck --check-prefix=KEPT %s
// KEPT: "recursion": "keep"
// RUN: %hcct-lab metrics --format=json %t.keep.bin %t.fold.bin | FileCheck --check-prefix=SAME %s
// RUN: %hcct-lab metrics --format=json %t.fold.bin %t.keep.bin | FileCheck --check-prefix=SAME %s
// SAME: "degree_of_overlap": 1,
// RUN: %hcct-compare --format=json %t.keep.bin %t.fold.bin | FileCheck --check-prefix=NONE %s
// NONE: "changes": []
// RUN: env HCCT_OPTIONS=recursion=fold %hcct-run --exact --all %t | tail -n +2 > %t.run && %hcct-decode --all %t.fold.bin | tail -n +2 | cmp - %t.run
// RUN: FileCheck --check-prefix=HEADING %s < %t.run
// HEADING: 1974 calls in 6 contexts, recursion folded, every count exact

__attribute__((noinline)) static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void)
{
    return fib(15) != 610;
}
