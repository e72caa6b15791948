package dev.interlock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.contract.once.Point;
import dev.interlock.contract.once.Variant;
import dev.interlock.core.Force;
import dev.interlock.core.HeldLock;
import dev.interlock.core.Lock;
import dev.interlock.core.LockLost;
import dev.interlock.core.LockName;
import dev.interlock.core.Loss;
import dev.interlock.core.Once;
import dev.interlock.core.Options;
import dev.interlock.core.Refusal;
import dev.interlock.core.Refused;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.Waiter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class OnceTest {
    private static final String KEY = "request/fingerprint-7";
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = new World();
    private final List<String> things = new CopyOnWriteArrayList<>();

    static Stream<OnceStory.Case> stories() {
        List<OnceStory.Case> stories = new ArrayList<>();
        for (var point : Point.values()) {
            for (var fault : OnceStory.Fault.values()) {
                for (var guard : OnceStory.Guard.values()) {
                    stories.add(new OnceStory.Case(point, fault, guard));
                }
            }
        }
        return stories.stream().filter(OnceStory.Case::isPromised);
    }

    @ParameterizedTest
    @MethodSource("stories")
    void wherever_a_caller_stops_and_whatever_happens_to_it_one_thing_is_created(OnceStory.Case story) {
        assertThat(new OnceStory(Variant.SOUND, story).violations()).isEmpty();
    }

    /** Stories that every variant survives would prove nothing. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SOUND")
    void the_stories_tell_a_broken_variant_from_a_sound_one(Variant broken) {
        assertThat(stories().flatMap(story -> new OnceStory(broken, story).violations().stream()))
                .as("%s went unnoticed", broken)
                .isNotEmpty();
    }

    @Test
    void what_exists_is_found_without_asking_for_the_lock() throws Exception {
        things.add("old");

        assertThat(world.locks.once(KEY, this::find, this::create)).isEqualTo(new Once.Existed<>("old"));

        assertThat(world.store.calls(Flaky.Verb.ENTER)).isZero();
    }

    @Test
    void what_does_not_exist_is_created_under_the_lock_which_is_given_back() throws Exception {
        assertThat(world.locks.once(KEY, this::find, lock -> {
                    assertThat(world.find(KEY).token()).isEqualTo(lock.token());
                    assertThat(world.find(KEY).isHeld()).isTrue();
                    return create(lock);
                }))
                .isEqualTo(new Once.Created<>("by token 1", 1));

        assertThat(world.isFree(KEY)).isTrue();
    }

    @Test
    void of_many_that_saw_nothing_one_creates_and_all_others_are_told_what() {
        CompletableFuture<Void> all = new CompletableFuture<>();
        var calls = Stream.generate(() -> world.time.begin(() -> {
                    boolean[] looked = new boolean[1];
                    return world.locks.once(
                            KEY,
                            () -> {
                                Optional<String> there = find();
                                if (!looked[0]) {
                                    looked[0] = true;
                                    all.join();
                                }
                                return there;
                            },
                            this::create);
                }))
                .limit(20)
                .toList();

        all.complete(null);
        world.advance(Duration.ofSeconds(1));

        assertThat(things).containsExactly("by token 1");
        assertThat(calls.stream().map(call -> call.result()))
                .containsOnlyOnce(new Once.Created<>("by token 1", 1))
                .contains(new Once.Existed<>("by token 1"))
                .hasSize(20)
                .extracting(Once::value)
                .containsOnly("by token 1");
        assertThat(world.isFree(KEY)).isTrue();
    }

    @Test
    void what_was_created_between_the_two_lookups_is_found_by_the_second() {
        Lock creator = heldElsewhere();
        var call = world.time.begin(() -> world.locks.once(KEY, this::find, this::create));

        things.add("theirs");
        world.elsewhere.release(creator);
        world.advance(Duration.ZERO);

        assertThat(call.result()).isEqualTo(new Once.Existed<>("theirs"));
        assertThat(things).containsExactly("theirs");
    }

    @Test
    void when_a_creator_dies_before_it_created_the_next_one_creates() {
        world.elsewhere.acquire(World.stranger(KEY, Duration.ofMinutes(1)));

        Once<String> answer = world.time.call(() -> world.locks.once(KEY, this::find, this::create));

        assertThat(answer).isEqualTo(new Once.Created<>("by token 2", 2));
        assertThat(world.time.elapsed()).isGreaterThanOrEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void a_creation_that_fails_reaches_its_caller_and_lets_the_next_one_create() throws Exception {
        assertThatThrownBy(() -> world.locks.once(KEY, this::find, lock -> {
                    throw new IOException("quota exceeded");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("quota exceeded");

        assertThat(world.isFree(KEY)).isTrue();
        assertThat(world.locks.once(KEY, this::find, this::create)).isEqualTo(new Once.Created<>("by token 2", 2));
    }

    @Test
    void a_lookup_that_fails_under_the_lock_gives_it_back() {
        int[] looks = new int[1];

        assertThatThrownBy(() -> world.locks.once(
                        KEY,
                        () -> {
                            if (++looks[0] == 2) {
                                throw new IOException("no route");
                            }
                            return find();
                        },
                        this::create))
                .isInstanceOf(IOException.class);

        assertThat(world.isFree(KEY)).isTrue();
        assertThat(things).isEmpty();
    }

    @Test
    void a_caller_that_lost_the_lock_in_its_second_lookup_asks_for_it_again_before_it_creates() throws Exception {
        int[] looks = new int[1];

        Once<String> answer = world.locks.once(
                KEY,
                () -> {
                    Optional<String> there = find();
                    if (++looks[0] == 2) {
                        expireAndTell();
                    }
                    return there;
                },
                this::create);

        assertThat(answer).isEqualTo(new Once.Created<>("by token 2", 2));
        assertThat(looks[0]).isEqualTo(3);
    }

    /** Else a lock that is lost each time would keep the call going for ever. */
    @Test
    void a_caller_that_may_not_wait_any_more_reports_the_loss() {
        int[] looks = new int[1];

        assertThatThrownBy(() -> world.locks.once(
                        KEY,
                        () -> {
                            if (++looks[0] == 2) {
                                expireAndTell();
                            }
                            return find();
                        },
                        this::create,
                        Options.refusing()))
                .isInstanceOf(LockLost.class);

        assertThat(things).isEmpty();
    }

    @Test
    void what_was_created_while_the_lock_was_lost_counts_only_as_found() throws Exception {
        assertThat(world.locks.once(KEY, this::find, lock -> {
                    String made = create(lock);
                    expireAndTell();
                    return made;
                }))
                .isEqualTo(new Once.Existed<>("by token 1"));
    }

    @Test
    void a_loss_in_the_middle_surfaces_when_nothing_is_to_be_found() {
        assertThatThrownBy(() -> world.locks.once(KEY, this::find, lock -> {
                    expireAndTell();
                    return "made where no lookup sees it";
                }))
                .isInstanceOfSatisfying(
                        LockLost.class, lost -> assertThat(lost.why()).isEqualTo(Loss.Cause.EXPIRED));
    }

    @Test
    void a_creation_that_failed_since_somebody_took_the_lock_is_answered_with_what_the_successor_made()
            throws Exception {
        assertThat(world.locks.once(KEY, this::find, lock -> {
                    world.elsewhere.force(new Force(lock.name(), lock.token(), "oncall", "wrong cluster", true));
                    things.add("the successor's");
                    world.advance(Duration.ofSeconds(30));
                    lock.requireAtLeast(Duration.ofSeconds(1));
                    return create(lock);
                }))
                .isEqualTo(new Once.Existed<>("the successor's"));
        assertThat(things).containsExactly("the successor's");
    }

    @Test
    void a_wait_in_vain_is_refused() {
        heldElsewhere();

        assertThatThrownBy(() -> world.time.call(
                        () -> world.locks.once(KEY, this::find, this::create, Options.waiting(Duration.ofMinutes(1)))))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.refusal()).isInstanceOf(Refusal.WaitedTooLong.class));

        assertThat(things).isEmpty();
    }

    /** The creator is done, but slow to give its lock back, or dead. */
    @Test
    void a_wait_that_ended_is_no_failure_when_the_thing_exists_by_then() {
        heldElsewhere();
        var call = world.time.begin(
                () -> world.locks.once(KEY, this::find, this::create, Options.waiting(Duration.ofMinutes(1))));

        things.add("theirs");
        world.advance(Duration.ofMinutes(1));

        assertThat(call.result()).isEqualTo(new Once.Existed<>("theirs"));
    }

    @Test
    void a_waiter_that_somebody_cancels_is_told_what_exists_or_refused() {
        heldElsewhere();
        var first = world.time.begin(() -> world.locks.once(KEY, this::find, this::create));
        cancelWaiter();
        assertThatThrownBy(first::result).isInstanceOf(Refused.class);

        var second = world.time.begin(() -> world.locks.once(KEY, this::find, this::create));
        things.add("theirs");
        cancelWaiter();
        assertThat(second.result()).isEqualTo(new Once.Existed<>("theirs"));
    }

    @Test
    void an_interrupted_wait_leaves_nothing_behind() {
        Lock creator = heldElsewhere();
        var call = world.time.begin(() -> world.locks.once(KEY, this::find, this::create));

        call.interrupt();

        assertThatThrownBy(call::result)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        world.elsewhere.release(creator);
        assertThat(world.isFree(KEY)).isTrue();
        assertThat(things).isEmpty();
    }

    @Test
    void a_store_that_cannot_answer_lets_nothing_be_created() {
        world.store.cut();

        assertThatThrownBy(() -> world.time.call(() -> world.locks.once(KEY, this::find, this::create)))
                .isInstanceOf(StoreUnavailable.class);

        assertThat(things).isEmpty();
    }

    @Test
    void a_grant_whose_answer_was_lost_is_used_all_the_same() {
        world.store.fail(Flaky.Verb.ENTER, Flaky.Fault.ANSWER_LOST, 2);

        assertThat(world.time.call(() -> world.locks.once(KEY, this::find, this::create)))
                .isEqualTo(new Once.Created<>("by token 1", 1));
    }

    @Test
    void a_lock_that_cannot_be_given_back_now_is_no_failure() {
        world.store.fail(Flaky.Verb.RELEASE, Flaky.Fault.REQUEST_LOST, 1);

        assertThat(world.time.call(() -> world.locks.once(KEY, this::find, this::create)))
                .isEqualTo(new Once.Created<>("by token 1", 1));

        world.advance(Duration.ofSeconds(1));
        assertThat(world.isFree(KEY)).isTrue();
    }

    /** Two requests of one execution share its lock, so that both would create. */
    @Test
    void callers_cannot_name_an_execution() {
        Options named = Options.waiting(HOUR).forExecution("exec-7", 1);

        assertThatThrownBy(() -> world.locks.once(KEY, this::find, this::create, named))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Optional<String> find() {
        return things.stream().findFirst();
    }

    private String create(HeldLock lock) {
        String made = "by token " + lock.token();
        things.add(made);
        return made;
    }

    private Lock heldElsewhere() {
        world.elsewhere.acquire(World.stranger(KEY, HOUR));
        return world.find(KEY);
    }

    /** The holder learns it with its next renewal. */
    private void expireAndTell() {
        world.expire(world.record(KEY).latest().lease());
        world.advance(World.LEASE);
    }

    private void cancelWaiter() {
        Waiter waiter = world.elsewhere.waiters(LockName.of(KEY)).getFirst();
        world.elsewhere.dropWaiter(LockName.of(KEY), waiter.ticket(), "oncall");
        world.advance(Duration.ZERO);
    }
}
