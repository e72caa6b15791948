# Says which signals it gets, and ends half a second after the first.
for signal in HUP INT QUIT TERM USR1 USR2; do
  trap "echo $signal; got=yes" "$signal"
done
got=
echo up
while [ -z "$got" ]; do sleep 0.05; done
i=0
while [ "$i" -lt 10 ]; do
  sleep 0.05
  i=$((i + 1))
done
echo over
