# The csv row of main's or a thread's `late` counts at least so many calls, and at most 5% of these and 200 more; its error says no less.
$4 == "late" { found = 1; if ($6 < least || $6 - $7 > least || $6 > 1.05 * least + 200) { print "late:", $6, "error", $7, "expected", least; exit 1 } }
END { if (!found) { print "late is not there, expected", least; exit 1 } }
