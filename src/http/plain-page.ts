export interface PlainPage {
  readonly title: string;
  /** Sentences, one paragraph each. What stands between backquotes is shown as code. */
  readonly paragraphs: readonly string[];
}

/** A page of a few sentences for a person, without style and script: the policy of the server allows none in it. */
export function renderPlainPage({ title, paragraphs }: PlainPage): string {
  const lines = paragraphs.map(
    (text) => `<p>${escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>`,
  );
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title></head><body><main><h1>${escapeHtml(title)}</h1>`,
    ...lines,
    "</main></body></html>\n",
  ].join("\n");
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
