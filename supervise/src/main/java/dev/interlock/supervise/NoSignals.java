package dev.interlock.supervise;

/** The signals of a process that is more than the launcher of one command, and sees to them itself. */
final class NoSignals extends Signals {
    NoSignals() {
        super(signal -> {}, false);
    }

    @Override
    long listen() {
        return 0;
    }

    @Override
    String mechanism() {
        return "signals are not handed on";
    }
}
