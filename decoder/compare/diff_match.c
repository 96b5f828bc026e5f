/* Matches the nodes of two trees, see diff.h: in one build by names and lines, in two builds by likeness.
 *
 * Invariants
 *   1. a matched pair points at each other in the two `match`, and no node is in two pairs;
 *   2. frames match frames of one class (class_of): a frame in brackets matches only its like. */
#include <stdlib.h>
#include <string.h>

#include "decoder/compare/diff_match.h"
#include "decoder/text/text.h"

#define CANDIDATE_LIMIT 64 /* nodes of equal name that are compared with a node left over */
#define ANCESTOR_LIMIT 32  /* how far up a matched ancestor is looked for */
#define RENAME_ROUNDS 8
/* The likeness of an empty set and another one. With an equal line it scores higher than two empty sets in
 * different lines. */
#define EMPTY_PART 0.8
#define ALIKE 0.5 /* with this likeness names need not be equal */

struct pair {
    uint32_t node[2]; /* node_count of a tree stands for what is above its roots */
};

struct matcher {
    struct hcct_diff_side *side; /* [2] */
    bool same_build;
    struct pair *work;
    uint32_t work_count, work_capacity;
    /* Children of the current pair that have no counterpart yet, in the order of their lines. */
    uint32_t *left[2];
    uint32_t left_count[2], left_capacity[2];
    /* Scratch memory of the alignment. */
    uint32_t *best;
    size_t best_capacity;
    struct scored *scored;
    uint32_t scored_count, scored_capacity;
    uint32_t *renamed; /* by name in A: its name in B, plus 1; 0: it has the same name */
    bool learned;      /* `renamed` has changed */
};

struct scored {
    uint32_t score;
    uint32_t at[2]; /* in `left` */
};

/* --- what nodes look like ------------------------------------------------------------------------- */

static const struct hcct_tree_node *node_of(const struct hcct_diff_side *side, uint32_t node)
{
    return &side->tree.nodes[node];
}

static const struct hcct_tree_frame *frame_of(const struct hcct_diff_side *side, uint32_t node)
{
    return &side->merge.frames.frames[node_of(side, node)->frame];
}

static const struct hcct_tree_site *site_of(const struct hcct_diff_side *side, uint32_t node)
{
    uint32_t site = node_of(side, node)->site;
    return site == HCCT_FRAMES_NONE ? NULL : &side->merge.frames.sites[site];
}

/* The kind of a frame; an inlined function counts as a function. */
static uint32_t class_of(const struct hcct_diff_side *side, uint32_t node)
{
    uint32_t kind = frame_of(side, node)->kind;
    return kind == HCCT_FRAME_INLINED ? HCCT_FRAME_FUNCTION : kind;
}

static uint32_t name_of(const struct hcct_diff_side *side, uint32_t node)
{
    return side->name[node_of(side, node)->frame];
}

static uint32_t stem_of(const struct hcct_diff_side *side, uint32_t node)
{
    return side->stem[node_of(side, node)->frame];
}

/* The line of a call, counted from the caller's first line, so that it stays when the caller moves as a
 * whole. */
static int64_t place_of(const struct hcct_diff_side *side, uint32_t node)
{
    const struct hcct_tree_site *site = site_of(side, node);
    uint32_t parent = node_of(side, node)->parent;
    if (!site || !site->line || parent == HCCT_NODE_NONE)
        return site ? site->line : 0;
    const struct hcct_tree_frame *caller = frame_of(side, parent);
    bool relative = caller->line && !strcmp(caller->file, site->file);
    return (int64_t)site->line - (relative ? caller->line : 0);
}

static bool same_place(const struct hcct_diff_side *side, uint32_t a, uint32_t b)
{
    const struct hcct_tree_site *s = site_of(&side[0], a), *t = site_of(&side[1], b);
    if (!s || !t)
        return !s && !t;
    if (side[0].place[a] && side[1].place[b])
        return side[0].place[a] == side[1].place[b];
    if (!s->line || !t->line) /* no line is known: the id tells the ordinal within the function */
        return s->line == t->line && s->id == t->id;
    return place_of(&side[0], a) == place_of(&side[1], b) &&
           !strcmp(hcct_text_base_name(s->file), hcct_text_base_name(t->file));
}

