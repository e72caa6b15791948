-- Wake-ups for a transport outside of this database, such as a queue. An execution's row is the truth and a wake-up is
-- a hint: it is written in the transaction that submits, moved by a relay, and forgotten.

-- The transport that relays have asked for, and until when submits write for it: when the last relay is gone for good,
-- the outbox stops growing.
ALTER TABLE interlock.store
    ADD COLUMN transport       text,
    ADD COLUMN transport_until timestamptz;

CREATE TABLE interlock.outbox (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    execution   text COLLATE "C" NOT NULL,
    target      text COLLATE "C" NOT NULL,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- A relay has it; when that relay does not say that it was sent, another sends it after this.
    taken_until timestamptz NOT NULL DEFAULT '-infinity'
);

UPDATE interlock.store SET schema_version = 4;
