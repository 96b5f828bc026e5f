/* budget=… decides by what counting takes (runtime/meter/sampled/budget.h), with a clock that is a number:
 * programs whose counting takes a known share of their time, cheap and dear by turns, and numbers that are as
 * large as they get. */
#include "runtime/meter/sampled/budget.h"

#include "test/unit/check.h"

enum { UNIT = 1000000, HITS_1024 = 1024 * 7 }; /* an instruction takes one unit of the clock */

/* The program's time between two looks: `own` of its own, and what counting adds. */
static struct hcct_budget_work work_of(uint64_t own, uint64_t hits, uint64_t batched, uint64_t locked)
{
    struct hcct_budget_work work = { .hits = hits, .batched = batched, .locked = locked };
    work.time = own + hits * 7 + batched * 67 + locked;
    return work;
}

static void look(struct hcct_budget_thread *thread, struct hcct_budget_work work, unsigned percent)
{
    hcct_budget_decide(thread, hcct_budget_price(&work, HITS_1024), work.time, percent);
}

static void test_price(void)
{
    struct hcct_budget_work work = { 1024, 10, 100, 5000, 1000000 };
    CHECK(hcct_budget_price(&work, HITS_1024) == 1024 * 7 + 10 * 67 + 100 * 76 + 5000);
    CHECK(hcct_budget_price(&work, 2 * HITS_1024) == 2 * (1024 * 7 + 10 * 67 + 100 * 76) + 5000);
    work.time = 100;
    CHECK(hcct_budget_price(&work, HITS_1024) == 100);
    work = (struct hcct_budget_work){ UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
    CHECK(hcct_budget_price(&work, 1 << 30) == UINT64_MAX);
}

/* Right at the limit, for every budget: it is passed by one more unit of time. */
static void test_limit(void)
{
    for (unsigned percent = 1; percent <= 100; percent++) {
        uint64_t price = (uint64_t)UNIT * percent / 100;
        CHECK(!hcct_budget_is_passed(price, UNIT + price, percent));
        CHECK(hcct_budget_is_passed(price + 1, UNIT + price + 1, percent));
    }
    CHECK(!hcct_budget_is_passed(0, 0, 1));
    CHECK(hcct_budget_is_passed(UINT64_MAX, UINT64_MAX, 100));
}

/* A burst that does nothing but count: the time of all bursts is within the budget, and would not be if there
 * were one unit less between two. */
static void test_units(void)
{
    static const uint64_t ends[] = { 0, 1, UNIT / 3, 5 * UNIT };
    struct hcct_budget_thread thread = { 0 };
    for (unsigned percent = 1; percent <= 100; percent++)
        for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++) {
            thread.ends = ends[i];
            uint64_t units = hcct_budget_units(&thread, UNIT, percent), price = UNIT + ends[i];
            CHECK(units >= 2 && !hcct_budget_is_passed(price, units * UNIT + ends[i], percent));
            CHECK(units == 2 || hcct_budget_is_passed(price, (units - 1) * UNIT + ends[i], percent));
        }
    thread.ends = UINT64_MAX;
    CHECK(hcct_budget_units(&thread, UNIT, 1) == HCCT_BUDGET_UNITS_MAX + 1);
}

static void test_ends(void)
{
    struct hcct_budget_thread thread = { 0 };
    hcct_budget_end_burst(&thread, 1000);
    CHECK(thread.ends == 1000);
    for (int i = 0; i < 100; i++)
        hcct_budget_end_burst(&thread, 5000);
    CHECK(thread.ends > 4990 && thread.ends <= 5000);
    hcct_budget_end_burst(&thread, UINT64_MAX); /* does not overflow */
    CHECK(thread.ends > UINT64_MAX / 5);
}

/* A start that is dear, a program that is cheap, and one that is dear from some time on. */
static void test_cheap_and_dear(void)
{
    struct hcct_budget_thread thread = { 0 };
    struct hcct_budget_work cheap = work_of(UNIT, 5000, 100, 1000), /* 4% */
        middle = work_of(UNIT, 10000, 0, 15000),                    /* 8.5% */
        dear = work_of(UNIT, 0, 4000, 500000);                      /* 77% */
    look(&thread, dear, 10);
    for (int i = 0; i < 4; i++) {
        CHECK(thread.is_over);
        hcct_budget_end_burst(&thread, 0);
    }
    for (int i = 0; i < 100; i++) {
        CHECK(!thread.is_over);
        look(&thread, i % 2 ? cheap : middle, 10);
    }
    for (int wanted = 4, trial = 0; trial < 10; trial++, wanted = wanted < 256 ? 2 * wanted : 256) {
        int bursts = 0;
        look(&thread, dear, 10);
        for (; thread.is_over; bursts++)
            hcct_budget_end_burst(&thread, 0);
        CHECK(bursts == wanted);
    }
    look(&thread, dear, 100);
    CHECK(!thread.is_over && thread.failures == 0);
}

int main(void)
{
    test_price();
    test_limit();
    test_units();
    test_ends();
    test_cheap_and_dear();
    CHECK_DONE();
}
