import assert from "node:assert/strict";
import { test } from "node:test";
import { foldWord } from "./fold.ts";
import { stopWordLists } from "./stop-word-lists.ts";
import { isStopBigram, languageOf, stopWordsOf } from "./stop-words.ts";

const split = (text: string) => text.trim().split(/\s+/);

test("A question keeps its content words, in every language.", () => {
  const questions: Record<string, string> = {
    "what is the capital of France": "capital france",
    "please tell me when Anna moved to Berlin": "anna moved berlin",
    "list all the ports that the proxy listens on": "ports proxy listens",
    "wann ist Anna nach Berlin umgezogen": "anna berlin umgezogen",
    "wie lautet das Passwort für den Drucker": "passwort drucker",
    "quelle est la capitale de la France": "capitale france",
    "¿cuál es la capital de Francia?": "capital francia",
    "qual é a capital do Brasil": "capital brasil",
    "qual è la capitale della Francia": "capitale francia",
    "wat is de hoofdstad van Frankrijk": "hoofdstad frankrijk",
    "vad är huvudstaden i Frankrike": "huvudstaden frankrike",
    "hvad er hovedstaden i Frankrig": "hovedstaden frankrig",
    "jaka jest stolica Polski": "stolica polski",
    "какая столица у России": "столица россии",
    "яка столиця в Україні": "столиця україні",
    "коя е столицата на България": "столицата българия",
    "Fransa nın başkenti neresi ve neden": "fransa baskenti",
    "ما هي عاصمة فرنسا": "عاصمه فرنسا",
    "پایتخت ایران کجاست و چرا": "پايتخت ايران",
    "भारत की राजधानी क्या है": "भारत राजधानी",
    "ποια είναι η πρωτεύουσα της Γαλλίας": "πρωτευουσα γαλλιασ",
    "thủ đô của Việt Nam là gì": "thu do viet nam",
    "care este capitala Franței": "capitala frantei",
    "jaké je hlavní město Francie": "hlavni mesto francie",
    "mikä on Suomen pääkaupunki": "suomen paakaupunki",
    "mi a fővárosa ennek az országnak": "fovarosa orszagnak",
    "apa ibu kota yang ada di Indonesia": "ibu kota indonesia",
    "nini ni mji mkuu wa Kenya": "mji mkuu kenya",
    "מה היא בירת צרפת": "בירת צרפת",
    "서울은 어디 에 있는 도시": "서울은 도시",
    "বাংলাদেশের রাজধানী কোথায়": "বাংলাদেশের রাজধানী",
    "పుస్తకం ఎక్కడ ఉంది": "పుస్తకం",
  };
  for (const [question, content] of Object.entries(questions)) {
    const words = (question.match(/[\p{L}\p{M}]+/gu) ?? []).map(foldWord);
    const stopWords = stopWordsOf(words);
    assert.equal(words.filter((word) => !stopWords.has(word)).join(" "), content, question);
  }
});

test("The language is the one that covers most words, and is not guessed from a single shared or Latin one.", () => {
  assert.equal(languageOf(split("was ist der plan")), "de");
  assert.equal(languageOf(split("what was der plan")), "en");
  assert.equal(languageOf(split("die hard")), null);
  assert.equal(languageOf(split("pod crash loop")), null);
  assert.equal(languageOf(split("the plan")), "en");
  assert.equal(languageOf(split("где план")), "ru");
  assert.equal(languageOf(["kubernetes", ""]), null);
  assert.equal(languageOf([]), null);
  assert.ok(stopWordsOf(["kubernetes"]).has("the"));
});

test("Every list is written folded and without repetition.", () => {
  for (const [language, list] of Object.entries(stopWordLists)) {
    const words = split(list);
    assert.equal(new Set(words).size, words.length, language);
    for (const word of words) assert.equal(foldWord(word), word, language);
  }
});

test("No list contains a number, a colour, a month or another content word.", () => {
  const content: Record<string, string> = {
    en: "one two ten red march june day year name us it's go make time book",
    de: "eins zwei zehn rot mai maerz marz jahr tag name zeit macht",
    fr: "deux dix rouge mai mars ete an jour nom or",
    es: "dos diez rojo mayo marzo ano dia nombre estado",
    pt: "dois dez vermelho maio marco ano dia nome dado",
    it: "due sei dieci rosso maggio marzo anno giorno nome stato stati ora via",
    nl: "twee tien rood mei maart jaar dag naam weer",
    sv: "tva tio rod maj mars namn dag",
    pl: "dwa dziesiec maj marzec rok dzien imie",
    ru: "два десять май март год день имя раз",
    tr: "iki on alti mayis mart yil gun su ad",
    ar: "اثنان مايو سنه عدد",
    hi: "दो दस मई मार्च साल नाम",
    ro: "doi zece mai martie an nume mie",
    cs: "dva deset kveten brezen rok jmeno",
    fi: "kaksi kuusi vuosi nimi anna",
    he: "ספר שם שנה",
  };
  for (const [language, words] of Object.entries(content)) {
    const list = new Set(split(stopWordLists[language as keyof typeof stopWordLists]));
    for (const word of split(words)) assert.ok(!list.has(word), `${language} ${word}`);
  }
});

test("Pairs of characters that only ask or join are stop words; content is not.", () => {
  for (const pair of split("什么 什麼 哪里 是谁 多少 です ます とは どこ 무엇 언제 누구 ะไ"))
    assert.ok(isStopBigram(pair), pair);
  for (const pair of split("北京 东京 日本 大学 漢字 서울 학교 대한 이라 さい กร"))
    assert.ok(!isStopBigram(pair), pair);
});
