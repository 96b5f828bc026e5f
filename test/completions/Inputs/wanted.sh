# wanted.sh BIN SOURCE COMMAND: the long options that a command has, by its --help; "formats": the formats of the decoder's table.
options() {
    { "$1" --help=all || "$1" --help; } 2>/dev/null | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p'
}
case $3 in
hcct | hcct-decode | hcct-run | hcct-compare | hcct-heights | hcct-merge | hcct-top) options "$1/$3" ;;
hcct-cc) options "$1/hcct-cc" | grep -e "^--hcct" ;;
formats) sed -n 's/^HCCT_FORMAT(\(.*\))$/\1/p' "$2/decoder/report/formats/formats.def" | tr _ - ;;
esac | sort -u
