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

/**
 * Countries and continents in the five languages, folded and without function words. A table, because `Intl` takes a
 * tenth of a second to give the names. City states are left out: they are as specific as a city.
 */
const regions = once(
  () =>
    new Set(
      (
        "europe|asia|africa|americas|south america|north america|european union|germany|austria|switzerland|france|spain|italy|portugal|netherlands|belgium|luxembourg|denmark|sweden|norway|finland|iceland|ireland|united kingdom|poland|czechia|slovakia|hungary|romania|bulgaria|greece|turkiye|ukraine|russia|croatia|serbia|slovenia|estonia|latvia|lithuania|united states|canada|mexico|brazil|argentina|chile|colombia|peru|china|japan|south korea|taiwan|india|indonesia|thailand|vietnam|malaysia|philippines|australia|new zealand|south africa|egypt|morocco|nigeria|kenya|israel|united arab emirates|saudi arabia|usa|us_|uk|eu|uae|england|scotland|wales|turkey|czech republic|holland|america|great britain|california|texas|bavaria|" +
        "europa|asien|afrika|amerika|sudamerika|nordamerika|europaische union|deutschland|osterreich|schweiz|frankreich|spanien|italien|niederlande|belgien|luxemburg|danemark|schweden|norwegen|finnland|island|irland|vereinigtes konigreich|polen|tschechien|slowakei|ungarn|rumanien|bulgarien|griechenland|turkei|russland|kroatien|serbien|slowenien|estland|lettland|litauen|vereinigte staaten|kanada|mexiko|brasilien|argentinien|kolumbien|sudkorea|indien|indonesien|philippinen|australien|neuseeland|sudafrika|agypten|marokko|kenia|vereinigte arabische emirate|saudi arabien|grossbritannien|bayern|niederlanden|" +
        "asie|afrique|ameriques|amerique sud|amerique nord|union europeenne|allemagne|autriche|suisse|espagne|italie|pays bas|belgique|suede|norvege|finlande|islande|irlande|royaume uni|pologne|tchequie|slovaquie|hongrie|roumanie|bulgarie|grece|turquie|russie|croatie|serbie|slovenie|estonie|lettonie|lituanie|etats unis|mexique|bresil|argentine|chili|colombie|perou|chine|japon|coree sud|inde|indonesie|thailande|viet nam|malaisie|australie|nouvelle zelande|afrique sud|egypte|maroc|emirats arabes unis|arabie saoudite|angleterre|ecosse|grande bretagne|" +
        "sudamerica|america norte|union europea|alemania|suiza|francia|espana|italia|paises bajos|belgica|luxemburgo|dinamarca|suecia|noruega|finlandia|islandia|irlanda|reino unido|polonia|chequia|eslovaquia|hungria|rumania|grecia|turquia|ucrania|rusia|croacia|eslovenia|letonia|lituania|estados unidos|brasil|corea sur|tailandia|malasia|filipinas|nueva zelanda|sudafrica|egipto|marruecos|emiratos arabes unidos|arabia saudi|inglaterra|escocia|gran bretana|ee uu|" +
        "欧洲|亚洲|非洲|美洲|南美洲|北美洲|欧盟|德国|奥地利|瑞士|法国|西班牙|意大利|葡萄牙|荷兰|比利时|卢森堡|丹麦|瑞典|挪威|芬兰|冰岛|爱尔兰|英国|波兰|捷克|斯洛伐克|匈牙利|罗马尼亚|保加利亚|希腊|土耳其|乌克兰|俄罗斯|克罗地亚|塞尔维亚|斯洛文尼亚|爱沙尼亚|拉脱维亚|立陶宛|美国|加拿大|墨西哥|巴西|阿根廷|智利|哥伦比亚|秘鲁|中国|日本|韩国|台湾|印度|印度尼西亚|泰国|越南|马来西亚|菲律宾|澳大利亚|新西兰|南非|埃及|摩洛哥|尼日利亚|肯尼亚|以色列|阿拉伯联合酋长国|沙特阿拉伯"
      ).split("|"),
    ),
);

/** Whether some folded words, separated by spaces, name a country or a continent. */
export function isRegion(words: string): boolean {
  return regions().has(words);
}
