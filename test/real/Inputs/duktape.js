// A workload for Duktape: objects and prototypes, closures, recursion, sorting with callbacks, regular expressions,
// JSON, exceptions (Duktape throws by longjmp, also out of callbacks), getters, proxies, coroutines, typed arrays,
// string building, eval, and at the end an exception that nobody catches.

function Vector(x, y) { this.x = x; this.y = y; }
Vector.prototype.add = function (other) { return new Vector(this.x + other.x, this.y + other.y); };

function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

function sorted(n) {
    var list = [];
    for (var i = 0; i < n; i++) list.push((i * 7919) % 10007);
    list.sort(function (a, b) { return a - b; });
    return list[n >> 1];
}

function text(n) {
    var s = '';
    for (var i = 0; i < n; i++) s += 'item ' + i + ', ';
    return s.split(', ').map(function (t) { return t.replace(/(\d+)/, function (all, d) { return '<' + d + '>'; }); }).join('|').length;
}

function json(n) {
    var list = [];
    for (var i = 0; i < n; i++) list.push({ id: i, name: 'n' + i, tags: ['a', 'b', i], toJSON: i % 5 ? undefined : function () { return 'five'; } });
    return JSON.stringify(JSON.parse(JSON.stringify(list), function (key, value) { return key === 'id' ? value + 1 : value; })).length;
}

function thrown(n) {
    var caught = 0;
    for (var i = 0; i < n; i++) {
        try {
            if (i % 3 === 0) throw new Error('x' + i);
            if (i % 7 === 0) null.property;
            if (i % 11 === 0) [3, 1, 2].sort(function () { throw new RangeError('in sort'); });
            if (i % 13 === 0) JSON.parse('{"a":');
            if (i % 17 === 0) 'a'.replace(/a/g, function () { throw 'from replace'; });
            caught++;
        } catch (error) {
            caught += String(error).length;
        } finally {
            caught++;
        }
    }
    return caught;
}

function deep(n) { return n === 0 ? 0 : 1 + deep(n - 1); }
function endless() { return endless() + 1; }
function overflow() { try { return endless(); } catch (error) { return error.name; } }

function generator(n) {
    var thread = new Duktape.Thread(function (start) {
        for (var i = start; ; i++) start = Duktape.Thread.yield(fib(i % 8));
    });
    var sum = 0;
    for (var i = 0; i < n; i++) sum += Duktape.Thread.resume(thread, 0);
    return sum;
}

function proxies(n) {
    var seen = 0;
    var proxy = new Proxy({}, { get: function (target, key) { seen++; return key.length; }, has: function () { return true; } });
    var object = { get value() { return proxy.abc; }, set value(v) { seen += v; }, valueOf: function () { return 7; }, toString: function () { return 'seven'; } };
    for (var i = 0; i < n; i++) {
        object.value = object.value + (object + 1);
        if (!('anything' in proxy)) throw 'no';
        seen += ('' + [object]).length;
    }
    return seen;
}

function typed(n) {
    var numbers = new Float64Array(n), bytes = new Uint8Array(numbers.buffer), hash = 0;
    for (var i = 0; i < n; i++) numbers[i] = Math.sin(i) * Math.pow(i, 1.5);
    for (i = 0; i < bytes.length; i++) hash = (hash * 31 + bytes[i]) | 0;
    return hash;
}

function expressions() {
    var found = [];
    var log = 'GET /a/b.html 200\nPOST /c?d=e 404\nPUT /f/g/h 500\n';
    var pattern = /^(\w+)\s+(\/[^\s?]*)(\?\S*)?\s+(\d{3})$/gm, match;
    while ((match = pattern.exec(log)) !== null) found.push(match.slice(1).join('+'));
    return found.join(' ');
}

function evaluated(n) {
    var sum = 0;
    for (var i = 0; i < n; i++) sum += eval('(function (a) { switch (a % 4) { case 0: return a; case 1: return -a; default: return ' + i + '; } })')(i);
    return sum;
}

var v = new Vector(0, 0);
for (var i = 0; i < 20000; i++) v = v.add(new Vector(1, 2));
print(v.x + ' ' + v.y);
print(fib(20));
print(sorted(4000));
print(text(2000));
print(json(800));
print(thrown(6000));
print(deep(200));
print(overflow());
print(generator(300));
print(proxies(500));
print(typed(3000));
print(expressions());
print(evaluated(200));
print([1, 2, 3, 4].reduce(function (a, b) { return a * b; }) + ' ' + new Date(86400000 * 365).toISOString() + ' ' + encodeURIComponent('ä & ö'));
throw new TypeError('nobody catches this');
