/* A chess-like search, and fib: programs whose every call is a calling context of its own, or nearly.
 *
 * usage: search fib N | search board DEPTH
 *
 * `board` plays a game of kings, rooks and pawns on 6x6 with alpha-beta search, move generation, quiescence and a
 * small evaluation, every piece by a function of its own: deep recursion through several paths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

enum { SIZE = 6, SQUARES = SIZE * SIZE, MOVES_MAX = 128, INFINITE = 1000000 };
enum piece { EMPTY, PAWN, KNIGHT, ROOK, KING };

struct move {
    signed char from, to;
};

struct board {
    signed char square[SQUARES]; /* piece, negative for the second side */
    int side;
};

static unsigned long nodes, evaluations;

static NOINLINE unsigned long fib(unsigned n)
{
    if (n < 2)
        return n;
    unsigned long sum = fib(n - 1);
    sum += fib(n - 2);
    __asm__ volatile("" : "+r"(sum)); /* or the second call becomes a loop */
    return sum;
}

static NOINLINE int add(struct board *board, struct move *list, int count, int from, int row, int column)
{
    if (row < 0 || row >= SIZE || column < 0 || column >= SIZE || count == MOVES_MAX)
        return count;
    int to = row * SIZE + column;
    if (board->square[to] * board->side > 0)
        return count;
    list[count] = (struct move){(signed char)from, (signed char)to};
    return count + 1;
}

static NOINLINE int pawn_moves(struct board *board, struct move *list, int count, int from)
{
    int row = from / SIZE + board->side, column = from % SIZE;
    if (row >= 0 && row < SIZE && !board->square[row * SIZE + column])
        count = add(board, list, count, from, row, column);
    for (int d = -1; d <= 1; d += 2)
        if (column + d >= 0 && column + d < SIZE && row >= 0 && row < SIZE && board->square[row * SIZE + column + d] * board->side < 0)
            count = add(board, list, count, from, row, column + d);
    return count;
}

static NOINLINE int knight_moves(struct board *board, struct move *list, int count, int from)
{
    static const signed char jump[8][2] = {{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}};
    for (int i = 0; i < 8; i++)
        count = add(board, list, count, from, from / SIZE + jump[i][0], from % SIZE + jump[i][1]);
    return count;
}

/* One ray, a square at a time. */
static NOINLINE int slide(struct board *board, struct move *list, int count, int from, int row, int column, int down, int right)
{
    int before = count;
    count = add(board, list, count, from, row, column);
    if (count == before || board->square[row * SIZE + column])
        return count;
    return slide(board, list, count, from, row + down, column + right, down, right);
}

static NOINLINE int rook_moves(struct board *board, struct move *list, int count, int from)
{
    int row = from / SIZE, column = from % SIZE;
    count = slide(board, list, count, from, row + 1, column, 1, 0);
    count = slide(board, list, count, from, row - 1, column, -1, 0);
    count = slide(board, list, count, from, row, column + 1, 0, 1);
    return slide(board, list, count, from, row, column - 1, 0, -1);
}

static NOINLINE int king_moves(struct board *board, struct move *list, int count, int from)
{
    for (int row = -1; row <= 1; row++)
        for (int column = -1; column <= 1; column++)
            if (row || column)
                count = add(board, list, count, from, from / SIZE + row, from % SIZE + column);
    return count;
}

static int (*const generators[])(struct board *, struct move *, int, int) = {
    [PAWN] = pawn_moves, [KNIGHT] = knight_moves, [ROOK] = rook_moves, [KING] = king_moves};

static NOINLINE int generate(struct board *board, struct move *list)
{
    int count = 0;
    for (int from = 0; from < SQUARES; from++)
        if (board->square[from] * board->side > 0)
            count = generators[abs(board->square[from])](board, list, count, from);
    return count;
}

static NOINLINE int evaluate(const struct board *board)
{
    static const int value[] = {0, 10, 30, 50, 1000};
    int sum = 0;
    for (int i = 0; i < SQUARES; i++)
        sum += board->square[i] < 0 ? -value[-board->square[i]] - i / SIZE : value[board->square[i]] + (board->square[i] ? i / SIZE : 0);
    evaluations++;
    return sum * board->side;
}

