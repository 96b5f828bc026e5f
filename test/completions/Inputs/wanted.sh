# wanted.sh BIN SOURCE COMMAND: the long options that a command has, by its --help; "formats": the formats of the decoder's table.
options() {
    "$1" "$2" | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p'
}
case $3 in
hcct | hcct-decode | hcct-compare | hcct-heights | hcct-merge | hcct-top) options "$1/$3" --help ;;
hcct-run) { options "$1/hcct-run" --help; options "$1/hcct-decode" --help | grep -vx -e --force -e --context; } ;;
hcct-cc) options "$1/hcct-cc" --hcct-help ;;
formats) sed -n 's/^HCCT_FORMAT(\(.*\))$/\1/p' "$2/decoder/report/formats/formats.def" | tr _ - ;;
esac | sort -u
