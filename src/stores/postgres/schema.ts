import { partitionTables } from "./partition-tables.ts";
import { cacheFunctions, grantTenant, separateTenants } from "./separate-tenants.ts";

/*
 * The derived index of many agents in one database, in the schema `longhand`. Everything but `embedding_cache` and
 * `embedder_usage` can be rebuilt from the notes. Migrations are numbered and never changed once released; each is
 * applied in a transaction under an advisory lock (`postgres-store.ts`).
 *
 * Every row belongs to an agent (`agent_id`), and row-level security shows a transaction only the rows of its agent:
 * `SET LOCAL longhand.agent = 'name'`. It is forced, so it applies to the owner of the tables too; it does not apply to
 * superusers and roles with BYPASSRLS, and because of them every statement of ours also names the agent. `agents.login`
 * names a database role: then only its members can act as that agent, whatever they set; without one, only the owner of
 * the tables. Every key contains the agent. `add_agent` creates an agent with its role and the minimal privileges.
 * `partition_tables` splits the large tables by agent (`partition-tables.ts`).
 *
 * agents
 *   One row per agent, and the lock of its writers: each write takes it FOR UPDATE first, so an agent has one writer at
 *   a time, as in SQLite, and none of the tables below can deadlock. `next_key` is the key of the next chunk, never
 *   reused; `next_set` is the id of the next vector set. `revision` grows with every write, `content_revision` with
 *   writes to documents; `removed_revision` is the `content_revision` of the last write that removed any.
 *   `token_count` is the sum of `chunks.token_count`.
 *
 * files, chunks, meta, embedding_cache, embedder_usage, embedders
 *   As in SQLite (`sqlite/schema.ts`). Text cannot contain NUL; `sql-values.ts` escapes it.
 *
 * postings, fresh_words
 *   The tokens of our own analyzer, in a form that an index can serve under row-level security: PostgreSQL's full-text
 *   operators are not leakproof, so under a policy their index is not used at all. (Nor is any index on an expression
 *   with a function like left().) `postings` has one row per token and block of 2048 keys; `entries` holds six bytes
 *   per chunk, see `postings.ts`. A search reads the rows of its tokens and scores them in its own process: the server
 *   only looks up, and the order is the same as in SQLite. The document frequency of a token is the length of its
 *   entries.
 *   A chunk has a hundred tokens and more, and changing as many rows for each new note would take most of the time. So
 *   `fresh_words` has one row for each of the latest chunks, with all of its tokens and a posting for each; a few dozen
 *   are then merged into `postings` together. A chunk is in one of the two tables. `chunks.word_count` is the number of
 *   its distinct tokens, which shows whether any are lost.
 *
 * chunks_vec
 *   The vectors of a chunk: `codes` for embedders with several small ones per text (as in SQLite), `embedding` for those
 *   with one, at half precision, for pgvector to find candidates; the exact vector is in embedding_cache. Both are NULL
 *   for a text with nothing to embed. The column `embedding` exists once the extension does, see `vector-extension.ts`;
 *   `embedders.half_column` is its attribute number once it contains all vectors of a set. PostgreSQL never reuses
 *   attribute numbers, so a column that was dropped and recreated is noticed.
 *
 * chunks_gone
 *   As in SQLite; `seq` counts in `agents.gone_count`.
 *
 * work
 *   The holder of a work lock, by `lock_key` and `backend`, and its progress; see `work-lock-postgres.ts`.
 */

/** The tables of the first version that hold rows of agents; all have the same policy. */
const firstTables = [
  "meta",
  "files",
  "chunks",
  "words",
  "postings",
  "embedders",
  "chunks_vec",
  "chunks_gone",
  "embedding_cache",
  "embedder_usage",
  "work",
] as const;

/** All tables that hold rows of agents. */
export const ownedTables = firstTables.map((table) => (table === "words" ? "fresh_words" : table));

