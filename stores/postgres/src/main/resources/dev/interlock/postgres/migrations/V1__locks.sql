-- Locks, leases, waiters and their history.
--
-- A lock hangs on a lease; it is alive while the lease is, and while it has not reached an end of its own. Whoever finds
-- a lock whose lease has run out first ends the lease by compare-and-set, so that a late renewal cannot succeed, and
-- only then grants the lock again.
--
-- Order of row locks, everywhere: lock rows by name, then lease rows by id. Waiters are guarded by their lock's row.
-- Every instant is clock_timestamp() read after the rows are ours: time spent waiting never eats into a lease.

CREATE TABLE interlock.store (
    only_row          boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    schema_version    int         NOT NULL,
    -- Raised when the server may have forgotten commits; the high part of every later token.
    epoch             int         NOT NULL DEFAULT 0,
    -- No name without a record starts at or below this token.
    floor             bigint      NOT NULL DEFAULT 0,
    system_identifier bigint      NOT NULL,
    timeline          text        NOT NULL,
    -- The start of the server process that was last checked against the two above.
    started_at        timestamptz NOT NULL,
    grants_resume_at  timestamptz NOT NULL DEFAULT '-infinity',
    pruned_at         timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Since when the server has forgotten nothing that it had not waited for on disk. PostgreSQL empties this table when it recovers
-- from a crash, and keeps it when it was stopped.
CREATE UNLOGGED TABLE interlock.unbroken (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    -- Whoever waited before has a lower ticket.
    ticket   bigint      NOT NULL,
    since    timestamptz NOT NULL
);
INSERT INTO interlock.unbroken (ticket, since) VALUES (0, '-infinity');

CREATE TABLE interlock.lease (
    id         uuid PRIMARY KEY,
    owner      text        NOT NULL,
    "user"     text        NOT NULL,
    channel    text,
    duration   interval    NOT NULL,
    renewed_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at   timestamptz
) WITH (fillfactor = 50);

CREATE TABLE interlock.lock (
    name          text COLLATE "C" PRIMARY KEY,
    token         bigint      NOT NULL,
    held          boolean     NOT NULL,
    -- True while the queue may have waiters. A waiter that comes sets it, so that a release that was waiting for this
    -- row looks again and hands the lock over.
    queued        boolean     NOT NULL DEFAULT false,
    lease         uuid        NOT NULL,
    execution     text        NOT NULL,
    attempt       int         NOT NULL,
    owner         text        NOT NULL,
    "user"        text        NOT NULL,
    acquired_at   timestamptz NOT NULL,
    -- The waiter's ticket, when the present grant came by hand-over.
    ticket        bigint,
    -- The highest token that a waiter was ever promised.
    promised      bigint      NOT NULL DEFAULT 0,
    -- Since which crash of the server (unbroken.ticket) a holder has said that it still has the lock.
    confirmed     bigint      NOT NULL DEFAULT 0,
    -- An end that no renewal moves: maximum hold, or the time left to a holder that was told to stop.
    ends_at       timestamptz,
    lock_delay    interval,
    cooldown      interval,
    hold_reason   text,
    hold_ticket   text,
    forced_by     text,
    forced_reason text,
    -- How the latest grant ended, when nobody holds the lock.
    ending        text,
    ended_at      timestamptz,
    closed_until  timestamptz,
    -- The token of the tenure that was filed last for the others on its shelf: see history.
    signpost      bigint      NOT NULL DEFAULT -1
) WITH (fillfactor = 50);

CREATE SEQUENCE interlock.ticket;

CREATE TABLE interlock.waiter (
    name      text COLLATE "C" NOT NULL,
    ticket    bigint      NOT NULL,
    lease     uuid        NOT NULL,
    execution text        NOT NULL,
    attempt   int         NOT NULL,
    owner     text        NOT NULL,
    "user"    text        NOT NULL,
    terms     jsonb,
    since     timestamptz NOT NULL,
    until     timestamptz NOT NULL,
    -- The token that it is promised. A place is waited for on disk, so that the hand-over need not be.
    token     bigint      NOT NULL,
    PRIMARY KEY (name, ticket)
);
CREATE UNIQUE INDEX waiter_once ON interlock.waiter (lease, execution, attempt, name);

-- One row per grant, written when it ends; one per refusal and per order of a person.
--
-- A place in an ordered index by name is the dearest part of a row, and of a lock that changes hands all day nobody needs
-- one for each tenure. So 64 successive tokens of a name share a shelf, and whoever releases a lock in the plain way files
-- only the first tenure on a shelf (lock.signpost). The others lie on the shelf, in an index that costs a fraction.
CREATE TABLE interlock.history (
    name      text COLLATE "C" NOT NULL,
    token     bigint      NOT NULL,
    event     text        NOT NULL,
    execution text        NOT NULL,
    attempt   int         NOT NULL,
    owner     text        NOT NULL,
    "user"    text        NOT NULL,
    began_at  timestamptz NOT NULL,
    ended_at  timestamptz NOT NULL,
    actor     text,
    detail    text,
    -- Whether the holder itself ended the tenure, if only because it was told to.
    clean     boolean     NOT NULL DEFAULT false
);

-- What a living lease must be told when the time has come: that a grant was taken from it (FORCED), that one has lasted
-- its maximum (HELD_TOO_LONG), that a waiter was removed (CANCELLED) or has waited its time (WAITED_TOO_LONG).
CREATE TABLE interlock.notice (
    lease  uuid        NOT NULL,
    name   text COLLATE "C" NOT NULL,
    token  bigint,
    ticket bigint,
    cause  text        NOT NULL,
    actor  text,
    reason text,
    due_at timestamptz NOT NULL
);
CREATE INDEX notice_for ON interlock.notice (lease);

CREATE VIEW interlock.record AS
SELECT l.name,
       l.token,
       CASE
           WHEN NOT l.held THEN l.ending
           WHEN e.id IS NULL OR e.ended_at IS NOT NULL OR e.expires_at <= c.now OR l.ends_at <= c.now THEN 'EXPIRED'
           WHEN l.forced_by IS NOT NULL THEN 'RELEASING'
           ELSE 'ACTIVE'
       END AS status,
       l.execution,
       l.attempt,
       l.owner,
       l."user",
       l.lease,
       l.acquired_at,
       CASE WHEN l.held THEN coalesce(e.renewed_at, l.acquired_at) ELSE l.acquired_at END AS renewed_at,
       CASE WHEN l.held THEN least(e.expires_at, e.ended_at, l.ends_at) ELSE l.ended_at END AS expires_at,
       l.hold_reason,
       l.hold_ticket,
       l.forced_by,
       l.forced_reason,
       CASE WHEN l.queued THEN (SELECT count(*) FROM interlock.waiter w WHERE w.name = l.name) ELSE 0 END::int AS waiting,
       CASE WHEN NOT l.held AND l.closed_until > c.now THEN l.closed_until END AS closed_until,
       c.now AS seen_at
  FROM interlock.lock l
  LEFT JOIN interlock.lease e ON e.id = l.lease
 CROSS JOIN LATERAL (SELECT clock_timestamp() AS now OFFSET 0) c;

-- The timeline of the running server: the first part of the name of the file it writes.
CREATE FUNCTION interlock.timeline() RETURNS text LANGUAGE sql AS
$$ SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) $$;

INSERT INTO interlock.store (schema_version, system_identifier, timeline, started_at)
SELECT 1, system_identifier, interlock.timeline(), pg_postmaster_start_time() FROM pg_control_system();

-- Raises the epoch: every later token is above every token that may have been handed out, and nothing is granted until
-- the leases that may have been forgotten are over.
CREATE FUNCTION interlock.raise_epoch() RETURNS interlock.store LANGUAGE plpgsql AS $$
DECLARE
    s interlock.store;
    v_longest interval;
