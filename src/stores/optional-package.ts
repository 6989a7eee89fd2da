import { LonghandError, messageOf } from "../errors.ts";

export interface OptionalPackage {
  /** What needs it, as the start of a sentence: `store.driver "postgres"`. */
  readonly user: string;
  readonly name: string;
  /** What to install. */
  readonly install: string;
}

/** Loads a package that not everybody installs, or throws an error that says how to install it. */
export async function loadOptionalPackage<Package>(
  { user, name, install }: OptionalPackage,
  load: () => unknown,
): Promise<Package> {
  try {
    return (await load()) as Package;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    const reason = messageOf(cause).split("\n", 1)[0]!.slice(0, 200);
    const why = isMissing ? "which is not installed" : `which cannot be loaded here: ${reason}`;
    throw new LonghandError("dependency-missing", `${user} needs the package ${name}, ${why}.`, {
      hint: `Install it beside longhand with \`npm install ${install}\` (with -g when longhand is global).`,
      cause,
    });
  }
}
