package dev.interlock.bench.jobs;

import dev.interlock.bench.report.Reading;
import dev.interlock.bench.workload.Workload;
import java.util.List;

/** A question that queues of jobs are asked in one situation. */
interface JobWorkload extends Workload {
    String situation();

    /** The first is the one that the others are set against. */
    List<JobContender> contenders();

    Reading measure(JobContender contender) throws Exception;

    @Override
    default String baseline() {
        return contenders().getFirst().name();
    }

    @Override
    default List<Situation> list() {
        return List.of(new Situation(
                situation(),
                contenders().stream()
                        .map(one -> new Trial(one.name(), one.settings(), () -> measure(one)))
                        .toList()));
    }

    @Override
    default List<String> notes() {
        return JobContenders.notes();
    }
}
