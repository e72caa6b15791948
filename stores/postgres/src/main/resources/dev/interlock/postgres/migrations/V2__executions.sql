-- Executions, and what they go by: declarations, resources, workers, logs.
--
-- An execution that is pending stands in one of three places, told by "turn":
--   READY   it may be claimed. Every execution arrives ready: nothing is locked when one is submitted.
--   PARKED  somebody works on its target, or is ahead of it. Whoever ends that work makes the next in line ready.
--   TIMED   it waits for an instant (due_at): a retry, a cooldown, a lock that somebody else holds.
-- An execution is parked, and the next in line is made ready, only while the row of the target's lock is ours: so
-- none can be parked after the one that it waits for has looked for its successor.
--
-- So the first in line is never parked, unless somebody works on the target; and whoever ends the first in line, in
-- whatever way, makes the next one ready.
--
-- Order of row locks, everywhere: executions that are ready and due (with SKIP LOCKED), lock rows by name, lease rows by
-- id, resource rows by target, other executions. Nobody waits for the row of an execution that is ready or due.

CREATE TABLE interlock.execution (
    id              text COLLATE "C" PRIMARY KEY,
    target          text COLLATE "C" NOT NULL,
    workflow        text COLLATE "C" NOT NULL,
    parameters      jsonb       NOT NULL DEFAULT '{}',
    requester       text        NOT NULL,
    on_busy         text        NOT NULL,
    priority        int         NOT NULL,
    idempotency_key text,
    correlation_id  text,
    fingerprint     bytea       NOT NULL,
    submitted_at    timestamptz NOT NULL,
    phase           text COLLATE "C" NOT NULL,
    turn            text COLLATE "C",
    due_at          timestamptz,
    -- The attempt that runs: how many there were with it, its token, its lease, its owner.
    attempt         int         NOT NULL DEFAULT 0,
    token           bigint,
    lease           uuid,
    owner           text,
    started_at      timestamptz,
    timeout         interval,
    -- The call that started it: whom it passed over, it may park.
    claim           uuid,
    progress        text,
    -- Somebody wants the running attempt stopped.
    cancelled_by    text,
    cancel_reason   text,
    -- The attempts that have ended, oldest first. One that the columns tell in full, because it completed, is left out.
    attempts        jsonb       NOT NULL DEFAULT '[]',
    -- How it ended: what the phase does not say.
    ended_at        timestamptz,
    exit            int,
    ending          jsonb,
    -- The gravest failure among its attempts, once it has ended: NOT_STARTED, STARTED or UNKNOWN.
    failure         text COLLATE "C",
    cleared_by      text,
    cleared_reason  text,
    cleared_at      timestamptz,
    -- Since when it is among the dead letters.
    dead_at         timestamptz
) WITH (fillfactor = 70);

