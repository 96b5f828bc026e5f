// Two versions of functions that differ in parameters or template arguments.
#ifdef B
typedef long number;
#else
typedef int number;
#endif
static volatile long worked;

namespace store
{
__attribute__((noinline)) void put(number value)
{
    worked += value;
}

template <typename Type> struct Table {
    __attribute__((noinline)) void add(Type value)
    {
        put(static_cast<number>(value));
        worked = worked + 1;
    }
};

__attribute__((noinline)) void operator<<(Table<number> &table, number value)
{
    table.add(value);
    worked = worked + 1;
}
} // namespace store

int main()
{
    store::Table<number> table;
    for (int i = 0; i < 7; i++)
        table << i;
    return 0;
}
