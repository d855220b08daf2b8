#!/usr/bin/env perl
# An example of a bot from outside, in Perl without any module: it always makes the last legal move of the list.
# See docs/bot-protocol.md.
use strict;
use warnings;

$| = 1;    # flush after every line: a bot that buffers seems to hang

while (my $line = <STDIN>) {
    chomp $line;
    my ($word, $rest) = split / /, $line, 2;
    if ($word eq "hello") {
        print "hello Last in line\n";
    }
    elsif ($word eq "move") {
        # The list of legal moves is the last key of the object, and no move has a quote or a backslash in it.
        my ($list) = $rest =~ /"legal": \[([^\]]*)\]\}$/ or die "no legal moves in: $rest";
        my @legal = $list =~ /"([^"]*)"/g;
        print "move $legal[-1]\n";
    }
    elsif ($word eq "quit") {
        last;
    }
}