BEGIN
    PERFORM FROM interlock.store FOR UPDATE;
    -- Whoever grants takes this table before it reads the epoch: it has either ended before this, or reads the new one.
    LOCK TABLE interlock.lock IN SHARE ROW EXCLUSIVE MODE;
    -- Leases without a channel are nobody's running work, and beyond an hour a person should decide.
    SELECT least(greatest(max(duration), interval '30 seconds'), interval '1 hour') INTO v_longest
      FROM interlock.lease WHERE channel IS NOT NULL AND expires_at > clock_timestamp() - interval '1 day';
    UPDATE interlock.store
       SET epoch = epoch + 1,
           floor = greatest(floor, (epoch + 1)::bigint << 40),
           grants_resume_at = clock_timestamp() + coalesce(v_longest, interval '30 seconds'),
           system_identifier = (SELECT system_identifier FROM pg_control_system()),
           timeline = interlock.timeline(),
           started_at = pg_postmaster_start_time()
    RETURNING * INTO s;
    DELETE FROM interlock.unbroken;
    RETURN s;
END $$;

-- Called, in a transaction of its own, when a verb found (IL001) that the server process is another than the one last checked, or that it
-- has recovered from a crash.
CREATE FUNCTION interlock.check_server() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s interlock.store;
BEGIN
    SELECT * INTO s FROM interlock.store FOR UPDATE;
    IF s.started_at <> pg_postmaster_start_time() THEN
        IF s.system_identifier <> (SELECT system_identifier FROM pg_control_system())
           OR s.timeline <> interlock.timeline() THEN
            s := interlock.raise_epoch();
        ELSE
            UPDATE interlock.store SET started_at = pg_postmaster_start_time();
        END IF;
    END IF;
    INSERT INTO interlock.unbroken (ticket, since) VALUES (nextval('interlock.ticket'), clock_timestamp()) ON CONFLICT (only_row) DO NOTHING;
END $$;

-- Refuses to grant while the store is not sure of its past. A refusal undoes all that the verb did, so that raising the epoch cannot be
-- part of it: the process that is told IL001 calls check_server and asks again.
CREATE FUNCTION interlock.check_grants() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s interlock.store;
BEGIN
    SELECT * INTO s FROM interlock.store;
    IF s.started_at <> pg_postmaster_start_time() THEN
        RAISE EXCEPTION 'the server was started anew' USING ERRCODE = 'IL001';
    END IF;
    IF s.grants_resume_at > clock_timestamp() THEN
        RAISE EXCEPTION 'Nothing is granted until %', s.grants_resume_at USING ERRCODE = 'IL002';
    END IF;
END $$;

-- A hand-over is not waited for on disk: the place in the queue and the token promised with it were. A crash may make the server forget
-- the hand-over. Then the lock still seems to be its former holder's, and the waiter, which works already, still seems to wait. Whoever
-- comes with a token that only this waiter can know sets that right (remember), and every process says what it holds when it renews for
-- the first time after a crash (confirm). So for one lease after it nobody who may hold the lock is passed over, and its former
-- holder is not taken for the present one.
CREATE FUNCTION interlock.era() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_ticket bigint;
BEGIN
    SELECT ticket INTO v_ticket FROM interlock.unbroken;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the server has recovered from a crash' USING ERRCODE = 'IL001';
    END IF;
    RETURN v_ticket;
END $$;

-- As long as nobody has noted a crash it has only just been.
CREATE FUNCTION interlock.unbroken() RETURNS interlock.unbroken LANGUAGE plpgsql AS $$
DECLARE
    u interlock.unbroken;
BEGIN
    SELECT * INTO u FROM interlock.unbroken;
    IF NOT FOUND THEN
        u := (true, 9223372036854775807, clock_timestamp())::interlock.unbroken;
    END IF;
    RETURN u;
END $$;

-- Whether a crash may have made the server forget that this waiter was handed its lock; where it has terms, that was waited for.
CREATE FUNCTION interlock.may_hold(w interlock.waiter, e interlock.lease, u interlock.unbroken) RETURNS boolean LANGUAGE sql AS $$
    SELECT coalesce(w.terms IS NULL AND w.ticket < u.ticket AND clock_timestamp() < u.since + e.duration
                    AND e.ended_at IS NULL AND e.expires_at > clock_timestamp(), false)
$$;

-- Whether the holder is a running execution, whose end is waited for on disk. Executions come with the next migration.
CREATE FUNCTION interlock.is_execution(l interlock.lock) RETURNS boolean LANGUAGE sql AS $$ SELECT false $$;

-- Whether a crash may have made the server forget that the holder it knows has given the lock to one of those who wait.
CREATE FUNCTION interlock.in_doubt(l interlock.lock) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    u interlock.unbroken;
BEGIN
    IF NOT l.held OR NOT l.queued THEN
        RETURN false;
    END IF;
    u := interlock.unbroken();
    RETURN l.confirmed < u.ticket
       AND EXISTS (SELECT FROM interlock.waiter w JOIN interlock.lease e ON e.id = w.lease
                    WHERE w.name = l.name AND w.ticket < u.ticket AND interlock.may_hold(w, e, u))
       AND NOT interlock.is_execution(l);
END $$;

-- Hands a free lock to the first waiter that is still alive and still wants it.
CREATE FUNCTION interlock.hand_over(l interlock.lock, p_channel text) RETURNS interlock.lock LANGUAGE plpgsql AS $$
DECLARE
    s interlock.store;
    w interlock.waiter;
    e interlock.lease;
    u interlock.unbroken;
    v_now timestamptz;
BEGIN
    LOCK TABLE interlock.lock IN ROW EXCLUSIVE MODE;
    SELECT * INTO s FROM interlock.store;
    u := interlock.unbroken();
    IF s.started_at <> pg_postmaster_start_time() THEN
        PERFORM interlock.check_grants();
    END IF;
    IF s.grants_resume_at > clock_timestamp() THEN
        RETURN l; -- the queue moves on when a waiter looks after that
    END IF;
    LOOP
        SELECT * INTO w FROM interlock.waiter WHERE name = l.name ORDER BY ticket LIMIT 1;
        IF NOT FOUND THEN
            UPDATE interlock.lock SET queued = false WHERE name = l.name RETURNING * INTO l;
            RETURN l;
        END IF;
        SELECT * INTO e FROM interlock.lease WHERE id = w.lease;
        v_now := clock_timestamp();
        -- Whoever may have it says so within its lease, or has stopped by then.
        IF l.confirmed < u.ticket
           AND (w.until <= v_now AND interlock.may_hold(w, e, u)
                OR EXISTS (SELECT FROM interlock.waiter n JOIN interlock.lease x ON x.id = n.lease
                            WHERE n.name = l.name AND n.ticket > w.ticket AND n.ticket < u.ticket
                              AND n.token > l.token AND n.token < w.token AND interlock.may_hold(n, x, u))) THEN
            RETURN l;
        END IF;
        DELETE FROM interlock.waiter WHERE name = w.name AND ticket = w.ticket;
        IF e.ended_at IS NULL AND e.expires_at > v_now THEN
            EXIT WHEN w.until > v_now;
            INSERT INTO interlock.notice VALUES (w.lease, w.name, NULL, w.ticket, 'WAITED_TOO_LONG', NULL, NULL, clock_timestamp());
        END IF;
    END LOOP;
    v_now := clock_timestamp();
    UPDATE interlock.lock
       SET token = CASE WHEN w.token > greatest(token, s.epoch::bigint << 40) THEN w.token
                        ELSE greatest(token, promised, s.epoch::bigint << 40) + 1 END,
           held = true, lease = w.lease, ticket = w.ticket,
           queued = EXISTS (SELECT FROM interlock.waiter n WHERE n.name = w.name),
           execution = w.execution, attempt = w.attempt, owner = w.owner, "user" = w."user",
           acquired_at = v_now,
           ends_at = v_now + (w.terms ->> 'maxHold')::interval,
           lock_delay = (w.terms ->> 'lockDelay')::interval, cooldown = (w.terms ->> 'cooldown')::interval,
           hold_reason = w.terms ->> 'reason', hold_ticket = w.terms ->> 'ticket',
           forced_by = NULL, forced_reason = NULL, ending = NULL, ended_at = NULL, closed_until = NULL
     WHERE name = l.name
    RETURNING * INTO l;
    IF l.ends_at IS NOT NULL THEN
        INSERT INTO interlock.notice VALUES (l.lease, l.name, l.token, NULL, 'HELD_TOO_LONG', NULL, NULL, l.ends_at);
    END IF;
    -- NOTIFY serialises commits of the whole server: never to the process that asked, which reads the answer.
    IF e.channel <> p_channel THEN
        PERFORM pg_notify(e.channel, 'granted ' || w.ticket || ' ' || l.token || ' ' || (extract(epoch FROM l.acquired_at) * 1000000)::bigint
                                      || CASE WHEN l.queued THEN ' queued' ELSE ' last' END);
    END IF;
    RETURN l;
