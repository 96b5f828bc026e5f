/* See canonical.h. Prefixes are visited breadth first; the list of those visited is the order. */
#include "format/canonical.h"

#include <string.h>

static int order_of(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

int hcct_canonical_siblings(const struct hcct_file_prefix *a, const struct hcct_file_prefix *b)
{
    return a->kind != b->kind   ? order_of(a->kind, b->kind)
           : a->site != b->site ? order_of(a->site, b->site)
                                : order_of(a->word, b->word);
}

/* Depths need not be looked at: as long as parents ascend, and each comes before its children, they ascend,
 * too. */
bool hcct_canonical_has_prefixes(const struct hcct_file_prefix *prefixes, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const struct hcct_file_prefix *last = &prefixes[i - 1], *it = &prefixes[i];
        uint32_t parents[2] = { last->parent + 1, it->parent + 1 }; /* NONE becomes 0 */
        if (parents[0] > parents[1] || (parents[0] == parents[1] && hcct_canonical_siblings(last, it) > 0))
            return false;
    }
    return true;
}

/* --- sorting indices of prefixes ------------------------------------------------------------------- */

static int compare(const struct hcct_canonical_list *list, uint32_t a, uint32_t b)
{
    struct hcct_file_prefix first = list->at(list->context, a), second = list->at(list->context, b);
    return hcct_canonical_siblings(&first, &second);
}

static void sift(const struct hcct_canonical_list *list, uint32_t *heap, size_t at, size_t count)
{
    uint32_t moved = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && compare(list, heap[child], heap[child + 1]) < 0)
            child++;
        if (compare(list, moved, heap[child]) >= 0)
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* Heapsort: it needs no memory, and nobody can make it slow. */
static void sort_siblings(const struct hcct_canonical_list *list, uint32_t *indices, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift(list, indices, i, count);
    for (size_t end = count; end-- > 1;) {
        uint32_t largest = indices[0];
        indices[0] = indices[end];
        indices[end] = largest;
        sift(list, indices, 0, end);
    }
}

void hcct_canonical_prefixes(const struct hcct_canonical_list *list, uint32_t *order, uint32_t *rank,
                             uint32_t *scratch)
{
    uint32_t count = list->count;
    uint32_t *first = scratch, *children = scratch + count + 2; /* of parent p: from first[p + 1] on */
    uint32_t sum = 0;
    memset(first, 0, ((size_t)count + 2) * sizeof *first);
    for (uint32_t i = 0; i < count; i++)
        first[list->at(list->context, i).parent + 1]++;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t size = first[i];
        first[i] = sum;
        sum += size;
    }
    for (uint32_t i = 0; i < count; i++)
        children[first[list->at(list->context, i).parent + 1]++] =
            i; /* first[] is now where the next group begins */
    uint32_t visited = count ? first[0] : 0;
    memcpy(order, children, visited * sizeof *order);
    sort_siblings(list, order, visited);
    for (uint32_t at = 0; at < visited; at++) {
        uint32_t begin = first[order[at]], end = first[order[at] + 1];
        memcpy(order + visited, children + begin, (end - begin) * sizeof *order);
        sort_siblings(list, order + visited, end - begin);
        visited += end - begin;
        rank[order[at]] = at;
    }
}

static struct hcct_file_prefix at(const void *prefixes, uint32_t index)
{
    return ((const struct hcct_file_prefix *)prefixes)[index];
}

struct hcct_canonical_list hcct_canonical_array(const struct hcct_file_prefix *prefixes, uint32_t count)
{
    return (struct hcct_canonical_list){ count, prefixes, at };
}

void hcct_canonical_rows(struct hcct_canonical_row *to, const struct hcct_canonical_row *from, size_t count,
                         uint32_t prefix_count, uint32_t *scratch)
{
    uint32_t sum = 0;
    memset(scratch, 0, ((size_t)prefix_count + 2) * sizeof *scratch);
    for (size_t i = 0; i < count; i++)
        scratch[from[i].prefix < prefix_count ? from[i].prefix : prefix_count]++;
    for (uint32_t i = 0; i <= prefix_count; i++) {
        uint32_t size = scratch[i];
        scratch[i] = sum;
        sum += size;
    }
    for (size_t i = 0; i < count; i++)
        to[scratch[from[i].prefix < prefix_count ? from[i].prefix : prefix_count]++] = from[i];
}
