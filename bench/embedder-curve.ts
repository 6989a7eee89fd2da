/**
 * How well keyword, semantic and hybrid search answer with embedders from random to nearly perfect, on question sets of
 * the format in docs/eval.md. The curve in docs/search.md was measured with it.
 */
import { cpSync, readFileSync } from "node:fs";
import { devNull } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { programArguments } from "../scripts/program-arguments.ts";
import { resolveSettings, type Settings } from "../src/config/settings.ts";
import { openBuiltinEmbedder } from "../src/embedders/builtin/builtin-embedder.ts";
import type { Embedder } from "../src/embedders/embedder.ts";
import { askQuestions, scoreAnswers } from "../src/eval/answers.ts";
import { createLineChars } from "../src/eval/metrics.ts";
import type { Question, QuestionSet } from "../src/eval/question.ts";
import { readSets } from "../src/eval/read-sets.ts";
import { settingsFor } from "../src/eval/temporary-index.ts";
import { openConfiguredMemory } from "../src/memory/open-memory.ts";
import { addTopics, createDialledEmbedder } from "./dialled-embedder.ts";
import { inTemporaryFolder } from "./measure.ts";

const usage = `node bench/embedder-curve.ts DIR [options]

  --sets NAMES         some sets of the folder, separated by commas
  --limit N            the first N questions of each set
  --strengths NUMBERS  separated by commas; 0 is random, 1.5 nearly perfect
  --several            several vectors per text instead of one
  --topics             one vector per text that also says what it is about, so that the embedder passes its check
  --builtin            one vector of the builtin model per text instead: a weak real embedder
  --module FILE        the embedder that FILE exports instead: export function open(): Embedder
  --seed N             other noise in the vectors
  --json               one line per set and strength
`;

const { values, positionals } = programArguments(import.meta.filename, {
  allowPositionals: true,
  options: {
    sets: { type: "string" },
    limit: { type: "string" },
    strengths: { type: "string", default: "0,0.12,0.3,0.45,0.7,1.5" },
    several: { type: "boolean", default: false },
    topics: { type: "boolean", default: false },
    builtin: { type: "boolean", default: false },
    module: { type: "string" },
    seed: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
  },
});
const [dir] = positionals;
if (dir === undefined) {
  console.error(usage);
  process.exit(2);
}
const isDialled = !values.builtin && values.module === undefined;
const strengths = isDialled ? values.strengths.split(",").map(Number) : [0];

const settingsWith = (memorySearch: object): Promise<Settings> =>
  resolveSettings({ config: devNull, overrides: { agents: { defaults: { memorySearch } } } });
const searches = {
  keyword: await settingsWith({ provider: "none" }),
  semantic: await settingsWith({ query: { hybrid: { enabled: false }, minScore: 0 } }),
  hybrid: await settingsWith({}),
};
type Search = keyof typeof searches;
const builtin = values.topics || values.builtin ? await openBuiltinEmbedder() : null;
const imported: Embedder | null = values.module === undefined ? null : await importEmbedder(values.module);

/** nDCG@10 of a set with an embedder of some strength. */
interface Point extends Record<Search, number> {
  readonly set: string;
  readonly strength: number;
}

async function importEmbedder(file: string): Promise<Embedder> {
  const { open } = (await import(pathToFileURL(resolve(file)).href)) as { open: () => Embedder };
  return open();
}

function embedderFor(set: QuestionSet, strength: number): Embedder {
  if (imported !== null) return imported;
  const vectorsPerText = values.several ? "several" : "one";
  const dialled = createDialledEmbedder(set, { strength, vectorsPerText, seed: Number(values.seed) });
  return builtin === null ? dialled : addTopics(dialled, builtin, values.builtin ? 1 : undefined);
}

/** The sum of nDCG@10 over the questions of one scope, for each strength. */
async function sumOfScope(
  set: QuestionSet,
  questions: readonly Question[],
  folder: string,
): Promise<Record<Search, number>[]> {
  const scope = questions[0]!.scope;
  const workspaceDir = scope === undefined ? set.workspaceDir : join(set.workspaceDir, scope);
  const charsOf = createLineChars((path) => readFileSync(join(set.workspaceDir, path), "utf8"));
  const open = (search: Search, strength: number, stateDir: string) => {
    const notes = { workspaceDir, extraPaths: [workspaceDir], exclude: [], stateDir };
    const settings = { ...settingsFor(searches[search], notes), agentId: "curve" };
    return openConfiguredMemory(
      settings,
      search === "keyword" ? {} : { embedder: embedderFor(set, strength) },
    );
  };
  const index = join(folder, "index");
  {
    await using memory = await open("hybrid", 0, index);
    await memory.sync({ reason: "eval" });
  }
  let copies = 0;
  const ask = async (search: Search, strength: number): Promise<number> => {
    // What is learned from the questions is stored in the index, and every run starts without it.
    const copy = join(folder, `${copies++}`);
    cpSync(index, copy, { recursive: true });
    await using memory = await open(search, strength, copy);
    const answers = scoreAnswers(await askQuestions(memory, questions), charsOf);
    return answers.reduce((sum, { metrics }) => sum + metrics["nDCG@10"], 0);
  };
  const keyword = await ask("keyword", 0);
  const sums: Record<Search, number>[] = [];
  for (const strength of strengths) {
    sums.push({ keyword, semantic: await ask("semantic", strength), hybrid: await ask("hybrid", strength) });
  }
  return sums;
}

async function pointsOf(set: QuestionSet): Promise<Point[]> {
  const scopes = Map.groupBy(set.questions, ({ scope }) => scope);
  const sums: Record<Search, number>[][] = [];
  for (const questions of scopes.values()) {
    sums.push(await inTemporaryFolder((folder) => sumOfScope(set, questions, folder)));
  }
  return strengths.map((strength, i) => {
    const meanOf = (search: Search): number =>
      sums.reduce((sum, ofScope) => sum + ofScope[i]![search], 0) / set.questions.length;
    return {
      set: set.name,
      strength,
      keyword: meanOf("keyword"),
      semantic: meanOf("semantic"),
      hybrid: meanOf("hybrid"),
    };
  });
}

const points: Point[] = [];
const limit = values.limit === undefined ? undefined : Number(values.limit);
for (const set of readSets(dir, { names: values.sets?.split(","), limit })) {
  const ofSet = await pointsOf(set);
  points.push(...ofSet);
  if (values.json) for (const point of ofSet) console.log(JSON.stringify(point));
}
if (!values.json)
  for (const [strength, some] of Map.groupBy(points, (point) => point.strength)) {
    const mean = (search: Search): string =>
      (some.reduce((sum, point) => sum + point[search], 0) / some.length).toFixed(3);
    const margins = some.map(({ set, keyword, semantic, hybrid }) => ({
      set,
      margin: hybrid - Math.max(keyword, semantic),
    }));
    const least = margins.reduce((worst, each) => (each.margin < worst.margin ? each : worst));
    console.log(
      `strength ${strength}: keyword ${mean("keyword")}, semantic ${mean("semantic")}, hybrid ${mean("hybrid")}; least margin ${least.margin.toFixed(3)} (${least.set})`,
    );
  }
