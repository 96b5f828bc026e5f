/* See filter.h. The instructions are those that the kernel accepts in a filter of seccomp
 * (kernel/seccomp.c, seccomp_check_filter). */
#include "runtime/boundary/filter.h"

#include <stdbool.h>
#include <string.h>

/* An accumulator, an index, and words to keep. */
struct machine {
    uint32_t a, x, kept[BPF_MEMWORDS];
};

/* False: there is no such place. */
static bool load(struct machine *machine, const struct sock_filter *at, const struct seccomp_data *call)
{
    uint32_t *to = BPF_CLASS(at->code) == BPF_LD ? &machine->a : &machine->x;
    switch (BPF_MODE(at->code)) {
    case BPF_IMM:
        *to = at->k;
        return true;
    case BPF_LEN:
        *to = sizeof *call;
        return true;
    case BPF_MEM:
        if (at->k >= BPF_MEMWORDS)
            return false;
        *to = machine->kept[at->k];
        return true;
    case BPF_ABS:
        if (at->k > sizeof *call - sizeof *to || at->k % sizeof *to)
            return false;
        memcpy(to, (const char *)call + at->k, sizeof *to);
        return true;
    default:
        return false;
    }
}

static bool compute(struct machine *machine, const struct sock_filter *at)
{
    uint32_t by = BPF_SRC(at->code) == BPF_X ? machine->x : at->k, *a = &machine->a;
    switch (BPF_OP(at->code)) {
    case BPF_ADD:
        *a += by;
        return true;
    case BPF_SUB:
        *a -= by;
        return true;
    case BPF_MUL:
        *a *= by;
        return true;
    case BPF_DIV:
        *a = by ? *a / by : 0;
        return by != 0;
    case BPF_AND:
        *a &= by;
        return true;
    case BPF_OR:
        *a |= by;
        return true;
    case BPF_XOR:
        *a ^= by;
        return true;
    case BPF_LSH:
        *a <<= by % 32;
        return true;
    case BPF_RSH:
        *a >>= by % 32;
        return true;
    case BPF_NEG:
        *a = -*a;
        return true;
    default:
        return false;
    }
}

/* How many instructions to leave out. */
static uint32_t jump(const struct machine *machine, const struct sock_filter *at)
{
    uint32_t than = BPF_SRC(at->code) == BPF_X ? machine->x : at->k;
    switch (BPF_OP(at->code)) {
    case BPF_JA:
        return at->k;
    case BPF_JEQ:
        return machine->a == than ? at->jt : at->jf;
    case BPF_JGT:
        return machine->a > than ? at->jt : at->jf;
    case BPF_JGE:
        return machine->a >= than ? at->jt : at->jf;
    case BPF_JSET:
        return machine->a & than ? at->jt : at->jf;
    default:
        return UINT32_MAX;
    }
}

uint32_t hcct_filter_answer(const struct sock_filter *filter, size_t count, const struct seccomp_data *call)
{
    struct machine machine = { 0 };
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        const struct sock_filter *at = &filter[i];
        switch (BPF_CLASS(at->code)) {
        case BPF_LD:
        case BPF_LDX:
            good = load(&machine, at, call);
            break;
        case BPF_ST:
        case BPF_STX:
            good = at->k < BPF_MEMWORDS;
            if (good)
                machine.kept[at->k] = BPF_CLASS(at->code) == BPF_ST ? machine.a : machine.x;
            break;
        case BPF_ALU:
            good = compute(&machine, at);
            break;
        case BPF_JMP:
            i += jump(&machine, at);
            break;
        case BPF_RET:
            return BPF_RVAL(at->code) == BPF_A ? machine.a : at->k;
        default: /* BPF_MISC */
            *(BPF_MISCOP(at->code) == BPF_TAX ? &machine.x : &machine.a) =
                BPF_MISCOP(at->code) == BPF_TAX ? machine.a : machine.x;
        }
    }
    return SECCOMP_RET_KILL_PROCESS;
}
