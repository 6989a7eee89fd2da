import { readFileSync } from "node:fs";

/** `node summarise.ts FILE`: counts what the reporter wrote, and lists every skip by its reason and every failure. */
const lines = readFileSync(process.argv[2]!, "utf8")
  .split("\n")
  .map((line) => line.split("\t"));
const of = (kind: string) => lines.filter(([first]) => first === kind);
const [passed, skipped, failed] = [of("pass"), of("skip"), of("fail")];

const reasons = Map.groupBy(skipped, ([, , , reason]) => reason || "no reason given");
for (const [reason, tests] of [...reasons].sort(([, one], [, other]) => other.length - one.length)) {
  console.log(`skipped ${tests.length}: ${reason}`);
  for (const [, file, name] of tests) console.log(`    ${file}: ${name}`);
}
for (const [, file, name, why] of failed) console.log(`FAILED ${file}: ${name}\n    ${why}`);
console.log(`win32: ${passed.length} passed, ${skipped.length} skipped, ${failed.length} failed`);
const isUnnamed = reasons.has("no reason given");
if (isUnnamed) console.log("A test was skipped without a reason.");
process.exitCode = failed.length > 0 || passed.length + skipped.length === 0 || isUnnamed ? 1 : 0;
