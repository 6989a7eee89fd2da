export function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Comments that tell where an entry came from are set apart, and characters that were hidden stand out. */
export function decorateText(escaped: string): string {
  return escaped
    .replaceAll(/&lt;!--\s*(.*?)\s*--&gt;/g, `<span class="origin">$1</span>`)
    .replaceAll(/&lt;(U\+[\dA-F]{4,6})&gt;/g, `<span class="was-hidden">$1</span>`);
}