END $$;

-- Ends a grant whose end is known, and writes its history.
CREATE FUNCTION interlock.conclude(l interlock.lock, p_event text, p_end timestamptz, p_closed interval, p_clean boolean)
RETURNS interlock.lock LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO interlock.history
    VALUES (l.name, l.token, p_event, l.execution, l.attempt, l.owner, l."user", l.acquired_at, p_end,
            l.forced_by, l.forced_reason, p_clean);
    IF p_clean AND l.ends_at IS NOT NULL THEN
        DELETE FROM interlock.notice WHERE lease = l.lease AND name = l.name AND token = l.token;
    END IF;
    UPDATE interlock.lock
       SET held = false, ending = CASE p_event WHEN 'RELEASED' THEN 'RELEASED' WHEN 'FORCED' THEN 'RELEASED' ELSE 'EXPIRED' END,
           ended_at = p_end, closed_until = p_end + p_closed
     WHERE name = l.name
    RETURNING * INTO l;
    RETURN l;
END $$;

-- A holder of this lease comes with a token above that of the lock, whose row is ours. If a living waiter was promised it, a crash has
-- made the server forget the hand-over: whoever held the lock has ended, and so has everybody who was ahead.
CREATE FUNCTION interlock.remember(l interlock.lock, p_token bigint, p_lease uuid) RETURNS interlock.lock LANGUAGE plpgsql AS $$
DECLARE
    w interlock.waiter;
    v_now timestamptz;
BEGIN
    SELECT p.* INTO w FROM interlock.waiter p JOIN interlock.lease e ON e.id = p.lease
     WHERE p.name = l.name AND p.token = p_token AND p.lease = p_lease AND p.terms IS NULL
       AND p.token > greatest(l.token, (SELECT epoch::bigint << 40 FROM interlock.store))
       AND e.ended_at IS NULL AND e.expires_at > clock_timestamp();
    IF NOT FOUND THEN
        RETURN l;
    END IF;
    IF l.held THEN
        l := interlock.conclude(l, CASE WHEN l.forced_by IS NULL THEN 'RELEASED' ELSE 'FORCED' END, clock_timestamp(), NULL, true);
    END IF;
    v_now := clock_timestamp();
    -- Who lives and left the queue without saying so had its turn.
    INSERT INTO interlock.history
    SELECT a.name, a.token, 'RELEASED', a.execution, a.attempt, a.owner, a."user", v_now, v_now, NULL, NULL, true
      FROM interlock.waiter a JOIN interlock.lease e ON e.id = a.lease
     WHERE a.name = l.name AND a.ticket < w.ticket AND a.token > l.token AND a.terms IS NULL
       AND e.ended_at IS NULL AND e.expires_at > v_now;
    DELETE FROM interlock.waiter a WHERE a.name = l.name AND a.ticket <= w.ticket AND a.terms IS NULL;
    UPDATE interlock.lock k
       SET token = w.token, held = true, lease = w.lease, ticket = w.ticket,
           queued = EXISTS (SELECT FROM interlock.waiter n WHERE n.name = w.name),
           execution = w.execution, attempt = w.attempt, owner = w.owner, "user" = w."user", acquired_at = v_now, ends_at = NULL,
           lock_delay = NULL, cooldown = NULL, hold_reason = NULL, hold_ticket = NULL, forced_by = NULL, forced_reason = NULL,
           ending = NULL, ended_at = NULL, closed_until = NULL
     WHERE k.name = l.name
    RETURNING * INTO l;
    RETURN l;
END $$;

-- Brings a lock, whose row is ours, up to the present: ends a grant that is over, and hands a free lock to its queue.
CREATE FUNCTION interlock.settle(l interlock.lock, p_channel text) RETURNS interlock.lock LANGUAGE plpgsql AS $$
DECLARE
    e interlock.lease;
BEGIN
    IF l.held THEN
        IF l.ends_at <= clock_timestamp() THEN
            l := interlock.conclude(l, CASE WHEN l.forced_by IS NULL THEN 'HELD_TOO_LONG' ELSE 'FORCED' END, l.ends_at, l.lock_delay, false);
        ELSE
            SELECT * INTO e FROM interlock.lease WHERE id = l.lease;
            IF e.ended_at IS NULL AND e.expires_at <= clock_timestamp() THEN
                SELECT * INTO e FROM interlock.lease WHERE id = l.lease FOR UPDATE;
                IF e.ended_at IS NULL AND e.expires_at <= clock_timestamp() THEN
                    UPDATE interlock.lease SET ended_at = clock_timestamp() WHERE id = l.lease RETURNING * INTO e;
                END IF;
            END IF;
            IF e.id IS NULL OR e.ended_at IS NOT NULL THEN
                l := interlock.conclude(l, 'EXPIRED', coalesce(least(e.expires_at, e.ended_at), l.acquired_at), l.lock_delay, false);
            END IF;
        END IF;
    END IF;
    IF NOT l.held AND l.queued AND (l.closed_until IS NULL OR l.closed_until <= clock_timestamp()) THEN
        l := interlock.hand_over(l, p_channel);
    END IF;
    RETURN l;
END $$;

-- Renews leases whose rows are ours; never to an earlier end than they had.
CREATE FUNCTION interlock.prolong(p_leases uuid[]) RETURNS void LANGUAGE sql AS $$
    UPDATE interlock.lease e
       SET renewed_at = c.now, expires_at = greatest(e.expires_at, c.now + e.duration)
      FROM (SELECT clock_timestamp() AS now OFFSET 0) c
     WHERE e.id = ANY (p_leases) AND e.ended_at IS NULL AND e.expires_at > c.now
$$;

CREATE FUNCTION interlock.note_refusal(p_name text, p_token bigint, p_execution text, p_attempt int, p_owner text, p_user text)
RETURNS void LANGUAGE sql AS $$
    INSERT INTO interlock.history
    SELECT p_name, p_token, 'REFUSED', p_execution, p_attempt, p_owner, p_user, c.now, c.now FROM (SELECT clock_timestamp() AS now OFFSET 0) c
$$;

-- How many living waiters stand before this ticket. Few leases, many waiters: each lease is looked at once.
CREATE FUNCTION interlock.ahead(p_name text, p_ticket bigint) RETURNS int LANGUAGE sql AS $$
    SELECT coalesce(sum(g.waiters), 0)::int
      FROM (SELECT w.lease, count(*) AS waiters FROM interlock.waiter w
             WHERE w.name = p_name AND w.ticket < p_ticket AND w.until > clock_timestamp() GROUP BY w.lease) g
      JOIN interlock.lease e ON e.id = g.lease AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()
$$;

CREATE TYPE interlock.answer AS (
    n             int,
    outcome       text,
    queue_ticket  bigint,
    queue_place   int,
    name          text,
    token         bigint,
    status        text,
    execution     text,
    attempt       int,
    owner         text,
    "user"        text,
    lease         uuid,
    acquired_at   timestamptz,
    renewed_at    timestamptz,
    expires_at    timestamptz,
    hold_reason   text,
    hold_ticket   text,
    forced_by     text,
    forced_reason text,
    waiting       int,
    closed_until  timestamptz,
    seen_at       timestamptz
);

-- Requests of one process for locks, answered in one step. They come in the order of their names.
--   p_first   false for a request whose name stands in the batch before
--   p_open    leases that the store may not know yet; p_known, those that it must
--   p_waits   how long each request is ready to wait, in microseconds; null: refused at once
--   p_limits  how many may be ahead of it
--   p_tickets the place it had, when it stood in the queue before
-- Answers: GRANTED (by name, or by number), HELD, COOLING, QUEUED, FULL, LEASE_ENDED, and LEASE with each lease's times; and STALE for
-- what the holder had or waited for before a crash, if the server may have forgotten that it gave it back.
CREATE FUNCTION interlock.acquire(
    p_names text[], p_leases uuid[], p_executions text[], p_attempts int[], p_owners text[], p_users text[], p_terms jsonb[],
    p_first boolean[], p_waits bigint[], p_limits int[], p_tickets bigint[],
    p_known uuid[], p_open uuid[], p_open_owners text[], p_open_users text[], p_open_micros bigint[], p_channel text)
