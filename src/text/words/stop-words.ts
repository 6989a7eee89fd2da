import { once } from "../once.ts";
import { stopWordLists } from "./stop-word-lists.ts";

type StopWordLanguage = keyof typeof stopWordLists;

/** The stop words of the language that the words are in, English if that is unclear. */
export function stopWordsOf(words: readonly string[]): ReadonlySet<string> {
  return stopWordsIn(languageOf(words));
}

/** The stop words of a language, English if it is unknown. */
export function stopWordsIn(language: StopWordLanguage | null): ReadonlySet<string> {
  return stopWords(language ?? "en");
}

/**
 * The language whose stop words cover most of the words; in a tie, the first in the list. The words are folded, not
 * stemmed. Null if no language covers any, or if only one word decides that several languages share, or that belongs to
 * a Latin-script language other than English: such words mean something elsewhere ("die" and "pod" are function words
 * in German and Polish, and English nouns and verbs).
 */
export function languageOf(words: readonly string[]): StopWordLanguage | null {
  let best: StopWordLanguage | null = null;
  let most = 0;
  let rivals = 0;
  const asked = [...new Set(words)].filter(Boolean).slice(0, maxWords);
  const counts = new Map<StopWordLanguage, number>();
  for (const word of asked) {
    for (const language of languagesWith(word)) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  for (const language of languagesFor(asked)) {
    const count = counts.get(language) ?? 0;
    if (count > most) {
      best = language;
      most = count;
      rivals = 0;
    } else if (count === most) rivals++;
  }
  if (best === null || most > 1) return best;
  return rivals === 0 && (best === "en" || otherScripts.has(best)) ? best : null;
}

/** Whether two characters of a script without spaces only ask, join or are polite: 什么, です, 누구, ะไ. */
export function isStopBigram(bigram: string): boolean {
  return stopBigrams().has(bigram);
}

const languages = Object.keys(stopWordLists) as StopWordLanguage[];
const otherScripts: ReadonlySet<StopWordLanguage> = new Set(
  languages.filter((language) => stopWordLists[language].charCodeAt(0) > 0x7f),
);

/** Only lists that share a script with some word: most questions need only the Latin ones. */
function languagesFor(words: readonly string[]): StopWordLanguage[] {
  const latin = words.some((word) => word.charCodeAt(0) < 0x80);
  const other = words.some((word) => word.charCodeAt(0) > 0x7f);
  return languages.filter((language) => (otherScripts.has(language) ? other : latin));
}

/** Enough different words to recognize a language, and a bound on the time for a long text. */
const maxWords = 50;

/** Questions repeat their stop words. */
const listedIn = new Map<string, readonly StopWordLanguage[]>();
const maxListed = 4096;

/** The languages whose lists have this word. */
function languagesWith(word: string): readonly StopWordLanguage[] {
  let found = listedIn.get(word);
  if (found === undefined) {
    if (listedIn.size >= maxListed) listedIn.clear();
    found = languagesFor([word]).filter((language) => isListed(stopWordLists[language], word));
    listedIn.set(word, found);
  }
  return found;
}

/**
 * Searches the text of the list: a question touches every list but needs the set of only one, and sets are slow to
 * build.
 */
function isListed(list: string, word: string): boolean {
  for (let at = list.indexOf(word); at >= 0; at = list.indexOf(word, at + 1)) {
    const end = at + word.length;
    if ((at === 0 || list.charCodeAt(at - 1) <= 32) && (end === list.length || list.charCodeAt(end) <= 32))
      return true;
  }
  return false;
}

const sets = new Map<StopWordLanguage, ReadonlySet<string>>();

function stopWords(language: StopWordLanguage): ReadonlySet<string> {
  let set = sets.get(language);
  if (set === undefined) {
    set = new Set(stopWordLists[language].split(/\s+/));
    sets.set(language, set);
  }
  return set;
}

const stopBigrams = once(
  () =>
    new Set(
      `什么 什麼 甚麼 么时 麼時 时候 時候 是什 为什 為什 么是 麼是 些什 了什 叫什 做什 的什 哪里 哪裡 哪裏 在哪 哪儿 哪兒 哪个 哪個
  哪些 有哪 哪一 哪年 哪种 哪種 哪位 是哪 于哪 於哪 是谁 是誰 谁是 誰是 谁的 誰的 谁在 誰在 多少 有多 几个 幾個 多久 多大 多长 多長
  何时 何時 何地 何处 何處 何人 为何 為何 如何 怎么 怎麼 怎样 怎樣 么样 麼樣 是否 请问 請問 告诉 告訴 诉我 訴我 一下 这个 這個 那个
  那個 这些 這些 那些 我们 我們 你们 你們 他们 他們 她们 她們 它们 它們 的是 是的 了吗 了嗎 是在 以及 或者 因为 因為 所以 但是 而且
  可以 关于 關於 对于 對於 由于 由於 其中
  です ます でし まし した して しま いる ある ない いう とい った って から まで とは なに なん とき どこ だれ いつ なぜ どう どの どれ
  どん んな どち ちら すか たか るか のか んか 何で 何と 何が 何を 何の 何に 何か は何 誰が 誰の 誰を 誰に 誰で は誰 こと もの これ それ
  あれ この その あの ここ そこ おい ため よう うな うに など また ので けど れた れる られ せん くだ ださ
  무엇 엇인 엇이 엇을 인가 언제 누구 누가 어디 디서 디에 디인 어떤 어떻 떻게 어떠 어느 얼마 무슨 입니 니까 니다 습니 합니 했습 하는
  했나 나요 했는 는가 있는 있다 있나 되었 었나 었는 였나 되는 에서 에게 으로 부터 까지 라고 라는 리고 러나 지만 대해 위해 위한
  때문 문에 알려 려줘 려주 주세 세요
  ะไ ไร ใค ำไ ไห ่ไ าไ ใด`.split(/\s+/),
    ),
);
