/* See curve.h. */
#include "runtime/heap/tables/curve.h"

#include <time.h>

#include "runtime/base/memory.h"

enum { POINTS = 512, DETAILS = HCCT_FILE_CURVE_DETAILS };

uint64_t hcct_heap_curve_most, hcct_heap_curve_free, hcct_heap_curve_more;
struct hcct_heap_curve_details hcct_heap_curve_details;
static struct hcct_heap_curve_details *const details = &hcct_heap_curve_details;

static struct hcct_file_curve points[POINTS + 1]; /* one more for that of now */
static uint32_t count;
/* The bytes allocated and freed between two points, and two details; at which a point is detailed next. */
static uint64_t interval_bytes, detail_interval_bytes, next_detail;
static uint64_t start_ns;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void hcct_heap_curve_clear(void)
{
    count = details->count = 0;
    interval_bytes = detail_interval_bytes = next_detail = 1;
    hcct_heap_curve_set_free(0);
    details->newest = hcct_heap_curve_most = 0;
    start_ns = now_ns();
}

void hcct_heap_curve_start(uint32_t limit)
{
    size_t bytes = ((size_t)limit + 1) * sizeof *details->rows;
    if (hcct_memory_share(bytes, 32) == bytes)
        details->rows = hcct_memory_reserve(bytes);
    hcct_heap_curve_clear();
}

/* --- contexts ------------------------------------------------------------------------------------ */

static uint64_t had(const struct hcct_heap_curve_detail *detail, struct hcct_heap_curve_context context)
{
    return context.changed <= detail->moment ? context.live_bytes
                                             : details->rows[context.number][detail->column];
}

void hcct_heap_curve_move(uint32_t to, uint32_t from)
{
    for (uint32_t i = 0; i < details->count; i++)
        details->rows[to][details->of[i].column] = details->rows[from][details->of[i].column];
}

void hcct_heap_curve_fold(struct hcct_heap_curve_context to, struct hcct_heap_curve_context from)
{
    for (uint32_t i = 0; i < details->count; i++) {
        uint64_t sum = had(&details->of[i], to) + had(&details->of[i], from);
        details->rows[to.number][details->of[i].column] = sum;
    }
}

/* --- points -------------------------------------------------------------------------------------- */

static uint64_t moved_bytes(const struct hcct_file_curve *point)
{
    return 2 * point->allocated_bytes - point->live_bytes;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Keeps about half of the details, evenly spread over the run so far. */
static void thin_details(uint64_t moved)
{
    uint32_t kept = 0;
    detail_interval_bytes = larger(2 * detail_interval_bytes, moved / (DETAILS / 2));
    uint64_t next = 0;
    for (uint32_t i = 0; i < details->count; i++) {
        uint64_t at = moved_bytes(&points[details->of[i].point]);
        if (at < next)
            continue;
        next = at + detail_interval_bytes;
        details->of[kept++] = details->of[i];
    }
    details->count = kept;
}

/* Keeps at most half of the points, evenly spread over the run so far, beside those with details and the
 * last one. */
static void thin(uint64_t moved)
{
    uint32_t kept = 0, detail = 0;
    uint64_t next = 0, most = 0;
    interval_bytes = larger(2 * interval_bytes, moved / (POINTS / 2));
    for (uint32_t i = 0; i < count; i++) {
        bool is_detailed = detail < details->count && details->of[detail].point == i;
        most = larger(most, points[i].most_bytes);
        if (moved_bytes(&points[i]) < next && !is_detailed && i + 1 < count)
            continue;
        if (is_detailed)
            details->of[detail++].point = kept;
        next = moved_bytes(&points[i]) + interval_bytes;
        points[kept] = points[i];
        points[kept++].most_bytes = most;
        most = 0;
    }
    count = kept;
}

/* There is one: fewer points are detailed than there are columns. */
static uint32_t free_column(void)
{
    for (uint32_t column = 0;; column++) {
        bool used = false;
        for (uint32_t i = 0; i < details->count; i++)
            used |= details->of[i].column == column;
        if (!used)
            return column;
    }
}

static struct hcct_file_curve make_point(uint64_t allocated_bytes, uint64_t live_bytes)
{
    return (struct hcct_file_curve){ .allocated_bytes = allocated_bytes,
                                     .live_bytes = live_bytes,
                                     .most_bytes = larger(hcct_heap_curve_most, live_bytes),
                                     .time_ns = now_ns() - start_ns,
                                     .detail = 0 };
}

void hcct_heap_curve_take(uint64_t moment, uint64_t allocated_bytes, uint64_t live_bytes)
{
    uint64_t moved = 2 * allocated_bytes - live_bytes;
    points[count] = make_point(allocated_bytes, live_bytes);
    if (details->rows && moved >= next_detail) {
        if (details->count == DETAILS)
            thin_details(moved);
        uint32_t column = free_column();
        details->of[details->count++] = (struct hcct_heap_curve_detail){ moment, count, column };
        details->newest = moment;
        next_detail = moved + detail_interval_bytes;
    }
    hcct_heap_curve_most = live_bytes;
    if (++count == POINTS)
        thin(moved);
    hcct_heap_curve_set_free(interval_bytes - 1);
}

/* --- the file ------------------------------------------------------------------------------------ */

uint32_t hcct_heap_curve_points(uint64_t allocated_bytes, uint64_t live_bytes)
{
    points[count] = make_point(allocated_bytes, live_bytes);
    return count + 1;
}

static const struct hcct_heap_curve_detail *detail_of(uint32_t point)
{
    for (uint32_t i = 0; i < details->count; i++)
        if (details->of[i].point == point)
            return &details->of[i];
    return NULL;
}

struct hcct_file_curve hcct_heap_curve_point(uint32_t point)
{
    struct hcct_file_curve it = points[point];
    for (uint32_t i = 0; detail_of(point) && i < details->count; i++)
        it.detail += details->of[i].point <= point;
    return it;
}

uint64_t hcct_heap_curve_at(uint32_t point, struct hcct_heap_curve_context context)
{
    const struct hcct_heap_curve_detail *detail = detail_of(point);
    return detail ? had(detail, context) : 0;
}