static bool is_leaf(const struct hcct_diff_side *side, uint32_t node)
{
    return side->sketches[node].count == 0;
}

/* The largest hash up to which a sketch has all elements of its set. */
static uint32_t whole_up_to(const struct hcct_diff_sketch *sketch)
{
    return sketch->count < HCCT_DIFF_SKETCH ? UINT32_MAX : sketch->least[HCCT_DIFF_SKETCH - 1];
}

/* The likeness of two sets, 0 to 1: their Jaccard index, or (`part`) the share of the smaller one that is in
 * the other. Of large sets, the elements up to the hash where both sketches are whole are compared. Two empty
 * sets are equal. */
static float likeness(const struct hcct_diff_side *side, uint32_t a, uint32_t b, bool part)
{
    const struct hcct_diff_sketch *s = &side[0].sketches[a], *t = &side[1].sketches[b];
    uint32_t limit = whole_up_to(s) < whole_up_to(t) ? whole_up_to(s) : whole_up_to(t), i = 0, j = 0,
             both = 0;
    if (!s->count || !t->count)
        return s->count == t->count ? 1 : part ? (float)EMPTY_PART : 0;
    while ((i < s->count && s->least[i] <= limit) || (j < t->count && t->least[j] <= limit)) {
        uint64_t left = i < s->count ? s->least[i] : UINT64_MAX,
                 right = j < t->count ? t->least[j] : UINT64_MAX;
        both += left == right;
        i += left <= right;
        j += right <= left;
    }
    uint32_t smaller = i < j ? i : j;
    if (part)
        return smaller ? (float)both / (float)smaller : 0.5f; /* nothing is known of the smaller one */
    return (float)both / (float)(i + j - both);
}

/* The name that the function of `a` has in B. */
static uint32_t name_in_b(const struct matcher *matcher, uint32_t a)
{
    uint32_t name = name_of(&matcher->side[0], a), renamed = matcher->renamed[name];
    return renamed ? renamed - 1 : name;
}

/* How well two nodes match; 0: not at all. Subtrees weigh more than lines. Say two calls of one function have
 * changed places: the alignment can match one pair with equal subtrees (500 or more), or two pairs with only
 * their lines in common (450 together at most). It takes the one pair, unless the two are alike by half. */
static uint32_t score(const struct matcher *matcher, uint32_t a, uint32_t b)
{
    const struct hcct_diff_side *side = matcher->side;
    if (class_of(&side[0], a) != class_of(&side[1], b))
        return 0;
    bool same_name = name_in_b(matcher, a) == name_of(&side[1], b);
    if (!same_name && stem_of(&side[0], a) != stem_of(&side[1], b))
        return 0;
    const char *files[2] = { frame_of(&side[0], a)->file, frame_of(&side[1], b)->file };
    uint32_t sum = (same_name ? 100 : 50) + (uint32_t)(400 * likeness(side, a, b, true));
    sum += same_place(side, a, b) ? 100 : 0;
    return sum + (strcmp(hcct_text_base_name(files[0]), hcct_text_base_name(files[1])) ? 0 : 25);
}

/* --- pairs ---------------------------------------------------------------------------------------- */

static bool add_work(struct matcher *matcher, uint32_t a, uint32_t b)
{
    if (!hcct_vector_grow(&matcher->work, &matcher->work_capacity, matcher->work_count, sizeof(struct pair)))
        return false;
    matcher->work[matcher->work_count++] = (struct pair){ { a, b } };
    return true;
}

static bool match(struct matcher *matcher, uint32_t a, uint32_t b)
{
    matcher->side[0].match[a] = b;
    matcher->side[1].match[b] = a;
    return add_work(matcher, a, b);
}

/* The order of call sites: by file and line, then as in the tree. */
static int compare_sites(const void *left, const void *right, void *context)
{
    const struct hcct_diff_side *side = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const struct hcct_tree_site *s = site_of(side, a), *t = site_of(side, b);
    int by = hcct_tree_order(s != NULL, t != NULL);
    if (!by && s) {
        by = strcmp(s->file, t->file);
        by = by ? by : hcct_tree_order(s->line, t->line);
        by = by ? by : hcct_tree_order(s->ordinal, t->ordinal);
    }
    return by ? by : hcct_tree_order(a, b);
}

