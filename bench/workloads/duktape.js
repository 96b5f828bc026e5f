// Objects, recursion, sorting, text and regular expressions, JSON, exceptions: the sum is 1 to 3 s uninstrumented.
function Point(x, y) { this.x = x; this.y = y; }
Point.prototype.plus = function (o) { return new Point(this.x + o.x, this.y + o.y); };

function walk(steps) {
    var at = new Point(0, 0);
    for (var i = 0; i < steps; i++) at = at.plus(new Point(1, 2));
    return at.x + at.y;
}

function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

function median(count) {
    var numbers = [];
    for (var i = 0; i < count; i++) numbers.push(i * 7919 % 10007);
    numbers.sort(function (a, b) { return a - b; });
    return numbers[count >> 1];
}

function text(count) {
    var all = '';
    for (var i = 0; i < count; i++) all += 'item ' + i + ', ';
    return all.split(', ').map(function (item) { return item.replace(/(\d+)/, '<$1>'); }).join('|').length;
}

function json(count) {
    var list = [];
    for (var i = 0; i < count; i++) list.push({ id: i, name: 'n' + i, tags: ['a', 'b', i] });
    return JSON.stringify(JSON.parse(JSON.stringify(list))).length;
}

function errors(count) {
    var sum = 0;
    for (var i = 0; i < count; i++) {
        try {
            if (i % 3 === 0) throw new Error('x' + i);
            sum++;
        } catch (error) { sum += error.message.length; }
    }
    return sum;
}

for (var round = 0; round < (this.rounds || 24); round++)
    var results = [walk(30000), fib(22), median(5000), text(3000), json(1500), errors(9000)];
print(results.join(' '));
