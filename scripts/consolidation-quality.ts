import { generateMonth } from "../quality/consolidate/generate-month.ts";
import { scoreMonth } from "../quality/consolidate/score-month.ts";
import { programArguments } from "./program-arguments.ts";

/*
 * npm run quality:consolidate                       1,000 generated months
 * npm run quality:consolidate -- --months 50 --wrong 20
 * npm run quality:consolidate -- --show 7           prints the notes of one month
 */
const { values } = programArguments(import.meta.filename, {
  options: {
    months: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    wrong: { type: "string", default: "5" },
    kills: { type: "string", default: "1" },
    show: { type: "string" },
  },
});
if (values.show !== undefined) {
  const { notes, today } = generateMonth(Number(values.show));
  console.log(`today: ${today}`);
  for (const [path, bytes] of notes) console.log(`\n== ${path}\n${bytes.toString()}`);
  process.exit();
}
const months = Number(values.months);
const steps = new Map<string, { proposed: number; right: number }>();
const planted = new Map<string, { planted: number; found: number }>();
const [wrong, lost, notRestored]: [string[], string[], string[]] = [[], [], []];
let [lines, kills] = [0, 0];
for (let at = 0; at < months; at++) {
  const month = generateMonth(Number(values.seed) + at);
  // Every n-th month is killed at every write.
  const score = await scoreMonth(month, { withKills: at % Number(values.kills) === 0 });
  lines += [...month.notes.values()].reduce((sum, bytes) => sum + bytes.toString().split("\n").length, 0);
  kills += score.kills;
  for (const [kind, { proposed, right }] of Object.entries(score.steps)) {
    const sum = steps.get(kind) ?? { proposed: 0, right: 0 };
    steps.set(kind, { proposed: sum.proposed + proposed, right: sum.right + right });
  }
  for (const [kind, { planted: count, found }] of Object.entries(score.planted)) {
    const sum = planted.get(kind) ?? { planted: 0, found: 0 };
    planted.set(kind, { planted: sum.planted + count, found: sum.found + found });
  }
  wrong.push(...score.wrong.map((each) => `month ${month.seed}: ${each}`));
  lost.push(...score.lost.map((each) => `month ${month.seed}: ${each}`));
  notRestored.push(...score.notRestored.map((each) => `month ${month.seed}: ${each}`));
}
const share = (part: number, whole: number): string => (whole === 0 ? "-" : (part / whole).toFixed(3));
const all = [...steps.values()].reduce(
  (sum, each) => ({ proposed: sum.proposed + each.proposed, right: sum.right + each.right }),
  { proposed: 0, right: 0 },
);
for (const [kind, { proposed, right }] of steps) {
  console.log(`${kind.padEnd(10)} ${proposed} proposed, precision ${share(right, proposed)}`);
}
for (const [kind, { planted: count, found }] of planted) {
  console.log(`${kind.padEnd(10)} ${count} planted, found ${share(found, count)}`);
}
console.log(
  `${months} months, ${lines} lines, ${all.proposed} steps, precision ${share(all.right, all.proposed)}, ` +
    `${lost.length} lines lost, ${kills} kills, ${notRestored.length} notes not restored`,
);
for (const each of [...lost, ...notRestored].slice(0, 20)) console.log(`  ${each}`);
for (const each of wrong.slice(0, Number(values.wrong))) console.log(`  wrong: ${each}`);
if (lost.length > 0 || notRestored.length > 0 || all.right < 0.9 * all.proposed) process.exitCode = 1;
