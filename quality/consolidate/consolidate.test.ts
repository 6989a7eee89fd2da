import assert from "node:assert/strict";
import { test } from "node:test";
import { generateMonth } from "./generate-month.ts";
import { createNoteWorld } from "./note-world.ts";
import { scoreMonth } from "./score-month.ts";

/* A short run; the figures of docs/consolidation.md come from `npm run quality:consolidate`. */
const months = 20;

test("on generated months no line is lost, steps are right, and every byte comes back", async (t) => {
  let [proposed, right, kills] = [0, 0, 0];
  for (let seed = 5001; seed < 5001 + months; seed++) {
    const score = await scoreMonth(generateMonth(seed), { withKills: seed % 10 === 1 });
    assert.deepEqual({ lost: score.lost, notRestored: score.notRestored }, { lost: [], notRestored: [] });
    for (const counts of Object.values(score.steps)) {
      proposed += counts.proposed;
      right += counts.right;
    }
    kills += score.kills;
  }
  t.diagnostic(`${proposed} steps, ${right} right, ${kills} kills`);
  assert.ok(proposed > months && right >= 0.9 * proposed, `${right} of ${proposed}`);
});

test("a note that another program changes during an apply keeps its text, and so do all others", async () => {
  for (let at = 0; at < 12; at++) {
    const month = generateMonth(31);
    const world = createNoteWorld(month.notes, month.today);
    const path = [...month.notes.keys()][3]!;
    const mine = Buffer.from("Mine.\n");
    const consolidation = world.open();
    world.meanwhile = () => {
      if (world.writes() === at) world.notes.set(path, mine);
    };
    const { applied, refused, receipt } = await consolidation.apply({ steps: "all" });
    world.meanwhile = null;
    assert.deepEqual(world.notes.get(path), mine);
    const touched = applied.some(({ changes }) => changes.some((change) => change.path === path));
    if (refused.length > 0) assert.ok(!touched);
    if (receipt !== null && !touched) {
      await world.open().undo();
      for (const [name, bytes] of month.notes)
        if (name !== path) assert.deepEqual(world.notes.get(name), bytes, name);
    }
  }
});

test("the same notes give the same plan, and a second plan after the first has little left to do", async () => {
  const month = generateMonth(12);
  const world = createNoteWorld(month.notes, month.today);
  const first = await world.open().plan();
  assert.deepEqual(await world.open().plan(), first);
  let steps = first.steps.length;
  for (let round = 0; steps > 0; round++) {
    assert.ok(round < 4, "plans come to an end");
    await world.open().apply({ steps: "all" });
    steps = (await world.open().plan()).steps.length;
  }
});