RETURNS SETOF interlock.answer LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
DECLARE
    s interlock.store;
    u interlock.unbroken;
    r record;
    e interlock.lease;
    l interlock.lock;
    was interlock.lock;
    v_base bigint;
    v_dead uuid[];
    v_opened uuid[];
    v_granted int;
    v_ticket bigint;
    v_place int;
    v_outcome text;
    v_durable boolean := false;
    v_used boolean := false;
    v_began timestamptz := clock_timestamp();
    v_now timestamptz;
    v_n int[] := '{}';
    v_outcomes text[] := '{}';
    v_queue_tickets bigint[] := '{}';
    v_queue_places int[] := '{}';
BEGIN
    LOCK TABLE interlock.lock IN ROW EXCLUSIVE MODE;
    SELECT * INTO s FROM interlock.store;
    IF s.started_at <> pg_postmaster_start_time() OR s.grants_resume_at > clock_timestamp() THEN
        PERFORM interlock.check_grants();
    END IF;
    v_base := s.epoch::bigint << 40;

    -- A lease that should be known but is not has been forgotten; one that is to be opened may be there from a lost answer.
    IF cardinality(p_known) = 1 THEN
        SELECT * INTO e FROM interlock.lease x WHERE x.id = p_known[1];
        IF e.id IS NULL OR e.ended_at IS NOT NULL OR e.expires_at <= clock_timestamp() THEN
            v_dead := p_known;
        END IF;
    ELSIF cardinality(p_known) > 1 THEN
        SELECT array_agg(k.id) INTO v_dead FROM unnest(p_known) AS k(id)
         WHERE NOT EXISTS (SELECT FROM interlock.lease x WHERE x.id = k.id AND x.ended_at IS NULL AND x.expires_at > clock_timestamp());
    END IF;
    IF cardinality(p_open) > 0 THEN
        SELECT v_dead || array_agg(x.id) INTO v_dead FROM interlock.lease x
         WHERE x.id = ANY (p_open) AND (x.ended_at IS NOT NULL OR x.expires_at <= clock_timestamp());
    END IF;

    -- Free and unknown names, which is nearly always all of them. The row is locked even where nothing is granted.
    RETURN QUERY
    INSERT INTO interlock.lock AS k (name, token, held, lease, execution, attempt, owner, "user", acquired_at,
                                     ends_at, lock_delay, cooldown, hold_reason, hold_ticket)
    SELECT q.name, greatest((SELECT floor FROM interlock.store), v_base) + 1, true, q.lease, q.execution, q.attempt, q.owner, q."user",
           c.now, c.now + (q.terms ->> 'maxHold')::interval, (q.terms ->> 'lockDelay')::interval,
           (q.terms ->> 'cooldown')::interval, q.terms ->> 'reason', q.terms ->> 'ticket'
      FROM unnest(p_names, p_leases, p_executions, p_attempts, p_owners, p_users, p_terms, p_first)
           AS q(name, lease, execution, attempt, owner, "user", terms, first),
           LATERAL (SELECT clock_timestamp() AS now WHERE q.first OFFSET 0) c
     WHERE q.first AND (v_dead IS NULL OR q.lease <> ALL (v_dead))
    ON CONFLICT (name) DO UPDATE
       SET token = greatest(k.token, k.promised, v_base) + 1, held = true, lease = excluded.lease, ticket = NULL,
           execution = excluded.execution, attempt = excluded.attempt, owner = excluded.owner, "user" = excluded."user",
           (acquired_at, ends_at) = (SELECT c.now, c.now + (excluded.ends_at - excluded.acquired_at)
                                       FROM (SELECT clock_timestamp() AS now OFFSET 0) c),
           lock_delay = excluded.lock_delay, cooldown = excluded.cooldown,
           hold_reason = excluded.hold_reason, hold_ticket = excluded.hold_ticket,
           forced_by = NULL, forced_reason = NULL, ending = NULL, ended_at = NULL, closed_until = NULL
     WHERE NOT k.held AND NOT k.queued AND (k.closed_until IS NULL OR k.closed_until <= clock_timestamp())
    RETURNING NULL::int, 'GRANTED', NULL::bigint, NULL::int, k.name, k.token, NULL::text, NULL::text, NULL::int, NULL::text, NULL::text,
              k.lease, k.acquired_at, NULL::timestamptz, k.ends_at, NULL::text, NULL::text, NULL::text, NULL::text,
              NULL::int, NULL::timestamptz, NULL::timestamptz;
    GET DIAGNOSTICS v_granted = ROW_COUNT;
    v_durable := v_granted > 0;
    v_used := v_durable;

    IF v_granted < cardinality(p_names) THEN
        -- Leases that will be ended below, in the order of their ids.
        PERFORM FROM interlock.lease x
          WHERE x.id IN (SELECT h.lease FROM interlock.lock h WHERE h.name = ANY (p_names) AND h.held)
            AND x.ended_at IS NULL AND x.expires_at <= clock_timestamp()
          ORDER BY x.id FOR UPDATE;
    END IF;
    -- Only now, with every row ours, does the time of new leases begin.
    IF cardinality(p_open) > 0 THEN
        WITH opened AS (
        INSERT INTO interlock.lease (id, owner, "user", channel, duration, renewed_at, expires_at)
        SELECT o.id, o.owner, o."user", p_channel, o.micros * interval '1 microsecond', c.now, c.now + o.micros * interval '1 microsecond'
          FROM unnest(p_open, p_open_owners, p_open_users, p_open_micros) AS o(id, owner, "user", micros),
               LATERAL (SELECT clock_timestamp() AS now OFFSET 0) c
         ORDER BY o.id
        ON CONFLICT (id) DO NOTHING
        RETURNING id)
        SELECT array_agg(id) INTO v_opened FROM opened;
    END IF;
    IF v_granted < cardinality(p_names) THEN
        u := interlock.unbroken();
        FOR r IN
            SELECT * FROM unnest(p_names, p_leases, p_executions, p_attempts, p_owners, p_users, p_terms, p_waits, p_limits, p_tickets)
                     WITH ORDINALITY AS q(name, lease, execution, attempt, owner, "user", terms, wait, most, ticket, n)
             ORDER BY q.name COLLATE "C", q.n
        LOOP
            v_ticket := NULL;
            v_place := NULL;
            IF r.lease = ANY (v_dead) THEN
                RETURN NEXT (r.n, 'LEASE_ENDED', NULL, NULL, r.name, NULL, NULL, NULL, NULL, NULL, NULL, r.lease,
                             NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)::interlock.answer;
                CONTINUE;
            END IF;
            SELECT * INTO l FROM interlock.lock k WHERE k.name = r.name FOR UPDATE;
            was := l;
            l := interlock.settle(l, p_channel);
            v_durable := v_durable OR l IS DISTINCT FROM was;
            IF l.held AND l.execution = r.execution AND l.attempt = r.attempt AND l.owner = r.owner AND l.forced_by IS NULL
               AND (l.lease = r.lease OR NOT interlock.in_doubt(l)) THEN
                v_outcome := CASE WHEN l.lease = r.lease AND l.confirmed < u.ticket AND l.acquired_at < v_began
                                       AND (l.acquired_at < u.since OR l.ticket < u.ticket) AND NOT interlock.is_execution(l)
                                  THEN 'STALE' ELSE 'GRANTED' END;
                v_used := true;
                v_durable := v_durable OR v_outcome = 'GRANTED';
                IF v_outcome = 'GRANTED' AND l.acquired_at < v_began THEN
                    IF l.lease <> r.lease THEN
                        UPDATE interlock.lock k SET lease = r.lease WHERE k.name = r.name;
                    END IF;
                    PERFORM interlock.prolong(ARRAY[r.lease]);
                END IF;
            ELSIF NOT l.held AND NOT l.queued AND (l.closed_until IS NULL OR l.closed_until <= clock_timestamp()) THEN
                v_now := clock_timestamp();
                UPDATE interlock.lock k
                   SET token = greatest(k.token, k.promised, v_base) + 1, held = true, lease = r.lease, ticket = NULL,
                       execution = r.execution, attempt = r.attempt, owner = r.owner, "user" = r."user",
                       acquired_at = v_now, ends_at = v_now + (r.terms ->> 'maxHold')::interval,
                       lock_delay = (r.terms ->> 'lockDelay')::interval, cooldown = (r.terms ->> 'cooldown')::interval,
                       hold_reason = r.terms ->> 'reason', hold_ticket = r.terms ->> 'ticket',
                       forced_by = NULL, forced_reason = NULL, ending = NULL, ended_at = NULL, closed_until = NULL
                 WHERE k.name = r.name;
                v_outcome := 'GRANTED';
                v_durable := true;
                v_used := true;
            ELSIF r.wait IS NOT NULL THEN
                SELECT w.ticket INTO v_ticket FROM interlock.waiter w
                 WHERE w.lease = r.lease AND w.execution = r.execution AND w.attempt = r.attempt AND w.name = r.name;
                v_place := interlock.ahead(r.name, coalesce(v_ticket, r.ticket, 9223372036854775807));
                IF v_ticket IS NOT NULL THEN
                    v_outcome := CASE WHEN v_ticket < u.ticket AND l.confirmed < u.ticket THEN 'STALE' ELSE 'QUEUED' END;
                ELSIF v_place >= r.most THEN
                    v_outcome := 'FULL';
                ELSE
                    -- Drawn while the lock's row is ours, so that tickets follow the order of arrival.
                    v_ticket := coalesce(r.ticket, nextval('interlock.ticket'));
                    v_now := clock_timestamp();
                    UPDATE interlock.lock k SET queued = true, promised = greatest(k.token, k.promised) + 1
                     WHERE k.name = r.name RETURNING * INTO l;
                    INSERT INTO interlock.waiter
                    VALUES (r.name, v_ticket, r.lease, r.execution, r.attempt, r.owner, r."user", r.terms,
                            v_now, v_now + r.wait * interval '1 microsecond', l.promised);
                    v_outcome := 'QUEUED';
                    v_durable := true;
                    v_used := true;
                END IF;
            ELSE
                -- Whoever waits for a closed lock is ahead.
                v_outcome := CASE WHEN l.held OR l.queued OR l.closed_until <= clock_timestamp() THEN 'HELD' ELSE 'COOLING' END;
            END IF;
            IF v_outcome IN ('HELD', 'COOLING', 'FULL') THEN
                PERFORM interlock.note_refusal(r.name, l.token, r.execution, r.attempt, r.owner, r."user");
            END IF;
            v_n := v_n || r.n::int;
            v_outcomes := v_outcomes || v_outcome;
            v_queue_tickets := v_queue_tickets || v_ticket;
            v_queue_places := v_queue_places || (v_place + 1);
        END LOOP;
    END IF;

    -- A lease that ran out while its request waited for a row carries no grant. All is undone; asked again, the request is told so.
    IF v_used AND (cardinality(p_open) > 0 OR cardinality(p_known) <> 1 OR e.expires_at <= clock_timestamp())
       AND EXISTS (SELECT FROM unnest(p_known || p_open) AS k(id)
                    WHERE (k.id = ANY (v_dead)) IS NOT TRUE
                      AND NOT EXISTS (SELECT FROM interlock.lease x WHERE x.id = k.id AND x.ended_at IS NULL AND x.expires_at > clock_timestamp())) THEN
        RAISE EXCEPTION 'a lease ended while its request waited for a lock' USING ERRCODE = '40001';
    END IF;

    IF NOT v_used AND v_opened IS NOT NULL THEN
        -- Only those opened here: another batch of the process may have opened and used the same lease meanwhile.
        DELETE FROM interlock.lease x WHERE x.id = ANY (v_opened);
    END IF;
    IF p_terms IS NOT NULL THEN
        INSERT INTO interlock.notice
        SELECT k.lease, k.name, k.token, NULL, 'HELD_TOO_LONG', NULL, NULL, k.ends_at
          FROM interlock.lock k WHERE k.name = ANY (p_names) AND k.held AND k.ends_at IS NOT NULL AND k.acquired_at >= v_began;
    END IF;
    IF cardinality(v_n) > 0 THEN
        RETURN QUERY
        SELECT a.n, a.outcome, a.ticket, a.place, v.name, v.token, v.status, v.execution, v.attempt, v.owner, v."user", v.lease,
               v.acquired_at, v.renewed_at, v.expires_at, v.hold_reason, v.hold_ticket, v.forced_by, v.forced_reason,
               v.waiting, v.closed_until, v.seen_at
          FROM unnest(v_n, v_outcomes, v_queue_tickets, v_queue_places) AS a(n, outcome, ticket, place)
          JOIN interlock.record v ON v.name = p_names[a.n];
    END IF;
    IF cardinality(p_known) = 1 AND cardinality(p_open) = 0 AND v_granted = cardinality(p_names) THEN
        RETURN NEXT (NULL, 'LEASE', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, e.id, NULL, e.renewed_at, e.expires_at,
                     NULL, NULL, NULL, NULL, NULL, NULL, clock_timestamp())::interlock.answer;
    ELSE
        RETURN QUERY
        SELECT NULL::int, 'LEASE', NULL::bigint, NULL::int, NULL::text, NULL::bigint, NULL::text, NULL::text, NULL::int, NULL::text,
               NULL::text, x.id, NULL::timestamptz, x.renewed_at, x.expires_at, NULL::text, NULL::text, NULL::text, NULL::text,
               NULL::int, NULL::timestamptz, clock_timestamp()
          FROM interlock.lease x WHERE x.id = ANY (p_known || p_open);
    END IF;
    IF NOT v_durable THEN
        -- A refusal may be lost in a crash of the server.
        PERFORM set_config('synchronous_commit', 'off', true);
    END IF;