/* Collects the children without a counterpart, in the order of their lines. */
static bool gather(struct matcher *matcher, int which, uint32_t parent)
{
    struct hcct_diff_side *side = &matcher->side[which];
    matcher->left_count[which] = 0;
    for (uint32_t i = side->children.first[parent]; i < side->children.first[parent + 1]; i++) {
        uint32_t child = side->children.child[i];
        if (side->match[child] != HCCT_NODE_NONE)
            continue;
        if (!hcct_vector_grow(&matcher->left[which], &matcher->left_capacity[which],
                              matcher->left_count[which], sizeof child))
            return false;
        matcher->left[which][matcher->left_count[which]++] = child;
    }
    if (matcher->left_count[which] > 1)
        qsort_r(matcher->left[which], matcher->left_count[which], sizeof(uint32_t), compare_sites, side);
    return true;
}

static void drop_matched(struct matcher *matcher)
{
    for (int which = 0; which < 2; which++) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < matcher->left_count[which]; i++)
            if (matcher->side[which].match[matcher->left[which][i]] == HCCT_NODE_NONE)
                matcher->left[which][kept++] = matcher->left[which][i];
        matcher->left_count[which] = kept;
    }
}

/* --- equal names and places ------------------------------------------------------------------------ */

/* What makes two nodes equal. */
enum join_by {
    JOIN_BY_NAMES,
    JOIN_BY_LINES, /* linkage name, file and line, too */
    JOIN_BY_SITES, /* linkage name and site id: in one build, whatever the lines say */
};

struct joined_side {
    const struct hcct_diff_side *side;
    enum join_by by;
};

static int compare_places(const struct hcct_tree_site *s, const struct hcct_tree_site *t, enum join_by how)
{
    int by = hcct_tree_order(s != NULL, t != NULL);
    if (by || !s)
        return by;
    if (how == JOIN_BY_SITES) /* several inlined calls on one line differ in nothing else */
        return hcct_tree_order(s->id, t->id);
    by = strcmp(s->file, t->file);
    by = by ? by : hcct_tree_order(s->line, t->line);
    return by || s->line ? by : hcct_tree_order(s->id, t->id);
}

/* An order in which matching nodes of the two sides are equal: by class and name, then by what `how` asks
 * for. */
static int compare_keys(const struct hcct_diff_side *side_a, uint32_t a, const struct hcct_diff_side *side_b,
                        uint32_t b, enum join_by how)
{
    int by = hcct_tree_order(class_of(side_a, a), class_of(side_b, b));
    by = by ? by : hcct_tree_order(name_of(side_a, a), name_of(side_b, b));
    if (by || how == JOIN_BY_NAMES)
        return by;
    by = strcmp(frame_of(side_a, a)->linkage, frame_of(side_b, b)->linkage);
    by = by ? by : strcmp(frame_of(side_a, a)->file, frame_of(side_b, b)->file);
    by = by ? by : hcct_tree_order(frame_of(side_a, a)->kind, frame_of(side_b, b)->kind);
    return by ? by : compare_places(site_of(side_a, a), site_of(side_b, b), how);
}

static int compare_own_keys(const void *left, const void *right, void *context)
{
    const struct joined_side *joined = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int by = compare_keys(joined->side, a, joined->side, b, joined->by);
    return by ? by : compare_sites(left, right, (void *)joined->side);
}

/* Matches nodes that compare_keys takes for equal, in one pass over both sides. */
static bool join(struct matcher *matcher, enum join_by how)
{
    struct hcct_diff_side *side = matcher->side;
    uint32_t at[2] = { 0, 0 };
    for (int which = 0; which < 2; which++) {
        struct joined_side joined = { &side[which], how == JOIN_BY_NAMES ? JOIN_BY_LINES : how };
        if (matcher->left_count[which] > 1)
            qsort_r(matcher->left[which], matcher->left_count[which], sizeof(uint32_t), compare_own_keys,
                    &joined);
    }
    while (at[0] < matcher->left_count[0] && at[1] < matcher->left_count[1]) {
        uint32_t a = matcher->left[0][at[0]], b = matcher->left[1][at[1]];
        int by = compare_keys(&side[0], a, &side[1], b, how);
        if (!by && !match(matcher, a, b))
            return false;
        at[0] += by <= 0;
        at[1] += by >= 0;
    }
    drop_matched(matcher);
    return true;
}

