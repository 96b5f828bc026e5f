// Counts words, slowly: docs/tutorial.md finds out why, and mends it step by step. -DSTEP=1 has a better
// hash, -DSTEP=2 a loop that is not quadratic, too, and -DSTEP=3 fewer copies.
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#ifndef STEP
#define STEP 0
#endif

namespace words
{

struct Entry {
    std::string text;
    long count = 0;
};

class Table
{
  public:
    Table() : buckets(1024) {}
    void add(const std::string &word);
    long distinct() const
    {
        return size;
    }

  private:
    Entry *find(const std::string &word);
    static bool same(const Entry &entry, const std::string &word);
    static unsigned long hash(const std::string &word);

    std::vector<std::vector<Entry>> buckets;
    long size = 0;
};

unsigned long Table::hash(const std::string &word)
{
#if STEP < 1
    return word.size();
#else
    unsigned long sum = 5381;
    for (char c : word)
        sum = sum * 33 + (unsigned char)c;
    return sum;
#endif
}

__attribute__((noinline)) bool Table::same(const Entry &entry, const std::string &word)
{
    return entry.text == word;
}

__attribute__((noinline)) Entry *Table::find(const std::string &word)
{
    std::vector<Entry> &bucket = buckets[hash(word) % buckets.size()];
    for (Entry &entry : bucket)
        if (same(entry, word))
            return &entry;
    bucket.push_back({ word });
    size++;
    return &bucket.back();
}

void Table::add(const std::string &word)
{
    find(word)->count++;
}

// Small letters only; anything else becomes a blank.
__attribute__((noinline)) void clean(char *line)
{
#if STEP < 2
    for (size_t i = 0; i < strlen(line); i++)
#else
    for (size_t i = 0; line[i]; i++)
#endif
        line[i] = isalpha((unsigned char)line[i]) ? (char)tolower((unsigned char)line[i]) : ' ';
}

#if STEP < 3
__attribute__((noinline)) std::vector<std::string> split(std::string line)
{
    std::vector<std::string> found;
    for (size_t from = 0, to; from < line.size(); from = to + 1) {
        to = line.find(' ', from);
        to = to == std::string::npos ? line.size() : to;
        if (to > from)
            found.push_back(line.substr(from, to - from));
    }
    return found;
}
#endif

__attribute__((noinline)) void count(Table &table, char *line)
{
    clean(line);
#if STEP < 3
    for (const std::string &word : split(line))
        table.add(word);
#else
    std::string word;
    for (char *next = line, *at; (at = strtok_r(nullptr, " ", &next));)
        table.add(word = at);
#endif
}

} // namespace words

// A line of made-up words, the same in each run.
static void write_line(char *line, size_t size)
{
    static unsigned long state = 1;
    size_t length = 0;
    while (length + 16 < size) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        unsigned long word = (state >> 33) % 3000;
        length += (size_t)snprintf(line + length, size - length, "%c%c%c%c%s%s", 'A' + (int)(word % 26),
                                   'a' + (int)(word / 26 % 26), 'a' + (int)(word / 676 % 26),
                                   'a' + (int)(word % 7), word % 3 ? "ing" : "", length % 5 ? " " : ", ");
    }
}

int main(int argc, char **argv)
{
    words::Table table;
    static char line[4000];
    for (int left = argc > 1 ? atoi(argv[1]) : 200; left > 0; left--) {
        write_line(line, sizeof line);
        words::count(table, line);
    }
    printf("%ld words\n", table.distinct());
}
