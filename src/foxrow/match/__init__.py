"""Tables without a server: seats, rounds, clock, event log, fairness proof. Pure: no I/O, no time of its
own."""
