package dev.interlock.core.work;

import dev.interlock.core.LockName;
import dev.interlock.core.Page;
import dev.interlock.core.Ports;
import dev.interlock.core.StoreUnavailable;
import dev.interlock.core.admission.Candidate;
import dev.interlock.core.admission.Case;
import dev.interlock.core.execution.Attempt;
import dev.interlock.core.execution.Ending;
import dev.interlock.core.execution.Execution;
import dev.interlock.core.execution.Phase;
import dev.interlock.core.execution.Request;
import dev.interlock.core.execution.Submission;
import dev.interlock.core.execution.Transition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A store of executions that tells an observer what its answers say. Who is not observed does not pass through here. */
public final class ObservedExecutions implements ExecutionStore {
    private static final String KEY_REUSED = "KeyReused";

    private final ExecutionStore store;
    private final WorkObserver observer;
    private final Ports.Ticker ticker;

    public ObservedExecutions(ExecutionStore store, WorkObserver observer, Ports.Ticker ticker) {
        this.store = store;
        this.observer = observer.harmless();
        this.ticker = ticker;
    }

    @Override
    public List<Submission> submit(List<Request> requests) {
        List<Submission> answers = store.submit(requests);
        answers.forEach(this::told);
        return answers;
    }

    private void told(Submission answer) {
        switch (answer) {
            case Submission.New(Execution execution) ->
                observer.saw(
                        switch (execution.ending()) {
                            case Ending.Skipped skipped -> new WorkEvent.Refused(skipped.code());
                            case Ending.Failed failed ->
                                new WorkEvent.Refused(failed.failure().code());
                            case null, default -> new WorkEvent.Submitted();
                        });
            case Submission.KeyReused reused -> observer.saw(new WorkEvent.Refused(KEY_REUSED));
            case Submission.Repeated repeated -> {}
            case Submission.Joined joined -> {}
        }
    }

    @Override
    public Claims claim(Claimant claimant, int most) {
        long asked = ticker.nanos();
        try {
            Claims claims = store.claim(claimant, most);
            Duration took = since(asked);
            claims.started().forEach(one -> told(one, took));
            if (claims.parked() > 0) {
                observer.saw(new WorkEvent.Parked(claims.parked()));
            }
            return claims;
        } catch (StoreUnavailable e) {
            observer.saw(new WorkEvent.Unanswered(since(asked)));
            throw e;
        }
    }

    private Duration since(long then) {
        return Duration.ofNanos(ticker.nanos() - then);
    }

    private void told(Claimed claimed, Duration took) {
        Attempt attempt = claimed.attempt();
        Duration waited =
                attempt.number() == 1 ? Duration.between(claimed.execution().submittedAt(), attempt.startedAt()) : null;
        observer.saw(new WorkEvent.Claimed(workflow(claimed.execution()), waited, took));
    }

    @Override
    public List<Transition> finish(List<Finish> finishes) {
        List<Transition> answers = store.finish(finishes);
        told(finishes, answers);
        return answers;
    }

    @Override
    public Finished finish(List<Finish> finishes, Claimant claimant, int most) {
        long asked = ticker.nanos();
        Finished finished = store.finish(finishes, claimant, most);
        Duration took = since(asked);
        told(finishes, finished.answers());
        finished.next().forEach(one -> told(one, took));
        return finished;
    }

    private void told(List<Finish> finishes, List<Transition> answers) {
        for (int at = 0; at < answers.size(); at++) {
            told(finishes.get(at), answers.get(at));
        }
    }

    private void told(Finish finish, Transition answer) {
        switch (answer) {
            case Transition.Moved(Execution execution) -> ended(finish, execution);
            case Transition.Stale stale -> observer.saw(new WorkEvent.Fenced());
            case Transition.Illegal illegal -> observer.saw(new WorkEvent.Fenced());
        }
    }

    /** The execution may have moved on since, when an earlier answer was lost: its attempt is found by the token. */
    private void ended(Finish finish, Execution execution) {
        String workflow = workflow(execution);
        if (finish.outcome() instanceof Finish.Outcome.HandedBack) {
            observer.saw(new WorkEvent.HandedBack(workflow));
            return;
        }
        WorkEvent.Outcome outcome = outcome(finish.outcome(), execution.phase());
        execution.attempts().stream()
                .filter(attempt -> attempt.token() == finish.token())
                .findFirst()
                .ifPresent(attempt -> observer.saw(new WorkEvent.Ended(workflow, outcome, held(attempt))));
        if (outcome == WorkEvent.Outcome.FAILED) {
            observer.saw(new WorkEvent.DeadLettered(workflow));
        }
    }

    private static WorkEvent.Outcome outcome(Finish.Outcome told, Phase phase) {
        return switch (told) {
            case Finish.Outcome.Completed completed -> WorkEvent.Outcome.COMPLETED;
            case Finish.Outcome.Stopped stopped -> WorkEvent.Outcome.CANCELLED;
            case Finish.Outcome.HandedBack back -> WorkEvent.Outcome.RETRIED;
            case Finish.Outcome.Failed failed ->
                switch (phase) {
                    case FAILED -> WorkEvent.Outcome.FAILED;
                    case CANCELLED -> WorkEvent.Outcome.CANCELLED;
                    case PENDING, RUNNING, COMPLETED, SKIPPED -> WorkEvent.Outcome.RETRIED;
                };
        };
    }

    private static Duration held(Attempt attempt) {
        Attempt.End end = attempt.end();
        return end == null ? Duration.ZERO : Duration.between(attempt.startedAt(), end.at());
    }

    private static String workflow(Execution execution) {
        return execution.request().workflow();
    }

    @Override
    public Optional<Duration> untilDue() {
        return store.untilDue();
    }

    @Override
    public List<Running> running(Claimant claimant) {
        return store.running(claimant);
    }

    @Override
    public Cancellation cancel(String execution, String by, String reason) {
        return store.cancel(execution, by, reason);
    }

    @Override
    public void report(String execution, long token, String progress) {
        store.report(execution, token, progress);
    }

    @Override
    public Optional<Standing> find(String execution) {
        return store.find(execution);
    }

    @Override
    public Page<Standing> list(ExecutionFilter filter, Page.Request page) {
        return store.list(filter, page);
    }

    @Override
    public Case examine(Candidate candidate) {
        return store.examine(candidate);
    }

    @Override
    public List<Execution> clear(LockName target, String by, String reason) {
        return store.clear(target, by, reason);
    }

    @Override
    public void onWork(Runnable listener) {
        store.onWork(listener);
    }

    @Override
    public void close() {
        store.close();
    }
}
