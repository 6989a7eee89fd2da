/** The value, or undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/**
 * JSON5, which is a hundred times slower to parse than JSON. For U+2028 and U+2029 in a string, which JSON and so
 * transcripts have unescaped, its parser would print a warning, in whatever program this runs.
 */
export async function parseJson5(text: string): Promise<unknown> {
  const { default: json5 } = await import("json5");
  return json5.parse(text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029"));
}
