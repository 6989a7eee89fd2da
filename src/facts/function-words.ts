import { once } from "../text/once.ts";
import { textPattern } from "../text/text-pattern.ts";

/** Words with a grammatical function only, folded: two sentences that differ only in these say the same. */
export const functionWords = once(
  () =>
    new Set(
      (
        "a an the is are am be been being it its this that these those there of in on at to for by with and we i you he she they us our my your his her their me him them do does has have as from then so please currently just really very quite via " +
        "der die das den dem des ein eine einen einem einer eines ist sind bin sein es dies diese dieser dieses im in am an um auf zu zum zur fur von vom mit bei beim und wir ich du er sie ihr uns unser unsere unserem unserer unseren mein meine dein deine wird werden aktuell derzeit aus uber liegt uhr " +
        "le la les un une des du de est sont ce cette ces a au aux en dans pour par avec et nous je tu il elle on ils elles notre nos mon ma mes votre son sa ses ne se actuellement y que qu " +
        "el la los las un una unos unas es son esta estan ser estar a al de del en para por con y nosotros yo tu ella ellos nuestro nuestra nuestros nuestras mi su sus se le les lo actualmente que " +
        "的 了 是 在 于 为 被 由 把 我们 我 你 您 他 她 他们 它 这 那 个 和 与 及 会 都 就 里 吗 呢 吧 啊 目前"
      ).split(/\s+/),
    ),
);

/** Verbs that fit anything: sharing one means nothing. */
export const genericVerbs = textPattern(
  String.raw`^(?:us(?:e|es|ed|ing)|runs?|works?|needs?|wants?|makes?|tr(?:y|ies)|takes?|keeps?|nutz\p{L}*|verwend\p{L}*|benutz\p{L}*|brauch\p{L}*|mach\p{L}*|lauf\p{L}*|utilis\p{L}*|fai(?:t|s|sons)|us(?:a|o|an|amos)|tien\p{L}*|tenemos|hac\p{L}*|用|使用|有|需要|做|进行)$`,
);

/** Verbs that take any number of objects: a second one does not replace the first. */
export const addingVerbs = textPattern(
  "^(?:support|offer|accept|speak|know|like|lov|enjoy|includ|contain|sell|play|visit|eat|read|add|unterstutz|biet|sprich|sprech|mag|mog|kenn|enthal|verkauf|pren|charge|support|parl|aim|connais|inclu|offr|soport|habl|gust|conoc|ofrec|支持|会说|喜欢|懂|包含|提供|会)",
);

/** Who a fact is about. Facts about different persons are about different things. */
export const persons = once(() => {
  const table: Readonly<Record<string, string>> = {
    we: "we our ours us wir uns unser unsere unserem unserer unseren nous notre nos nosotros nuestro nuestra nuestros nuestras 我们",
    other: "su sus sa ses leur leurs",
    they: "they their them ils elles ellos ellas 他们 她们",
    me: "i my me mine ich mein meine meinen meinem mir je mon ma mes moi yo mi mis 我",
    you: "you your yours du dein deine dir tu ton ta tes vous votre vos tus usted 你 您",
    he: "he his him er ihm ihn sein seine il 他",
    she: "she her hers sie ihr ihre elle ella 她",
  };
  const byWord = new Map<string, string>();
  for (const [person, words] of Object.entries(table)) {
    for (const word of words.split(" ")) byWord.set(word, person);
  }
  return byWord;
});

/** Verbs that measure: the number after one is a value, not part of a name. */
export const measures = textPattern(
  "^(?:allow|accept|get|take|last|cost|pay|hold|need|requir|limit|keep|stor|send|charg|erlaub|kost|dauer|brauch|zahl|accept|cout|dur|exig|autoris|permit|acept|cuest|requier|admit|允许|需要|持续|最多|至少)",
);

/** What is numbered in turn: entry 13 comes after entry 12 and does not replace it. */
export const series = textPattern(
  "^(?:entry|entries|lines?|items?|rows?|records?|messages?|logs?|steps?|facts?|notes?|parts?|runs?|rounds?|numbers?|iterations?|attempts?|chapters?|pages?|episodes?|eintrag|zeile|punkt|schritt|lauf|durchlauf|runde|versuch|kapitel|seite|nachricht|teil|nummer|entree|ligne|etape|essai|chapitre|partie|numero|entrada|linea|paso|intento|ronda|capitulo|pagina|parte)$",
);

/** Units of measurement. */
export const units = textPattern(
  "^(?:ms|s|m|min|h|d|kb|mb|gb|tb|kg|g|km|cm|seconds?|minutes?|hours?|days?|weeks?|months?|years?|users?|people|seats?|requests?|servers?|nodes?|replicas?|workers?|cores?|items?|rows?|sekunden?|minuten?|stunden?|tagen?|tage?|wochen?|monaten?|monate?|jahren?|jahre?|leute|nutzer|platze|anfragen|secondes?|minutes|heures?|jours?|semaines?|mois|ans|personnes?|requetes?|segundos?|minutos?|horas?|dias?|semanas?|mes|meses|anos?|personas?|peticiones|秒|秒钟|分钟|小时|天|周|个月|年|人|次|台)$",
);

/**
 * Verbs of a timetable, which has one time for each thing. Not the nouns "meeting" and "Termin": there is another one
 * each week.
 */
export const schedules = textPattern(
  "^(?:start|begin|open|clos|end|run|happen|meet(?!ing)|due|beginn|startet|offnet|schliesst|endet|lauft|findet|commenc|debut|ouvr|ferm|fini|tourn|lieu|empiez|comienz|abre|cierr|termin[ae]|corre|开始|结束|运行|开门|关门|举行)",
);

/** Events that take place once, and again on another day. */
export const appointments =
  /^(?:appointments?|dentist|doctor|flights?|interviews?|weddings?|part(?:y|ies)|dinner|lunch|visits?|exams?|trips?|meetings?|[a-z]*termine?|zahnarzt|arzt|flug|hochzeit|feier|prufung|besuch|treffen|besprechung|rendez|dentiste|medecin|vol|mariage|fete|examen|reunion|citas?|dentista|medico|vuelo|boda|fiesta|预约|牙医|航班|面试|婚礼|考试|聚会|会议)$/;

export const recurring =
  /^(?:slot|day|daily|weekly|monthly|regular|usual|taglich|wochentlich|monatlich|jour|quotidien|hebdomadaire|mensuel|diari[oa]|semanal|mensual|每天|每周|每月|例会)/;

/** Regular payments and prices, unlike the amounts in a diary. */
export const prices = textPattern(
  String.raw`(?<![\p{L}])(?:prices?|costs?|rent|fees?|salary|budget|rate|per (?:month|year|hour|week|day)|a (?:month|year|day)|preis|kostet|miete|gebuhr|gehalt|im (?:monat|jahr)|pro (?:monat|jahr|stunde)|prix|coute|loyer|salaire|tarif|par (?:mois|an|heure)|precio|cuesta|alquiler|sueldo|tarifa|al (?:mes|ano)|por (?:mes|hora))(?![\p{L}])|价格|房租|工资|预算|每月|每年|费用`,
);