const createTables = `
CREATE TABLE longhand.agents (
  id int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  login text,
  next_key int8 NOT NULL DEFAULT 1,
  gone_count int8 NOT NULL DEFAULT 0,
  chunk_count int8 NOT NULL DEFAULT 0,
  token_count int8 NOT NULL DEFAULT 0,
  revision int8 NOT NULL DEFAULT 0,
  content_revision int8 NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE longhand.meta (
  agent_id int4 NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (agent_id, key)
);
CREATE TABLE longhand.files (
  id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent_id int4 NOT NULL,
  source text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  hash text NOT NULL,
  mtime int8 NOT NULL,
  size int8 NOT NULL,
  version text NOT NULL,
  chunker text NOT NULL,
  date text COLLATE "C",
  scope text NOT NULL,
  chunk_count int4 NOT NULL,
  UNIQUE (agent_id, source, path)
);
CREATE TABLE longhand.chunks (
  agent_id int4 NOT NULL,
  key int8 NOT NULL,
  file_id int8 NOT NULL,
  position int4 NOT NULL,
  start_line int4 NOT NULL,
  end_line int4 NOT NULL,
  token_count int4 NOT NULL,
  updated_at int8 NOT NULL,
  id text NOT NULL,
  hash text COLLATE "C" NOT NULL,
  headings text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (agent_id, key)
);
CREATE INDEX chunks_file ON longhand.chunks (file_id, position);
CREATE INDEX chunks_hash ON longhand.chunks (agent_id, left(hash, 16));
CREATE TABLE longhand.words (
  id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent_id int4 NOT NULL,
  chunks int4 NOT NULL,
  token text COLLATE "C" NOT NULL,
  UNIQUE (agent_id, token)
) WITH (fillfactor = 80);
CREATE TABLE longhand.postings (
  word_id int8 NOT NULL,
  block int4 NOT NULL,
  agent_id int4 NOT NULL,
  entries bytea NOT NULL,
  PRIMARY KEY (word_id, block)
) WITH (fillfactor = 80);
ALTER TABLE longhand.postings ALTER COLUMN entries SET STORAGE EXTERNAL;
CREATE TABLE longhand.embedders (
  id int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent_id int4 NOT NULL,
  name text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  model text NOT NULL,
  provider_key text NOT NULL,
  vectors_per_text text NOT NULL,
  dims int4 NOT NULL,
  done_key int8 NOT NULL,
  used_at int8 NOT NULL,
  half_column int2,
  UNIQUE (agent_id, name)
);
CREATE TABLE longhand.chunks_vec (
  embedder_id int4 NOT NULL,
  key int8 NOT NULL,
  agent_id int4 NOT NULL,
  codes bytea,
  PRIMARY KEY (embedder_id, key)
);
ALTER TABLE longhand.chunks_vec ALTER COLUMN codes SET STORAGE EXTERNAL;
CREATE TABLE longhand.chunks_gone (
  agent_id int4 NOT NULL,
  seq int8 NOT NULL,
  key int8 NOT NULL,
  PRIMARY KEY (agent_id, seq)
);
CREATE TABLE longhand.embedding_cache (
  agent_id int4 NOT NULL,
  provider text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  provider_key text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  dims int4 NOT NULL,
  updated_at int8 NOT NULL,
  embedding bytea NOT NULL,
  PRIMARY KEY (agent_id, provider_key, hash, provider, model)
);
ALTER TABLE longhand.embedding_cache ALTER COLUMN embedding SET STORAGE EXTERNAL;
CREATE TABLE longhand.embedder_usage (
  agent_id int4 NOT NULL,
  embedder text COLLATE "C" NOT NULL,
  requests int8 NOT NULL,
  tokens int8 NOT NULL,
  texts int8 NOT NULL,
  cost_usd float8,
  updated_at int8 NOT NULL,
  PRIMARY KEY (agent_id, embedder)
);
CREATE TABLE longhand.work (
  agent_id int4 NOT NULL,
  name text COLLATE "C" NOT NULL,
  pid int4 NOT NULL,
  host text NOT NULL,
  doing text NOT NULL,
  since timestamptz NOT NULL,
  heard_at timestamptz NOT NULL,
  PRIMARY KEY (agent_id, name)
);`;

/** The agent is looked up once per statement: the parentheses make the call a scalar subquery. */
const securePolicies = `
CREATE FUNCTION longhand.current_agent() RETURNS int4 LANGUAGE sql STABLE
  AS $$ SELECT id FROM longhand.agents WHERE name = current_setting('longhand.agent', true) $$;
ALTER TABLE longhand.agents ENABLE ROW LEVEL SECURITY;
ALTER TABLE longhand.agents FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON longhand.agents USING (
  name = current_setting('longhand.agent', true)
  AND (login IS NULL OR pg_has_role(current_user, login::name, 'member'))
);
${firstTables
  .map(
    (table) => `ALTER TABLE longhand.${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE longhand.${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON longhand.${table} USING (agent_id = (SELECT longhand.current_agent()));`,
  )
  .join("\n")}`;

/**
 * Removes the numbers of words. The tables are altered instead of recreated, because privileges on them were granted.
 * Their rows are deleted, and each agent rebuilds its tokens as after a change of the analyzer.
 */
const dropNumbersOfWords = `
TRUNCATE longhand.words, longhand.postings;
ALTER TABLE longhand.postings DROP COLUMN word_id, ADD COLUMN token text COLLATE "C" NOT NULL,
  ADD PRIMARY KEY (agent_id, token, block);
ALTER TABLE longhand.words DROP COLUMN id, DROP COLUMN chunks, DROP COLUMN token,
  ADD COLUMN key int8 NOT NULL, ADD COLUMN tokens text[] COLLATE "C" NOT NULL, ADD COLUMN entries bytea NOT NULL,
  ADD PRIMARY KEY (agent_id, key), ALTER COLUMN tokens SET STORAGE MAIN, ALTER COLUMN entries SET STORAGE MAIN;
ALTER TABLE longhand.words RENAME TO fresh_words;
ALTER TABLE longhand.chunks ADD COLUMN word_count int4 NOT NULL DEFAULT 0;
DROP INDEX longhand.chunks_hash;
CREATE INDEX chunks_hash ON longhand.chunks (agent_id, hash);
ALTER TABLE longhand.meta NO FORCE ROW LEVEL SECURITY;
UPDATE longhand.meta SET value = jsonb_set(value::jsonb, '{analyzer}', '""')::text WHERE key = 'memory_index_meta_v1';
ALTER TABLE longhand.meta FORCE ROW LEVEL SECURITY;`;

/** The write that last changed a document, so that a writer replaces only the version it saw. */
const addRevisions = `
ALTER TABLE longhand.files ADD COLUMN revision int8 NOT NULL DEFAULT 0;
ALTER TABLE longhand.agents ADD COLUMN removed_revision int8 NOT NULL DEFAULT 0;`;

/** The first migration has number 1. */
export const migrations: readonly string[] = [
  `${createTables}\n${securePolicies}`,
  dropNumbersOfWords,
  addRevisions,
  separateTenants(ownedTables),
  `${grantTenant("'r', 'p'")}\n${partitionTables}`,
  cacheFunctions,
];
