/* hcct_filter_answer: random filters answer what the kernel's own answer is, of a system call that a child
 * makes under the filter. */
#define _GNU_SOURCE
#include "runtime/boundary/filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/unit/check.h"
#include "test/unit/draw.h"

#ifdef __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#else
#define ARCH AUDIT_ARCH_AARCH64
#endif

enum { FILTERS = 400, BODY = 24, AROUND = 2 + BPF_MEMWORDS, LAST = 3, LENGTH = AROUND + BODY + LAST };

static struct sock_filter statement(int code, uint32_t k)
{
    return (struct sock_filter){ (uint16_t)code, 0, 0, k };
}

/* One that the kernel accepts, with `left` instructions behind it. */
static struct sock_filter draw_instruction(unsigned left)
{
    static const uint16_t loads[] = { BPF_LD | BPF_IMM, BPF_LDX | BPF_IMM, BPF_LD | BPF_W | BPF_LEN,
                                      BPF_LDX | BPF_W | BPF_LEN };
    static const uint16_t kept[] = { BPF_LD | BPF_MEM, BPF_LDX | BPF_MEM, BPF_ST, BPF_STX };
    static const uint16_t operations[] = { BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_AND,
                                           BPF_OR,  BPF_XOR, BPF_LSH, BPF_RSH, BPF_NEG };
    static const uint16_t tests[] = { BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET };
    uint32_t k = (uint32_t)(draw() >> draw() % 64);
    int source = draw() % 2 ? BPF_X : BPF_K;
    struct sock_filter made = { 0 };
    switch (draw() % 7) {
    case 0:
        return statement(loads[draw() % 4], k);
    case 1:
        return statement(kept[draw() % 4], k % BPF_MEMWORDS);
    case 2:
        return statement(BPF_LD | BPF_W | BPF_ABS,
                         (uint32_t)(offsetof(struct seccomp_data, args) + draw() % 12 * 4));
    case 3:
        return statement(BPF_MISC | (draw() % 2 ? BPF_TAX : BPF_TXA), 0);
    case 4:
        made = statement(BPF_JMP | tests[draw() % 4] | source, source == BPF_X ? 0 : k);
        made.jt = (uint8_t)(draw() % (left + 1));
        made.jf = (uint8_t)(draw() % (left + 1));
        return made;
    case 5:
        return statement(BPF_JMP | BPF_JA, (uint32_t)(draw() % (left + 1)));
    default:
        made = statement(BPF_ALU | operations[draw() % 10] | source, k);
        if (BPF_OP(made.code) == BPF_NEG)
            made = statement(BPF_ALU | BPF_NEG, 0);
        if (BPF_OP(made.code) == BPF_LSH || BPF_OP(made.code) == BPF_RSH)
            made.k %= 32;
        made.k += BPF_OP(made.code) == BPF_DIV && !made.k;
        return made;
    }
}

/* All calls but one are allowed. That one fails with an error of 12 bits, which all instructions make. */
static void draw_filter(struct sock_filter *filter)
{
    size_t at = 0;
    filter[at++] = statement(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    filter[at] = statement(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid);
    filter[at++].jf = LENGTH - 2;                        /* to the last instruction */
    for (uint32_t word = 0; word < BPF_MEMWORDS; word++) /* the kernel wants them stored first */
        filter[at++] = statement(BPF_ST, word);
    while (at < AROUND + BODY) {
        filter[at] = draw_instruction((unsigned)(AROUND + BODY - at - 1));
        at++;
    }
    filter[at++] = statement(BPF_ALU | BPF_AND | BPF_K, SECCOMP_RET_DATA >> 4);
    filter[at++] = statement(BPF_ALU | BPF_OR | BPF_K, SECCOMP_RET_ERRNO);
    filter[at++] = statement(BPF_RET | BPF_A, 0);
}

/* Of the kernel: 0, or an error; -1: the child was ended; -2: there are no filters here. */
static int ask_kernel(const struct sock_filter *filter, const uint64_t *arguments, volatile int *answer)
{
    struct sock_fprog program = { LENGTH + 1, (struct sock_filter *)filter };
    int status = 0;
    *answer = -1;
    pid_t child = fork();
    if (child == 0) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
            *answer = -2;
            _exit(0);
        }
        long result = syscall(SYS_getpgid, arguments[0], arguments[1], arguments[2], arguments[3],
                              arguments[4], arguments[5]);
        *answer = result == 0 ? 0 : errno;
        _exit(0);
    }
    return waitpid(child, &status, 0) == child ? *answer : -2;
}

int main(void)
{
    volatile int *answer =
        mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int answered = 0, ended = 0;
    for (int i = 0; i < FILTERS; i++) {
        struct sock_filter filter[LENGTH + 1];
        struct seccomp_data call = { .nr = SYS_getpgid, .arch = ARCH };
        draw_filter(filter);
        filter[LENGTH] = statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        uint64_t arguments[6];
        for (size_t argument = 0; argument < 6; argument++)
            call.args[argument] = arguments[argument] = draw() >> draw() % 64;
        int kernel = ask_kernel(filter, arguments, answer);
        uint32_t ours = hcct_filter_answer(filter, LENGTH + 1, &call);
        CHECK(kernel != -2);
        if (kernel == -1)
            CHECK((ours & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_KILL_PROCESS ||
                  ours == SECCOMP_RET_KILL_THREAD);
        else
            CHECK(ours == (SECCOMP_RET_ERRNO | (uint32_t)kernel));
        answered += kernel >= 0;
        ended += kernel == -1;
        call.nr = SYS_write;
        CHECK(hcct_filter_answer(filter, LENGTH + 1, &call) == SECCOMP_RET_ALLOW);
    }
    CHECK(answered > FILTERS / 4 && ended > 0);
    struct seccomp_data call = { .nr = SYS_write, .arch = ARCH };
    struct sock_filter wrong[] = { { BPF_LD | BPF_W | BPF_ABS, 0, 0, sizeof call },
                                   { BPF_RET, 0, 0, SECCOMP_RET_ALLOW } };
    CHECK(hcct_filter_answer(wrong, 2, &call) == SECCOMP_RET_KILL_PROCESS);
    CHECK(hcct_filter_answer(wrong, 0, &call) == SECCOMP_RET_KILL_PROCESS);
    wrong[0] = statement(BPF_JMP | BPF_JA, UINT32_MAX);
    CHECK(hcct_filter_answer(wrong, 2, &call) == SECCOMP_RET_KILL_PROCESS);
    CHECK_DONE();
}
