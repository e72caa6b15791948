package dev.interlock.app;

/**
 * First come, first served, judged where it is decided: in the transaction of each grant the store itself notes how many
 * waiters with an earlier ticket were passed over.
 */
record QueueOrder(Server server) {
    private static final String WATCH = """
            CREATE SCHEMA watch;
            CREATE TABLE watch.seen (token bigint, ticket bigint, passed_over bigint);
            CREATE FUNCTION watch.note() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO watch.seen
                SELECT NEW.token, NEW.ticket, count(*) FROM interlock.waiter w
                 WHERE w.name = NEW.name AND (NEW.ticket IS NULL OR w.ticket < NEW.ticket);
                RETURN NULL;
            END $$;
            CREATE TRIGGER watch AFTER UPDATE ON interlock.lock
            FOR EACH ROW WHEN (NEW.held AND NEW.token <> OLD.token) EXECUTE FUNCTION watch.note()""";

    static QueueOrder watchedBy(Server server) {
        server.execute(WATCH);
        return new QueueOrder(server);
    }

    long handedOver() {
        return server.number("SELECT count(ticket) FROM watch.seen");
    }

    long passedOver() {
        return server.number("SELECT coalesce(sum(passed_over), 0) FROM watch.seen");
    }

    /** How often a ticket was served after a later one. */
    long outOfTurn() {
        return server.number("""
                SELECT count(*) FROM (SELECT ticket, lag(ticket) OVER (ORDER BY token) AS before
                                        FROM watch.seen WHERE ticket IS NOT NULL) s
                 WHERE ticket <= before""");
    }
}
