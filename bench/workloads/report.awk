# What awk is used for: splits lines into fields, counts by key, looks for patterns, formats; and what is less usual, user-defined functions that
# recurse. Its input is made here, the same each time. -v rounds=N: how often.

function random(limit) {
    seed = (seed * 1103 + 12345) % 1048576
    return seed % limit
}

function quicksort(values, first, last,    i, middle, kept) {
    if (first >= last)
        return
    kept = values[first]
    middle = first
    for (i = first + 1; i <= last; i++)
        if (values[i] < kept) {
            values[middle] = values[i]
            middle++
            values[i] = values[middle]
        }
    values[middle] = kept
    quicksort(values, first, middle - 1)
    quicksort(values, middle + 1, last)
}

# A sum with products and brackets, by recursive descent.
function expression(    value, sign) {
    value = product()
    while (substr(text, at, 1) ~ /[-+]/) {
        sign = substr(text, at++, 1)
        value += (sign == "+" ? 1 : -1) * product()
    }
    return value
}

function product(    value) {
    value = factor()
    while (substr(text, at, 1) == "*") {
        at++
        value = (value * factor()) % 1000003
    }
    return value
}

function factor(    value) {
    if (substr(text, at, 1) == "(") {
        at++
        value = expression()
        at++
        return value
    }
    match(substr(text, at), /^[0-9]+/)
    value = substr(text, at, RLENGTH) + 0
    at += RLENGTH
    return value
}

function evaluate(line) {
    text = line
    at = 1
    return expression()
}

function line_of(number) {
    return sprintf("%s %s:%d user%d GET /%s/%d?q=%s %d", "2024-05-" (1 + random(28)), "host" random(20), random(60000), random(300),
                   words[1 + random(count)], random(50), words[1 + random(count)], random(5000))
}

function report(lines,    i, line, fields, n, parts, bytes, pages, users, sizes, key, sum) {
    for (i = 1; i <= lines; i++) {
        $0 = line_of(i)
        users[$3]++
        split($5, parts, /[\/?=]/)
        pages[parts[2] "/" parts[3]] += $6
        if ($5 ~ /q=(alpha|gamma|.*mm)/)
            hits++
        gsub(/[aeiou]/, "_", $5)
        sizes[i] = $6 + 0
        bytes += length($5) + index($0, "user")
    }
    quicksort(sizes, 1, lines)
    for (key in pages)
        sum += pages[key] % 97
    for (key in users)
        n++
    return sprintf("%d %d %d %d %d %s", bytes, sum, n, sizes[int(lines / 2)], hits, toupper(substr($5, 2, 5)))
}

BEGIN {
    seed = 7
    count = split("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau", words)
    for (round = 1; round <= rounds; round++) {
        result = report(400)
        for (i = 1; i <= 40; i++)
            total = (total + evaluate("(1+2*" random(9) ")*(3+" random(100) "*(4+" random(7) "-2))-" random(1000) "*2")) % 1000003
    }
    print rounds, result, total
}
