package dev.interlock.supervise;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The command's environment: this process's own, byte for byte, but for some variables. */
final class Environment {
    private Environment() {}

    /** An array for exec. A variable mapped to null is left out. */
    static long changed(Memory memory, Map<String, @Nullable String> changes) {
        List<Long> entries = new ArrayList<>();
        ByteBuffer own = Memory.at(Libc.environment());
        for (long entry = own.getLong(); entry != 0; entry = own.getLong()) {
            if (!changes.containsKey(name(Memory.at(entry)))) {
                entries.add(entry);
            }
        }
        return array(memory, entries, changes);
    }

    /** An array for exec of these variables and no others. */
    static long only(Memory memory, Map<String, @Nullable String> variables) {
        return array(memory, new ArrayList<>(), variables);
    }

    private static long array(Memory memory, List<Long> entries, Map<String, @Nullable String> variables) {
        for (Map.Entry<String, @Nullable String> variable : variables.entrySet()) {
            if (variable.getValue() != null) {
                entries.add(memory.text(variable.getKey() + "=" + variable.getValue()));
            }
        }
        return memory.array(entries);
    }

    private static String name(ByteBuffer entry) {
        StringBuilder name = new StringBuilder();
        for (byte next = entry.get(); next != '=' && next != 0; next = entry.get()) {
            name.append((char) (next & 0xff));
        }
        return name.toString();
    }
}
