/** Node's built-in SQLite: nothing to compile or install. */
export type Sqlite = typeof import("node:sqlite");

/**
 * Node 22 prints a warning when this module is first loaded. Only that warning is suppressed, and only while the module
 * loads: `getBuiltinModule` is synchronous, so no other code runs in between.
 */
export function loadSqlite(): Sqlite {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).includes("SQLite is an experimental feature")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
