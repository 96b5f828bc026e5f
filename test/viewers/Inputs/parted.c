// Two hot contexts whose innermost functions are the same: what they were called for stands further up.
#define OUT __attribute__((noinline))
static volatile int sink;
OUT static void takes_the_next_word(void)
{
    sink++;
}
#define STEP(name, next)                                                                                     \
    OUT static void name(int count)                                                                          \
    {                                                                                                        \
        for (int i = 0; i < count; i++)                                                                      \
            next;                                                                                            \
        sink++;                                                                                              \
    }
STEP(reads_all_of_the_words, takes_the_next_word())
STEP(reads_a_line_of_the_text, reads_all_of_the_words(count))
STEP(reads_a_part_of_the_text, reads_a_line_of_the_text(count))
STEP(opens_what_is_configured, reads_a_part_of_the_text(count))
STEP(opens_what_was_asked_for, reads_a_part_of_the_text(count))
#define COLD(n) STEP(cold_##n, takes_the_next_word())
COLD(1) COLD(2) COLD(3) COLD(4) COLD(5) COLD(6) COLD(7) COLD(8) COLD(9) COLD(10) COLD(11)

int main(void)
{
    opens_what_is_configured(20);
    opens_what_was_asked_for(21);
    cold_1(9), cold_2(9), cold_3(9), cold_4(9), cold_5(9), cold_6(9), cold_7(9), cold_8(9), cold_9(9), cold_10(9), cold_11(9);
    return 0;
}
