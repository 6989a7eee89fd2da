import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { foldWord } from "../fold.ts";
import { stemWord } from "./stem.ts";

/** One word per line, in forms that a note and a query may use. */
const families: Record<string, string> = {
  English: `
    note notes noted noting
    memory memories
    connect connected connection connecting`,
  Russian: `
    книга книги книгу книгами книг книге книгой книгах
    система системы систем систему системой системами
    строка строки строк строкой строках
    город города городов городу городом городах
    читать читал читала читали читает читают читающий
    говорить говорил говорила говорит говорят говорили
    изменить изменил изменение изменения изменений изменен измененный
    материал материалы материалов материалом
    результат результата результаты результатов
    модель модели моделей моделью моделям
    компания компании компаний компанию компаниями
    рынок рынка рынке рынки рынков
    отец отца отцу отцом
    владелец владельца владельцем
    настройка настройки настроек настройками
    новый новая новое новые новых новым нового новому
    возможность возможности возможностей возможностью
    пользователь пользователя пользователи пользователей
    память памяти памятью
    время времени временем времена
    день дня дней днем дни
    имя имени именем имена
    находиться находится находился находилась находятся`,
  Ukrainian: `
    місто міста місту містом містах міст
    українська українського українською українські
    година години годин годину годинами
    можливість можливості можливостей
    кінець кінця кінцем
    використати використання використовувати використовується використовують`,
  Bulgarian: `
    градът града
    програма програми програмата програмите
    история истории историята
    връзка връзки`,
  Greek: `
    βιβλίο βιβλία βιβλίου βιβλίων
    πόλη πόλης πόλεις πόλεων
    πρόβλημα προβλήματα προβλήματος προβλημάτων
    άνθρωπος άνθρωποι ανθρώπου ανθρώπων ανθρώπους
    παιδί παιδιά παιδιού παιδιών
    χώρα χώρες χώρας χωρών
    γράφω γράφει γράφουν γράφεις
    περιεχόμενο περιεχομένου περιεχόμενα`,
  Arabic: `
    كتاب الكتاب وكتابها كتابه والكتاب بالكتاب للكتاب كتابي
    مدرسة المدرسة مدرستها مدرستنا
    سيارة سيارات السيارة السيارات سيارتي
    مهندس مهندسون المهندسين مهندسين
    وزير الوزير
    وزارة الوزارة والوزارة
    قانون القانون قانوني`,
  Persian: `
    کتاب کتاب‌ها کتاب‌های کتابها کتابهای
    شهر شهرها شهرهای
    بزرگ بزرگتر بزرگترین`,
  Hebrew: `
    ספר הספר ספרים הספרים והספר
    תמונה תמונות התמונה תמונת
    ישראל בישראל לישראל
    שולחן שולחנות השולחן
    שלום השלום`,
  Hindi: `
    किताब किताबें किताबों
    लड़का लड़के लड़कों
    भाषा भाषाएँ भाषाओं
    नदी नदियाँ नदियों
    कविता कविताएँ कविताओं
    कर्ता कर्ताओं
    लड़ाई लड़ाइयों`,
  Bengali: `
    মানুষ মানুষের মানুষকে
    ছবি ছবির ছবিতে ছবিটি
    ব্যবহার ব্যবহারের`,
  Tamil: `
    கோப்பு கோப்பில் கோப்பை கோப்புகள் கோப்புகளை
    படம் படங்கள் படத்தின்`,
  Telugu: `
    పుస్తకం పుస్తకాలు పుస్తకాన్ని పుస్తకంలో
    పేజీ పేజీలు పేజీల`,
};

const strangers = `
  портал порт
  правило право
  материал матери
  планета план
  газета газ
  формат форма
  модель мода
  капитал капитан
  образование образ
  метро метр
  видео вид
  чтение часть
  γραφείο γράφω
  πόλη πολύ
  وزارة زارت
  لبنان لبن
  قانون قانا
  מחשב חשבון
  שיר שירות
  मकान मक्का
  किताब कितना
  জল জাল
  policy police`;

for (const [language, lines] of Object.entries(families)) {
  test(`The forms of one ${language} word have one stem.`, () => {
    for (const line of lines.trim().split("\n")) {
      const words = line.trim().split(" ");
      const stems = words.map((word) => stemWord(foldWord(word)));
      assert.equal(new Set(stems).size, 1, words.map((word, i) => `${word} ${stems[i]}`).join(", "));
    }
  });
}

test("Different words keep different stems.", () => {
  for (const line of strangers.trim().split("\n")) {
    const [one, other] = line
      .trim()
      .split(" ")
      .map((word) => stemWord(foldWord(word)));
    assert.notEqual(one, other, line.trim());
  }
});

test("Words with digits, of several scripts and of scripts without a stemmer stay whole.", () => {
  for (const word of [
    "windows10",
    "версия2",
    "iphoneами",
    "დედაქალაქები",
    "東京",
    "한국에서",
    "v2",
    "",
    "a",
  ]) {
    assert.equal(stemWord(word), word);
  }
});

test("A stem is never empty and never longer than its word.", () => {
  const letters = [
    ..."abcdeinst",
    ..."авеиойлмнстьіїє",
    ..."αεηιοςτμν",
    ..."اتهيونكبلوف",
    ..."הוםיןבלכשמתר",
    ..."कनतािीोंे्",
    ..."রেটিগুল্",
    ..."கள்ுில்",
    ..."లుంాల్",
  ].map(foldWord);
  const word = fc
    .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 12 })
    .map((all) => all.join(""));
  const sameScript = fc
    .constantFrom(0x61, 0x3b1, 0x430, 0x5d0, 0x627, 0x905, 0x985, 0xb85, 0xc05)
    .chain((from) =>
      fc
        .array(fc.integer({ min: from, max: from + 25 }), { minLength: 1, maxLength: 12 })
        .map((codes) => String.fromCharCode(...codes)),
    );
  fc.assert(
    fc.property(fc.oneof(word, sameScript), (input) => {
      const stem = stemWord(input);
      assert.ok(stem.length > 0 && stem.length <= input.length, `${input} ${stem}`);
    }),
    { seed: 7, numRuns: 5000 },
  );
});
