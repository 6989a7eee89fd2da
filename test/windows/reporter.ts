import path from "node:path";
import type { TestEvent } from "node:test/reporters";

/**
 * One line for each test: `pass`, `fail` or `skip`, the file, the name and why, with tabs between. The last line is
 * `done`, which a process that dies early does not print.
 */
// biome-ignore lint/style/noDefaultExport: Node takes a reporter from there.
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    // Suites are counted by the tests in them, unless the suite itself is skipped.
    const isSkipped = data.skip !== undefined && data.skip !== false;
    if (data.details.type === "suite" && !isSkipped) continue;
    const file = path.relative(process.cwd(), data.file ?? "").replaceAll("\\", "/");
    const kind = isSkipped ? "skip" : type === "test:pass" ? "pass" : "fail";
    const why = isSkipped ? data.skip : type === "test:fail" ? explain(data.details.error) : "";
    yield `${[kind, file, data.name, why === true ? "" : why].map(oneLine).join("\t")}\n`;
  }
  yield "done\n";
}

function explain(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  const place = /[^\s(]*\.test\.ts:\d+/.exec(cause.stack ?? "")?.[0] ?? "";
  return `${cause.message} ${place}`;
}

function oneLine(text: unknown): string {
  return String(text ?? "")
    .replace(/\s+/g, " ")
    .slice(0, 600);
}
