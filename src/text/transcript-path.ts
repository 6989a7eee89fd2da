/** Whether a path of a hit names a transcript. A folder of notes may be called `sessions`, too. */
export function isTranscriptPath(path: string): boolean {
  return path.startsWith("sessions/") && !path.endsWith(".md");
}
