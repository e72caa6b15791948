package dev.interlock.testing.kube;

/** Neither found nor built; the message lists what was tried. */
final class BinariesMissing extends Exception {
    BinariesMissing(String tried) {
        super(tried);
    }
}
