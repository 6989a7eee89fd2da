/** Prints how many made-up secrets are masked whole, and how many ordinary lines are touched. */
import { pathToFileURL } from "node:url";
import { createRandom } from "../src/eval/compare.ts";
import { redactSecrets } from "../src/text/redact.ts";
import { leftOf, makeLines, makeSecretSamples } from "./support/redaction-samples.ts";

export interface Rate {
  readonly name: string;
  readonly count: number;
  readonly good: number;
  readonly failures: readonly string[];
}

/** In the order in which they were written: each list but the first tried rules that had been written without it. */
const secretLists: readonly [name: string, file: string, seed: number, rounds: number][] = [
  ["first list", "made-up-secrets.txt", 11, 2],
  ["second list", "pasted-secrets.txt", 31, 1],
  ["third list", "chat-secrets.txt", 37, 1],
  ["fourth list", "code-secrets.txt", 41, 1],
  ["fifth list", "mixed-secrets.txt", 53, 1],
  ["sixth list", "later-secrets.txt", 59, 1],
  ["seventh list", "final-secrets.txt", 61, 1],
];

const lineLists: readonly [name: string, file: string, seed: number, rounds: number][] = [
  ["first list", "ordinary-lines.txt", 5, 20],
  ["close to secrets", "close-lines.txt", 5, 1],
  ["fifth list", "mixed-lines.txt", 53, 1],
  ["sixth list", "later-lines.txt", 59, 1],
];

export function measureRedaction(): Rate[] {
  return [
    ...secretLists.map(([name, file, seed, rounds]) => {
      const samples = makeSecretSamples(createRandom(seed), file, rounds);
      return rate(`secrets masked whole, ${name}`, samples, (sample) => {
        const left = leftOf(sample, redactSecrets(sample.text).text);
        return left === null ? null : `${sample.group}: ${sample.text}`;
      });
    }),
    ...lineLists.map(([name, file, seed, rounds]) =>
      rate(`ordinary lines untouched, ${name}`, makeLines(createRandom(seed), file, rounds), (line) => {
        const { text } = redactSecrets(line);
        return text === line ? null : `${line} → ${text}`;
      }),
    ),
  ];
}

/** Every text of the lists, to see whether any is masked differently. */
export function listRedactionTexts(): string[] {
  const samples = secretLists.flatMap(([, file, seed, rounds]) =>
    makeSecretSamples(createRandom(seed), file, rounds).map(({ text }) => text),
  );
  const lines = lineLists.flatMap(([, file, seed, rounds]) => makeLines(createRandom(seed), file, rounds));
  return [...samples, ...lines];
}

function rate<T>(name: string, list: readonly T[], failureOf: (each: T) => string | null): Rate {
  const failures = list.map(failureOf).filter((failure) => failure !== null);
  return { name, count: list.length, good: list.length - failures.length, failures };
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  for (const { name, count, good, failures } of measureRedaction()) {
    console.log(`${name}: ${good} of ${count} (${((100 * good) / count).toFixed(1)} %)`);
    for (const failure of failures) console.log(`  ${JSON.stringify(failure)}`);
  }
}