static NOINLINE signed char make(struct board *board, struct move move)
{
    signed char taken = board->square[move.to];
    board->square[move.to] = board->square[move.from];
    board->square[move.from] = EMPTY;
    board->side = -board->side;
    return taken;
}

static NOINLINE void unmake(struct board *board, struct move move, signed char taken)
{
    board->side = -board->side;
    board->square[move.from] = board->square[move.to];
    board->square[move.to] = taken;
}

/* A call site for each square that a move can go to, so that each line of play is a calling context of its own. The
 * asm behind each call is another, or the optimizer would make one site of them all. */
#define SITE(n, call)                           \
    case n:                                     \
        value = call;                           \
        __asm__ volatile("#" #n : "+r"(value)); \
        return value;
#define ROW(n, call) SITE(n##0, call) SITE(n##1, call) SITE(n##2, call) SITE(n##3, call) SITE(n##4, call) SITE(n##5, call)
#define EACH_SQUARE(square, call)                                                           \
    int value;                                                                              \
    switch ((square) / SIZE * 10 + (square) % SIZE + 100) {                                 \
        ROW(10, call) ROW(11, call) ROW(12, call) ROW(13, call) ROW(14, call) ROW(15, call) \
    }                                                                                       \
    return 0

static int quiesce(struct board *board, int alpha, int beta, int depth);
static int search(struct board *board, int depth, int alpha, int beta);

static inline __attribute__((always_inline)) int quiesce_after(struct board *board, int square, int alpha, int beta, int depth)
{
    EACH_SQUARE(square, -quiesce(board, -beta, -alpha, depth - 1));
}

static inline __attribute__((always_inline)) int search_after(struct board *board, int square, int depth, int alpha, int beta)
{
    EACH_SQUARE(square, -search(board, depth - 1, -beta, -alpha));
}

static NOINLINE int quiesce(struct board *board, int alpha, int beta, int depth)
{
    int best = evaluate(board);
    if (best >= beta || depth == 0 || best < -500 || best > 500)
        return best;
    struct move list[MOVES_MAX];
    int count = generate(board, list);
    for (int i = 0; i < count; i++) {
        if (!board->square[list[i].to])
            continue;
        signed char taken = make(board, list[i]);
        int score = quiesce_after(board, list[i].to, best > alpha ? best : alpha, beta, depth);
        unmake(board, list[i], taken);
        if (score > best)
            best = score;
        if (best >= beta)
            break;
    }
    return best;
}

static NOINLINE int search(struct board *board, int depth, int alpha, int beta)
{
    nodes++;
    if (depth == 0)
        return quiesce(board, alpha, beta, 4);
    struct move list[MOVES_MAX];
    int count = generate(board, list), best = -INFINITE;
    for (int i = 0; i < count; i++) {
        if (abs(board->square[list[i].to]) == KING)
            return INFINITE - 100 + depth;
        signed char taken = make(board, list[i]);
        int score = search_after(board, list[i].to, depth, alpha, beta);
        unmake(board, list[i], taken);
        if (score > best)
            best = score;
        if (best > alpha)
            alpha = best;
        if (alpha >= beta)
            break;
    }
    return best;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "fib")) {
        printf("%lu\n", fib(strtoul(argv[2], NULL, 10)));
        return 0;
    }
    if (argc == 3 && !strcmp(argv[1], "board")) {
        static const signed char row[SIZE] = {ROOK, KNIGHT, KING, KNIGHT, ROOK, ROOK};
        struct board board = {.side = 1};
        for (int i = 0; i < SIZE; i++) {
            board.square[i] = row[i];
            board.square[SIZE + i] = PAWN;
            board.square[SQUARES - 2 * SIZE + i] = -PAWN;
            board.square[SQUARES - SIZE + i] = -row[i];
        }
        int score = search(&board, atoi(argv[2]), -INFINITE, INFINITE);
        printf("%d %lu %lu\n", score, nodes, evaluations);
        return 0;
    }
    fprintf(stderr, "usage: search fib N | search board DEPTH\n");
    return 2;
}
