package dev.interlock.bench.workload;

import java.util.List;

/** The same question, asked of a few: those whose name has one of these texts in it, and the one they are set against. */
public record Among(Workload all, List<String> texts) implements Workload {
    @Override
    public String id() {
        return all.id();
    }

    @Override
    public String title() {
        return all.title();
    }

    @Override
    public String method() {
        return all.method();
    }

    @Override
    public String situations() {
        return all.situations();
    }

    @Override
    public String baseline() {
        return all.baseline();
    }

    @Override
    public List<Situation> list() {
        return all.list().stream()
                .map(one -> new Situation(
                        one.name(), one.trials().stream().filter(this::isIn).toList()))
                .toList();
    }

    private boolean isIn(Trial trial) {
        return trial.contender().equals(baseline()) || texts.stream().anyMatch(trial.contender()::contains);
    }

    /** Whether it means anybody here. */
    public static boolean isMeant(String text, Workload workload) {
        return workload.list().stream()
                .flatMap(situation -> situation.trials().stream())
                .anyMatch(trial -> trial.contender().contains(text));
    }

    @Override
    public int turns() {
        return all.turns();
    }

    @Override
    public List<String> notes() {
        return all.notes();
    }
}
