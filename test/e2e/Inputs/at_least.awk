# The folded line of main's or a thread's `late` has at least so many calls, and at most 5% of these and 200 more.
$1 == "finish;late" { found = 1; if ($2 < least || $2 > 1.05 * least + 200) { print "late:", $2, "expected", least; exit 1 } }
END { if (!found) { print "late is not there, expected", least; exit 1 } }
