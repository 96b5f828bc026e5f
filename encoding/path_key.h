/* The key of a calling context by its call sites: the same in every run and build that has these sites,
 * however they are numbered. For contexts of two builds, where words mean different things.
 *
 * A key is a polynomial over the parts of a path, from its end to its root: the name of its last function,
 * then the id of each call site, then a signal's number. So keys of two parts of a path can be joined. Two
 * paths have equal keys with a probability of about 2^-64. */
#ifndef HCCT_ENCODING_PATH_KEY_H
#define HCCT_ENCODING_PATH_KEY_H

#include <stdint.h>

struct hcct_path_key {
    uint64_t hash;
    uint64_t power; /* the factor of the next part; odd */
};

#define HCCT_PATH_KEY_EMPTY ((struct hcct_path_key){ 0, 1 })

static inline void hcct_path_key_add(struct hcct_path_key *key, uint64_t part)
{
    part *= UINT64_C(0x9E3779B97F4A7C15);
    part ^= part >> 32;
    part *= UINT64_C(0xE9846AF9B1A615D3);
    part ^= part >> 32;
    key->hash += part * key->power;
    key->power *= UINT64_C(0xD1342543DE82EF95);
}

/* The key of the path `key` whose caller has the path `root`. */
static inline struct hcct_path_key hcct_path_key_join(struct hcct_path_key key, struct hcct_path_key root)
{
    return (struct hcct_path_key){ key.hash + root.hash * key.power, key.power * root.power };
}

/* Of a function: its linkage name and, if it is local to a file, that file. */
static inline void hcct_path_key_add_function(struct hcct_path_key *key, const char *name, const char *file)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; name && *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    hash = (hash ^ '|') * UINT64_C(0x100000001b3);
    for (; file && *file; file++)
        hash = (hash ^ (unsigned char)*file) * UINT64_C(0x100000001b3);
    hcct_path_key_add(key, hash);
}

/* Of the root of a handler's path. Sites are odd. */
static inline void hcct_path_key_add_signal(struct hcct_path_key *key, uint64_t number)
{
    hcct_path_key_add(key, 2 * number);
}

/* As a key of the runtime's tables, which is not 0. */
static inline uint64_t hcct_path_key_of(struct hcct_path_key key)
{
    return key.hash ? key.hash : 1;
}

#endif
