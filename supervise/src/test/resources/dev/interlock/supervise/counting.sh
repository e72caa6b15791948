# Says which signals it gets, and ends half a second after the first.
for signal in HUP INT QUIT TERM USR1 USR2; do
  trap "echo $signal; got=yes" "$signal"
done
nap() { (trap '' HUP INT QUIT TERM USR1 USR2 && exec sleep 0.05); }
got=
echo up
while [ -z "$got" ]; do nap; done
i=0
while [ "$i" -lt 10 ]; do
  nap
  i=$((i + 1))
done
echo over
