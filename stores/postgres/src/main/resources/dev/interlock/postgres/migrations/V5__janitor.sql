-- What the janitor needs.

UPDATE interlock.store SET schema_version = 5;

-- Of what somebody has been told: each once. Attempt 0 means the execution as a whole.
CREATE TABLE interlock.alert (
    execution text COLLATE "C" NOT NULL,
    attempt   int         NOT NULL,
    kind      text        NOT NULL,
    at        timestamptz NOT NULL,
    PRIMARY KEY (execution, attempt, kind)
);

-- The trail is written in the order of time, nearly: a few bytes find its latest part.
CREATE INDEX history_recent ON interlock.history USING brin (ended_at) WITH (autosummarize = on, pages_per_range = 32);

-- The key under which the destruction of a resource is asked for whose time to live is over: once an hour at most.
CREATE FUNCTION interlock.expiry_key(p_target text, p_expired timestamptz, p_period bigint) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT 'expired:' || (extract(epoch FROM p_expired) * 1000000)::bigint || ':' || p_period || ':'
           || encode(sha256(convert_to(p_target, 'UTF8')), 'hex')
$$;

-- When the grant under which an execution runs was or will be over, as far as the lock's record tells; null when that
-- knows nothing of the grant.
CREATE FUNCTION interlock.over_at(p_token bigint, l interlock.lock, e interlock.lease) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN l.token IS NULL OR l.token < p_token THEN NULL
        WHEN l.token > p_token THEN l.acquired_at
        WHEN NOT l.held THEN l.ended_at
        WHEN e.id IS NULL THEN l.acquired_at
        ELSE least(e.expires_at, e.ended_at, l.ends_at)
    END
$$;

-- Ends the tenure of an execution whose runner is gone; the row of the lock is ours. The lease is ended first, so that a
-- late renewal finds nothing to renew. A lock that has moved on is left to whoever has it. Then the next in line follows.
CREATE FUNCTION interlock.take_over(e interlock.execution, p_token bigint, p_state text, p_detail text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    l interlock.lock;
    x interlock.lease;
    v_end timestamptz;
BEGIN
    SELECT * INTO l FROM interlock.lock WHERE name = e.target;
    IF l.held AND l.token = p_token THEN
        UPDATE interlock.lease SET ended_at = clock_timestamp() WHERE id = l.lease AND ended_at IS NULL AND expires_at <= clock_timestamp();
        SELECT * INTO x FROM interlock.lease WHERE id = l.lease;
        v_end := coalesce(interlock.over_at(p_token, l, x), clock_timestamp());
        INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at, actor, detail,
                                       workflow, correlation, phase, state)
        VALUES (l.name, l.token, CASE WHEN l.forced_by IS NULL THEN 'EXPIRED' ELSE 'FORCED' END, l.execution, l.attempt, l.owner, l."user",
                l.acquired_at, v_end, coalesce(l.forced_by, 'janitor'), coalesce(l.forced_reason, p_detail), e.workflow, e.correlation_id,
                e.phase, p_state);
        DELETE FROM interlock.notice WHERE lease = l.lease AND name = l.name AND token = l.token;
        UPDATE interlock.lock SET held = false, ending = 'EXPIRED', ended_at = v_end, closed_until = v_end + lock_delay
         WHERE name = l.name RETURNING * INTO l;
        PERFORM interlock.settle(l, '');
    ELSE
        PERFORM interlock.note(e, 'LOST', p_token, 'janitor', p_detail, p_state);
    END IF;
    PERFORM interlock.promote(ARRAY[e.target]);
END $$;

-- Whether a resource may be destroyed because its time is over: it is in nobody's hands and in a state from which it can be, nobody
-- has asked for the same already, by whatever name, and no earlier try waits for a person.
CREATE FUNCTION interlock.may_expire(r interlock.resource, w interlock.workflow) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT r.under IS NULL AND r.state = ANY (w."from")
       AND NOT EXISTS (SELECT FROM interlock.execution x
                         JOIN interlock.workflow d ON d.lifecycle = r.lifecycle AND d.name = x.workflow AND d.on_success = w.on_success
                        WHERE x.target = r.target AND x.phase = 'PENDING')
       AND NOT EXISTS (SELECT FROM interlock.execution x WHERE x.target = r.target AND x.phase = 'RUNNING')
       AND NOT EXISTS (SELECT FROM interlock.execution x
                        WHERE x.target = r.target AND x.ended_at IS NOT NULL AND x.dead_at IS NOT NULL AND x.workflow = w.name)