END $$;

-- All of these locks or none of them. Answers as acquire does; a row that is not GRANTED is the obstacle.
CREATE FUNCTION interlock.acquire_all(
    p_names text[], p_leases uuid[], p_executions text[], p_attempts int[], p_owners text[], p_users text[], p_terms jsonb[],
    p_known uuid[], p_open uuid[], p_open_owners text[], p_open_users text[], p_open_micros bigint[], p_channel text)
RETURNS SETOF interlock.answer LANGUAGE plpgsql AS $$
DECLARE
    a interlock.answer;
    v_granted interlock.answer[] := '{}';
    v_obstacle interlock.answer;
BEGIN
    BEGIN
        FOR a IN SELECT * FROM interlock.acquire(p_names, p_leases, p_executions, p_attempts, p_owners, p_users, p_terms,
                                                 array_fill(true, ARRAY[cardinality(p_names)]), NULL, NULL, NULL, p_known, p_open, p_open_owners, p_open_users, p_open_micros, p_channel)
        LOOP
            IF a.outcome IN ('GRANTED', 'LEASE') THEN
                v_granted := v_granted || a;
            ELSIF v_obstacle IS NULL OR a.name COLLATE "C" < v_obstacle.name THEN
                v_obstacle := a;
            END IF;
        END LOOP;
        IF v_obstacle.outcome IS NOT NULL THEN
            RAISE EXCEPTION 'not all' USING ERRCODE = 'IL009';
        END IF;
    EXCEPTION WHEN SQLSTATE 'IL009' THEN
        -- The grants are undone, and with them the note of the refusal.
        IF v_obstacle.outcome NOT IN ('LEASE_ENDED', 'STALE') THEN
            PERFORM interlock.note_refusal(v_obstacle.name, v_obstacle.token, p_executions[1], p_attempts[1], p_owners[1], p_users[1]);
        END IF;
        RETURN NEXT v_obstacle;
        RETURN;
    END;
    RETURN QUERY SELECT * FROM unnest(v_granted);
END $$;

-- Why a grant is over: the history knows how it ended, or else a later grant has followed.
CREATE FUNCTION interlock.loss(p_name text, p_token bigint, OUT cause text, OUT actor text, OUT reason text) LANGUAGE plpgsql AS $$
DECLARE
    h interlock.history;
    v_latest bigint;
