/**
 * Whether this is a folder that only this user can open. Node's modules are not imported: this also loads on an outdated
 * Node, and before everything else.
 */
export function isPrivateFolder(path: string): boolean {
  const { lstatSync } = process.getBuiltinModule("node:fs");
  // Windows has no user ids.
  const uid = process.getuid?.();
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  return uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
}