$$;

-- Keeps the tokens of a target above one that its lock's record has forgotten; the row, if there is one, is ours.
CREATE FUNCTION interlock.stay_above(p_name text, p_token bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE interlock.lock SET token = p_token WHERE name = p_name AND token < p_token AND NOT held;
    IF NOT EXISTS (SELECT FROM interlock.lock WHERE name = p_name) THEN
        UPDATE interlock.store SET floor = greatest(floor, p_token);
    END IF;
END $$;

-- Removes the waiters for a lock, whose row is ours, whose lease is over; tells how many there were.
CREATE FUNCTION interlock.remove_waiters(p_name text, p_actor text, p_detail text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    l interlock.lock;
    v_gone int;
BEGIN
    DELETE FROM interlock.waiter w
     WHERE w.name = p_name
       AND NOT EXISTS (SELECT FROM interlock.lease e WHERE e.id = w.lease AND e.ended_at IS NULL AND e.expires_at > clock_timestamp());
    GET DIAGNOSTICS v_gone = ROW_COUNT;
    IF v_gone > 0 THEN
        UPDATE interlock.lock SET queued = EXISTS (SELECT FROM interlock.waiter w WHERE w.name = p_name) WHERE name = p_name RETURNING * INTO l;
        INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at, actor, detail)
        SELECT p_name, coalesce(l.token, 0), 'WAITERS_GONE', '', 0, '', '', c.now, c.now, p_actor, p_detail
          FROM (SELECT clock_timestamp() AS now OFFSET 0) c;
    END IF;
    RETURN v_gone;
END $$;

-- Holds a lock, whose row is ours, for maintenance, because it was held twice at once. Whoever holds it now is told to stop,
-- and the hold stands first in the queue. False when that was done before.
CREATE FUNCTION interlock.freeze(p_name text, p_token bigint, p_actor text, p_reason text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    l interlock.lock;
    v_lease uuid := gen_random_uuid();
    v_now timestamptz := clock_timestamp();
BEGIN
    IF EXISTS (SELECT FROM interlock.history WHERE filed AND name = p_name AND token = p_token AND event = 'INVARIANT') THEN
        RETURN false;
    END IF;
    INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at, actor, detail)
    VALUES (p_name, p_token, 'INVARIANT', '', 0, '', '', v_now, v_now, p_actor, p_reason);
    SELECT * INTO l FROM interlock.lock WHERE name = p_name;
    l := interlock.settle(l, '');
    IF l.hold_reason IS NOT NULL AND l.held THEN
        RETURN true;
    END IF;
    INSERT INTO interlock.lease (id, owner, "user", duration, renewed_at, expires_at)
    VALUES (v_lease, p_actor, p_actor, interval '366 days', v_now, v_now + interval '366 days');
    IF l.held OR l.queued THEN
        UPDATE interlock.lock SET queued = true, promised = greatest(token, promised) + 1 WHERE name = p_name RETURNING * INTO l;
        INSERT INTO interlock.waiter
        SELECT p_name, coalesce((SELECT min(ticket) FROM interlock.waiter WHERE name = p_name), nextval('interlock.ticket')) - 1, v_lease,
               p_actor, 1, p_actor, p_actor, jsonb_build_object('reason', p_reason), v_now, v_now + interval '366 days', l.promised;
        PERFORM interlock.force(p_name, l.token, p_actor, p_reason, false);
    ELSE
        UPDATE interlock.lock
           SET token = greatest(token, promised, (SELECT epoch FROM interlock.store)::bigint << 40) + 1, held = true, lease = v_lease, ticket = NULL,
               execution = p_actor, attempt = 1, owner = p_actor, "user" = p_actor, acquired_at = v_now, ends_at = NULL, lock_delay = NULL,
               cooldown = NULL, hold_reason = p_reason, hold_ticket = NULL, forced_by = NULL, forced_reason = NULL, ending = NULL,
               ended_at = NULL, closed_until = NULL
         WHERE name = p_name;
    END IF;
    RETURN true;
END $$;
