import { readEndings, stripEnding } from "./stem-endings.ts";

/** Takes the case, number and person endings off a Greek word that is folded: no accents, no final sigma. */
export function stemGreek(word: string): string {
  return stripEnding(word, endings);
}

const endings = readEndings(`
  3 α ασ ο οσ ου οι ουσ ων ε εσ η ησ ι υ ω ωσ
  3 ια ιασ ιο ιοσ ιου ιοι ιουσ ιων ιε ιεσ ιεισ
  3 εισ εωσ εων εα εασ εο εου ει ετε εται ουμε ουν ουνε ομαι ονται ομε ηκε ηκαν ησε ησαν ησει
  4 ατα ατοσ ατων ατο αμε ατε αν αει ανε αδεσ αδων ηθηκε ηθηκαν ουσε ουσαν οταν ονταν μενοσ μενη μενο μενεσ μενα
`);