BEGIN
    SELECT * INTO h FROM interlock.past(p_name, '{RELEASED,EXPIRED,FORCED,HELD_TOO_LONG}', p_token + 1, NULL, 1)
     WHERE token = p_token;
    SELECT token INTO v_latest FROM interlock.lock WHERE name = p_name;
    cause := CASE
        WHEN h.clean OR h.event = 'RELEASED' THEN 'ALREADY_RELEASED'
        WHEN h.event = 'FORCED' THEN 'FORCED'
        WHEN h.event = 'HELD_TOO_LONG' THEN 'HELD_TOO_LONG'
        WHEN v_latest > p_token THEN 'SUPERSEDED'
        WHEN v_latest = p_token THEN 'EXPIRED'
        ELSE 'FORGOTTEN'
    END;
    actor := h.actor;
    reason := h.detail;
END $$;

-- Releases of one process. Answers: RELEASED (by name and token), a cause of loss, and HANDED for each lock that went to a waiter
-- of this same process, with its ticket and token. When the caller knows that somebody waits, the plain case is not tried.
CREATE FUNCTION interlock.release(p_names text[], p_tokens bigint[], p_leases uuid[], p_channel text, p_contended boolean)
RETURNS TABLE (outcome text, name text, token bigint, ticket bigint, acquired_at timestamptz, queued boolean, actor text, reason text) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    r record;
    e interlock.lease;
    l interlock.lock;
    was interlock.lock;
    v_loss record;
    v_released int := 0;
    v_durable boolean := false;
BEGIN
    IF NOT p_contended
       AND NOT EXISTS (SELECT FROM (SELECT DISTINCT unnest(p_leases) AS id) d
                        WHERE NOT EXISTS (SELECT FROM interlock.lease x
                                           WHERE x.id = d.id AND x.ended_at IS NULL AND x.expires_at > clock_timestamp())) THEN
        RETURN QUERY
        WITH freed AS (
            UPDATE interlock.lock k
               SET held = false, ending = 'RELEASED', ended_at = clock_timestamp(), closed_until = clock_timestamp() + k.cooldown
              FROM unnest(p_names, p_tokens, p_leases) AS u(name, token, lease)
             WHERE k.name = u.name AND k.token = u.token AND k.lease = u.lease AND k.held AND NOT k.queued AND k.forced_by IS NULL
               AND k.ends_at IS NULL
            RETURNING k.*
        ), past AS (
            INSERT INTO interlock.history
            SELECT f.name, f.token, 'RELEASED', f.execution, f.attempt, f.owner, f."user", f.acquired_at, f.ended_at FROM freed f
        )
        SELECT 'RELEASED', f.name, f.token, NULL::bigint, NULL::timestamptz, NULL::boolean, NULL::text, NULL::text FROM freed f;
        GET DIAGNOSTICS v_released = ROW_COUNT;
    END IF;

    IF v_released < cardinality(p_names) THEN
        IF cardinality(p_names) > 1 THEN
            PERFORM FROM interlock.lock k WHERE k.name = ANY (p_names) ORDER BY k.name FOR UPDATE;
            PERFORM FROM interlock.lease x
              WHERE x.id = ANY (p_leases) AND x.ended_at IS NULL AND x.expires_at <= clock_timestamp()
              ORDER BY x.id FOR UPDATE;
        END IF;
        FOR r IN
            SELECT * FROM unnest(p_names, p_tokens, p_leases) AS u(name, token, lease)
             ORDER BY u.name COLLATE "C", u.token
        LOOP
            SELECT * INTO l FROM interlock.lock k WHERE k.name = r.name FOR UPDATE;
            IF l.token < r.token THEN
                l := interlock.remember(l, r.token, r.lease);
            END IF;
            was := l;
            SELECT * INTO e FROM interlock.lease x WHERE x.id = r.lease;
            IF l.held AND l.token = r.token AND l.lease = r.lease AND l.ends_at <= clock_timestamp() IS NOT TRUE
               AND e.ended_at IS NULL AND e.expires_at > clock_timestamp() THEN
                IF l.queued AND l.cooldown IS NULL AND l.ends_at IS NULL AND l.forced_by IS NULL THEN
                    INSERT INTO interlock.history
                    VALUES (l.name, l.token, 'RELEASED', l.execution, l.attempt, l.owner, l."user", l.acquired_at, clock_timestamp(), NULL, NULL, true);
                    l := interlock.hand_over(l, p_channel);
                    IF l.token = was.token THEN
                        -- Nobody in the queue was alive.
                        UPDATE interlock.lock k SET held = false, ending = 'RELEASED', ended_at = clock_timestamp()
                         WHERE k.name = r.name RETURNING * INTO l;
                    END IF;
                ELSE
                    -- A holder that was told to stop confirms that it has: a clean end, whoever ordered it.
                    v_durable := v_durable OR l.forced_by IS NOT NULL;
                    l := interlock.conclude(l, CASE WHEN l.forced_by IS NULL THEN 'RELEASED' ELSE 'FORCED' END, clock_timestamp(), l.cooldown, true);
                    l := interlock.settle(l, p_channel);
                END IF;
                v_durable := v_durable OR l.held;
                RETURN QUERY SELECT 'RELEASED', r.name, r.token, NULL::bigint, NULL::timestamptz, NULL::boolean, NULL::text, NULL::text;
            ELSE
                IF l.name IS NOT NULL THEN
                    l := interlock.settle(l, p_channel);
                    v_durable := v_durable OR l IS DISTINCT FROM was;
                END IF;
                DELETE FROM interlock.notice o WHERE o.lease = r.lease AND o.name = r.name AND o.token = r.token;
                DELETE FROM interlock.waiter w WHERE w.name = r.name AND w.token = r.token AND w.lease = r.lease;
                SELECT * INTO v_loss FROM interlock.loss(r.name, r.token);
                -- A repeated release, also of one that confirmed a forced end, is harmless.
                RETURN QUERY SELECT CASE WHEN v_loss.cause = 'ALREADY_RELEASED' THEN 'RELEASED' ELSE v_loss.cause END,
                                    r.name, r.token, NULL::bigint, NULL::timestamptz, NULL::boolean, v_loss.actor, v_loss.reason;
            END IF;
            IF l.held AND l.token IS DISTINCT FROM was.token
               AND EXISTS (SELECT FROM interlock.lease x WHERE x.id = l.lease AND x.channel = p_channel) THEN
                RETURN QUERY SELECT 'HANDED', l.name, l.token, l.ticket, l.acquired_at, l.queued, NULL::text, NULL::text;
            END IF;
        END LOOP;
    END IF;
    IF NOT v_durable THEN
        -- A crash that loses a plain release only lengthens the hold; the process sends it again when it sees the crash.
        PERFORM set_config('synchronous_commit', 'off', true);
    END IF;
END $$;

-- Renews leases with everything that hangs on them. One row per lease, and one more per further notice.
CREATE FUNCTION interlock.renew(p_leases uuid[])
RETURNS TABLE (id uuid, ended text, renewed_at timestamptz, expires_at timestamptz, unbroken bigint,
               name text, token bigint, cause text, actor text, reason text) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_unbroken bigint := interlock.era();
BEGIN
    PERFORM FROM interlock.lease e WHERE e.id = ANY (p_leases) ORDER BY e.id FOR UPDATE;
    PERFORM interlock.prolong(p_leases);
    RETURN QUERY
    SELECT e.id,
           CASE WHEN e.ended_at < e.expires_at THEN 'ALREADY_RELEASED'
                WHEN e.ended_at IS NOT NULL OR e.expires_at <= clock_timestamp() THEN 'EXPIRED' END,
           e.renewed_at, e.expires_at, v_unbroken, o.name, o.token, o.cause, o.actor, o.reason
      FROM interlock.lease e
      LEFT JOIN interlock.notice o ON o.lease = e.id AND o.token IS NOT NULL AND o.due_at <= clock_timestamp()
     WHERE e.id = ANY (p_leases);
END $$;

-- What a process says it holds, asked for after a crash of the server. Answers with those that it does not hold, and why. Where nobody can
-- have got it, its row is left alone unless all are to be marked: the holder's own transaction may have it, for longer than a lease.
CREATE FUNCTION interlock.confirm(p_names text[], p_tokens bigint[], p_leases uuid[], p_mark_all boolean)
RETURNS TABLE (name text, token bigint, cause text, actor text, reason text) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_unbroken bigint := interlock.era();
    r record;
    l interlock.lock;
