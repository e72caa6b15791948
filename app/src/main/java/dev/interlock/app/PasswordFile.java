package dev.interlock.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's own file of passwords: {@code host:port:database:user:password} in each line. */
final class PasswordFile {
    private static final Set<PosixFilePermission> OWNERS =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final Path file;
    private final Consumer<String> notices;

    PasswordFile(Path file, Consumer<String> notices) {
        this.file = file;
        this.notices = notices;
    }

    /** As libpq does, a file that others can read is not used, and that is said. */
    @Nullable Secret find(String host, String port, String database, String user) {
        try {
            if (!Files.isRegularFile(file)) {
                return null;
            }
            if (!OWNERS.containsAll(Files.getPosixFilePermissions(file))) {
                notices.accept(
                        "The password file " + file + " is not used, since others can read it. Run: chmod 600 " + file);
                return null;
            }
            return find(Files.readAllLines(file), List.of(host, port, database, user));
        } catch (IOException e) {
            notices.accept("The password file " + file + " cannot be read: " + e.getMessage() + ".");
            return null;
        }
    }

    private static @Nullable Secret find(List<String> lines, List<String> wanted) {
        for (String line : lines) {
            List<String> fields = fields(line);
            if (!line.startsWith("#") && fields.size() == 5 && matches(fields, wanted)) {
                return new Secret(fields.get(4));
            }
        }
        return null;
    }

    private static boolean matches(List<String> fields, List<String> wanted) {
        for (int i = 0; i < wanted.size(); i++) {
            if (!fields.get(i).equals("*") && !fields.get(i).equals(wanted.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** A backslash takes the next character as it is, be it a colon or a backslash. */
    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '\\' && at + 1 < line.length()) {
                field.append(line.charAt(++at));
            } else if (c == ':' && fields.size() < 4) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
