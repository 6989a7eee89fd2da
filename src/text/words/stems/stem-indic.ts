import { type Endings, readEndings, stripEndings } from "./stem-endings.ts";

/**
 * Light stemmers for Hindi, Bengali, Tamil and Telugu: number and case endings only. Verb endings stay,
 * because in these languages many nouns end like a verb (योजना, कविता).
 */
export function stemIndic(word: string): string {
  const endings = endingsOfBlock.get(word.charCodeAt(0) >> 7);
  return endings === undefined ? word : stripEndings(word, endings, endsInWholeLetter);
}

/**
 * In Hindi and Bengali a virama joins a consonant to the next one; a stem that ends in it was cut inside a
 * letter.
 */
function endsInWholeLetter(stem: string): boolean {
  return !/[\u094d\u09cd]$/.test(stem);
}

/** By block of 128 characters; the counts are characters, vowel signs included. */
const endingsOfBlock: ReadonlyMap<number, Endings> = new Map([
  [
    0x900 >> 7,
    readEndings(`
      2 ा ि ी ु ू े ै ो ं ों ें ीं ां ओं एं ई
      2 ियां ियों ियो ाएं ाओं ाओ ाए ुओं ुएं ूओं ूएं इयां इयों
      3 ेगा ेगी ेंगे
    `),
  ],
  [
    0x980 >> 7,
    readEndings(`
      2 ের ে
      3 র রা কে তে েতে েরা েদের দের টি টা টির টার টিকে টাকে টিতে গুলি গুলো গুলির গুলোর গুলিকে গুলোকে য় য়ের
    `),
  ],
  [
    0xb80 >> 7,
    readEndings(`
      2 ம் த்தை த்தில் த்தின் த்திற்கு ங்கள் ங்களை ங்களில் ங்களின்
      3 ு ் ும் ை யை ில் யில் ின் யின் ினை ால் ாக ுடன் ிற்கு க்கு ுக்கு ிலிருந்து
      3 கள் களை களில் களின் களுக்கு களால் களுடன் க்கள்
    `),
  ],
  [
    0xc00 >> 7,
    readEndings(`
      3 ు ం ము లు ల లో కు కి ను ని తో గా లోని లోకి యొక్క లను లకు లలో లతో నకు నందు
      3 ంలో ంను ంతో మును ములు ములను ములో ాన్ని ానికి ాలు ాల ాలను ాలకు ాలలో
    `),
  ],
]);