/* --- the alignment --------------------------------------------------------------------------------- */

/* Matches children in the order of lines so that the sum of scores is largest: dynamic programming over the
 * best sums of suffixes. */
static bool align(struct matcher *matcher)
{
    const uint32_t *const *left = (const uint32_t *const *)matcher->left;
    size_t rows = matcher->left_count[0], columns = matcher->left_count[1], width = columns + 1;
    size_t cells = (rows + 1) * width;
    if (cells > matcher->best_capacity) {
        uint32_t *moved = realloc(matcher->best, 2 * cells * sizeof *moved);
        if (!moved)
            return false;
        matcher->best = moved;
        matcher->best_capacity = 2 * cells;
    }
    uint32_t *best = matcher->best;
    memset(best, 0, cells * sizeof *best);
    for (size_t i = rows; i--;)
        for (size_t j = columns; j--;) {
            uint32_t down = best[(i + 1) * width + j], right = best[i * width + j + 1],
                     most = down > right ? down : right;
            uint32_t with = score(matcher, left[0][i], left[1][j]);
            with = with > 0 ? with + best[(i + 1) * width + j + 1] : 0;
            best[i * width + j] = with > most ? with : most;
        }
    for (size_t i = 0, j = 0; i < rows && j < columns;) {
        uint32_t with = score(matcher, left[0][i], left[1][j]), here = best[i * width + j];
        if (with > 0 && here == with + best[(i + 1) * width + j + 1]) {
            if (!match(matcher, left[0][i++], left[1][j++]))
                return false;
        } else if (here == best[(i + 1) * width + j]) {
            i++;
        } else {
            j++;
        }
    }
    drop_matched(matcher);
    return true;
}

static int compare_scored(const void *left, const void *right)
{
    const struct scored *a = left, *b = right;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    int by = hcct_tree_order(a->at[0], b->at[0]);
    return by ? by : hcct_tree_order(a->at[1], b->at[1]);
}

/* Whether the name of a node is lost, or the other build has no such function. */
static bool may_be_renamed(const struct hcct_diff_side *side, uint32_t node)
{
    uint32_t class = class_of(side, node);
    return class == HCCT_FRAME_UNKNOWN ||
           (class == HCCT_FRAME_FUNCTION && side->gone[node_of(side, node)->frame]);
}

static uint32_t alike_score(const struct matcher *matcher, uint32_t a, uint32_t b)
{
    const struct hcct_diff_side *side = matcher->side;
    bool nameable = may_be_renamed(&side[0], a) && may_be_renamed(&side[1], b);
    if (!nameable || is_leaf(&side[0], a))
        return 0;
    float alike = likeness(side, a, b, false);
    return alike < (float)ALIKE ? 0 : (uint32_t)(400 * alike) + (same_place(side, a, b) ? 100 : 0);
}

/* Two functions with different names are a pair: from now on their names are equal. */
static void learn_name(struct matcher *matcher, uint32_t a, uint32_t b)
{
    const struct hcct_diff_side *side = matcher->side;
    if (class_of(&side[0], a) != HCCT_FRAME_FUNCTION || class_of(&side[1], b) != HCCT_FRAME_FUNCTION ||
        name_in_b(matcher, a) == name_of(&side[1], b) || matcher->renamed[name_of(&side[0], a)])
        return;
    matcher->renamed[name_of(&side[0], a)] = name_of(&side[1], b) + 1;
    matcher->learned = true;
}

