import { once } from "../../once.ts";
import { stemEnglish } from "./stem-english.ts";

/**
 * Index tokens that other forms of a folded Latin-script word may have, likeliest first, without its own. The index
 * stems every Latin word as if it were English; a question compensates by swapping the endings that alternate in its
 * language. Without a language, the most common ones of all are tried, which is a guess for words that the notes do not
 * contain. English, and words of up to four letters, have none. The caller keeps what its vocabulary contains, so a
 * wrong form costs only a lookup.
 */
export function latinVariants(folded: string, language: string | null = null): string[] {
  if (folded.length <= 4 || language === "en" || !/^[a-z]+$/.test(folded)) return [];
  const forms = formsOf(folded, endingFamilies[language ?? "any"]?.() ?? []);
  if (language === "de" || language === null) forms.unshift(folded.replace(/([aou])e/g, "$1"));
  const tokens = new Set(forms.map(stemEnglish).filter((token) => token.length > 2));
  tokens.delete(stemEnglish(folded));
  return [...tokens].slice(0, maxVariants);
}

/** Only Turkish and Finnish words come near it. */
const maxVariants = 40;

/**
 * A long ending is more reliable than a short one; among equals, the likeliest form of each comes before the second of
 * any.
 */
function formsOf(word: string, families: readonly (readonly string[])[]): string[] {
  // A plural -s may hide the ending that alternates: actives, actif.
  const words = word.endsWith("s") ? [word, word.slice(0, -1)] : [word];
  const ranked: { readonly form: string; readonly endingLength: number; readonly rank: number }[] = [];
  for (const written of words) {
    for (const family of families) {
      for (const ending of family) {
        const stem = written.slice(0, written.length - ending.length);
        if (!written.endsWith(ending) || stem.length < fewestLeft(family)) continue;
        for (const [rank, other] of family.entries()) {
          ranked.push({ form: stem + other, endingLength: ending.length, rank });
        }
      }
    }
  }
  ranked.sort((a, b) => b.endingLength - a.endingLength || a.rank - b.rank);
  return ranked.map(({ form }) => form);
}

/** Three letters must remain before an ending, fewer if the endings contain part of the stem. */
function fewestLeft(family: readonly string[]): number {
  return family.every((ending) => ending.length >= 3) ? 1 : 3;
}

/** Interchangeable endings, a family per line, likeliest first; "-" is no ending. */
const endingFamilies = byLanguage({
  any: `
    - e en er es n s
    o a e i os as
    - et a
    ung ungen
    al aux ale
    cion ciones
    cao coes
    - lar ler`,
  de: `
    - e en er es em n s ern
    en t te e ung ten et ete ungen eten
    in innen`,
  nl: `
    - en e s er n t te ten de den
    aam amen
    aan anen
    aar aren
    aat aten
    aal alen
    aak aken
    aag agen
    eel elen
    eek eken
    eer eren
    oom omen
    oon onen
    oor oren
    oot oten
    oog ogen
    ool olen
    uur uren
    aas azen
    uis uizen
    ief ieven`,
  sv: `
    - en et er ar a n t e erna arna ene erne s
    a an or orna ade at ar as er
    e en er et ede te`,
  fr: `
    - e s es
    al aux ale
    ail aux
    er e ent ant ait ee ation ement a era eur
    ir it i issent issait ie issement
    re t ent ait u ue
    eur euse rice
    eux euse
    if ive
    ien ienne
    el elle
    on onne
    c que
    ement -
    amment ant
    emment ent`,
  es: `
    o a e os as es
    - es
    ar a an ado ada aba aron o ando acion ara
    er e en ido ia io ieron iendo era
    ir e en ido ia io ieron iendo
    cion ciones
    on ones
    z ces
    dor dora dores
    amente o a
    mente -`,
  pt: `
    o a e os as es
    - es
    ar a am ado ada ava ou aram ando acao o
    er e em ido ia eu eram endo
    ir e em ido ia iu iram indo
    cao coes
    ao oes aos aes
    al ais
    el eis
    ol ois
    m ns
    dor dora dores
    amente o a
    mente -`,
  it: `
    o a i e
    are a ano ato ata ava ando azione o
    ere e ono uto uta eva
    ire e isce ito ita iva iscono
    co chi ca che
    go ghi ga ghe
    io i
    ione ioni
    tore trice tori
    amente o a
    mente -`,
  ro: `
    - ul i ului ii ilor uri urile e a le lor
    a e ei ele elor ii
    e ea ei ile ilor i
    u ul i ului ii
    tie tia tii tiei tiile
    re rea ri rii rile
    a eaza at ata au
    i este it ita
    mente -`,
  pl: `
    - a u y i em ow ie owi ami ach om e
    a y e i ie o ami ach om
    o a u em ie ami ach
    y a e ego ych ej ym emu
    i ia ie iego ich iej im
    ac a al ala ali aja any ana
    ic i il ila ili ony ona
    osc osci oscia
    nie nia niu niem
    cja cji cje cjami
    ek ka ki ku kiem kow ke ce kami kach
    ec ca cy cem cow`,
  cs: `
    - a u y i em e ovi um ech ami
    a y e u ou i o ach ami
    o a u em e ech
    y a e eho ych ou ym emu
    i iho ich im imu
    at a al ala ali an ana
    it i il ila ili en ena
    ek ku kem ky
    ec ce ci
    ost osti`,
  tr: `
    lar - i da in lari dan a larin larda lardan larina larini larinda lara im ya yi nin yla la
    ler - i de in leri den e lerin lerde lerden lerine lerini lerinde lere im ye yi nin yle le
    inda inde - i in ina ine indan inden si sinda sinde
    unda unde - u un una une undan unden su sunda sunde
    ta te - tan ten
    p bi be ba bin bu bun
    k gi ge ga gin gu gun
    t di de da din du dun
    ir ri rin re
    mek mak di du ti tu iyor uyor ecek acak en an mis mus er ir ar me ma`,
  fi: `
    - n a ssa sta lla lta lle t an ksi na in en ja jen
    i in ia issa ista illa ilta ille it ien iin
    a an at assa asta alla alle aan oja ojen oissa ien ia
    o on oa ossa osta olla oon ot oja ojen
    inen isen ista iset isia isten isessa isesta
    us uksen uksia uksessa uksesta ukset uden utta
    ys yksen yksia yksessa ykset yden ytta
    nki ngin ngissa ngista nkia ngit
    nta nnan nnassa ntaa nnat
    kka kan kassa kat kkaa
    kko kon kossa kot kkoa
    tti tin tissa tit ttia
    ppi pin pissa pit ppia`,
  id: `
    - nya an kan i lah kah`,
  hu: `
    - k t ok ek ak ot et at ban ben nak nek bol on en val vel
    a at ak ai aban anak ara
    e et ek ei eben enek ere`,
});

/** Each language by itself, on first use: most memories need one or two. */
function byLanguage(tables: Readonly<Record<string, string>>): Record<string, () => string[][]> {
  const read = ([language, table]: [string, string]) => [language, once(() => readFamilies(table))] as const;
  return Object.fromEntries(Object.entries(tables).map(read));
}

function readFamilies(table: string): string[][] {
  const lines = table.trim().split("\n");
  return lines.map((line) =>
    line
      .trim()
      .split(" ")
      .map((ending) => (ending === "-" ? "" : ending)),
  );
}
