package dev.interlock.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NamesTest {
    @Test
    void callers_share_all_names_and_no_two_share_one() {
        var names = new Names(6, 2);
        assertThat(drawn(names, 0)).isEqualTo(Set.of(Names.at(0), Names.at(2), Names.at(4)));
        assertThat(drawn(names, 1)).isEqualTo(Set.of(Names.at(1), Names.at(3), Names.at(5)));
    }

    private static Set<String> drawn(Names names, int caller) {
        var random = new SplittableRandom(7);
        var drawn = new HashSet<String>();
        for (var i = 0; i < 100; i++) {
            drawn.add(names.next(caller, random));
        }
        return drawn;
    }
}
