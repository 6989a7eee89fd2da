import { type Endings, readEndings, stripEnding } from "./stem-endings.ts";

/** Light stemmers for the scripts of India: number and case endings, the longest one that leaves enough. */
export function stemIndic(word: string): string {
  const endings = endingsOfBlock.get(word.charCodeAt(0) >> 7);
  return endings === undefined ? word : stripEnding(word, endings);
}

/** By block of 128 characters; the counts are characters, vowel signs included. */
const endingsOfBlock: ReadonlyMap<number, Endings> = new Map([
  [
    0x900 >> 7,
    readEndings(`
      2 ा ि ी ु ू े ै ो ं ों ें ीं ां
      2 ियां ियों ियो िया ाएं ाओं ाओ ाए ुओं ुएं ूओं ूएं ओं एं
      3 ता ती ते ना नी ने कर ाता ाती ाते ाना ानी ाने ेगा ेगी ेंगे ूंगा या यी ये ाया ायी ाये ाई
    `),
  ],
  [
    0x980 >> 7,
    readEndings(`
      3 র ে ের েরা েদের দের রা কে তে েতে টি টা টির টার টিকে টাকে গুলি গুলো গুলির গুলোর গুলিকে গুলোকে য় য়ের
    `),
  ],
]);
