/* A search tree: grown by a recursive insertion, walked, measured, taken apart; paths are told apart by left
 * and right.
 * Usage: tree NODES ROUNDS */
#include <stdio.h>
#include <stdlib.h>

struct node {
    unsigned key;
    struct node *left, *right;
};

static unsigned state = 1;

static struct node *insert(struct node *node, unsigned key)
{
    if (!node) {
        node = calloc(1, sizeof *node);
        if (!node)
            exit(2);
        node->key = key;
    } else if (key < node->key)
        node->left = insert(node->left, key);
    else
        node->right = insert(node->right, key);
    return node;
}

static unsigned long walk(const struct node *node, unsigned long sum)
{
    if (!node)
        return sum;
    sum = walk(node->left, sum) * 31 + node->key;
    unsigned long all = walk(node->right, sum);
    return all ? all : 1;
}

static int height(const struct node *node)
{
    if (!node)
        return 0;
    int left = height(node->left), right = height(node->right);
    return 1 + (left > right ? left : right);
}

static void take_apart(struct node *node)
{
    if (!node)
        return;
    take_apart(node->left);
    take_apart(node->right);
    free(node);
}

int main(int argc, char **argv)
{
    unsigned long sum = 0;
    int nodes = argc > 1 ? atoi(argv[1]) : 1000;
    for (int round = argc > 2 ? atoi(argv[2]) : 1; round > 0; round--) {
        struct node *root = NULL;
        for (int i = 0; i < nodes; i++) {
            state = state * 1664525 + 1013904223;
            root = insert(root, state >> 8);
        }
        for (int again = 0; again < 4; again++)
            sum = walk(root, sum) + (unsigned)height(root);
        take_apart(root);
    }
    printf("%lu\n", sum);
    return 0;
}
