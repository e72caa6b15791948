package dev.interlock.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AmongTest {
    private static final Workload ALL = new Question(List.of("base", "one", "another", "third"));

    @Test
    void the_one_that_others_are_set_against_always_stays() {
        assertThat(contenders(new Among(ALL, List.of("third")))).containsExactly("base", "third");
    }

    @Test
    void every_contender_whose_name_has_one_of_the_texts_stays() {
        assertThat(contenders(new Among(ALL, List.of("o", "hird")))).containsExactly("base", "one", "another", "third");
    }

    @Test
    void a_text_that_is_in_no_name_means_nobody() {
        assertThat(Among.isMeant("third", ALL)).isTrue();
        assertThat(Among.isMeant("fourth", ALL)).isFalse();
    }

    private static List<String> contenders(Workload workload) {
        return workload.list().getFirst().trials().stream()
                .map(Workload.Trial::contender)
                .toList();
    }

    private record Question(List<String> names) implements Workload {
        @Override
        public String id() {
            return "question";
        }

        @Override
        public String title() {
            return "A question";
        }

        @Override
        public String method() {
            return "";
        }

        @Override
        public String situations() {
            return "callers";
        }

        @Override
        public String baseline() {
            return names.getFirst();
        }

        @Override
        public List<Situation> list() {
            return List.of(new Situation(
                    "1",
                    names.stream()
                            .map(name -> new Trial(name, "", () -> {
                                throw new AssertionError("not asked to measure");
                            }))
                            .toList()));
        }

        @Override
        public List<String> notes() {
            return List.of();
        }
    }
}
