// a calls b and b calls a: main;a;b;leaf and main;b;a;leaf have the same frames.
#define OUT __attribute__((noinline))
int volatile sink;
OUT int leaf(int x) { return x + sink; }
OUT int b(int x);
OUT int a(int x) { return (x == 1 ? b(2) : leaf(x)) + 1; }
OUT int b(int x) { return (x == 1 ? a(2) : leaf(x)) + 1; }
int main(void) { return a(1) + b(1) == 0; }
