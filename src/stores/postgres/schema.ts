import { separateTenants } from "./separate-tenants.ts";

/*
 * The derived index of many agents in one database, in the schema `longhand`. Everything but `embedding_cache` and
 * `embedder_usage` can be built again from the notes. Migrations are numbered and never changed once released; each is
 * applied in a transaction under an advisory lock (`migrate.ts`).
 *
 * Every row belongs to an agent (`agent_id`), and row-level security shows a transaction only the rows of the agent that
 * it has named: `SET LOCAL longhand.agent = 'name'`. It is forced, so the owner of the tables obeys too; superusers and
 * roles with BYPASSRLS do not, and for them every statement of ours names the agent besides. `agents.login` names a
 * database role: then only its members can act as that agent, whatever they set; without one, only the owner of the
 * tables. Every key holds the agent. `add_agent` makes an agent with its role, which is given what it needs and no more.
 *
 * agents
 *   One row per agent, and the lock of its writers: each write takes it FOR UPDATE first, so an agent has one writer at
 *   a time, as in SQLite, and none of the tables below can deadlock. `next_key` is the key of the next chunk, never used
 *   twice; `next_set` is the number of the next set of vectors. `revision` grows with every write, `content_revision`
 *   with those to documents; `removed_revision` is the `content_revision` of the last write that removed any.
 *   `token_count` is the sum of `chunks.token_count`.
 *
 * files, chunks, meta, embedding_cache, embedder_usage, embedders
 *   As in SQLite (`sqlite/schema.ts`). A text cannot hold NUL; `sql-values.ts` says how it is written.
 *
 * postings, fresh_words
 *   Words by the tokens of our own analyser, in a form that row-level security can read by an index: PostgreSQL's
 *   full-text operators are not leakproof, so under a policy their index is not used at all. (Nor is any index on an
 *   expression with a function like left().) `postings` has one row per word and block of 2048 keys; `entries` holds
 *   six bytes for each chunk, see `postings.ts`. A search reads the rows of its words and scores them in the process
 *   that asks: the server only looks up, and the order is the same as in SQLite. The document frequency of a word is
 *   the length of its entries.
 *   A chunk has a hundred words and more, and to change as many rows for each note that comes would take most of the
 *   time. So `fresh_words` has one row for each of the last chunks, with all of its tokens and an entry for each; when
 *   there are some dozens they are folded into `postings` together. A chunk is in the one or in the other.
 *   `chunks.word_count` is the number of its different words, which shows whether any are lost.
 *
 * chunks_vec
 *   The vectors of a chunk: `codes` for embedders with several small ones a text (as in SQLite), `embedding` for those
 *   with one, as half precision for pgvector to find candidates with; the exact vector is in embedding_cache. Both are
 *   NULL for a text that holds nothing to embed. The column `embedding` is there once the extension is, see
 *   `vector-extension.ts`; `embedders.half_column` is its number once all vectors of a set are in it. A number is never
 *   given to another column, so one that was dropped and made again is noticed.
 *
 * chunks_gone
 *   As in SQLite; `seq` counts in `agents.gone_count`.
 *
 * work
 *   Who holds a work lock, by `lock_key` and `backend`, and what it says about itself; see `work-lock-postgres.ts`.
 */

/** Those of the first version with rows of agents; the policy is the same for all. */
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

/** Every table with rows of agents. */
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

/** The agent is looked up once a statement: the parentheses make the call a value of the whole statement. */
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
 * Words without numbers. The tables are altered and not made again, because roles were given rights to them. What is in
 * them goes, and each agent builds its words again as after a change of the analyser.
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
UPDATE longhand.meta SET value = jsonb_set(value::jsonb, '{analyser}', '""')::text WHERE key = 'memory_index_meta_v1';
ALTER TABLE longhand.meta FORCE ROW LEVEL SECURITY;`;

/** By which write a document is as it is, so that a writer replaces what it has seen and nothing else. */
const addRevisions = `
ALTER TABLE longhand.files ADD COLUMN revision int8 NOT NULL DEFAULT 0;
ALTER TABLE longhand.agents ADD COLUMN removed_revision int8 NOT NULL DEFAULT 0;`;

/** The first one is number 1. */
export const migrations: readonly string[] = [
  `${createTables}\n${securePolicies}`,
  dropNumbersOfWords,
  addRevisions,
  separateTenants(ownedTables),
];