BEGIN
    FOR r IN
        SELECT u.name, u.token, u.lease FROM unnest(p_names, p_tokens, p_leases) AS u(name, token, lease)
          LEFT JOIN interlock.lock k ON k.name = u.name
         WHERE (k.held AND k.token = u.token AND k.lease = u.lease AND NOT interlock.in_doubt(k)) IS NOT TRUE OR p_mark_all
         ORDER BY u.name COLLATE "C", u.token
    LOOP
        SELECT * INTO l FROM interlock.lock k WHERE k.name = r.name FOR UPDATE;
        IF l.token < r.token THEN
            l := interlock.remember(l, r.token, r.lease);
        END IF;
        IF l.held AND l.token = r.token AND l.lease = r.lease THEN
            UPDATE interlock.lock k SET confirmed = v_unbroken WHERE k.name = r.name AND k.confirmed < v_unbroken;
        ELSE
            -- Not even a place in the queue, which nobody would attend to.
            DELETE FROM interlock.waiter w WHERE w.name = r.name AND w.token = r.token AND w.lease = r.lease;
            RETURN QUERY SELECT r.name, r.token, x.cause, x.actor, x.reason FROM interlock.loss(r.name, r.token) x;
        END IF;
    END LOOP;
END $$;

-- Renews the lease under one lock. Answers RENEWED or a cause of loss.
CREATE FUNCTION interlock.renew_lock(p_name text, p_token bigint, p_lease uuid, OUT outcome text, OUT actor text, OUT reason text)
LANGUAGE plpgsql AS $$
DECLARE
    l interlock.lock;
    e interlock.lease;
BEGIN
    SELECT * INTO l FROM interlock.lock WHERE name = p_name;
    IF l.token < p_token OR interlock.in_doubt(l) THEN
        PERFORM interlock.confirm(ARRAY[p_name], ARRAY[p_token], ARRAY[p_lease], false);
    END IF;
    -- The lease's row first: while it is ours nobody can take the lock over, so the lock may be read without its row.
    SELECT * INTO e FROM interlock.lease WHERE id = p_lease FOR UPDATE;
    SELECT * INTO l FROM interlock.lock WHERE name = p_name;
    IF l.held AND l.token = p_token AND l.lease = p_lease THEN
        IF l.forced_by IS NOT NULL THEN
            outcome := 'FORCED';
            actor := l.forced_by;
            reason := l.forced_reason;
        ELSIF l.ends_at <= clock_timestamp() THEN
            outcome := 'HELD_TOO_LONG';
        ELSIF e.id IS NULL OR e.ended_at IS NOT NULL OR e.expires_at <= clock_timestamp() THEN
            outcome := 'EXPIRED';
        ELSE
            PERFORM interlock.prolong(ARRAY[p_lease]);
            outcome := 'RENEWED';
        END IF;
    ELSE
        SELECT x.cause, x.actor, x.reason INTO outcome, actor, reason FROM interlock.loss(p_name, p_token) x;
    END IF;
END $$;