-- By workflow first: what no worker offers is not even passed over.
CREATE INDEX execution_ready ON interlock.execution (workflow, (-priority::bigint), submitted_at, id) WHERE turn = 'READY';
CREATE INDEX execution_timed ON interlock.execution (due_at) WHERE turn = 'TIMED';
CREATE INDEX execution_line ON interlock.execution (target, submitted_at, id) WHERE phase = 'PENDING';
-- Most ends leave nobody behind who is parked, and find that out here, not among all who ever stood in line.
CREATE INDEX execution_parked ON interlock.execution (target) WHERE turn = 'PARKED';
-- The belt beside the lock: two executions of one target cannot run, whatever goes wrong.
CREATE UNIQUE INDEX execution_running ON interlock.execution (target) WHERE phase = 'RUNNING';
CREATE INDEX execution_past ON interlock.execution (target, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX execution_blocking ON interlock.execution (target)
    WHERE failure IN ('STARTED', 'UNKNOWN') AND cleared_at IS NULL;
CREATE INDEX execution_dead ON interlock.execution (dead_at) WHERE dead_at IS NOT NULL;
CREATE UNIQUE INDEX execution_key ON interlock.execution (idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE interlock.lifecycle (
    name          text COLLATE "C" PRIMARY KEY,
    states        text[]      NOT NULL,
    initial       text        NOT NULL,
    unique_fields text[],
    free_in       text[]
);

-- A workflow of its own has no lifecycle ('').
CREATE TABLE interlock.workflow (
    lifecycle       text COLLATE "C" NOT NULL DEFAULT '',
    name            text COLLATE "C" NOT NULL,
    position        int         NOT NULL DEFAULT 0,
    "from"          text[],
    during          text,
    on_success      text,
    on_failure      text,
    command         text[]      NOT NULL,
    transient_exits int[]       NOT NULL,
    cooldown        interval    NOT NULL,
    cooldown_scope  text        NOT NULL,
    block           text,
    backoff_base    interval,
    backoff_max     interval,
    backoff_limit   int,
    probe_after     interval,
    attempts        int         NOT NULL,
    retry_first     interval    NOT NULL,
    retry_longest   interval    NOT NULL,
    after_loss      boolean     NOT NULL,
    timeout         interval,
    lease           interval    NOT NULL,
    PRIMARY KEY (lifecycle, name)
);

-- Publishing takes the rows of the lifecycles that it changes FOR UPDATE before it looks at their resources. Whoever moves
-- a resource takes the row of its lifecycle FOR KEY SHARE before it reads what is declared: so no resource is moved by
-- a declaration that is not in force any more.
--
-- Counts up with every change of what is declared, so that whoever keeps a copy sees that it is old.
ALTER TABLE interlock.store ADD COLUMN catalogue bigint NOT NULL DEFAULT 0;

CREATE TABLE interlock.resource (
    target        text COLLATE "C" PRIMARY KEY,
    lifecycle     text COLLATE "C" NOT NULL REFERENCES interlock.lifecycle,
    state         text        NOT NULL,
    under         text,
    fields        jsonb       NOT NULL DEFAULT '{}',
    -- What no other resource of the lifecycle may have; null while the name is free.
    unique_name   text[],
    registered_by text        NOT NULL,
    registered_at timestamptz NOT NULL,
    expires_at    timestamptz,
    CONSTRAINT resource_name UNIQUE (lifecycle, unique_name)
);

-- The values of the fields that tell resources of a lifecycle apart, in their order; null when it tells none apart, and
-- in the states in which a name is free.
CREATE FUNCTION interlock.unique_name(p_unique text[], p_free_in text[], p_state text, p_fields jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_unique IS NOT NULL AND NOT p_state = ANY (coalesce(p_free_in, '{}')) THEN
        (SELECT array_agg(coalesce(p_fields ->> u.field, '') ORDER BY u.n) FROM unnest(p_unique) WITH ORDINALITY AS u(field, n))
    END $$;

CREATE INDEX resource_expiring ON interlock.resource (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE interlock.worker (
    id         text COLLATE "C" PRIMARY KEY,
    lease      uuid        NOT NULL,
    slots      int         NOT NULL,
    workflows  text[]      NOT NULL,
    version    text        NOT NULL,
    since      timestamptz NOT NULL,
    drained_by text
);

CREATE TABLE interlock.log (
    execution text COLLATE "C" NOT NULL,
    attempt   int         NOT NULL,
    number    bigint      NOT NULL,
    at        timestamptz NOT NULL,
    stream    text        NOT NULL,
    bytes     bytea       NOT NULL,
    -- How much the attempt has printed with this piece, whatever was left out since.
    upto      bigint      NOT NULL,
    PRIMARY KEY (execution, attempt, number)
);

-- Adds to the log of the attempt that runs with this token; false when none does. The row of the execution is ours while
-- we count, so numbers are given once, and a late attempt finds that it is over. The attempt had printed p_from bytes before
-- these: what is here already, from a call whose answer was lost, is passed over. Of more than p_most bytes the middle goes:
-- what lies beyond the first p_head, and before the rest at the end.
CREATE FUNCTION interlock.append_log(
    p_execution text, p_attempt int, p_token bigint, p_from bigint, p_streams text[], p_pieces bytea[], p_head bigint, p_most bigint
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    v_number bigint;
    v_upto   bigint;
BEGIN
    PERFORM FROM interlock.execution
      WHERE id = p_execution AND attempt = p_attempt AND token = p_token AND phase = 'RUNNING' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    SELECT number, upto INTO v_number, v_upto FROM interlock.log
     WHERE execution = p_execution AND attempt = p_attempt ORDER BY number DESC LIMIT 1;
    v_upto := coalesce(v_upto, 0);
    INSERT INTO interlock.log
    SELECT p_execution, p_attempt, coalesce(v_number, 0) + row_number() OVER (ORDER BY u.n), clock_timestamp(), u.stream,
           substring(u.bytes FROM greatest(v_upto - (u.upto - length(u.bytes)), 0)::int + 1), u.upto
      FROM (SELECT s.n, s.stream, s.bytes, p_from + sum(length(s.bytes)) OVER (ORDER BY s.n) AS upto
              FROM unnest(p_streams, p_pieces) WITH ORDINALITY AS s(stream, bytes, n)) u
     WHERE u.upto > v_upto;
    SELECT upto INTO v_upto FROM interlock.log
     WHERE execution = p_execution AND attempt = p_attempt ORDER BY number DESC LIMIT 1;
    IF v_upto > p_most THEN
        DELETE FROM interlock.log
         WHERE execution = p_execution AND attempt = p_attempt
           AND upto > p_head AND upto - length(bytes) < v_upto - (p_most - p_head);
    END IF;
    RETURN true;
END $$;

-- The history is the audit trail: one row per event, written in the transaction of the change and never changed.
-- A tenure of a lock is one row, written when it ends; an execution has one for its request, each start and each end.
CREATE SEQUENCE interlock.event CACHE 32;

ALTER TABLE interlock.history
    ADD COLUMN xid         xid8   NOT NULL DEFAULT pg_current_xact_id(),
    ADD COLUMN seq         bigint NOT NULL DEFAULT nextval('interlock.event'),
    ADD COLUMN workflow    text,
    ADD COLUMN correlation text,
    -- The phase that the execution has with this event, and the state of its resource.
    ADD COLUMN phase       text COLLATE "C",
    ADD COLUMN state       text,
    -- Whether it is found by its name, or else on its shelf; null when nobody looks for it by name.
    ADD COLUMN filed       boolean DEFAULT true;

CREATE INDEX history_of ON interlock.history (name, token) WHERE filed;
CREATE INDEX history_on_shelf ON interlock.history USING hash (hashtextextended(name, token >> 6)) WHERE NOT filed;

-- What happened to a lock, the latest first: at most so many of these events below a place in that order (all of the token
-- itself are above it when no instant is given). A request of an execution that was refused is none of the lock's.
--
-- Goes from shelf to shelf, and where one is empty, to the next on which something is filed: tokens are passed over when
-- waiters leave, and a new epoch begins far above the last. Below a shelf it looks even if nothing is filed there any more:
-- what is pruned first is what was filed first.
CREATE FUNCTION interlock.past(p_name text, p_events text[], p_below bigint, p_below_micros bigint, p_most int)
RETURNS SETOF interlock.history LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_left int := p_most;
    v_found int;
    -- The place it begins below was on the first shelf, which may hold nothing else any more.
    v_first boolean := true;
    v_shelf bigint := CASE WHEN p_below_micros IS NULL THEN p_below - 1 ELSE p_below END >> 6;
BEGIN
    IF p_below IS NULL THEN
        SELECT greatest(max(h.token), (SELECT k.token FROM interlock.lock k WHERE k.name = p_name)) >> 6 INTO v_shelf
          FROM interlock.history h WHERE h.filed AND h.name = p_name;
    END IF;
    WHILE v_shelf IS NOT NULL AND v_left > 0 LOOP
        RETURN QUERY
        SELECT s.*
          FROM (SELECT * FROM interlock.history h
                 WHERE h.filed AND h.name = p_name AND h.token >= v_shelf << 6 AND h.token < (v_shelf + 1) << 6
                UNION ALL
                SELECT * FROM interlock.history h
                 WHERE NOT h.filed AND hashtextextended(h.name, h.token >> 6) = hashtextextended(p_name, v_shelf)
                   AND h.name = p_name AND h.token >> 6 = v_shelf) s
         WHERE s.event = ANY (p_events) AND (s.event <> 'REFUSED' OR s.workflow IS NULL)
           AND (p_below IS NULL OR s.token < p_below
                OR s.token = p_below AND (extract(epoch FROM s.ended_at) * 1000000)::bigint < p_below_micros)
         ORDER BY s.token DESC, s.ended_at DESC LIMIT v_left;
        GET DIAGNOSTICS v_found = ROW_COUNT;
        v_left := v_left - v_found;
        IF v_found > 0 OR v_first THEN
            v_first := false;
            v_shelf := v_shelf - 1;
        ELSE
            SELECT max(h.token) >> 6 INTO v_shelf FROM interlock.history h
             WHERE h.filed AND h.name = p_name AND h.token < v_shelf << 6;
        END IF;
    END LOOP;
END $$;

UPDATE interlock.store SET schema_version = 2;

-- Processes that found nothing to do, and want to be called. NOTIFY serialises the commits of the whole server, so that
-- nobody calls while nobody listens. A process that is gone is forgotten after a while.
CREATE TABLE interlock.idle (
    process text COLLATE "C" PRIMARY KEY,
    until   timestamptz NOT NULL
);

-- Calls whoever is idle. Only a hint: what commits after its reader has looked is found by the next look.
CREATE FUNCTION interlock.call() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM interlock.idle WHERE until > clock_timestamp()) THEN
        PERFORM pg_notify('interlock_work', 'ready');
    END IF;
END $$;

-- One event of an execution that is no tenure of a lock.
CREATE FUNCTION interlock.note(e interlock.execution, p_event text, p_token bigint, p_actor text, p_detail text, p_state text)
RETURNS void LANGUAGE sql AS $$
    INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at, actor, detail,
                                   workflow, correlation, phase, state)
    SELECT e.target, coalesce(p_token, 0), p_event, e.id, e.attempt, coalesce(e.owner, ''), e.requester, c.now, c.now, p_actor,
           p_detail, e.workflow, e.correlation_id, e.phase, p_state
      FROM (SELECT clock_timestamp() AS now OFFSET 0) c
$$;

-- Makes the first in line of each of these targets ready, unless somebody works on it. The rows of their locks are ours.
-- Where the lock went to somebody else, the first in line looks again in a moment.
CREATE FUNCTION interlock.promote(p_targets text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE interlock.execution e
       SET turn = CASE WHEN k.held THEN 'TIMED' ELSE 'READY' END,
           due_at = CASE WHEN k.held THEN clock_timestamp() + interval '1 second' ELSE e.due_at END
      FROM unnest(p_targets) AS t(target)
     CROSS JOIN LATERAL (SELECT x.id, x.turn FROM interlock.execution x
                          WHERE x.target = t.target AND x.phase = 'PENDING' ORDER BY x.submitted_at, x.id LIMIT 1) f
      LEFT JOIN interlock.lock k ON k.name = t.target
     WHERE f.turn = 'PARKED' AND e.id = f.id AND e.turn = 'PARKED'
       AND NOT EXISTS (SELECT FROM interlock.execution r WHERE r.target = t.target AND r.phase = 'RUNNING');
    IF FOUND THEN
        PERFORM interlock.call();
    END IF;
END $$;

-- Takes the rows of these locks, as far as they exist, and brings the locks up to the present. What a running execution
-- holds stays as it is: only whoever closes its attempt may end that. Answers with the names whose rows are ours.
CREATE FUNCTION interlock.take(p_targets text[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    v_ours text[];
    v_busy text[];
    l interlock.lock;
BEGIN
    SELECT array_agg(o.name), array_agg(o.name) FILTER (WHERE o.held OR o.queued) INTO v_ours, v_busy
      FROM (SELECT k.name, k.held, k.queued FROM interlock.lock k WHERE k.name = ANY (p_targets) ORDER BY k.name FOR UPDATE) o;
    IF v_busy IS NOT NULL THEN
        PERFORM FROM interlock.lease x
          WHERE x.id IN (SELECT h.lease FROM interlock.lock h WHERE h.name = ANY (v_busy) AND h.held)
            AND x.ended_at IS NULL AND x.expires_at <= clock_timestamp()
          ORDER BY x.id FOR UPDATE;
        FOR l IN SELECT k.* FROM interlock.lock k
                  WHERE k.name = ANY (v_busy)
                    AND NOT EXISTS (SELECT FROM interlock.execution x
                                     WHERE x.target = k.name AND x.phase = 'RUNNING' AND x.token = k.token AND k.held)
                  ORDER BY k.name LOOP
            PERFORM interlock.settle(l, '');
        END LOOP;
    END IF;
    RETURN v_ours;
END $$;

CREATE OR REPLACE FUNCTION interlock.is_execution(l interlock.lock) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM interlock.execution x WHERE x.target = l.name AND x.phase = 'RUNNING' AND x.token = l.token)
$$;

-- Before the target of one execution is decided upon: refuses while nothing may be granted, and takes the row of its lock.
-- False when there is none to take: then nobody may be parked.
CREATE FUNCTION interlock.approach(p_target text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE interlock.lock IN ROW EXCLUSIVE MODE;
    PERFORM interlock.check_grants();
    RETURN interlock.take(ARRAY[p_target]) IS NOT NULL;
END $$;

-- What a call has done to an execution. One that it started has a lease, told with its times; one that it ended has an instant and no lease, and only
-- its id and token are told; one that it left to be decided upon has neither, and only its place in the order of claims is told.
CREATE TYPE interlock.moved AS (
    id              text,
    at              timestamptz,
    lease           uuid,
    renewed_at      timestamptz,
    expires_at      timestamptz,
    token           bigint,
    attempt         int,
    attempts        jsonb,
    workflow        text,
    target          text,
    parameters      jsonb,
    requester       text,
    on_busy         text,
    priority        int,
    idempotency_key text,
    correlation_id  text,
    submitted_at    timestamptz
);

-- Starts executions that are ready and whose rows are ours: those whose lock is free, on whose target nobody works, and,
-- unless they may pass, ahead of whom nobody is. They come in any order, of each target at most one can start. The terms
-- are told by workflow: the lease under which it runs, and after how many microseconds it is stopped, if ever.
--
-- The row of the lock need not be ours before. This statement may wait for it, and goes by what it saw when it began. Whoever had the
-- lock then, or was ahead, still counts although it has gone: so one that might start does not, and the caller who wants to know takes
-- the row and asks again. The other way round it cannot be mistaken: whoever has the lock now is told by the row itself, and
-- nobody comes to be ahead of another except from RUNNING, which counts.
--
-- Here and where attempts end, what belongs to a row is looked up by its key: parameters in a map, rows behind OFFSET 0.
-- In a join the planner, for whom few run and lists are short, may well compare each with each.
CREATE FUNCTION interlock.start(p_claim uuid, p_ids text[], p_terms jsonb, p_owner text, p_pass boolean, p_state text)
RETURNS SETOF interlock.moved LANGUAGE plpgsql AS $$
DECLARE
    s interlock.store;
    v_base bigint;
BEGIN
    SELECT * INTO s FROM interlock.store;
    v_base := s.epoch::bigint << 40;
    RETURN QUERY
    WITH won AS (
        INSERT INTO interlock.lock AS k (name, token, held, lease, execution, attempt, owner, "user", acquired_at)
        SELECT e.target, greatest(s.floor, v_base) + 1, true, (p_terms -> e.workflow ->> 0)::uuid, e.id, e.attempt + 1, p_owner,
               e.requester, clock_timestamp()
          FROM interlock.execution e
         WHERE e.id = ANY (p_ids) AND e.turn IN ('READY', 'PARKED')
           AND NOT EXISTS (SELECT FROM interlock.execution x WHERE x.target = e.target AND x.phase = 'RUNNING' OFFSET 0)
           AND (p_pass OR NOT EXISTS (SELECT FROM interlock.execution x
                                       WHERE x.target = e.target AND x.phase = 'PENDING'
                                         AND (x.submitted_at, x.id) < (e.submitted_at, e.id)))
         ORDER BY e.target
        ON CONFLICT (name) DO UPDATE
           SET token = greatest(k.token, k.promised, v_base) + 1, held = true, lease = excluded.lease, ticket = NULL,
               execution = excluded.execution, attempt = excluded.attempt, owner = excluded.owner, "user" = excluded."user",
               acquired_at = clock_timestamp(), ends_at = NULL, lock_delay = NULL, cooldown = NULL, hold_reason = NULL,
               hold_ticket = NULL, forced_by = NULL, forced_reason = NULL, ending = NULL, ended_at = NULL, closed_until = NULL
         WHERE NOT k.held AND NOT k.queued AND (k.closed_until IS NULL OR k.closed_until <= clock_timestamp())
        RETURNING k.execution, k.token, k.lease, k.acquired_at
    ), started AS (
        UPDATE interlock.execution e
           SET phase = 'RUNNING', turn = NULL, due_at = NULL, attempt = e.attempt + 1, token = w.token, lease = w.lease,
               owner = p_owner, started_at = w.acquired_at, claim = p_claim, progress = NULL,
               timeout = (p_terms -> e.workflow ->> 1)::bigint * interval '1 microsecond'
          FROM won w
         WHERE e.id = w.execution
        RETURNING e.id, e.started_at, e.lease, e.token, e.attempt, e.attempts, e.workflow, e.target, e.parameters, e.requester,
                  e.on_busy, e.priority, e.idempotency_key, e.correlation_id, e.submitted_at
    ), told AS (
        INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at, workflow,
                                       correlation, phase, state, filed)
        SELECT e.target, e.token, 'GRANTED', e.id, e.attempt, p_owner, e.requester, e.started_at, e.started_at, e.workflow,
               e.correlation_id, 'RUNNING', p_state, NULL
          FROM started e
    )
    SELECT e.id, e.started_at, e.lease, l.renewed_at, l.expires_at, e.token, e.attempt, e.attempts, e.workflow, e.target, e.parameters,
           e.requester, e.on_busy, e.priority, e.idempotency_key, e.correlation_id, e.submitted_at
      FROM started e JOIN interlock.lease l ON l.id = e.lease;
END $$;

-- Opens the leases that are to carry a grant and are not there yet, when the rows of the locks are ours; refuses if one has ended.
CREATE FUNCTION interlock.carry(p_leases uuid[], p_micros bigint[], p_owner text, p_user text, p_channel text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    e interlock.lease;
    v_now timestamptz := clock_timestamp();
BEGIN
    FOR i IN 1 .. cardinality(p_leases) LOOP
        SELECT * INTO e FROM interlock.lease x WHERE x.id = p_leases[i];
        IF NOT FOUND THEN
            INSERT INTO interlock.lease (id, owner, "user", channel, duration, renewed_at, expires_at)
            VALUES (p_leases[i], p_owner, p_user, p_channel, p_micros[i] * interval '1 microsecond', v_now,
                    v_now + p_micros[i] * interval '1 microsecond')
            ON CONFLICT (id) DO NOTHING;
        ELSIF e.ended_at IS NOT NULL OR e.expires_at <= clock_timestamp() THEN
            RAISE EXCEPTION 'a lease has ended' USING ERRCODE = 'IL004', DETAIL = p_leases[i]::text;
        END IF;
    END LOOP;
END $$;

-- How many of each of these workflows are among the first so many that are ready, from the given place in the order of
-- claims on. Only a look: whoever claims takes as many of each as it finds that nobody else has taken.
CREATE FUNCTION interlock.shares(p_names text[], p_most int, p_seen text[], p_passed text[], p_rank bigint, p_from timestamptz, p_first text)
RETURNS TABLE (workflow text, share bigint) LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(p_names) = 1 THEN
        RETURN QUERY SELECT p_names[1], p_most::bigint;
        RETURN;
    END IF;
    RETURN QUERY
    SELECT f.name, count(*)
      FROM (SELECT n.name
              FROM unnest(p_names) AS n(name)
             CROSS JOIN LATERAL (SELECT x.priority, x.submitted_at, x.id
                                   FROM interlock.execution x
                                  WHERE x.turn = 'READY' AND x.workflow = n.name AND x.id <> ALL (p_seen)
                                    AND x.target <> ALL (p_passed)
                                    AND (-x.priority::bigint, x.submitted_at, x.id) >= (p_rank, p_from, p_first)
                                  ORDER BY -x.priority::bigint, x.submitted_at, x.id
                                  LIMIT p_most) h
             ORDER BY -h.priority::bigint, h.submitted_at, h.id
             LIMIT p_most) f
     GROUP BY f.name;
END $$;

-- Starts what is ready, for one worker. What it offers comes in parallel arrays, with the lease under which each would run.
-- Answers with what it started, and with executions that are pending still, about which the caller has to decide: those
-- whose admission takes more than a free target (p_plain says which workflows' does not). It looks from the given place in
-- the order of claims on.
CREATE FUNCTION interlock.claim(
    p_claim uuid, p_catalogue bigint, p_offers text[], p_plain boolean[], p_leases uuid[], p_lease_micros bigint[],
    p_terms jsonb, p_owner text, p_user text, p_channel text, p_most int, p_rank bigint, p_from timestamptz, p_first text)
RETURNS SETOF interlock.moved LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
SET enable_bitmapscan = off SET enable_sort = off SET jit = off AS $$
DECLARE
    s interlock.store;
    v_left int := p_most;
    v_names text[] := ARRAY(SELECT DISTINCT regexp_replace(o, '^.*/', '') FROM unnest(p_offers) AS o);
    v_ids text[];
    v_targets text[];
    v_offers int[];
    v_careful text[];
    v_seen text[] := '{}';
    v_passed text[] := '{}';
    v_found int;
    v_asked int;
    v_started int;
    v_again int;
    v_leases uuid[];
    v_micros bigint[];
    v_opens boolean;
    v_ours text[];
    v_parked interlock.moved;
BEGIN
    LOCK TABLE interlock.lock IN ROW EXCLUSIVE MODE;
    SELECT * INTO s FROM interlock.store;
    IF s.started_at <> pg_postmaster_start_time() OR s.grants_resume_at > clock_timestamp() THEN
        PERFORM interlock.check_grants();
    END IF;
    IF s.catalogue <> p_catalogue THEN
        RAISE EXCEPTION 'what is declared has changed' USING ERRCODE = 'IL005';
    END IF;
    UPDATE interlock.execution e SET turn = 'READY'
     WHERE e.id IN (SELECT x.id FROM interlock.execution x WHERE x.turn = 'TIMED' AND x.due_at <= clock_timestamp()
                     ORDER BY x.due_at LIMIT 256 FOR UPDATE SKIP LOCKED);
    -- A few rounds, since what is found may have to be parked. A long line behind somebody who works is passed
    -- over from then on: whoever stands in it has time.
    FOR round IN 1 .. 4 LOOP
        v_asked := v_left;
        SELECT count(*), array_agg(c.id) FILTER (WHERE c.plain), array_agg(c.target) FILTER (WHERE c.plain),
               array_agg(c.offer) FILTER (WHERE c.plain), array_agg(c.id) FILTER (WHERE NOT c.plain)
          INTO v_found, v_ids, v_targets, v_offers, v_careful
          FROM interlock.shares(v_names, v_left, v_seen, v_passed, p_rank, p_from, p_first) w
         CROSS JOIN LATERAL (
               SELECT e.id, e.target, o.offer, p_plain[o.offer] AND r.target IS NULL AND e.on_busy <> 'REFUSE' AS plain
                 FROM interlock.execution e
                 LEFT JOIN interlock.resource r ON r.target = e.target
                CROSS JOIN LATERAL (SELECT array_position(p_offers, coalesce(r.lifecycle || '/' || e.workflow, e.workflow)) AS offer
                                     OFFSET 0) o
                WHERE e.turn = 'READY' AND e.workflow = w.workflow AND o.offer IS NOT NULL AND e.id <> ALL (v_seen)
                  AND e.target <> ALL (v_passed)
                  AND (-e.priority::bigint, e.submitted_at, e.id) >= (p_rank, p_from, p_first)
                ORDER BY -e.priority::bigint, e.submitted_at, e.id
                LIMIT w.share
                  FOR UPDATE OF e SKIP LOCKED) c;
        IF v_careful IS NOT NULL THEN
            RETURN QUERY
            SELECT e.id, NULL::timestamptz, NULL::uuid, NULL::timestamptz, NULL::timestamptz, NULL::bigint, NULL::int, NULL::jsonb, NULL,
                   NULL, NULL::jsonb, NULL, NULL, e.priority, NULL, NULL, e.submitted_at
              FROM interlock.execution e WHERE e.id = ANY (v_careful);
            v_seen := v_seen || v_careful;
            v_left := v_left - cardinality(v_careful);
        END IF;
        IF v_ids IS NOT NULL THEN
            SELECT array_agg(d.lease ORDER BY d.lease), array_agg(d.micros ORDER BY d.lease),
                   bool_or(NOT EXISTS (SELECT FROM interlock.lease x WHERE x.id = d.lease))
              INTO v_leases, v_micros, v_opens
              FROM (SELECT DISTINCT p_leases[o.n] AS lease, p_lease_micros[o.n] AS micros FROM unnest(v_offers) AS o(n)) d;
            -- Whoever opens the same lease may wait for the row of one of these locks.
            IF v_opens THEN
                PERFORM interlock.take(v_targets);
                PERFORM interlock.carry(v_leases, v_micros, p_owner, p_user, p_channel);
            END IF;
            RETURN QUERY SELECT * FROM interlock.start(p_claim, v_ids, p_terms, p_owner, false, NULL);
            GET DIAGNOSTICS v_started = ROW_COUNT;
            -- The others may have to be parked, or their locks to be brought up to the present.
            IF v_started < cardinality(v_ids) THEN
                SELECT array_agg(e.id), array_agg(e.target) INTO v_ids, v_targets
                  FROM interlock.execution e WHERE e.id = ANY (v_ids) AND e.turn = 'READY';
                v_ours := interlock.take(v_targets);
                RETURN QUERY SELECT * FROM interlock.start(p_claim, v_ids, p_terms, p_owner, false, NULL);
                GET DIAGNOSTICS v_again = ROW_COUNT;
                v_started := v_started + v_again;
                IF v_again < cardinality(v_ids) THEN
                    SELECT coalesce(v_parked.attempt, 0) + a.parked, v_passed || a.crowded INTO v_parked.attempt, v_passed
                      FROM interlock.park(v_ids, v_targets, v_ours, p_claim) a;
                END IF;
            END IF;
            -- It may have ended while we waited for the rows of the locks.
            IF v_started > 0 THEN
                PERFORM interlock.carry(v_leases, v_micros, p_owner, p_user, p_channel);
            END IF;
            v_left := v_left - v_started;
        END IF;
        EXIT WHEN v_found < v_asked OR v_left <= 0;
    END LOOP;
    -- A row without an id says how many were parked.
    IF v_parked.attempt > 0 THEN
        RETURN NEXT v_parked;
    END IF;
END $$;

-- Puts aside those of these executions that could not start. One is parked only while the row of its target's lock is
-- ours, be it that we found it or that we made it; any other looks again in a moment. Answers how many are parked now, and whose
-- lines are long.
CREATE FUNCTION interlock.park(
    p_ids text[], p_targets text[], p_ours text[], p_claim uuid, OUT parked int, OUT crowded text[]) LANGUAGE plpgsql AS $$
DECLARE
    v_busy text[];
BEGIN
    WITH aside AS (
        UPDATE interlock.execution e
           SET turn = CASE WHEN b.behind THEN 'PARKED' ELSE 'TIMED' END,
               due_at = CASE WHEN NOT b.behind
                             THEN CASE WHEN NOT k.held AND NOT k.queued AND k.closed_until > clock_timestamp() THEN k.closed_until
                                       ELSE clock_timestamp() + interval '1 second' END END
          FROM unnest(p_ids, p_targets) AS c(id, target)
          LEFT JOIN interlock.lock k ON k.name = c.target
          LEFT JOIN interlock.execution r ON r.target = c.target AND r.phase = 'RUNNING'
         CROSS JOIN LATERAL (
               SELECT (c.target = ANY (p_ours) OR r.claim = p_claim) IS TRUE
                      AND (r.id IS NOT NULL
                           OR EXISTS (SELECT FROM interlock.execution x, interlock.execution y
                                       WHERE y.id = c.id AND x.target = c.target AND x.phase = 'PENDING'
                                         AND (x.submitted_at, x.id) < (y.submitted_at, y.id))) AS behind OFFSET 0) b
         WHERE e.id = c.id AND e.turn = 'READY'
        RETURNING e.target, b.behind, b.behind AND r.id IS NOT NULL AS busy
    )
    SELECT count(*) FILTER (WHERE a.behind), array_agg(DISTINCT a.target) FILTER (WHERE a.busy), '{}'
      INTO parked, v_busy, crowded FROM aside a;
    -- The line behind them, which would only be found and put aside one by one.
    IF v_busy IS NOT NULL THEN
        WITH line AS (
            UPDATE interlock.execution e SET turn = 'PARKED'
             WHERE e.id IN (SELECT w.id FROM unnest(v_busy) AS t(target)
                             CROSS JOIN LATERAL (SELECT x.id FROM interlock.execution x
                                                  WHERE x.target = t.target AND x.phase = 'PENDING' AND x.turn = 'READY'
                                                  ORDER BY x.submitted_at, x.id LIMIT 1000 FOR UPDATE SKIP LOCKED) w)
            RETURNING e.target
        )
        SELECT parked + coalesce(sum(l.more), 0), coalesce(array_agg(l.target) FILTER (WHERE l.more >= 64), '{}')
          INTO parked, crowded
          FROM (SELECT m.target, count(*) AS more FROM line m GROUP BY m.target) l;
    END IF;
END $$;

-- Ends the tenure of an execution, whose lock's row is ours, and hands the lock to whoever waits for it.
CREATE FUNCTION interlock.give_back(p_id text, p_token bigint, p_end timestamptz, p_phase text, p_state text, p_detail text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    e interlock.execution;
    l interlock.lock;
BEGIN
    SELECT * INTO e FROM interlock.execution WHERE id = p_id;
    SELECT * INTO l FROM interlock.lock WHERE name = e.target AND held AND token = p_token;
    INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at, actor, detail, clean,
                                   workflow, correlation, phase, state)
    VALUES (l.name, l.token, CASE WHEN l.forced_by IS NULL THEN 'RELEASED' ELSE 'FORCED' END, l.execution, l.attempt, l.owner,
            l."user", l.acquired_at, p_end, l.forced_by, coalesce(l.forced_reason, p_detail), true, e.workflow, e.correlation_id,
            p_phase, p_state);
    DELETE FROM interlock.notice WHERE lease = l.lease AND name = l.name AND token = l.token;
    UPDATE interlock.lock SET held = false, ending = 'RELEASED', ended_at = p_end, closed_until = p_end + cooldown
     WHERE name = l.name RETURNING * INTO l;
    PERFORM interlock.settle(l, '');
END $$;

-- Who is first in line on these targets, and may start for the worker at once: only on leases that are alive, only what is
-- plain to admit (the terms name it), and only if nothing that the worker offers is ahead in the order of claims. Whoever
-- is in the hands of a claim is left to it.
CREATE FUNCTION interlock.heirs(p_targets text[], p_catalogue bigint, p_workflows text[], p_terms jsonb, p_most int)
RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    v_ids text[];
    v_rank bigint;
    v_since timestamptz;
    v_first text;
    v_heirs text[];
BEGIN
    SELECT array_agg(f.id ORDER BY -f.priority::bigint, f.submitted_at, f.id) INTO v_ids
      FROM unnest(p_targets) AS t(target)
     CROSS JOIN LATERAL (SELECT x.id, x.priority, x.submitted_at FROM interlock.execution x
                          WHERE x.target = t.target AND x.phase = 'PENDING' ORDER BY x.submitted_at, x.id LIMIT 1) f;
    IF v_ids IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT -e.priority::bigint, e.submitted_at, e.id INTO v_rank, v_since, v_first
      FROM interlock.execution e WHERE e.id = v_ids[1];
    -- Backwards: where many are ahead, the nearest is next to it. The index begins with what has long been started.
    IF EXISTS (SELECT FROM unnest(p_workflows) AS n(name)
                CROSS JOIN LATERAL (SELECT FROM interlock.execution x
                                     WHERE x.turn = 'READY' AND x.workflow = n.name
                                       AND (-x.priority::bigint, x.submitted_at, x.id) < (v_rank, v_since, v_first)
                                     ORDER BY -x.priority::bigint DESC, x.submitted_at DESC, x.id DESC LIMIT 1) a) THEN
        RETURN NULL;
    END IF;
    SELECT -a.priority::bigint, a.submitted_at, a.id INTO v_rank, v_since, v_first
      FROM unnest(p_workflows) AS n(name)
     CROSS JOIN LATERAL (SELECT x.id, x.priority, x.submitted_at FROM interlock.execution x
                          WHERE x.turn = 'READY' AND x.workflow = n.name
                            AND (-x.priority::bigint, x.submitted_at, x.id) >= (v_rank, v_since, v_first)
                          ORDER BY -x.priority::bigint, x.submitted_at, x.id LIMIT 1) a
     ORDER BY 1, 2, 3
     LIMIT 1;
    SELECT array_agg(h.id) INTO v_heirs
      FROM (SELECT e.id
              FROM interlock.store s, interlock.execution e
             WHERE s.started_at = pg_postmaster_start_time() AND s.grants_resume_at <= clock_timestamp()
               AND s.catalogue = p_catalogue
               AND e.id = ANY (v_ids) AND e.turn IN ('READY', 'PARKED') AND e.on_busy <> 'REFUSE' AND p_terms ? e.workflow
               AND EXISTS (SELECT FROM interlock.lease l
                            WHERE l.id = (p_terms -> e.workflow ->> 0)::uuid AND l.ended_at IS NULL
                              AND l.expires_at > clock_timestamp() OFFSET 0)
               AND NOT EXISTS (SELECT FROM interlock.resource r WHERE r.target = e.target OFFSET 0)
               AND (v_first IS NULL OR (-e.priority::bigint, e.submitted_at, e.id) <= (v_rank, v_since, v_first))
             ORDER BY -e.priority::bigint, e.submitted_at, e.id
             LIMIT p_most
               FOR UPDATE OF e SKIP LOCKED) h;
    RETURN v_heirs;
END $$;

-- Completes executions that run under these tokens: those whose lock nobody waits for, and that are no resource. The caller
-- goes after the others one by one. An attempt whose lease has ended counts while its lock is still its own. Starts what is
-- next in line behind them for the worker that asks for it, at most so many.
CREATE FUNCTION interlock.complete(
    p_targets text[], p_ids text[], p_tokens bigint[], p_exits int[],
    p_claim uuid, p_catalogue bigint, p_workflows text[], p_terms jsonb, p_owner text, p_most int)
RETURNS SETOF interlock.moved LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
    v_now timestamptz := clock_timestamp();
    v_ended text[];
    v_tokens bigint[];
    v_targets text[];
    v_heirs text[];
    v_parked text[];
    v_started int := 0;
BEGIN
    WITH freed AS (
        UPDATE interlock.lock k
           SET held = false, ending = 'RELEASED', ended_at = v_now,
               signpost = CASE WHEN k.signpost >> 6 = k.token >> 6 THEN k.signpost ELSE k.token END
          FROM (SELECT * FROM unnest(p_targets, p_ids, p_tokens, p_exits) AS u(target, id, token, exit)
                 ORDER BY u.target COLLATE "C") f
         WHERE k.name = f.target AND k.token = f.token AND k.execution = f.id AND k.held AND NOT k.queued
           AND k.forced_by IS NULL AND k.ends_at IS NULL AND k.cooldown IS NULL
           AND EXISTS (SELECT FROM interlock.execution x
                        WHERE x.target = k.name AND x.phase = 'RUNNING' AND x.id = k.execution AND x.token = k.token OFFSET 0)
           AND NOT EXISTS (SELECT FROM interlock.resource r WHERE r.target = k.name OFFSET 0)
        RETURNING f.id, f.exit, k.signpost = k.token AS first
    ), done AS (
        UPDATE interlock.execution e SET phase = 'COMPLETED', ended_at = v_now, progress = NULL, exit = f.exit
          FROM freed f
         WHERE e.id = f.id
        RETURNING e.id, e.target, e.token, e.attempt, e.owner, e.requester, e.started_at, e.workflow, e.correlation_id, f.first
    ), told AS (
        INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at, clean, workflow,
                                       correlation, phase, filed)
        SELECT e.target, e.token, 'RELEASED', e.id, e.attempt, e.owner, e.requester, e.started_at, v_now, true, e.workflow,
               e.correlation_id, 'COMPLETED', e.first
          FROM done e
    )
    SELECT array_agg(e.id), array_agg(e.token), array_agg(e.target) INTO v_ended, v_tokens, v_targets FROM done e;
    IF v_ended IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT e.id, v_now, NULL::uuid, NULL::timestamptz, NULL::timestamptz, e.token, NULL::int, NULL::jsonb, NULL, NULL, NULL::jsonb, NULL,
           NULL, NULL::int, NULL, NULL, NULL::timestamptz
      FROM unnest(v_ended, v_tokens) AS e(id, token);
    -- In statements of their own: they see whoever was put aside before these rows were ours.
    IF p_most > 0 THEN
        v_heirs := interlock.heirs(v_targets, p_catalogue, p_workflows, p_terms, p_most);
    END IF;
    IF v_heirs IS NOT NULL THEN
        RETURN QUERY SELECT * FROM interlock.start(p_claim, v_heirs, p_terms, p_owner, false, NULL);
        GET DIAGNOSTICS v_started = ROW_COUNT;
    END IF;
    IF v_started < cardinality(v_targets) THEN
        SELECT array_agg(t.target) INTO v_parked FROM unnest(v_targets) AS t(target)
         WHERE EXISTS (SELECT FROM interlock.execution x WHERE x.target = t.target AND x.turn = 'PARKED' OFFSET 0);
        IF v_parked IS NOT NULL THEN
            PERFORM interlock.promote(v_parked);
        END IF;
    END IF;
END $$;
