export interface Choice {
  readonly id: string;
  readonly kind: "View" | "Action" | "Note" | "Recent search" | "Search";
  readonly title: string;
  /** An alternative name that counts as much as the title. */
  readonly name?: string;
  /** Additional words that match. */
  readonly detail?: string;
}

/** The choices that match the typed text, best first. All words must occur; equal matches keep their order. */
export function rankChoices<T extends Choice>(choices: readonly T[], typed: string, max: number): T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return choices
    .map((choice, index) => ({ choice, index, score: scoreOf(choice, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, max)
    .map(({ choice }) => choice);
}

function scoreOf({ title, name = "", detail = "" }: Choice, words: readonly string[]): number {
  const names = [title.toLowerCase(), name.toLowerCase()];
  const more = detail.toLowerCase();
  let score = 0;
  for (const word of words) {
    const best = Math.max(...names.map((each) => scoreIn(each, word)), more.includes(word) ? 1 : 0);
    if (best === 0) return 0;
    score += best;
  }
  return score;
}

function scoreIn(name: string, word: string): number {
  const at = name.indexOf(word);
  if (at <= 0) return at === 0 ? 4 : 0;
  return /[^\p{L}\p{N}]/u.test(name[at - 1]!) ? 3 : 2;
}