-- The net under the push: brings the locks that these waiters wait for up to the present, and tells each waiter where it stands.
-- Answers: GRANTED with token, WAITING, CANCELLED, LEASE_ENDED, WAITED_TOO_LONG, GONE; and in how many microseconds the present grant can end.
CREATE FUNCTION interlock.look(p_names text[], p_tickets bigint[], p_leases uuid[], p_channel text)
RETURNS TABLE (ticket bigint, outcome text, token bigint, acquired_at timestamptz, queued boolean, again_micros bigint, unbroken bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_unbroken bigint := interlock.era();
    v_due text[];
    v_name text;
    l interlock.lock;
BEGIN
    SELECT array_agg(k.name ORDER BY k.name) INTO v_due
      FROM interlock.lock k LEFT JOIN interlock.lease e ON e.id = k.lease
     WHERE k.name = ANY (p_names)
       AND CASE WHEN k.held THEN k.ends_at <= clock_timestamp() OR e.id IS NULL OR e.ended_at IS NOT NULL OR e.expires_at <= clock_timestamp()
                ELSE k.queued AND (k.closed_until IS NULL OR k.closed_until <= clock_timestamp()) END;
    IF v_due IS NOT NULL THEN
        PERFORM interlock.check_grants();
        PERFORM FROM interlock.lock k WHERE k.name = ANY (v_due) ORDER BY k.name FOR UPDATE;
        PERFORM FROM interlock.lease e
          WHERE e.id IN (SELECT h.lease FROM interlock.lock h WHERE h.name = ANY (v_due) AND h.held)
            AND e.ended_at IS NULL AND e.expires_at <= clock_timestamp()
          ORDER BY e.id FOR UPDATE;
        FOREACH v_name IN ARRAY v_due LOOP
            SELECT * INTO l FROM interlock.lock k WHERE k.name = v_name FOR UPDATE;
            PERFORM interlock.settle(l, p_channel);
        END LOOP;
    END IF;
    RETURN QUERY
    SELECT u.ticket,
           CASE
               WHEN k.held AND k.ticket = u.ticket THEN 'GRANTED'
               WHEN o.cause IS NOT NULL THEN o.cause
               WHEN e.id IS NULL OR e.ended_at IS NOT NULL OR e.expires_at <= clock_timestamp() THEN 'LEASE_ENDED'
               WHEN w.until <= clock_timestamp() THEN 'WAITED_TOO_LONG'
               WHEN w.ticket IS NOT NULL THEN 'WAITING'
               ELSE 'GONE'
           END,
           k.token, k.acquired_at, k.queued,
           (extract(epoch FROM CASE WHEN k.held THEN least(h.expires_at, k.ends_at) ELSE k.closed_until END - clock_timestamp()) * 1000000)::bigint,
           v_unbroken
      FROM unnest(p_names, p_tickets, p_leases) AS u(name, ticket, lease)
      LEFT JOIN interlock.lock k ON k.name = u.name
      LEFT JOIN interlock.lease h ON h.id = k.lease
      LEFT JOIN interlock.lease e ON e.id = u.lease
      LEFT JOIN interlock.waiter w ON w.name = u.name AND w.ticket = u.ticket
      LEFT JOIN interlock.notice o ON o.lease = u.lease AND o.ticket = u.ticket;
END $$;

-- Gives up whatever this holder has or waits for. Answers with a hand-over to a waiter of the same process, if there was one.
CREATE FUNCTION interlock.withdraw(p_name text, p_lease uuid, p_execution text, p_attempt int, p_channel text)
RETURNS TABLE (name text, token bigint, ticket bigint, acquired_at timestamptz, queued boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    l interlock.lock;
    v_token bigint;
BEGIN
    SELECT * INTO l FROM interlock.lock k WHERE k.name = p_name FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    DELETE FROM interlock.waiter w WHERE w.lease = p_lease AND w.execution = p_execution AND w.attempt = p_attempt AND w.name = p_name;
    v_token := l.token;
    IF l.held AND l.lease = p_lease AND l.execution = p_execution AND l.attempt = p_attempt
       AND EXISTS (SELECT FROM interlock.lease e WHERE e.id = l.lease AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()) THEN
        l := interlock.conclude(l, CASE WHEN l.forced_by IS NULL THEN 'RELEASED' ELSE 'FORCED' END, clock_timestamp(), l.cooldown, true);
    END IF;
    l := interlock.settle(l, p_channel);
    RETURN QUERY
    SELECT l.name, l.token, l.ticket, l.acquired_at, l.queued FROM interlock.lease e
     WHERE l.held AND l.token <> v_token AND e.id = l.lease AND e.channel = p_channel;
END $$;

-- Gives up a place that nobody attends to any more.
CREATE FUNCTION interlock.abandon(p_name text, p_ticket bigint, p_lease uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM interlock.lock WHERE name = p_name FOR UPDATE;
    DELETE FROM interlock.waiter WHERE name = p_name AND ticket = p_ticket AND lease = p_lease;
END $$;

-- Ends a lease cleanly: what hung on it is released, in the order of the names, and its waiters go.
CREATE FUNCTION interlock.end_lease(p_lease uuid, p_channel text)
RETURNS TABLE (name text, token bigint, ticket bigint, acquired_at timestamptz, queued boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    l interlock.lock;
    v_token bigint;
BEGIN
    FOR l IN SELECT * FROM interlock.lock k WHERE k.lease = p_lease AND k.held ORDER BY k.name FOR UPDATE LOOP
        v_token := l.token;
        IF EXISTS (SELECT FROM interlock.lease e WHERE e.id = p_lease AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()) THEN
            l := interlock.conclude(l, CASE WHEN l.forced_by IS NULL THEN 'RELEASED' ELSE 'FORCED' END, clock_timestamp(), l.cooldown, true);
        END IF;
        l := interlock.settle(l, p_channel);
        RETURN QUERY
        SELECT l.name, l.token, l.ticket, l.acquired_at, l.queued FROM interlock.lease e
         WHERE l.held AND l.token <> v_token AND e.id = l.lease AND e.channel = p_channel;
    END LOOP;
    DELETE FROM interlock.waiter w WHERE w.lease = p_lease;
    DELETE FROM interlock.notice o WHERE o.lease = p_lease;
    UPDATE interlock.lease e SET ended_at = clock_timestamp() WHERE e.id = p_lease AND e.ended_at IS NULL;
END $$;

-- A person's order to end a grant. Answers FREE, MOVED, RELEASING or RELEASED, with the record as it was.
CREATE FUNCTION interlock.force(p_name text, p_seen bigint, p_actor text, p_reason text, p_now boolean)
RETURNS TABLE (outcome text, until timestamptz) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    l interlock.lock;
    e interlock.lease;
BEGIN
    SELECT * INTO l FROM interlock.lock k WHERE k.name = p_name FOR UPDATE;
    IF FOUND THEN
        l := interlock.settle(l, '');
    END IF;
    IF l.held IS NOT TRUE THEN
        RETURN QUERY SELECT 'FREE', NULL::timestamptz;
        RETURN;
    END IF;
    IF l.token <> p_seen THEN
        RETURN QUERY SELECT 'MOVED', NULL::timestamptz;
        RETURN;
    END IF;
    SELECT * INTO e FROM interlock.lease x WHERE x.id = l.lease;
    INSERT INTO interlock.history
    VALUES (l.name, l.token, 'FORCE_ORDERED', l.execution, l.attempt, l.owner, l."user", clock_timestamp(), clock_timestamp(), p_actor, p_reason);
    UPDATE interlock.lock k
       SET forced_by = coalesce(k.forced_by, p_actor), forced_reason = coalesce(k.forced_reason, p_reason),
           ends_at = least(k.ends_at, e.expires_at)
     WHERE k.name = p_name
    RETURNING * INTO l;
    DELETE FROM interlock.notice o WHERE o.lease = l.lease AND o.name = l.name AND o.token = l.token;
    INSERT INTO interlock.notice VALUES (l.lease, l.name, l.token, NULL, 'FORCED', l.forced_by, l.forced_reason, clock_timestamp());
    IF e.channel IS NOT NULL THEN
        PERFORM pg_notify(e.channel, 'taken');
    END IF;
    -- A hold for maintenance has no running work that could be asked to stop.
    IF p_now OR l.hold_reason IS NOT NULL THEN
        l := interlock.conclude(l, 'FORCED', clock_timestamp(), CASE WHEN l.hold_reason IS NULL THEN l.lock_delay END, false);
        PERFORM interlock.settle(l, '');
        RETURN QUERY SELECT 'RELEASED', NULL::timestamptz;
    ELSE
        RETURN QUERY SELECT 'RELEASING', l.ends_at;
    END IF;
END $$;

CREATE FUNCTION interlock.drop_waiter(p_name text, p_ticket bigint, p_actor text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    w interlock.waiter;
    e interlock.lease;
BEGIN
    PERFORM FROM interlock.lock WHERE name = p_name FOR UPDATE;
    SELECT * INTO w FROM interlock.waiter WHERE name = p_name AND ticket = p_ticket;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    SELECT * INTO e FROM interlock.lease WHERE id = w.lease;
    IF interlock.may_hold(w, e, interlock.unbroken()) THEN
        -- It is not granted the lock any more, and is passed over when it must have said that it has it.
        UPDATE interlock.waiter SET until = least(until, clock_timestamp()) WHERE name = p_name AND ticket = p_ticket;
    ELSE
        DELETE FROM interlock.waiter WHERE name = p_name AND ticket = p_ticket;
    END IF;
    INSERT INTO interlock.notice VALUES (w.lease, w.name, NULL, w.ticket, 'CANCELLED', p_actor, NULL, clock_timestamp());
    IF e.channel IS NOT NULL THEN
        PERFORM pg_notify(e.channel, 'dropped ' || w.ticket);
    END IF;
    RETURN true;
END $$;

-- Removes locks that have not been used for that long. The floor rises to the highest token removed in the same step, under a table
-- lock that no acquire can be in the middle of: a name without a record starts above it. What happened to them stays in the history.
CREATE FUNCTION interlock.prune(p_unused interval, p_most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    v_names text[];
    v_top bigint;
    v_gone int;
BEGIN
    UPDATE interlock.store SET pruned_at = clock_timestamp();
    SELECT array_agg(name) INTO v_names FROM (
        SELECT l.name FROM interlock.lock l LEFT JOIN interlock.lease e ON e.id = l.lease
         WHERE NOT l.queued AND CASE WHEN l.held THEN coalesce(e.ended_at, e.expires_at, l.acquired_at) + coalesce(l.lock_delay, interval '0')
                                       ELSE greatest(l.ended_at, l.closed_until) END
               < clock_timestamp() - p_unused
         LIMIT p_most) c;
    LOCK TABLE interlock.lock IN SHARE ROW EXCLUSIVE MODE;
    WITH gone AS (
        DELETE FROM interlock.lock l
         WHERE l.name = ANY (v_names) AND NOT l.queued
           AND CASE WHEN l.held
                    THEN NOT EXISTS (SELECT FROM interlock.lease e WHERE e.id = l.lease
                                             AND coalesce(e.ended_at, e.expires_at) + coalesce(l.lock_delay, interval '0') >= clock_timestamp() - p_unused)
                         AND l.acquired_at < clock_timestamp() - p_unused
                    ELSE greatest(l.ended_at, l.closed_until) < clock_timestamp() - p_unused END
        RETURNING greatest(l.token, l.promised) AS token)
    SELECT count(*), max(token) INTO v_gone, v_top FROM gone;
    UPDATE interlock.store SET floor = greatest(floor, v_top);
    DELETE FROM interlock.lease WHERE coalesce(ended_at, expires_at) < clock_timestamp() - interval '1 day';
    DELETE FROM interlock.waiter w WHERE NOT EXISTS (SELECT FROM interlock.lease e WHERE e.id = w.lease);
    DELETE FROM interlock.notice o WHERE NOT EXISTS (SELECT FROM interlock.lease e WHERE e.id = o.lease);
    RETURN v_gone;
END $$;

-- The guard for data in this database: call it first in the transaction that writes on behalf of a holder. It refuses a token that is
-- not the present, living grant, and keeps the lock from moving on until that transaction has ended.
CREATE FUNCTION interlock.fence(p_name text, p_token bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l interlock.lock;
BEGIN
    SELECT * INTO l FROM interlock.lock WHERE name = p_name FOR SHARE;
    IF l.held AND l.token = p_token AND l.ends_at <= clock_timestamp() IS NOT TRUE
       AND EXISTS (SELECT FROM interlock.lease e WHERE e.id = l.lease AND e.ended_at IS NULL AND e.expires_at > clock_timestamp()) THEN
        IF interlock.in_doubt(l) THEN
            RAISE EXCEPTION 'the server has crashed, and the holder of lock % has not yet confirmed that it has it', quote_literal(p_name)
                USING ERRCODE = '40001', HINT = 'Try again in a moment.';
        END IF;
        RETURN;
    END IF;
    RAISE EXCEPTION 'token % of lock % is not the present grant', p_token, quote_literal(p_name)
        USING ERRCODE = 'IL003', HINT = CASE WHEN l.token IS NULL THEN 'The lock was never granted.' ELSE 'The latest token is ' || l.token || '.' END;
END $$;
