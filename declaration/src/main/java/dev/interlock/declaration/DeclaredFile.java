package dev.interlock.declaration;

import dev.interlock.core.lifecycle.Catalogue;
import dev.interlock.core.lifecycle.Declaration;
import dev.interlock.core.lifecycle.Declaration.Word;
import dev.interlock.core.lifecycle.Finding;
import dev.interlock.core.workflow.Workflow;
import dev.interlock.declaration.Piece.Field;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One file: what it declares, and what is wrong with it. */
final class DeclaredFile {
    private static final int LARGEST = 1024 * 1024;

    /** A workflow where it is named. */
    record Named(Word name, Workflow workflow) {}

    final Path path;
    final List<Named> workflows = new ArrayList<>();
    final List<Declaration> lifecycles = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();

    private DeclaredFile(Path path) {
        this.path = path;
    }

    static DeclaredFile read(Path path) {
        DeclaredFile file = new DeclaredFile(path);
        try {
            file.read(Yaml.read(file.text()));
        } catch (NotYaml e) {
            file.findings.add(e.finding());
        }
        return file;
    }

    /** In the order of their lines. */
    List<String> findings() {
        return findings.stream()
                .sorted(Comparator.comparingInt(Finding::line))
                .map(finding -> finding.in(path.toString()))
                .toList();
    }

    void add(int line, String sentence) {
        findings.add(new Finding(line, sentence));
    }

    private String text() throws NotYaml {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new NotYaml(0, "This file is larger than 1 MiB, which no declaration is.");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (NoSuchFileException e) {
            throw new NotYaml(0, "There is no such file.");
        } catch (AccessDeniedException e) {
            throw new NotYaml(0, "This file may not be read.");
        } catch (CharacterCodingException e) {
            throw new NotYaml(0, "This file is not UTF-8.");
        } catch (IOException e) {
            throw new NotYaml(0, Files.isDirectory(path) ? "This is a directory." : "This file cannot be read.");
        }
    }

    private void read(@Nullable Piece document) {
        if (document == null
                || (document instanceof Piece.Text text && text.value().isEmpty())) {
            add(0, "This file declares nothing.");
            return;
        }
        Form form = Form.of("the file", 1, document, List.of("workflows", "lifecycles"), findings::add);
        Piece ownWorkflows = form.piece("workflows");
        if (ownWorkflows != null) {
            Form.fields("'workflows'", ownWorkflows, findings::add).forEach(this::workflow);
        }
        Piece declared = form.piece("lifecycles");
        if (declared != null) {
            Form.fields("'lifecycles'", declared, findings::add).forEach(this::lifecycle);
        }
        if (workflows.isEmpty() && lifecycles.isEmpty() && findings.isEmpty()) {
            add(0, "This file declares nothing.");
        }
    }

    private void workflow(Field field) {
        Word name = new Word(field.key().value(), field.key().line());
        String fault = Catalogue.faultOfWorkflow(name.text());
        if (fault != null) {
            add(name.line(), fault);
        }
        Form form = Form.of("workflow '" + name + "'", name.line(), field.value(), Workflows.KEYS, findings::add);
        workflows.add(new Named(name, Workflows.read(name.text(), form)));
    }

    private void lifecycle(Field field) {
        Word name = new Word(field.key().value(), field.key().line());
        Declaration declaration = Lifecycles.read(name, field.value(), findings::add);
        if (declaration != null) {
            lifecycles.add(declaration);
        }
    }
}
