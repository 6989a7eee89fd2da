import assert from "node:assert/strict";
import { test } from "node:test";
import { plainName } from "../text/note-names.ts";
import { askedNames } from "./named-notes.ts";

const namesIn = (query: string) => [...askedNames(plainName(query))];

test("a question about a name names it, with and without its article", () => {
  for (const [query, name] of [
    ["Who is Marta?", "marta"],
    ["who's Marta", "marta"],
    ["What do we know about Garden shed?", "garden shed"],
    ["tell me about the boiler", "boiler"],
    ["Wer ist Jonas Weber?", "jonas weber"],
    ["Qu'est-ce que le compost ?", "compost"],
    ["Was wissen wir über Jonas?", "jonas"],
    ["Qui est Odile ?", "odile"],
    ["Que savons-nous de Odile", "odile"],
    ["¿Quién es Sofía?", "sofía"],
    ["Qué sabemos de Sofía", "sofía"],
    ["Chi è Piero?", "piero"],
    ["Cos'è la caldaia?", "la caldaia"],
    ["Che cosa è caldaia", "caldaia"],
    ["Quem é Inês?", "inês"],
    ["O que é boia?", "boia"],
    ["Wie is Joost?", "joost"],
    ["Wat zijn tulpen?", "tulpen"],
    ["马塔是谁？", "马塔"],
  ] as const) {
    assert.ok(namesIn(query).includes(name), `${query}: ${namesIn(query).join(", ")}`);
  }
});

test("any other query is its own name only", () => {
  for (const query of ["Marta", "who wrote to Marta?", "what is", "where is the boiler", ""]) {
    assert.deepEqual(namesIn(query), [plainName(query)], query);
  }
});
