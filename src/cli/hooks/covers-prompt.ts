import type { SearchHit } from "../../search/search.ts";
import { once } from "../../text/once.ts";

/**
 * Whether a hit is on the topic of a prompt, and so worth giving to an agent that did not ask. Most prompts are
 * requests ("make this faster", "fix the failing test"), and any notes share some of their words.
 */
export function coversPrompt({ explain }: Pick<SearchHit, "explain">): boolean {
  // Other engines do not report which words matched.
  if (explain === undefined) return true;
  let asked = 0;
  let matched = 0;
  let matches = 0;
  for (const { term, weight, occurrences, contribution } of explain.terms) {
    const isEveryday = everydayWords().has(term);
    asked += isEveryday ? everydayShare * weight : weight;
    // A word that only the heading contains contributes without occurring; a guess counts in part.
    const found = contribution > 0 && occurrences === 0 ? 1 : Math.min(1, occurrences);
    if (isEveryday || found < minFound) continue;
    matched += found * weight;
    matches++;
  }
  const share = asked === 0 ? 0 : matched / asked;
  return share >= (matches === 1 ? minShareOfOne : minShare);
}

/** The weight of an everyday word in a prompt, relative to any other. */
const everydayShare = 0.3;
const minFound = 0.4;
const minShare = 0.45;
/** A single word is enough only if the prompt has no other. */
const minShareOfOne = 0.95;

/** Words of requests, or of prompts in every project, that say nothing about the topic. */
const everydayWords = once(
  () =>
    new Set(
      `add added adding adds again ahead app apply array ask back begin better block body branch break broken bug
      bugs build builds built bump button call case change changed changelog changes check checks class classes clean
      cleanup clear close code column columns command comment comments commit commits compare complete component
      components continue convert copy correct crash crashes crashing create created creating cut data debug delete
      deleted deletes dependencies describe different docs documentation edit empty end error errors example exception
      explain extract fail failed failing fails fast faster feature features fetch field fields file files fill final
      find fine finish first fix fixed fixes fixing folder form format forms full function functions general generate
      get git give go good great handle handling happen happens hello help hi idea implement implemented import imports
      improve input insert install installation instructions issue issues job json keep key keys kind know large last
      later latest let line lines lint linter list little load logic long look looks lot make makes making maybe mean
      merge message messages method methods missing mode module modules more move moved name names need needed needs new
      next nice number object ok okay old open option order output package packages page pages part pass passes passing
      path perfect perhaps piece place please point possible previous print problem problems proceed project properly
      push put queries query question quick quickly read readme really reason redo refactor reload rename replace repo
      repository resolve result results return returns revert review rewrite right round run running runs save say says
      scan screen script second select send set settings setup show simple simpler simplify single small smaller
      solution sort split stack start started starting startup step steps still stop string summarize support sure
      switch table tables task tasks tell test tested testing tests text thank thanks thing things think time times todo
      together tool top trace try trying turn type types undefined understand undo unit unused update updated upgrade
      use used user users uses using value values variable variables version wait want warning warnings way well whole
      wonder word work working works write writing wrong yes
      bitte danke datei entferne erklare fehler fuge funktion genau hinzu loesche losche mach mache machen schreib
      schreibe teste weiter zeig zeige
      adelante avanti continua continuer gracias grazie merci obrigado oui sigue`.split(/\s+/),
    ),
);
