"""Runs a command on a terminal of its own: terminal.py STEP... -- COMMAND...

A step is see:TEXT (wait for it), type:TEXT, or hang-up. Prints what the terminal showed, and how the command ended.
"""
import os, pty, select, signal, sys, time

split = sys.argv.index("--")
steps, command = sys.argv[1:split], sys.argv[split + 1:]
pid, terminal = pty.fork()
if pid == 0:
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    os.execvp(command[0], command)

shown, seen, deadline = b"", 0, time.monotonic() + 20


def read():
    """False when the terminal has no user left."""
    global shown
    ready, _, _ = select.select([terminal], [], [], 0.1)
    if time.monotonic() > deadline:
        os.kill(pid, signal.SIGKILL)
        sys.exit("too late, seen so far: " + shown.decode(errors="replace"))
    try:
        more = os.read(terminal, 65536) if ready else None
    except OSError:
        more = b""
    shown += more or b""
    return more != b""


for step in steps:
    what, _, text = step.partition(":")
    text = text.encode().decode("unicode_escape").encode()
    if what == "see":
        while text not in shown[seen:] and read():
            pass
        seen = shown.index(text, seen) + len(text) if text in shown[seen:] else len(shown)
    elif what == "type":
        os.write(terminal, text)
    elif what == "hang-up":
        os.close(terminal)
        terminal = -1
while terminal >= 0 and read():
    pass
_, status = os.waitpid(pid, 0)
ended = "signal %d" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else "exit %d" % os.WEXITSTATUS(status)
print(shown.decode(errors="replace").replace("\r\n", "\n") + "[" + ended + "]")
