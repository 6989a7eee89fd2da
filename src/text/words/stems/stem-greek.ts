import { readEndings, stripEnding } from "./stem-endings.ts";

/** Takes the case, number and person endings off a Greek word that is folded: no accents, no final sigma. */
export function stemGreek(word: string): string {
  if (neuterPlural.test(word)) return word.replace(neuterPlural, "");
  return stripEnding(stripEnding(word, endings), verbStems);
}

/** πρόβλημα, προβλήματα, προβλημάτων. */
const neuterPlural = /(?<=..μ)ατ(?:α|οσ|ων)$/;

const endings = readEndings(`
  3 α ασ ο οσ ου οι ουσ ων ε εσ η ησ ι ω ωσ
  3 ια ιασ ιο ιοσ ιου ιοι ιουσ ιων ιε ιεσ ιεισ
  3 εισ εωσ εων εα εασ εο εου ει ετε εται ουμε ουν ουνε ομαι ονται ομε ηκε ηκαν
  4 αμε ατε αν αει ανε αδεσ αδων ουσε ουσαν οταν ονταν ειτε ειται ουνται ωντασ οντασ
`);

/** What marks past, passive and participle in front of the ending. */
const verbStems = readEndings(`
  4 μεν ομεν ουμεν ηθ ησ ηστ ηθηκ
`);
