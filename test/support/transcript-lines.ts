/** Transcript lines in the formats of the programs that write them. */
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

/** An OpenClaw transcript with one line per text, alternating between user and assistant. */
export function talk(texts: readonly string[]): string {
  const said = texts.map((text, index) => openclaw.message(index % 2 === 0 ? "user" : "assistant", text));
  return jsonLines(openclaw.head(), ...said);
}
