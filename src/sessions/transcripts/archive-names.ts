/**
 * Names of the files in a sessions folder of OpenClaw. A conversation that was reset or deleted keeps its transcript
 * as `<id>.jsonl.reset.<time>` or `<id>.jsonl.deleted.<time>`, compressed with zstd by newer versions.
 */
const archive = /^(.+)\.jsonl\.(?:reset|deleted)(?:\.[\w.-]+?)?(?:\.zst)?$/;

/** The session whose earlier transcript an archive holds; null for other files. */
export function archivedSession(fileName: string): string | null {
  const session = archive.exec(fileName)?.[1];
  return session === undefined || isCopyName(`${session}.jsonl`) ? null : session;
}

/** Copies of a transcript (`<id>.checkpoint.<uuid>.jsonl`) and records of runs: all they say stands elsewhere too. */
export function isCopyName(fileName: string): boolean {
  return /\.checkpoint\.[\w-]+\.jsonl$|\.trajectory\.jsonl$|\.trajectory-path\.json$/i.test(fileName);
}
