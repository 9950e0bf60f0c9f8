/** Key of the advisory locks of this program in a database; the second key tells the locks apart. */
export const LOCK_SPACE = 0x66_69_6e;
/** Held by a transaction that writes facts, so that the order of `sequence` is the order of the commits. */
const WRITE_LOCK = 1;
export const MIGRATION_LOCK = 2;
/** Channel that is notified after each commit of facts. */
export const CHANNEL = "finality_journal";
/** SQLSTATE of a write that the functions of the schema refuse. */
export const REFUSED = "FN001";

/** One step of the schema. A released step never changes. */
export interface Migration {
  readonly version: number;
  /** Oldest schema that a program may know to work on this one. Programs that know only older ones refuse to start. */
  readonly needs: number;
  readonly sql: string;
}

const tables = `
CREATE TABLE finality.runs (
  id text PRIMARY KEY,
  network text NOT NULL,
  chain text NOT NULL,
  owner text NOT NULL,
  title text NOT NULL,
  file_hash text NOT NULL,
  version integer NOT NULL,
  created_at bigint NOT NULL,
  control text NOT NULL DEFAULT 'running' CHECK (control IN ('running', 'paused', 'stopping')),
  position bigint GENERATED ALWAYS AS IDENTITY
);

-- Idempotency keys have no expiry: no statement of this program deletes a row.
CREATE TABLE finality.rows (
  run text NOT NULL REFERENCES finality.runs,
  "row" integer NOT NULL CHECK ("row" > 0),
  chain text NOT NULL,
  owner text NOT NULL,
  key text NOT NULL,
  intent text NOT NULL,
  label text,
  PRIMARY KEY (run, "row"),
  CONSTRAINT rows_key UNIQUE (chain, owner, key)
);

CREATE TABLE finality.attempts (
  run text NOT NULL,
  "row" integer NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  tx_id text NOT NULL UNIQUE,
  fence bigint NOT NULL,
  committed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Reason why another attempt is permitted after this one.
  retry text,
  PRIMARY KEY (run, "row", number),
  FOREIGN KEY (run, "row") REFERENCES finality.rows
);
-- At most one attempt of a row may still be executed.
CREATE UNIQUE INDEX attempts_live ON finality.attempts (run, "row") WHERE retry IS NULL;

-- Leases. Times are those of the database.
CREATE TABLE finality.claims (
  run text NOT NULL,
  "row" integer NOT NULL,
  fence bigint NOT NULL DEFAULT 0,
  worker text,
  lease_until timestamptz,
  -- The row needs work. Follows from attempts and journal, and changes in the same transaction.
  is_open boolean NOT NULL DEFAULT true,
  PRIMARY KEY (run, "row"),
  FOREIGN KEY (run, "row") REFERENCES finality.rows
);
CREATE INDEX claims_open ON finality.claims (run, "row") WHERE is_open;

CREATE TABLE finality.journal (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  writer text NOT NULL,
  number bigint NOT NULL,
  tx_id text NOT NULL,
  kind text NOT NULL,
  -- Kind of the outcome, for answers and solidified transactions.
  outcome text,
  line text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (writer, number)
);
CREATE INDEX journal_tx_id ON finality.journal (tx_id, kind);

-- Events for webhooks, until they are delivered.
CREATE TABLE finality.outbox (
  id text PRIMARY KEY,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  tries integer NOT NULL DEFAULT 0,
  next_try timestamptz NOT NULL DEFAULT clock_timestamp(),
  delivered_at timestamptz,
  last_error text
);
CREATE INDEX outbox_due ON finality.outbox (next_try) WHERE delivered_at IS NULL;
`;

const guards = `
CREATE FUNCTION finality.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'finality.% is append-only', TG_TABLE_NAME USING ERRCODE = '${REFUSED}';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON finality.journal
  FOR EACH STATEMENT EXECUTE FUNCTION finality.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON finality.rows
  FOR EACH STATEMENT EXECUTE FUNCTION finality.refuse_change();
CREATE TRIGGER no_removal BEFORE DELETE OR TRUNCATE ON finality.attempts
  FOR EACH STATEMENT EXECUTE FUNCTION finality.refuse_change();
`;

