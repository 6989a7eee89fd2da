import type { Tokens } from "../tokens.ts";
import { encodeIntegers } from "./binary-array.ts";
import type { Sql } from "./database.ts";
import { deleteRows } from "./delete-rows.ts";
import { mostFresh } from "./fresh-words.ts";
import { countTokens } from "./tokens.ts";
import { changeWords } from "./words-write.ts";

const chunksAtOnce = 2000;

/** Builds the words of all chunks of an agent again, inside the transaction of the caller, who holds its lock. */
export async function rebuildWords(sql: Sql, agentId: number, tokens: Tokens): Promise<void> {
  await sql(deleteRows("postings", "agent_id = $1"), [agentId]);
  await sql(deleteRows("fresh_words", "agent_id = $1"), [agentId]);
  for (let last = 0; ; ) {
    const rows = await sql<{ key: number; text: string; headings: string; path: string }>(
      `SELECT c.key::float8 AS key, c.text, c.headings, f.path
       FROM longhand.chunks c JOIN longhand.files f ON f.agent_id = c.agent_id AND f.id = c.file_id
       WHERE c.agent_id = $1 AND c.key > $2 ORDER BY c.key LIMIT ${chunksAtOnce}`,
      [agentId, last],
    );
    if (rows.length === 0) break;
    last = rows.at(-1)!.key;
    const added = rows.map(({ key, text, headings, path }) => ({
      key,
      tokens: countTokens(tokens({ text, headings: JSON.parse(headings), path })),
    }));
    await changeWords(sql, agentId, { added, gone: [] }, mostFresh);
    await sql(
      `UPDATE longhand.chunks c SET token_count = t.total, word_count = t.words
       FROM unnest($2::int8[], $3::int4[], $4::int4[]) AS t (key, total, words)
       WHERE c.agent_id = $1 AND c.key = t.key AND (c.token_count, c.word_count) <> (t.total, t.words)`,
      [
        agentId,
        added.map(({ key }) => key),
        encodeIntegers(added.map((each) => each.tokens.total)),
        encodeIntegers(added.map((each) => each.tokens.counts.size)),
      ],
    );
  }
  await recount(sql, agentId);
}

/** The counts of an agent, from what is there. */
async function recount(sql: Sql, agentId: number): Promise<void> {
  await sql(
    `UPDATE longhand.agents SET (chunk_count, token_count) =
       (SELECT count(*), coalesce(sum(token_count), 0) FROM longhand.chunks WHERE agent_id = $1)
     WHERE id = $1`,
    [agentId],
  );
}
