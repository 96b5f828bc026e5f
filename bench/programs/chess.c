/* Chess: counts the move tree (perft), then searches by alpha-beta. Moves are tried as they are found, so
 * that the recursion goes through the generators' call sites: nearly every line of play is a calling context
 * of its own. Without castling, en passant and underpromotion.
 * Usage: chess DEPTH PLIES    of the count and of the search */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, OFF = 99 };
enum { INFINITE = 1 << 28, UP = 16 };

struct position {
    signed char square[256]; /* 16 columns, the board in the middle of OFF; black is negative */
    int king[2], side;       /* side: 1 or -1 */
};

struct search;
typedef int try_fn(struct search *search, int from, int to);

/* One level of the recursion: what tries a move, and what came of those before. */
struct search {
    struct position *position;
    try_fn *try_move;
    int depth, alpha, beta;
    unsigned long *nodes;
};

static const int straight[] = { 1, -1, UP, -UP }, diagonal[] = { UP + 1, UP - 1, -UP + 1, -UP - 1 };
static const int jumps[] = { 2 * UP + 1, 2 * UP - 1, -2 * UP + 1, -2 * UP - 1,
                             UP + 2,     UP - 2,     -UP + 2,     -UP - 2 };

/* --- moves: each generator returns 1 when the search is done ----------------------------------- */

static int is_theirs(const struct position *p, int at)
{
    return p->square[at] != OFF && p->square[at] * p->side < 0;
}

static int pawn_moves(struct search *s, int from)
{
    const struct position *p = s->position;
    int step = UP * p->side, home = p->side > 0 ? 5 : 10;
    if (is_theirs(p, from + step - 1) && s->try_move(s, from, from + step - 1))
        return 1;
    if (is_theirs(p, from + step + 1) && s->try_move(s, from, from + step + 1))
        return 1;
    if (p->square[from + step] != EMPTY)
        return 0;
    if (s->try_move(s, from, from + step))
        return 1;
    return from / UP == home && p->square[from + 2 * step] == EMPTY && s->try_move(s, from, from + 2 * step);
}

static int hop(struct search *s, int from, const int *steps, int count)
{
    for (int i = 0; i < count; i++) {
        int to = from + steps[i];
        if ((s->position->square[to] == EMPTY || is_theirs(s->position, to)) && s->try_move(s, from, to))
            return 1;
    }
    return 0;
}

static int slide(struct search *s, int from, const int *steps)
{
    for (int i = 0; i < 4; i++)
        for (int to = from + steps[i];; to += steps[i]) {
            int taken = is_theirs(s->position, to);
            if (!taken && s->position->square[to] != EMPTY)
                break;
            if (s->try_move(s, from, to))
                return 1;
            if (taken)
                break;
        }
    return 0;
}

static int piece_moves(struct search *s, int from)
{
    switch (abs(s->position->square[from])) {
    case PAWN:
        return pawn_moves(s, from);
    case KNIGHT:
        return hop(s, from, jumps, 8);
    case BISHOP:
        return slide(s, from, diagonal);
    case ROOK:
        return slide(s, from, straight);
    case QUEEN:
        return slide(s, from, straight) || slide(s, from, diagonal);
    default:
        return hop(s, from, straight, 4) || hop(s, from, diagonal, 4);
    }
}

static int all_moves(struct search *s)
{
    for (int row = 4; row < 12; row++)
        for (int from = row * UP + 4; from < row * UP + 12; from++)
            if (s->position->square[from] * s->position->side > 0 && piece_moves(s, from))
                return 1;
    return 0;
}

/* --- attacks ----------------------------------------------------------------------------------- */

static int is_met(const struct position *p, int at, const int *steps, int count, int piece, int by)
{
    for (int i = 0; i < count; i++)
        if (p->square[at + steps[i]] == piece * by)
            return 1;
    return 0;
}

static int is_seen(const struct position *p, int at, const int *steps, int piece, int by)
{
    for (int i = 0; i < 4; i++) {
        int from = at + steps[i];
        while (p->square[from] == EMPTY)
            from += steps[i];
        if (p->square[from] == piece * by || p->square[from] == QUEEN * by)
            return 1;
    }
    return 0;
}

