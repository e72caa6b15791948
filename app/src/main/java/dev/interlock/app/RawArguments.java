package dev.interlock.app;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments as the user typed them. The JVM decodes them by the locale and under {@code LC_ALL=C} turns every letter
 * beyond ASCII into the same replacement: two names would become one lock.
 */
final class RawArguments {
    private RawArguments() {}

    static String[] of(String[] decoded) {
        return isAscii(decoded) || "UTF-8".equals(System.getProperty("sun.jnu.encoding")) ? decoded : typed(decoded);
    }

    private static boolean isAscii(String[] words) {
        for (String word : words) {
            for (int at = 0; at < word.length(); at++) {
                if (word.charAt(at) > 0x7F) {
                    return false;
                }
            }
        }
        return true;
    }

    private static String[] typed(String[] decoded) {
        List<String> words = new ArrayList<>();
        try (FileInputStream in = new FileInputStream("/proc/self/cmdline")) {
            byte[] line = in.readAllBytes();
            int from = 0;
            for (int at = 0; at < line.length; at++) {
                if (line[at] == 0) {
                    words.add(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(line, from, at - from))
                            .toString());
                    from = at + 1;
                }
            }
        } catch (CharacterCodingException e) {
            return decoded; // not UTF-8: a name with a replacement in it is refused later
        } catch (IOException e) {
            return decoded; // no /proc here
        }
        return words.size() < decoded.length
                ? decoded
                : words.subList(words.size() - decoded.length, words.size()).toArray(new String[0]);
    }
}
