import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { resolveSettings } from "../src/config/settings.ts";
import { settingsFor } from "../src/eval/temporary-index.ts";
import { openConfiguredMemory } from "../src/memory/open-memory.ts";
import type { SearchHit } from "../src/search/search.ts";
import { generateShapes, type Shape, type ShapedQuestion } from "./generate-shapes.ts";

/**
 * Share of the questions of each shape that are answered as they must be, at what is reached today, by words alone and with the builtin model.
 */
const floors: Readonly<Record<"none" | "builtin", Readonly<Record<Shape, number>>>> = {
  none: { day: 1, month: 1, file: 1, emoji: 1, turn: 1, "front matter": 1, long: 0.875, title: 1 },
  // To the model all words of a long question are alike.
  builtin: { day: 1, month: 1, file: 1, emoji: 1, turn: 1, "front matter": 1, long: 0.75, title: 1 },
};

const { notes, questions } = generateShapes(1, new Date().getUTCFullYear() - 1);
const folder = mkdtempSync(path.join(tmpdir(), "longhand-shapes-"));
after(() => rmSync(folder, { recursive: true, force: true }));
for (const [name, text] of notes) {
  const file = path.join(folder, "workspace", name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

for (const provider of ["none", "builtin"] as const) {
  test(`Questions of every shape are answered first, provider ${provider}`, async (t) => {
    const settings = await resolveSettings({
      config: devNull,
      overrides: { agents: { defaults: { memorySearch: { provider } } } },
    });
    const workspaceDir = path.join(folder, "workspace");
    const stateDir = path.join(folder, provider);
    await using memory = await openConfiguredMemory(
      settingsFor(settings, { workspaceDir, extraPaths: [workspaceDir], exclude: [], stateDir }),
    );
    await memory.sync({ reason: "eval" });
    const missed = new Map<Shape, ShapedQuestion[]>();
    for (const question of questions) {
      const { results } = await memory.search(question.query);
      if (!isRight(question, results))
        missed.set(question.shape, [...(missed.get(question.shape) ?? []), question]);
    }
    for (const [shape, asked] of Map.groupBy(questions, (each) => each.shape)) {
      const wrong = missed.get(shape) ?? [];
      const share = 1 - wrong.length / asked.length;
      t.diagnostic(`${shape}: ${share.toFixed(3)} of ${asked.length}`);
      const examples = wrong.slice(0, 3).map(({ query }) => query.slice(0, 80));
      assert.ok(
        share >= floors[provider][shape],
        `${shape}: ${share.toFixed(3)}, e.g. ${examples.join(" | ")}`,
      );
    }
  });
}

function isRight({ path, shows, hides, together }: ShapedQuestion, hits: readonly SearchHit[]): boolean {
  const [first] = hits;
  if (first === undefined || !first.path.startsWith(path) || !first.snippet.includes(shows)) return false;
  if (hides !== undefined && first.snippet.includes(hides)) return false;
  return hits.every(
    ({ snippet }) => !together || !snippet.includes(together[0]) || snippet.includes(together[1]),
  );
}