/* Matches what is left in any order, the best score first. */
static bool match_best(struct matcher *matcher,
                       uint32_t (*score_of)(const struct matcher *, uint32_t, uint32_t))
{
    struct hcct_diff_side *side = matcher->side;
    matcher->scored_count = 0;
    for (uint32_t i = 0; i < matcher->left_count[0]; i++)
        for (uint32_t j = 0; j < matcher->left_count[1]; j++) {
            struct scored scored = { score_of(matcher, matcher->left[0][i], matcher->left[1][j]), { i, j } };
            if (!scored.score)
                continue;
            if (!hcct_vector_grow(&matcher->scored, &matcher->scored_capacity, matcher->scored_count,
                                  sizeof scored))
                return false;
            matcher->scored[matcher->scored_count++] = scored;
        }
    if (matcher->scored_count > 1)
        qsort(matcher->scored, matcher->scored_count, sizeof *matcher->scored, compare_scored);
    for (uint32_t i = 0; i < matcher->scored_count; i++) {
        uint32_t a = matcher->left[0][matcher->scored[i].at[0]],
                 b = matcher->left[1][matcher->scored[i].at[1]];
        if (side[0].match[a] != HCCT_NODE_NONE || side[1].match[b] != HCCT_NODE_NONE)
            continue;
        if (!match(matcher, a, b))
            return false;
        learn_name(matcher, a, b);
    }
    drop_matched(matcher);
    return true;
}

static bool match_children(struct matcher *matcher, struct pair pair)
{
    if (!gather(matcher, 0, pair.node[0]) || !gather(matcher, 1, pair.node[1]))
        return false;
    if (matcher->same_build)
        return join(matcher, JOIN_BY_SITES);
    if ((uint64_t)matcher->left_count[0] * matcher->left_count[1] > HCCT_DIFF_ALIGN_LIMIT)
        return join(matcher, JOIN_BY_LINES) && join(matcher, JOIN_BY_NAMES);
    return align(matcher) && match_best(matcher, score) && match_best(matcher, alike_score);
}

static bool work_off(struct matcher *matcher)
{
    while (matcher->work_count)
        if (!match_children(matcher, matcher->work[--matcher->work_count]))
            return false;
    return true;
}

/* --- what is left over anywhere --------------------------------------------------------------------- */

/* The nearest ancestor with a counterpart. HCCT_NODE_NONE: there is none; HCCT_NODE_NONE - 1: none is
 * near. */
static uint32_t matched_ancestor(const struct hcct_diff_side *side, uint32_t node)
{
    uint32_t at = node_of(side, node)->parent, steps = 0;
    while (at != HCCT_NODE_NONE && side->match[at] == HCCT_NODE_NONE) {
        at = node_of(side, at)->parent;
        if (++steps == ANCESTOR_LIMIT)
            return HCCT_NODE_NONE - 1;
    }
    return at;
}

/* B's nodes without a counterpart, by name, as they were before match_moved began. */
struct namesakes {
    uint32_t *first; /* [name_count + 1] into node */
    uint32_t *next;  /* [name_count] the first one that may be without a counterpart yet */
    uint32_t *node;
    uint32_t name_count;
};

static bool gather_namesakes(const struct hcct_diff_side *side, struct namesakes *namesakes)
{
    for (uint32_t i = 0; i < side->merge.frames.frame_count; i++)
        if (side->name[i] >= namesakes->name_count)
            namesakes->name_count = side->name[i] + 1;
    namesakes->first = calloc((size_t)namesakes->name_count + 2, sizeof *namesakes->first);
    namesakes->node = malloc(((size_t)side->tree.node_count + 1) * sizeof *namesakes->node);
    namesakes->next = malloc(((size_t)namesakes->name_count + 1) * sizeof *namesakes->next);
    if (!namesakes->first || !namesakes->next || !namesakes->node)
        return false;
    uint32_t *first = namesakes->first; /* a counting sort, as in tree.c */
    for (uint32_t i = 0; i < side->tree.node_count; i++)
        first[name_of(side, i) + 1] += side->match[i] == HCCT_NODE_NONE;
    uint32_t before = 0;
    for (uint32_t i = 1; i < namesakes->name_count + 2; i++) {
        uint32_t own = first[i];
        first[i] = before;
        before += own;
    }
    for (uint32_t i = 0; i < side->tree.node_count; i++)
        if (side->match[i] == HCCT_NODE_NONE)
            namesakes->node[first[name_of(side, i) + 1]++] = i;
    memcpy(namesakes->next, first, namesakes->name_count * sizeof *first);
    return true;
}

