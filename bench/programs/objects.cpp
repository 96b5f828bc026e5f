/* Modern C++: parses, rewrites and prints formulas with objects that live for a moment (strings, vectors,
 * optionals, shared pointers, closures). Formulas are random, so recursion over them makes two million
 * contexts.
 * Usage: objects ROUNDS */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace
{

class Dice
{
  public:
    unsigned throw_one(unsigned sides)
    {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        return static_cast<unsigned>(state >> 33) % sides;
    }

  private:
    uint64_t state = 1;
};

struct Formula;
using Shared = std::shared_ptr<const Formula>;

struct Formula {
    std::string symbol;
    Shared left, right; /* both, or none */
};

Shared make(std::string symbol, Shared left = nullptr, Shared right = nullptr)
{
    return std::make_shared<Formula>(Formula{ std::move(symbol), std::move(left), std::move(right) });
}

std::string random_text(Dice &dice, unsigned depth)
{
    unsigned kind = depth ? dice.throw_one(8) : dice.throw_one(2);
    if (kind == 0)
        return std::to_string(dice.throw_one(10));
    if (kind == 1)
        return std::string(1, static_cast<char>('x' + dice.throw_one(3)));
    std::string left = random_text(dice, depth - 1), right = random_text(dice, depth - 1);
    return std::string("(") + "+*-"[dice.throw_one(3)] + ' ' + left + ' ' + right + ')';
}

class Parser
{
  public:
    explicit Parser(const std::string &text) : text(text) {}

    Shared parse()
    {
        skip();
        if (text[at] != '(')
            return make(word());
        at++;
        std::string symbol = word();
        Shared left = parse(), right = parse();
        at++;
        return make(std::move(symbol), std::move(left), std::move(right));
    }

  private:
    void skip()
    {
        while (at < text.size() && text[at] == ' ')
            at++;
    }

    std::string word()
    {
        size_t from = at;
        while (at < text.size() && text[at] != ' ' && text[at] != ')')
            at++;
        return text.substr(from, at - from);
    }

    const std::string &text;
    size_t at = 0;
};

bool is(const Shared &formula, const char *symbol)
{
    return formula->symbol == symbol;
}

using Rule = std::function<std::optional<Shared>(const Shared &)>;

/* x * 1 = x, x + 0 = x, x - 0 = x, a * (b + c) = a * b + a * c */
std::vector<Rule> rules()
{
    std::vector<Rule> all;
    for (const auto &pair : { std::pair<const char *, const char *>("*", "1"), { "+", "0" }, { "-", "0" } })
        all.push_back([pair](const Shared &f) -> std::optional<Shared> {
            return is(f, pair.first) && is(f->right, pair.second) ? std::optional<Shared>(f->left)
                                                                  : std::nullopt;
        });
    all.push_back([](const Shared &f) -> std::optional<Shared> {
        if (!is(f, "*") || !is(f->right, "+"))
            return std::nullopt;
        return make("+", make("*", f->left, f->right->left), make("*", f->left, f->right->right));
    });
    return all;
}

Shared rewrite(const Shared &formula, const std::vector<Rule> &with);

Shared rewrite_product(const Formula &product, const std::vector<Rule> &with)
{
    Shared left = rewrite(product.left, with);
    return is(left, "0") ? left : make("*", left, rewrite(product.right, with));
}

Shared rewrite_sum(const Formula &sum, const std::vector<Rule> &with)
{
    return make(sum.symbol, rewrite(sum.left, with), rewrite(sum.right, with));
}

Shared rewrite(const Shared &formula, const std::vector<Rule> &with)
{
    if (!formula->left)
        return formula;
    Shared result = is(formula, "*") ? rewrite_product(*formula, with) : rewrite_sum(*formula, with);
    for (const Rule &rule : with)
        if (std::optional<Shared> better = result->left ? rule(result) : std::nullopt)
            return *better;
    return result;
}

using Variables = std::map<std::string, long>;

long evaluate(const Shared &formula, const Variables &variables)
{
    if (!formula->left) {
        auto found = variables.find(formula->symbol);
        return found != variables.end() ? found->second : strtol(formula->symbol.c_str(), nullptr, 10);
    }
    long left = evaluate(formula->left, variables), right = evaluate(formula->right, variables);
    return is(formula, "*") ? left * right % 1000003 : is(formula, "+") ? left + right : left - right;
}

std::string print(const Formula &formula)
{
    if (!formula.left)
        return formula.symbol;
    return "(" + formula.symbol + ' ' + print(*formula.left) + ' ' + print(*formula.right) + ')';
}

} // namespace

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? strtol(argv[1], nullptr, 10) : 100;
    Dice dice;
    const std::vector<Rule> all = rules();
    const Variables variables = { { "x", 3 }, { "y", 5 }, { "z", 7 } };
    unsigned long letters = 0;
    long sum = 0;
    for (long i = 0; i < rounds; i++) {
        std::string text = random_text(dice, 10);
        Shared formula = Parser(text).parse();
        for (int pass = 0; pass < 3; pass++)
            formula = rewrite(formula, all);
        sum += evaluate(formula, variables);
        letters += print(*formula).size();
    }
    printf("%ld, %lu letters\n", sum, letters);
    return 0;
}
