import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { foldWord } from "../fold.ts";
import { stemEnglish } from "./stem-english.ts";
import { latinVariants } from "./stem-latin-variants.ts";

/** A word of a query, then forms of it that a note may contain. */
const forms: Record<string, readonly string[]> = {
  de: ["Verträge Vertrag Verträgen", "Häuser Haus Häusern", "Kündigung kündigen kündigt", "Mueller Müller"],
  nl: ["boeken boek", "namen naam", "afspraken afspraak", "vergadering vergaderingen"],
  sv: ["flickan flicka flickor flickorna", "räkningar räkning räkningen", "möten möte mötet"],
  fr: ["chevaux cheval", "actives actif active", "travaux travail", "parlait parler parle parlé"],
  es: [
    "médica médico médicos",
    "reunión reuniones",
    "trabajan trabajar trabajo trabajado",
    "rápidamente rápido",
  ],
  pt: ["reuniões reunião", "animais animal", "menina menino meninos", "trabalhou trabalhar trabalho"],
  it: ["ragazze ragazzo ragazza", "riunioni riunione", "parlato parlare parla parlano", "lunghi lungo"],
  ro: ["contractului contract contractul contracte", "situația situație situații"],
  pl: [
    "książkami książka książki",
    "spotkania spotkanie spotkaniu",
    "nowego nowy nowa nowych",
    "umowę umowa umowy",
  ],
  cs: ["smlouvu smlouva smlouvy", "nového nový nová", "městě město města"],
  tr: [
    "kitaplar kitap",
    "toplantıda toplantı toplantılar",
    "şehirlerinde şehirler",
    "doktordan doktor doktora",
  ],
  fi: ["talossa talo talon taloa", "kokouksessa kokous kokouksen", "suomalaiset suomalainen suomalaisen"],
  hu: ["szerződések szerződés", "házban ház"],
  id: ["bukunya buku", "alamatnya alamat"],
};

for (const [language, lines] of Object.entries(forms)) {
  test(`Other forms of a word are among its variants (${language}).`, () => {
    for (const line of lines) {
      const [asked, ...others] = line.split(" ").map(foldWord);
      const found = [stemEnglish(asked!), ...latinVariants(asked!, language)];
      for (const other of others)
        assert.ok(found.includes(stemEnglish(other)), `${asked} ${other}: ${found}`);
    }
  });
}

test("Without a language the most common endings are tried.", () => {
  assert.ok(latinVariants("vertragen").includes(stemEnglish("vertrag")));
  assert.ok(latinVariants("medica").includes(stemEnglish("medico")));
});

test("Short words, English, other scripts and identifiers have no variants.", () => {
  for (const word of ["haus", "a", "", "книга", "win32x", "café"])
    assert.deepEqual(latinVariants(word, "de"), []);
  assert.deepEqual(latinVariants("flower", "en"), []);
  assert.deepEqual(latinVariants("flower", "xx"), []);
});

test("Variants are few, differ from each other and from the word's own token.", () => {
  const language = fc.constantFrom(null, ...Object.keys(forms));
  const word = fc.string({ unit: fc.constantFrom(..."aeioudilnrst"), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(word, language, (folded, code) => {
      const variants = latinVariants(folded, code);
      assert.ok(variants.length <= 40);
      assert.equal(new Set([...variants, stemEnglish(folded)]).size, variants.length + 1);
    }),
    { seed: 7, numRuns: 2000 },
  );
});
