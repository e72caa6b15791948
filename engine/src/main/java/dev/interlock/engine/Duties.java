package dev.interlock.engine;

import dev.interlock.core.janitor.Deed;
import dev.interlock.core.janitor.Patience;
import dev.interlock.core.work.WorkObserver;
import java.util.function.Consumer;

/**
 * What a janitor is charged with.
 *
 * @param observer is told of every deed, for people; it must be short
 * @param counter is told of rounds and deeds, for counting
 */
public record Duties(Patience patience, Sealer sealer, Consumer<Deed> observer, WorkObserver counter) {
    public static final Duties DEFAULT = new Duties(Patience.DEFAULT, () -> {}, deed -> {}, event -> {});

    public Duties withPatience(Patience value) {
        return new Duties(value, sealer, observer, counter);
    }

    public Duties withSealer(Sealer value) {
        return new Duties(patience, value, observer, counter);
    }

    public Duties withObserver(Consumer<Deed> value) {
        return new Duties(patience, sealer, value, counter);
    }

    public Duties withCounter(WorkObserver value) {
        return new Duties(patience, sealer, observer, value.harmless());
    }
}
