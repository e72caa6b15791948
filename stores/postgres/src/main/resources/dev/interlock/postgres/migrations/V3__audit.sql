-- The seals of the audit trail.
--
-- A seal covers the events between two positions (xid, seq). The sealer goes only as far as the oldest transaction that
-- is still open: everything before it has ended, so that what a seal covers is complete and stays as it is, however late
-- a transaction commits. Nobody who writes events waits for the sealer.
--
-- Transactions are counted by the server. A copy of this database on another server has another counter, so that there
-- the order of the old events means nothing to the new: another era begins, with numbers (seq) of its own. What the
-- earlier eras left without a seal is sealed first, by number; a seal of that kind has xid 0 in both positions.

CREATE INDEX history_order ON interlock.history (xid, seq);

CREATE TABLE interlock.seal (
    number      bigint PRIMARY KEY,
    era         int         NOT NULL,
    -- The server that counts the transactions, and how often the store was told that it may have forgotten some.
    system      bigint      NOT NULL,
    epoch       int         NOT NULL,
    -- Events of this era are numbered from here, those of all earlier ones below.
    first_seq   bigint      NOT NULL,
    from_xid    xid8        NOT NULL,
    from_seq    bigint      NOT NULL,
    to_xid      xid8        NOT NULL,
    to_seq      bigint      NOT NULL,
    count       int         NOT NULL,
    newest      timestamptz NOT NULL,
    sealed_at   timestamptz NOT NULL,
    -- What it seals: position and short digest of each event, in order. Goes with the events when they are pruned.
    xids        xid8[],
    seqs        bigint[],
    digests     bigint[],
    listing     bytea       NOT NULL,
    contents    bytea       NOT NULL,
    previous    bytea       NOT NULL,
    hash        bytea       NOT NULL
);

-- Against mistakes, not against whoever owns the tables: that is what the seals are for.
CREATE FUNCTION interlock.keep_trail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('interlock.pruning', true) = pg_current_xact_id()::text
       AND (TG_TABLE_NAME, TG_OP) IN (('history', 'DELETE'), ('seal', 'UPDATE')) THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit trail is only ever added to' USING ERRCODE = '42501',
        HINT = 'Old events are removed by: interlock store prune';
END $$;

CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON interlock.history
    FOR EACH STATEMENT EXECUTE FUNCTION interlock.keep_trail();
CREATE TRIGGER keep BEFORE UPDATE OR DELETE OR TRUNCATE ON interlock.seal
    FOR EACH STATEMENT EXECUTE FUNCTION interlock.keep_trail();

-- Begins an era: answers with the first number of its events. Every transaction that drew a number before has ended when
-- this one is let in, and none that comes after it is given a number from before, not even one kept in reserve.
CREATE FUNCTION interlock.begin_era() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
    v_first bigint;
BEGIN
    ALTER SEQUENCE interlock.event CACHE 32; -- changes nothing, but waits for whoever draws
    SELECT last_value + 1 INTO v_first FROM interlock.event;
    EXECUTE format('ALTER SEQUENCE interlock.event RESTART WITH %s', v_first);
    RETURN v_first;
END $$;

-- Removes the events under the oldest seals, as far as all of them ended that long ago; at most so many seals at once, and
-- tells how many. The seals stay, without their lists, and the trail tells what was removed.
CREATE FUNCTION interlock.prune_trail(p_older interval, p_most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    s interlock.seal;
    v_first bigint;
    v_last bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('interlock.prune_trail', 0)) THEN
        RETURN 0;
    END IF;
    SELECT min(number) INTO v_first FROM interlock.seal WHERE xids IS NOT NULL;
    SELECT max(number) INTO v_last FROM interlock.seal
     WHERE number < v_first + p_most
       AND number < ALL (SELECT number FROM interlock.seal WHERE newest >= clock_timestamp() - p_older);
    IF v_first IS NULL OR v_last IS NULL OR v_last < v_first THEN
        RETURN 0;
    END IF;
    PERFORM set_config('interlock.pruning', pg_current_xact_id()::text, true);
    FOR s IN SELECT * FROM interlock.seal WHERE number BETWEEN v_first AND v_last ORDER BY number LOOP
        DELETE FROM interlock.history h USING unnest(s.xids, s.seqs) AS u(xid, seq) WHERE h.xid = u.xid AND h.seq = u.seq;
        UPDATE interlock.seal SET xids = NULL, seqs = NULL, digests = NULL WHERE number = s.number;
    END LOOP;
    PERFORM set_config('interlock.pruning', '', true);
    INSERT INTO interlock.history (name, token, event, execution, attempt, owner, "user", began_at, ended_at, detail)
    SELECT '', v_last, 'PRUNED', '', 0, '', session_user, c.now, c.now, format('the events under seals %s to %s', v_first, v_last)
      FROM (SELECT clock_timestamp() AS now OFFSET 0) c;
    RETURN v_last - v_first + 1;
END $$;

UPDATE interlock.store SET schema_version = 3;
