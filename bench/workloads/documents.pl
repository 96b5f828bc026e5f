# What Perl is used for: takes text apart by patterns and recursive descent, puts it together again; hashes of arrays, objects with methods, closures,
# sorting by a function, sprintf. Its input is made here, the same each time. ROUNDS: how often.
use strict;
use warnings;

my $seed = 1;
sub random { $seed = ($seed * 1103 + 12345) % 1048576; return $seed % $_[0] }

sub write_value {
    my ($value) = @_;
    return "{" . join(",", map { "\"$_\":" . write_value($value->{$_}) } sort keys %$value) . "}" if ref $value eq "HASH";
    return "[" . join(",", map { write_value($_) } @$value) . "]" if ref $value eq "ARRAY";
    return $value =~ /^-?\d+(?:\.\d+)?$/ ? $value : "\"$value\"";
}

sub read_value {
    if ($_ =~ /\G\{/gc) {
        my %fields;
        while ($_ =~ /\G"(\w+)":/gc) { my $name = $1; $fields{$name} = read_value(); $_ =~ /\G,/gc }
        $_ =~ /\G\}/gc or die;
        return \%fields;
    }
    if ($_ =~ /\G\[/gc) {
        my @list;
        until ($_ =~ /\G\]/gc) { push @list, read_value(); $_ =~ /\G,/gc }
        return \@list;
    }
    return $1 if $_ =~ /\G"([^"]*)"/gc or $_ =~ /\G(-?[\d.]+)/gc;
    die "at " . pos;
}

package Shape;
sub new { my ($class, @parts) = @_; return bless { parts => [@parts] }, $class }
sub area { my $self = shift; my $sum = 0; $sum += $_->area for @{ $self->{parts} }; return $sum }
sub name { my $self = shift; return ref($self) . "(" . join(", ", map { $_->name } @{ $self->{parts} }) . ")" }

package Square;
our @ISA = ("Shape");
sub new { my ($class, $side) = @_; my $self = Shape::new($class); $self->{side} = $side; return $self }
sub area { return $_[0]{side}**2 }
sub name { return sprintf "square %.2f", $_[0]{side} }

package main;

sub shape_of { my ($value, $depth) = @_; return $depth ? Shape->new(shape_of($value / 2, $depth - 1), shape_of($value / 3, $depth - 1)) : Square->new($value) }

sub record {
    return { id => random(100000), name => "name " . random(100), tags => [map { "t" . random(9) } 1 .. random(4)], place => { x => random(1000) / 8, seen => random(2) } };
}

my $total = 0;
for (1 .. shift) {
    my @records = map { record() } 1 .. 40;
    my $text = write_value(\@records);
    local $_ = $text;
    write_value(read_value()) eq $text or die;
    my %by_name;
    push @{ $by_name{ $_->{name} } }, $_ for @records;
    my $weight = sub { my ($one) = @_; return $one->{place}{x} * 2 + @{ $one->{tags} } };
    my @sorted = sort { $weight->($a) <=> $weight->($b) || $a->{id} <=> $b->{id} } map { @$_ } values %by_name;
    my @words = $text =~ /name (\d+)|"(t\d)"/g;
    $total += @words + length($_->name) + int($_->area) for map { shape_of($_->{place}{x}, 4) } @sorted[0 .. 9];
}
print "$total\n";