const functions = `
-- Stores signed bytes as the next attempt of a row, unless another worker, another attempt or another row has taken it.
CREATE FUNCTION finality.commit_attempt(item jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  held bigint;
  known text[];
  permitted boolean;
BEGIN
  SELECT fence INTO held FROM finality.claims WHERE run = item->>'run' AND "row" = (item->>'row')::int FOR UPDATE;
  SELECT coalesce(array_agg(tx_id ORDER BY number), '{}'), coalesce(bool_and(retry IS NOT NULL), true)
    INTO known, permitted FROM finality.attempts WHERE run = item->>'run' AND "row" = (item->>'row')::int;
  IF known[cardinality(known)] = item->>'tx_id' THEN RETURN 'committed'; END IF;
  IF held IS DISTINCT FROM (item->>'fence')::bigint THEN RETURN 'fenced'; END IF;
  IF NOT permitted OR to_jsonb(known) <> item->'attempts' THEN RETURN 'attempt-exists'; END IF;
  IF EXISTS (SELECT FROM finality.attempts WHERE tx_id = item->>'tx_id') THEN RETURN 'tx-id-used'; END IF;
  INSERT INTO finality.attempts (run, "row", number, tx_id, fence)
    VALUES (item->>'run', (item->>'row')::int, cardinality(known) + 1, item->>'tx_id', held);
  UPDATE finality.claims SET is_open = true WHERE run = item->>'run' AND "row" = (item->>'row')::int AND NOT is_open;
  INSERT INTO finality.journal (writer, number, tx_id, kind, line)
    VALUES (item->>'writer', (item->>'number')::bigint, item->>'tx_id', 'signed', item->>'line')
    ON CONFLICT (writer, number) DO NOTHING;
  RETURN 'committed';
END $$;

-- Stores attempts and facts in one transaction. Returns the results by number, and the last sequence number.
CREATE FUNCTION finality.write(attempts jsonb, entries jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  item jsonb;
  results jsonb := '{}';
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(${LOCK_SPACE}, ${WRITE_LOCK});
  FOR item IN SELECT value FROM jsonb_array_elements(attempts) ORDER BY value->>'run', (value->>'row')::int LOOP
    results := results || jsonb_build_object(item->>'number', finality.commit_attempt(item));
  END LOOP;
  -- Bytes that were replaced by another attempt never leave again.
  IF EXISTS (SELECT FROM jsonb_array_elements(entries) AS e JOIN finality.attempts AS a ON a.tx_id = e->>'tx_id'
      WHERE e->>'kind' = 'broadcast-started' AND a.retry IS NOT NULL) THEN
    RAISE EXCEPTION 'another attempt is permitted after this one' USING ERRCODE = '${REFUSED}';
  END IF;
  INSERT INTO finality.journal (writer, number, tx_id, kind, outcome, line)
    SELECT e->>'writer', (e->>'number')::bigint, e->>'tx_id', e->>'kind', e->>'outcome', e->>'line'
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS list(e, ordinal) ORDER BY ordinal
    ON CONFLICT (writer, number) DO NOTHING;
  -- A payment that was executed after all needs no work, although another attempt was permitted.
  UPDATE finality.claims AS c SET is_open = false
    FROM jsonb_array_elements(entries) AS e JOIN finality.attempts AS a ON a.tx_id = e->>'tx_id'
    WHERE e->>'decides' = 'true' AND (a.retry IS NULL OR (e->>'kind' = 'solidified' AND e->>'outcome' = 'success'))
      AND c.run = a.run AND c."row" = a."row" AND c.is_open
      AND NOT EXISTS (SELECT FROM finality.attempts AS b WHERE b.run = a.run AND b."row" = a."row" AND b.number > a.number);
  SELECT max(j.sequence) INTO last FROM jsonb_array_elements(attempts || entries) AS e
    JOIN finality.journal AS j ON j.writer = e->>'writer' AND j.number = (e->>'number')::bigint;
  PERFORM pg_notify('${CHANNEL}', '');
  RETURN jsonb_build_object('results', results, 'sequence', last);
END $$;

-- Claims rows of running runs that need work and that no live lease holds. Null selects every run, chain or owner.
CREATE FUNCTION finality.claim(
  worker_id text, known_version int, one_run text, one_chain text, one_owner text, most int, lease_ms bigint
) RETURNS SETOF finality.claims LANGUAGE sql AS $$
  WITH picked AS (
    SELECT c.run, c."row" FROM finality.claims AS c JOIN finality.runs AS r ON r.id = c.run
    WHERE c.is_open AND (c.lease_until IS NULL OR c.lease_until <= clock_timestamp())
      AND r.control = 'running' AND r.version <= known_version AND (one_run IS NULL OR c.run = one_run)
      AND (one_chain IS NULL OR r.chain = one_chain) AND (one_owner IS NULL OR r.owner = one_owner)
    ORDER BY c.run, c."row" LIMIT most FOR UPDATE OF c SKIP LOCKED
  )
  UPDATE finality.claims AS c SET fence = c.fence + 1, worker = worker_id,
    lease_until = clock_timestamp() + lease_ms * interval '1 millisecond'
  FROM picked WHERE c.run = picked.run AND c."row" = picked."row" RETURNING c.*
$$;

-- Permits another attempt after the last one, unless another attempt followed it meanwhile.
CREATE FUNCTION finality.permit_retry(of_run text, of_row int, after_tx text, reason_kind text, reason text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  live text;
BEGIN
  PERFORM pg_advisory_xact_lock(${LOCK_SPACE}, ${WRITE_LOCK});
  SELECT tx_id INTO live FROM finality.attempts WHERE run = of_run AND "row" = of_row AND retry IS NULL FOR UPDATE;
  IF live IS DISTINCT FROM after_tx THEN RETURN; END IF;
  -- A refusal says nothing about a second submission of the same bytes, which another worker may have started.
  IF reason_kind = 'rejection' AND (SELECT count(*) FROM finality.journal AS j WHERE j.tx_id = after_tx AND j.kind = 'broadcast-started') > 1
    AND NOT EXISTS (SELECT FROM finality.journal AS j WHERE j.tx_id = after_tx AND j.kind = 'not-found') THEN RETURN; END IF;
  UPDATE finality.attempts SET retry = reason_kind || ': ' || reason WHERE tx_id = after_tx;
  UPDATE finality.claims SET is_open = true, lease_until = NULL WHERE run = of_run AND "row" = of_row
    AND NOT EXISTS (SELECT FROM finality.journal AS j
      WHERE j.tx_id = after_tx AND j.kind = 'solidified' AND j.outcome = 'success');
END $$;
`;

/** Steps of the schema, oldest first. Each runs in a transaction of its own. */
export const migrations: readonly Migration[] = [{ version: 1, needs: 1, sql: `${tables}${guards}${functions}` }];
