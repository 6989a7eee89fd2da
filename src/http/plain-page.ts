import { escapeHtml } from "../text/escape-html.ts";
import type { Route } from "./listen.ts";

interface PlainPage {
  readonly title: string;
  /** Sentences, one paragraph each. Text between backquotes is shown as code. */
  readonly paragraphs: readonly string[];
}

/**
 * A page of a few sentences for a person. Its style is a separate file, because the content security policy forbids
 * inline styles.
 */
export function renderPlainPage({ title, paragraphs }: PlainPage): string {
  const lines = paragraphs.map(
    (text) => `<p>${escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>`,
  );
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<link rel="stylesheet" href="${plainStylePath}"><title>${escapeHtml(title)}</title></head>`,
    `<body><main><p class="wordmark">longhand</p><h1>${escapeHtml(title)}</h1>`,
    ...lines,
    "</main></body></html>\n",
  ].join("\n");
}

/** The path of the style sheet; it reveals nothing about a memory, so it needs no token. */
export const plainStylePath = "/plain.css";

export const sendPlainStyle: Route = async (_request, response) => {
  response.writeHead(200, { "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" });
  response.end(plainStyle);
};

/** The paper, the ink and the red margin of the page itself. */
const plainStyle = `:root {
  color-scheme: light dark;
  background: light-dark(#f6f1e7, #141210);
  color: light-dark(#221d17, #ece5d8);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
body { margin: 0; padding: 12vh 1.25rem 3rem; }
main {
  box-sizing: border-box;
  max-width: 34rem;
  margin: 0 auto;
  padding: 1.75rem 2rem 1.75rem 3.75rem;
  background: linear-gradient(light-dark(#e3b3a8, #6d3f35) 0 0) 2.6rem 0 / 1px 100% no-repeat, light-dark(#fffdf8, #1c1916);
  border: 1px solid light-dark(#e5dccb, #322d27);
  border-radius: 4px;
}
h1, .wordmark { font-family: "Iowan Old Style", "Palatino Linotype", Palatino, P052, Georgia, serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.6rem; }
.wordmark { font-style: italic; font-weight: 600; font-size: 1.2rem; margin: 0 0 1.1rem; color: light-dark(#a63c27, #f0a48f); }
p { margin: 0 0 0.7rem; overflow-wrap: anywhere; }
code {
  font: 0.88em ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  padding: 0.1em 0.35em;
  border-radius: 3px;
  background: light-dark(#f6f1e7, #141210);
}
@media (max-width: 30rem) { main { padding: 1.25rem 1.1rem 1.25rem 2.6rem; background-position: 1.7rem 0; } body { padding-top: 2rem; } }
`;
