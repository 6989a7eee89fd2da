import assert from "node:assert/strict";
import { test } from "node:test";
import { isStopBigram, stopWordsOf } from "./stop-words.ts";

function withoutStopWords(question: string): string {
  const words = question.split(" ");
  const stopWords = stopWordsOf(words);
  return words.filter((word) => !stopWords.has(word)).join(" ");
}

test("A question keeps its content words, in every language.", () => {
  const questions: readonly (readonly [string, string])[] = [
    ["what is the capital of france", "capital france"],
    ["please tell me when anna moved to berlin", "anna moved berlin"],
    ["wann ist anna nach berlin umgezogen", "anna berlin umgezogen"],
    ["quelle est la capitale de la france", "capitale france"],
    ["cual es la capital de francia", "capital francia"],
    ["qual e a capital do brasil", "capital brasil"],
    ["qual e la capitale della francia", "capitale francia"],
    ["wat is de hoofdstad van frankrijk", "hoofdstad frankrijk"],
    ["vad ar huvudstaden i frankrike", "huvudstaden frankrike"],
    ["hvad er hovedstaden i frankrig", "hovedstaden frankrig"],
    ["jaka jest stolica polski", "stolica polski"],
    ["какая столица у россии", "столица россии"],
    ["яка столиця в україні", "столиця україні"],
    ["fransa nin baskenti neresi ve neden", "fransa nin baskenti"],
    ["ما هي عاصمه فرنسا", "عاصمه فرنسا"],
    ["भारत की राजधानी क्या है", "भारत राजधानी"],
    ["ποια ειναι η πρωτευουσα τησ γαλλιασ", "πρωτευουσα γαλλιασ"],
    ["care este capitala frantei", "capitala frantei"],
    ["jake je hlavni mesto francie", "hlavni mesto francie"],
    ["mika on suomen paakaupunki", "suomen paakaupunki"],
    ["apa ibu kota yang ada di indonesia", "ibu kota indonesia"],
    ["מה היא בירת צרפת", "בירת צרפת"],
    ["서울은 어디 에 있는 도시", "서울은 도시"],
  ];
  for (const [question, content] of questions) assert.equal(withoutStopWords(question), content);
});
