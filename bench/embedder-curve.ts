/**
 * How well keyword, semantic and hybrid search answer with embedders from random to nearly perfect, on question sets of
 * the format in docs/eval.md. The curve in docs/search.md was drawn with it.
 */
import { devNull } from "node:os";
import { parseArgs } from "node:util";
import { resolveSettings, type Settings } from "../src/config/settings.ts";
import { evaluateSets } from "../src/eval/evaluate.ts";
import { rowOf } from "../src/eval/report.ts";
import { createDialledEmbedder, type Dial } from "./dialled-embedder.ts";

const usage = `node bench/embedder-curve.ts DIR [options]

  --sets NAMES         some sets of the folder, by comma
  --limit N            the first N questions of each set
  --strengths NUMBERS  by comma; 0 is random, 1.5 nearly perfect
  --several            several vectors a text instead of one
  --seed N             other noise in the vectors
  --json
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sets: { type: "string" },
    limit: { type: "string" },
    strengths: { type: "string", default: "0,0.12,0.3,0.45,0.7,1.5" },
    several: { type: "boolean", default: false },
    seed: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
  },
});
const [dir] = positionals;
if (dir === undefined) {
  console.error(usage);
  process.exit(2);
}

/** nDCG@10 by set. */
type Figures = Readonly<Record<string, number>>;

const settingsWith = (memorySearch: object): Promise<Settings> =>
  resolveSettings({ config: devNull, overrides: { agents: { defaults: { memorySearch } } } });

async function evaluate(settings: Settings, dial?: Dial): Promise<Figures> {
  const { results } = await evaluateSets(dir!, {
    settings,
    names: values.sets?.split(","),
    limit: values.limit === undefined ? undefined : Number(values.limit),
    ...(dial && { openEmbedder: (set) => createDialledEmbedder(set, dial) }),
  });
  return Object.fromEntries(results.map((result) => [result.name, rowOf(result)["nDCG@10"]]));
}

const mean = (figures: Figures): number =>
  Object.values(figures).reduce((sum, figure) => sum + figure, 0) / Object.keys(figures).length;

const hybridSettings = await settingsWith({});
const vectorSettings = await settingsWith({ query: { hybrid: { enabled: false }, minScore: 0 } });
const words = await evaluate(await settingsWith({ provider: "none" }));
for (const strength of values.strengths.split(",").map(Number)) {
  const dial: Dial = {
    strength,
    vectorsPerText: values.several ? "several" : "one",
    seed: Number(values.seed),
  };
  const vectors = await evaluate(vectorSettings, dial);
  const hybrid = await evaluate(hybridSettings, dial);
  const margins = Object.entries(hybrid).map(([name, figure]) => ({
    name,
    margin: figure - Math.max(words[name]!, vectors[name]!),
  }));
  margins.sort((a, b) => a.margin - b.margin);
  if (values.json) {
    console.log(JSON.stringify({ strength, words, vectors, hybrid }));
    continue;
  }
  const [worst] = margins;
  const [w, v, h] = [words, vectors, hybrid].map((figures) => mean(figures).toFixed(3));
  console.log(
    `strength ${strength}: keyword ${w}, semantic ${v}, hybrid ${h}; least margin ${worst!.margin.toFixed(3)} (${worst!.name})`,
  );
}
