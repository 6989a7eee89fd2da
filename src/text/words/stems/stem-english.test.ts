import assert from "node:assert/strict";
import { test } from "node:test";
import { stemEnglish } from "./stem-english.ts";

/** Each rule of the paper with a word that it applies to, and one that it leaves alone. */
const examples = `
  caresses caress, ponies poni, ties ti, caress caress, cats cat, feed feed, agreed agre,
  plastered plaster, bled bled, motoring motor, sing sing, conflated conflat, troubled troubl, sized size,
  hopping hop, tanned tan, falling fall, hissing hiss, fizzed fizz, failing fail, filing file, happy happi,
  sky sky, relational relat, conditional condit, rational ration, valency valenc, hesitancy hesit,
  digitizer digit, conformably conform, radically radic, differently differ, vilely vile,
  analogously analog, vietnamization vietnam, predication predic, operator oper, feudalism feudal,
  decisiveness decis, hopefulness hope, callousness callous, formality formal, sensitivity sensit,
  sensibility sensibl, triplicate triplic, formative form, formalize formal, electricity electr,
  electrical electr, hopeful hope, goodness good, revival reviv, allowance allow, inference infer,
  airliner airlin, gyroscopic gyroscop, adjustable adjust, defensible defens, irritant irrit,
  replacement replac, adjustment adjust, dependent depend, adoption adopt, homologous homolog,
  communism commun, activate activ, angularity angular, effective effect, bowdlerize bowdler,
  probate probat, rate rate, cease ceas, controll control, roll roll`;

test("words are stemmed as Porter's paper says", () => {
  for (const example of examples.trim().split(/,\s*/)) {
    const [word, stem] = example.split(" ");
    assert.equal(stemEnglish(word!), stem, word);
  }
  for (const word of ["as", "ed", "y"]) assert.equal(stemEnglish(word), word, "too short to stem");
});
