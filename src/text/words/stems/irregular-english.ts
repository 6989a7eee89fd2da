import { once } from "../../once.ts";

/**
 * The base form of an irregular English verb form or plural, folded: "went" is "go", "children" is "child". No stemmer
 * knows these, and a question uses one form ("did she buy") where a note uses another ("I bought").
 *
 * The index does not know the language of a word, so forms that more often mean something else are left out, in English
 * (rose, wound, bit, lives, leaves, bases) and elsewhere (met, fed, sat): mixing meanings costs more than missing a
 * form.
 */
export function irregularLemma(word: string): string | undefined {
  return lemmas().get(word);
}

/** All forms in the table, with their base forms. */
export function irregularForms(): [form: string, lemma: string][] {
  return [...lemmas()];
}

/** A base form and its other forms; families are separated by commas. */
const families = `
  arise arose arisen, awake awoke awoken, bear borne, beat beaten, become became, begin began begun, bend bent,
  bite bitten, bleed bled, blow blew blown, break broke broken, breed bred, bring brought, build built, burn burnt,
  buy bought, catch caught, choose chose chosen, cling clung, come came, creep crept, deal dealt, dig dug,
  draw drew drawn, dream dreamt, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feel felt,
  fight fought, find found, flee fled, fling flung, fly flew flown, forbid forbade forbidden, forget forgot forgotten,
  forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given, go went gone,
  grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept, kneel knelt, know knew known,
  lead led, lean leant, leap leapt, learn learnt, leave left, lend lent, lose lost, make made, mean meant,
  mistake mistook mistaken, overcome overcame, pay paid, prove proven, ride rode ridden, ring rang rung, rise risen,
  run ran, say said, see saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, shine shone,
  shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sleep slept, slide slid,
  speak spoke spoken, speed sped, spend spent, spin spun, spring sprang sprung, stand stood, steal stole stolen,
  stick stuck, sting stung, strike struck stricken, string strung, strive strove striven, swear swore sworn,
  sweep swept, swell swollen, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told,
  think thought, throw threw thrown, understand understood, undertake undertook undertaken, undo undid undone,
  wake woke woken, wear wore worn, weave wove woven, weep wept, win won, withdraw withdrew withdrawn,
  withhold withheld, withstand withstood, write wrote written, rewrite rewrote rewritten, rebuild rebuilt,
  resend resent, override overrode overridden, overwrite overwrote overwritten, foresee foresaw foreseen,
  outgrow outgrew outgrown, redo redid redone, do did done, spell spelt, smell smelt, spoil spoilt, dwell dwelt,
  child children, man men, woman women, person people, foot feet, tooth teeth, mouse mice, goose geese, ox oxen,
  wife wives, knife knives, loaf loaves, half halves, shelf shelves, thief thieves,
  wolf wolves, calf calves, scarf scarves,
  index indices, matrix matrices, vertex vertices, appendix appendices, criterion criteria,
  phenomenon phenomena, analysis analyses, crisis crises, thesis theses, hypothesis hypotheses, diagnosis diagnoses,
  axis axes, stimulus stimuli, nucleus nuclei, bacterium bacteria, curriculum curricula,
  formula formulae, vertebra vertebrae, grandchild grandchildren, policeman policemen, fisherman fishermen,
  businessman businessmen, businesswoman businesswomen, fireman firemen, salesman salesmen,
  die dying dies died, lie lying lies lied, tie tying ties tied`;

const lemmas = once(
  () =>
    new Map(
      families.split(",").flatMap((family) => {
        const [lemma = "", ...forms] = family.trim().split(/\s+/);
        return forms.map((form): [string, string] => [form, lemma]);
      }),
    ),
);