/* The best counterpart of `a` among B's nodes of its name, or HCCT_NODE_NONE. */
static uint32_t find_moved(const struct matcher *matcher, const struct namesakes *namesakes, uint32_t a)
{
    const struct hcct_diff_side *side = matcher->side;
    uint32_t name = name_in_b(matcher, a), best = HCCT_NODE_NONE;
    if (name >= namesakes->name_count)
        return HCCT_NODE_NONE;
    uint32_t *next = &namesakes->next[name], end = namesakes->first[name + 1];
    while (*next < end && side[1].match[namesakes->node[*next]] != HCCT_NODE_NONE)
        ++*next;
    uint32_t above = matched_ancestor(&side[0], a);
    uint32_t wanted = above < HCCT_NODE_NONE - 1 ? side[0].match[above] : above;
    uint32_t best_score = 0;
    for (uint32_t i = *next; i < end && i - *next < CANDIDATE_LIMIT; i++) {
        uint32_t b = namesakes->node[i];
        if (side[1].match[b] != HCCT_NODE_NONE || class_of(&side[0], a) != class_of(&side[1], b))
            continue;
        bool below_pair = wanted != HCCT_NODE_NONE - 1 && matched_ancestor(&side[1], b) == wanted;
        float alike = likeness(side, a, b, false);
        if (!below_pair && (alike < (float)ALIKE || is_leaf(&side[0], a)))
            continue;
        uint32_t sum =
            100 + (uint32_t)(400 * alike) + (below_pair ? 200 : 0) + (same_place(side, a, b) ? 100 : 0);
        if (sum > best_score) {
            best_score = sum;
            best = b;
        }
    }
    return best;
}

static bool match_moved(struct matcher *matcher)
{
    struct namesakes namesakes = { 0 };
    bool done = gather_namesakes(&matcher->side[1], &namesakes);
    for (uint32_t a = 0; done && a < matcher->side[0].tree.node_count; a++) { /* parents first */
        if (matcher->side[0].match[a] != HCCT_NODE_NONE ||
            class_of(&matcher->side[0], a) != HCCT_FRAME_FUNCTION)
            continue;
        uint32_t b = find_moved(matcher, &namesakes, a);
        if (b != HCCT_NODE_NONE)
            done = match(matcher, a, b) && work_off(matcher);
    }
    free(namesakes.first);
    free(namesakes.next);
    free(namesakes.node);
    return done;
}

/* Matches below all pairs once more, as long as new names are found. */
static bool match_renamed(struct matcher *matcher)
{
    const struct hcct_diff_side *side = matcher->side;
    for (int round = 0; matcher->learned && round < RENAME_ROUNDS; round++) {
        matcher->learned = false;
        if (!add_work(matcher, side[0].tree.node_count, side[1].tree.node_count))
            return false;
        for (uint32_t a = 0; a < side[0].tree.node_count; a++)
            if (side[0].match[a] != HCCT_NODE_NONE && !add_work(matcher, a, side[0].match[a]))
                return false;
        if (!work_off(matcher))
            return false;
    }
    return true;
}

static bool make_renamed(struct matcher *matcher)
{
    uint32_t most = 0;
    for (int which = 0; which < 2; which++)
        for (uint32_t i = 0; i < matcher->side[which].merge.frames.frame_count; i++)
            if (matcher->side[which].name[i] > most)
                most = matcher->side[which].name[i];
    return matcher->renamed = calloc((size_t)most + 1, sizeof *matcher->renamed);
}

bool hcct_diff_match(struct hcct_diff_side side[2], bool same_build)
{
    struct matcher matcher = { .side = side, .same_build = same_build };
    bool done = make_renamed(&matcher) &&
                add_work(&matcher, side[0].tree.node_count, side[1].tree.node_count) && work_off(&matcher) &&
                (same_build || (match_renamed(&matcher) && match_moved(&matcher)));
    free(matcher.renamed);
    free(matcher.work);
    free(matcher.left[0]);
    free(matcher.left[1]);
    free(matcher.best);
    free(matcher.scored);
    return done;
}
