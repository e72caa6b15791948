package dev.interlock.contract.once;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is to exist once, as the reference's services keep it: found by what it is for, created under a name that carries
 * the second, so that the same name cannot be created twice and two seconds make two names.
 */
record Things(Path directory) {
    List<String> all() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    Optional<String> find() throws IOException {
        return all().stream().findFirst();
    }

    String create(String second) throws IOException {
        return Files.createFile(directory.resolve("request-" + second))
                .getFileName()
                .toString();
    }
}