static int is_attacked(const struct position *p, int at, int by)
{
    return is_met(p, at, jumps, 8, KNIGHT, by) || is_seen(p, at, straight, ROOK, by) ||
           is_seen(p, at, diagonal, BISHOP, by) || p->square[at - by * UP - 1] == PAWN * by ||
           p->square[at - by * UP + 1] == PAWN * by || is_met(p, at, straight, 4, KING, by) ||
           is_met(p, at, diagonal, 4, KING, by);
}

/* --- making a move, and what is below it ------------------------------------------------------- */

struct undo {
    signed char moved, taken;
};

/* 0, with nothing changed, if the mover's king could be taken. */
static int make(struct position *p, int from, int to, struct undo *undo)
{
    *undo = (struct undo){ p->square[from], p->square[to] };
    int last = p->side > 0 ? 11 : 4;
    p->square[to] =
        abs(undo->moved) == PAWN && to / UP == last ? (signed char)(QUEEN * p->side) : undo->moved;
    p->square[from] = EMPTY;
    if (abs(undo->moved) == KING)
        p->king[p->side > 0] = to;
    p->side = -p->side;
    return !is_attacked(p, p->king[p->side < 0], p->side);
}

static void unmake(struct position *p, int from, int to, struct undo undo)
{
    p->side = -p->side;
    p->square[from] = undo.moved;
    p->square[to] = undo.taken;
    if (abs(undo.moved) == KING)
        p->king[p->side > 0] = from;
}

static int count_move(struct search *s, int from, int to)
{
    struct undo undo;
    if (make(s->position, from, to, &undo)) {
        if (s->depth == 1)
            ++*s->nodes;
        else
            all_moves(&(struct search){ s->position, count_move, s->depth - 1, 0, 0, s->nodes });
    }
    unmake(s->position, from, to, undo);
    return 0;
}

static int evaluate(const struct position *p)
{
    static const int worth[] = { 0, 100, 320, 330, 500, 900, 0 };
    int sum = 0;
    for (int row = 4; row < 12; row++)
        for (int at = row * UP + 4; at < row * UP + 12; at++) {
            int middle = 8 - abs(2 * (at % UP) - 15) / 2 - abs(2 * row - 15) / 2;
            if (p->square[at])
                sum += p->square[at] > 0 ? worth[p->square[at]] + middle : -worth[-p->square[at]] - middle;
        }
    return sum * p->side;
}

static int search_move(struct search *s, int from, int to)
{
    struct undo undo;
    if (make(s->position, from, to, &undo)) {
        struct search next = { s->position, search_move, s->depth - 1, -s->beta, -s->alpha, s->nodes };
        ++*s->nodes;
        if (next.depth == 0)
            next.alpha = evaluate(s->position);
        else
            all_moves(&next);
        if (-next.alpha > s->alpha)
            s->alpha = -next.alpha;
    }
    unmake(s->position, from, to, undo);
    return s->alpha >= s->beta;
}

static void set_up(struct position *p)
{
    static const signed char pieces[] = { ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK };
    memset(p->square, OFF, sizeof p->square);
    for (int row = 4; row < 12; row++)
        memset(p->square + row * UP + 4, EMPTY, 8);
    for (int i = 0; i < 8; i++) {
        p->square[4 * UP + 4 + i] = pieces[i];
        p->square[5 * UP + 4 + i] = PAWN;
        p->square[10 * UP + 4 + i] = -PAWN;
        p->square[11 * UP + 4 + i] = (signed char)-pieces[i];
    }
    p->king[1] = 4 * UP + 8;
    p->king[0] = 11 * UP + 8;
    p->side = 1;
}

int main(int argc, char **argv)
{
    struct position position;
    unsigned long counted = 0, searched = 0;
    set_up(&position);
    struct search count = { &position, count_move, argc > 1 ? atoi(argv[1]) : 4, 0, 0, &counted };
    if (count.depth > 0)
        all_moves(&count);
    if (count.depth == 4 && counted != 197281)
        return 1; /* the known number of positions after four plies */
    struct search search = { &position, search_move, argc > 2 ? atoi(argv[2]) : 4,
                             -INFINITE, INFINITE,    &searched };
    if (search.depth > 0)
        all_moves(&search);
    printf("%lu %lu %d\n", counted, searched, search.alpha);
    return 0;
}
