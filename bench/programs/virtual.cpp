/* Algebra on trees of nodes with virtual functions: evaluation, derivatives, simplification, and a visitor
 * that prints.
 * Usage: virtual ROUNDS */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace
{

class Number;
class Variable;
class Sum;
class Product;

struct Visitor {
    virtual ~Visitor() = default;
    virtual void number(const Number &node) = 0;
    virtual void variable(const Variable &node) = 0;
    virtual void sum(const Sum &node) = 0;
    virtual void product(const Product &node) = 0;
};

class Node;
using Tree = std::shared_ptr<const Node>;

class Node : public std::enable_shared_from_this<Node>
{
  public:
    virtual ~Node() = default;
    virtual double evaluate(double x) const = 0;
    virtual Tree derive() const = 0;
    virtual Tree simplify() const = 0;
    virtual bool is(double) const
    {
        return false;
    }
    virtual void accept(Visitor &visitor) const = 0;
};

class Number : public Node
{
  public:
    explicit Number(double value) : value(value) {}
    double evaluate(double) const override
    {
        return value;
    }
    Tree derive() const override
    {
        return std::make_shared<Number>(0);
    }
    Tree simplify() const override
    {
        return shared_from_this();
    }
    bool is(double other) const override
    {
        return value == other;
    }
    void accept(Visitor &visitor) const override
    {
        visitor.number(*this);
    }
    const double value;
};

class Variable : public Node
{
  public:
    double evaluate(double x) const override
    {
        return x;
    }
    Tree derive() const override
    {
        return std::make_shared<Number>(1);
    }
    Tree simplify() const override
    {
        return shared_from_this();
    }
    void accept(Visitor &visitor) const override
    {
        visitor.variable(*this);
    }
};

class Pair : public Node
{
  public:
    Pair(Tree left, Tree right) : left(std::move(left)), right(std::move(right)) {}
    const Tree left, right;
};

class Sum : public Pair
{
  public:
    using Pair::Pair;
    double evaluate(double x) const override
    {
        return left->evaluate(x) + right->evaluate(x);
    }
    Tree derive() const override
    {
        return std::make_shared<Sum>(left->derive(), right->derive());
    }
    Tree simplify() const override
    {
        Tree a = left->simplify(), b = right->simplify();
        return a->is(0) ? b : b->is(0) ? a : std::make_shared<Sum>(a, b);
    }
    void accept(Visitor &visitor) const override
    {
        visitor.sum(*this);
    }
};

class Product : public Pair
{
  public:
    using Pair::Pair;
    double evaluate(double x) const override
    {
        return left->evaluate(x) * right->evaluate(x);
    }
    Tree derive() const override
    {
        return std::make_shared<Sum>(std::make_shared<Product>(left->derive(), right),
                                     std::make_shared<Product>(left, right->derive()));
    }
    Tree simplify() const override
    {
        Tree a = left->simplify(), b = right->simplify();
        if (a->is(0) || b->is(0))
            return std::make_shared<Number>(0);
        return a->is(1) ? b : b->is(1) ? a : std::make_shared<Product>(a, b);
    }
    void accept(Visitor &visitor) const override
    {
        visitor.product(*this);
    }
};

/* How long the tree would be as text. */
class Length : public Visitor
{
  public:
    void number(const Number &node) override
    {
        length += node.value < 10 ? 1 : 2;
    }
    void variable(const Variable &) override
    {
        length++;
    }
    void sum(const Sum &node) override
    {
        both(node);
    }
    void product(const Product &node) override
    {
        both(node);
    }
    unsigned long length = 0;

  private:
    void both(const Pair &node)
    {
        node.left->accept(*this);
        length += 3;
        node.right->accept(*this);
    }
};

unsigned state = 1;

unsigned draw(unsigned below)
{
    state = state * 1664525 + 1013904223;
    return (state >> 16) % below;
}

Tree grow(int depth)
{
    if (depth == 0 || draw(8) == 0)
        return draw(2) ? Tree(std::make_shared<Variable>()) : Tree(std::make_shared<Number>(draw(12)));
    Tree left = grow(depth - 1), right = grow(depth - 1);
    return draw(2) ? Tree(std::make_shared<Sum>(left, right)) : Tree(std::make_shared<Product>(left, right));
}

} // namespace

int main(int argc, char **argv)
{
    double sum = 0;
    Length length;
    std::vector<Tree> trees;
    for (int i = 0; i < 8; i++)
        trees.push_back(grow(6));
    for (int round = argc > 1 ? std::atoi(argv[1]) : 1; round > 0; round--) {
        Tree derived = trees[static_cast<unsigned>(round) % trees.size()]->derive()->simplify();
        for (int i = 0; i < 8; i++)
            sum += derived->evaluate(0.01 * i);
        derived->accept(length);
    }
    std::printf("%.6g %lu\n", sum, length.length);
}
