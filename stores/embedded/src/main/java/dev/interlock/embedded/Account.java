package dev.interlock.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Whom the server runs as, which is also who owns its data and its log: oneself, except that PostgreSQL refuses to run
 * as root. Root's server runs as the owner of the home, or as nobody if that is root too.
 */
record Account(int uid, int gid, List<String> prefix) {
    private static final int ROOT = 0;
    private static final int NOBODY = 65534;

    static Account of(Path home) throws IOException {
        if (!isRoot()) {
            return new Account(Disk.uid(home), Disk.gid(home), List.of());
        }
        int owner = Disk.uid(home);
        Account other = owner == ROOT ? switchedTo(NOBODY, NOBODY) : switchedTo(owner, Disk.gid(home));
        if (other.canEnter(home)) {
            return other;
        }
        // In a user namespace that maps nobody, root's own files stay its own although it is not root any more.
        Account unmapped = new Account(ROOT, ROOT, List.of("unshare", "--user", "--"));
        if (owner == ROOT && unmapped.canEnter(home)) {
            return unmapped;
        }
        throw new EmbeddedUnavailable(
                ("PostgreSQL does not run as root, and not as user %d in %s either; set INTERLOCK_HOME"
                                + " to a directory that everybody may pass through, such as /var/lib/interlock,"
                                + " or be an ordinary user.")
                        .formatted(other.uid, home));
    }

    static boolean isRoot() {
        try {
            return Disk.uid(Path.of("/proc/self")) == ROOT;
        } catch (IOException e) { // no /proc: not Linux
            return "root".equals(System.getProperty("user.name"));
        }
    }

    List<String> command(List<String> command) {
        List<String> all = new ArrayList<>(prefix);
        all.addAll(command);
        return all;
    }

    /** Only root can give, and only root needs to. */
    void own(Path tree) throws IOException {
        if (isRoot() && Files.exists(tree) && Disk.uid(tree) != uid) {
            Disk.chown(tree, uid, gid);
        }
    }

    private static Account switchedTo(int uid, int gid) {
        return new Account(
                uid, gid, List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups", "--no-new-privs"));
    }

    /** Asked of the system itself, which also knows access lists and confinement. */
    private boolean canEnter(Path home) {
        try {
            return Command.run(Path.of("/"), command(List.of("/bin/sh", "-c", "cd \"$0\"", home.toString())))
                    .succeeded();
        } catch (IOException e) { // there is no such program
            return false;
        }
    }
}
