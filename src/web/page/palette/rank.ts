export interface Choice {
  readonly id: string;
  readonly kind: "View" | "Action" | "Note" | "Recent search" | "Search";
  readonly title: string;
  /** More words by which it is found. */
  readonly detail?: string;
}

/** The choices that fit what was typed, the best first. All words must occur; the order of equal ones stays. */
export function rankChoices<T extends Choice>(choices: readonly T[], typed: string, max: number): T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices.slice(0, max);
  return choices
    .map((choice, index) => ({ choice, index, score: scoreOf(choice, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, max)
    .map(({ choice }) => choice);
}

function scoreOf({ title, detail = "" }: Choice, words: readonly string[]): number {
  const [name, more] = [title.toLowerCase(), detail.toLowerCase()];
  let score = 0;
  for (const word of words) {
    const at = name.indexOf(word);
    if (at === 0) score += 4;
    else if (at > 0 && /[^\p{L}\p{N}]/u.test(name[at - 1]!)) score += 3;
    else if (at > 0) score += 2;
    else if (more.includes(word)) score += 1;
    else return 0;
  }
  return score;
}
