/** Lines of transcripts as the programs write them, for tests. */
export function jsonLines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

export const openclaw = {
  head: (id = "s1", timestamp = "2026-03-01T10:00:00.000Z") => ({
    type: "session",
    version: 3,
    id,
    timestamp,
    cwd: "/w",
  }),
  message: (role: string, content: unknown, rest: object = {}) => ({
    type: "message",
    id: "m",
    parentId: null,
    timestamp: "2026-03-01T10:00:05.000Z",
    message: { role, content },
    ...rest,
  }),
};

/** An OpenClaw transcript in which each text is one line, users and assistants by turns. */
export function talk(texts: readonly string[]): string {
  const said = texts.map((text, index) => openclaw.message(index % 2 === 0 ? "user" : "assistant", text));
  return jsonLines(openclaw.head(), ...said);
}
