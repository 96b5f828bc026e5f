// Source text of randomly nested expressions and functions, compiled and run piece by piece, and nested JSON: an interpreter and two
// recursive-descent parsers whose every path through the grammar is a calling context of its own.
var state = 12345;
function random(n) {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % n;
}

function expression(depth) {
    if (depth === 0) return String(random(100));
    var a = expression(depth - 1), b = depth > 1 ? expression(depth - 2) : '1';
    switch (random(12)) {
    case 0: return '(' + a + ')+' + b;
    case 1: return '[' + a + ',' + b + '].length';
    case 2: return '({p:' + a + ',q:' + b + '}).q';
    case 3: return '((' + a + ')?(' + b + '):1)';
    case 4: return 'Math.max(' + a + ',' + b + ')';
    case 5: return '-(' + a + ')*(' + b + ')';
    case 6: return '(function(x){return x+(' + a + ');})(' + b + ')';
    case 7: return 'Number((' + a + ')<(' + b + '))';
    case 8: return '[7,8][(' + a + ')&1]';
    case 9: return '((' + b + '),(' + a + '))';
    case 10: return '(typeof(' + a + ')).length';
    default: return '(' + a + ')||(' + b + ')';
    }
}

function json(depth) {
    if (depth === 0) return '"' + random(100) + '"';
    var a = json(depth - 1), b = json(depth - 1);
    return random(2) ? '[' + a + ',' + b + ']' : '{"a":' + a + ',"b":' + b + '}';
}

var sum = 0;
for (var piece = 0; piece < 300; piece++) {
    sum = (sum + Number(eval(expression(12)) || 0)) % 1000003;
    sum += JSON.stringify(JSON.parse(json(10))).length;
}
print(Math.round(sum));
