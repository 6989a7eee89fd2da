import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";

/**
 * The arguments of a program for developers. Its first comment is its help: `--help` prints that, and so does a wrong
 * argument, after a line that says what is wrong.
 */
export function programArguments<Config extends ParseArgsConfig>(
  file: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.includes("--help")) {
    console.log(firstComment(file));
    process.exit();
  }
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${firstComment(file)}`);
    process.exit(2);
  }
}

function firstComment(file: string): string {
  const [, text = ""] = /\/\*\*?(.*?)\*\//su.exec(readFileSync(file, "utf8")) ?? [];
  return text.replaceAll(/^ \* ?/gmu, "").trim();
}
