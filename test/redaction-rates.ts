/** Prints how many made-up secrets are masked whole, and how many ordinary lines are touched. */
import { pathToFileURL } from "node:url";
import { createRandom } from "../src/eval/compare.ts";
import { redactSecrets } from "../src/text/redact.ts";
import { makeChatSamples } from "./support/chat-samples.ts";
import { codeLines } from "./support/code-lines.ts";
import { makeCodeSamples } from "./support/code-samples.ts";
import { makeMixedLines, makeMixedSamples } from "./support/mixed-samples.ts";
import { makeOrdinaryLines } from "./support/ordinary-lines.ts";
import { closeLines, makePastedSamples } from "./support/pasted-samples.ts";
import { leftOf, makeSecretSamples, type SecretSample } from "./support/secret-samples.ts";

export interface Rate {
  readonly name: string;
  readonly count: number;
  readonly good: number;
  readonly failures: readonly string[];
}

/** A third of each list was kept aside while the rules were tuned; it is reported by itself. */
export function measureRedaction(): Rate[] {
  const samples = makeSecretSamples(createRandom(11));
  const lines = makeOrdinaryLines(createRandom(5));
  const isAside = (_: unknown, index: number): boolean => index % 3 === 2;
  const isSeen = (_: unknown, index: number): boolean => index % 3 !== 2;
  const rateSecrets = (name: string, list: readonly SecretSample[]): Rate =>
    rate(name, list, (sample) => {
      const left = leftOf(sample, redactSecrets(sample.text).text);
      return left === null ? null : `${sample.group}: ${sample.text}`;
    });
  const rateLines = (name: string, list: readonly string[]): Rate =>
    rate(name, list, (line) => {
      const { text } = redactSecrets(line);
      return text === line ? null : `${line} → ${text}`;
    });
  return [
    rateSecrets("secrets masked whole, seen while tuning", samples.filter(isSeen)),
    rateSecrets("secrets masked whole, kept aside", samples.filter(isAside)),
    rateSecrets("secrets masked whole, second list", makePastedSamples(createRandom(31))),
    rateSecrets("secrets masked whole, third list", makeChatSamples(createRandom(37))),
    rateSecrets("secrets masked whole, fourth list", makeCodeSamples(createRandom(41))),
    rateSecrets("secrets masked whole, fifth list", makeMixedSamples(createRandom(53), "mixed-secrets.txt")),
    rateSecrets("secrets masked whole, sixth list", makeMixedSamples(createRandom(59), "later-secrets.txt")),
    rateSecrets(
      "secrets masked whole, seventh list",
      makeMixedSamples(createRandom(61), "final-secrets.txt"),
    ),
    rateLines("ordinary lines untouched, seen while tuning", lines.filter(isSeen)),
    rateLines("ordinary lines untouched, kept aside", lines.filter(isAside)),
    rateLines("ordinary lines untouched, close to secrets", [...closeLines, ...codeLines]),
    rateLines("ordinary lines untouched, fifth list", makeMixedLines(createRandom(53), "mixed-lines.txt")),
    rateLines("ordinary lines untouched, sixth list", makeMixedLines(createRandom(59), "later-lines.txt")),
  ];
}

/** Every text of the lists, to see whether any is masked differently. */
export function listRedactionTexts(): string[] {
  const samples = [
    ...makeSecretSamples(createRandom(11)),
    ...makePastedSamples(createRandom(31)),
    ...makeChatSamples(createRandom(37)),
    ...makeCodeSamples(createRandom(41)),
    ...["mixed-secrets.txt", "later-secrets.txt", "final-secrets.txt"].flatMap((file) =>
      makeMixedSamples(createRandom(53), file),
    ),
  ];
  const lines = ["mixed-lines.txt", "later-lines.txt"].flatMap((file) =>
    makeMixedLines(createRandom(53), file),
  );
  const ordinary = makeOrdinaryLines(createRandom(5));
  return [...samples.map(({ text }) => text), ...closeLines, ...codeLines, ...lines, ...ordinary];
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
