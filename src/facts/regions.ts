import { once } from "../text/once.ts";

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
