# Words counted, a table in columns summed, a matrix product, text turned round.
function next_word(   w, n) { s = (s * 16807) % 2147483647; n = 2 + s % 7; w = ""; while (n-- > 0) { s = (s * 16807) % 2147483647; w = w substr("etaoinshrdlucmfw", 1 + s % 16, 1) } return w }
function reversed(t,   i, r) { for (i = length(t); i > 0; i--) r = r substr(t, i, 1); return r }
function gcd(a, b) { return b ? gcd(b, a % b) : a }
BEGIN {
    s = 4711; OFS = ","
    for (r = 1; r <= rounds; r++) {
        line = ""
        for (i = 0; i < 60; i++) line = line next_word() (i % 9 == 8 ? "; " : " ")
        n = split(line, w, /[ ;]+/)
        for (i = 1; i <= n; i++) { count[w[i]]++; len[length(w[i])] += i }
        $0 = line
        for (i = 1; i <= NF; i++) if ($i ~ /^(s|t).*[aeiou]/) hits += i; else if ($i ~ /oo|ee/) other++
        $3 = reversed($4); t = t < length($0) ? length($0) : t
        for (i = 0; i < 8; i++) for (j = 0; j < 8; j++) { c = 0; for (k = 0; k < 8; k++) c += (i + k * r % 5) * (j - k); m[i, j] = c }
        for (i = 1; i < 40; i++) g += gcd(i * 30 + r, 84)
        sub(/t[aeiou]+/, "<&>", line); u = gensub(/([a-z])([a-z])/, "\\2\\1", "g", line)
        z += index(u, "a;") + (toupper(u) < line)
        if (r % 50 == 0) { q = asorti(count, order); best = order[int(q / 2)]; delete count }
        p = sprintf("%-10s|%5.2f|%x|%s", w[1], g / 7, r, best)
    }
    print rounds, hits, other, t, g, z, m[3, 4], len[4], p
}
