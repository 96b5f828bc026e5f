// The workload of scripts/demo: a picture by ray marching, and some of what scripts do all day (JSON, regular
// expressions, sorting, exceptions). Scale: a global `rounds`, 1 if not set.

// --- a sphere above a floor, in characters -----------------------------------------------------

function Vector(x, y, z) { this.x = x; this.y = y; this.z = z; }
Vector.prototype.plus = function (o, scale) {
    return new Vector(this.x + o.x * scale, this.y + o.y * scale, this.z + o.z * scale);
};
Vector.prototype.length = function () { return Math.sqrt(this.x * this.x + this.y * this.y + this.z * this.z); };

var scene = [
    function sphere(p) { return p.plus(new Vector(0, 0.1, 3), -1).length() - 1; },
    function moon(p) { return p.plus(new Vector(1.3, 0.9, 2.4), -1).length() - 0.3; },
    function floor(p) { return p.y + 1; }
];

function distance(p) {
    return scene.reduce(function (least, body) { return Math.min(least, body(p)); }, 1e9);
}

function march(direction) {
    var p = new Vector(0, 0, 0);
    for (var step = 0; step < 14; step++) {
        var d = distance(p);
        if (d < 0.02) return step;
        p = p.plus(direction, d);
    }
    return 14;
}

function picture(width, height) {
    var lines = [];
    for (var row = 0; row < height; row++) {
        var line = '';
        for (var column = 0; column < width; column++) {
            var ray = new Vector((column - width / 2) / width * 2, (height / 2 - row) / height * 1.2, 1);
            line += '@%#*+=-:. '.charAt(march(ray.plus(ray, 1 / ray.length() - 1)) * 9 / 14);
        }
        lines.push(line.replace(/\s+$/, ''));
    }
    return lines.join('\n').replace(/^\n+/, '');
}

// --- records, text, errors ---------------------------------------------------------------------

function records(count) {
    var list = [];
    for (var i = 0; i < count; i++)
        list.push({ id: i * 7919 % 10007, name: 'item ' + i, tags: ['a' + i % 7, 'b' + i % 11] });
    return list;
}

function sorted(list) {
    return list.sort(function (a, b) { return a.id - b.id; });
}

function redact(text) {
    return text.replace(/"item (\d+)"/g, function (whole, digits) { return '"#' + digits.length + '"'; });
}

function parse_some(texts) {
    var bad = 0;
    texts.forEach(function (text) {
        try { JSON.parse(text); } catch (error) { bad += error instanceof SyntaxError ? 1 : 0; }
    });
    return bad;
}

for (var round = 0; round < (this.rounds || 1); round++) {
    var image = picture(56, 18);
    var text = redact(JSON.stringify(sorted(JSON.parse(JSON.stringify(records(1500))))));
    var bad = parse_some(text.split('},{'));
}
print(image);
print(text.length + ' characters of JSON, ' + bad + ' pieces that are none');
