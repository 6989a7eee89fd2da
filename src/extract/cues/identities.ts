import { type Cue, words } from "./cue.ts";

const relatives =
  "(?:wife|husband|partner|girlfriend|boyfriend|fiancée?|ex|daughters?|sons?|kids?|children|baby|mother|mum|mom|father|dad|parents|brothers?|sisters?|siblings|twins?|grand\\p{L}+|aunt|uncle|cousins?|niece|nephew|in-laws|family)";
const contacts =
  "(?:boss|manager|colleagues?|co-?workers?|team(?:mate)?s?|company|employer|firm|office|landlord|landlady|tenant|neighbou?rs?|flatmate|roommate|accountant|lawyer|doctor|dentist|gp|therapist|physio\\p{L}*|vet|teacher|coach|mentor|tutor|supervisor|professor|assistant|intern|designer|developer|architect|engineer|admin|cto|ceo|cfo|coo|pm|product owner|scrum master|lead|tech lead|customers?|clients?|contacts?|supplier|provider|bank|insurer|insurance|broker|agent|host|guide|mechanic|builder|cleaner|nanny|babysitter|friends?|dogs?|cats?|horse|car|birthday|anniversary|address|surname|name|nickname|job|title|role|background|native language|mother tongue|blood type|star sign)";
const roles =
  "(?:cto|ceo|cfo|coo|manager|lead|leader|owner|contact|maintainer|customer|client|landlord|accountant|lawyer|architect|designer|reviewer|head|director|founder|boss|admin|administrator|engineer|developer|secretary|chair|treasurer|editor|author|mentor|supervisor|coordinator|sponsor|principal|representative|nurse|teacher|doctor|partner|successor|predecessor|deputy|new \\p{L}+|one (?:who|to)|person (?:who|to|for)|point of contact|go-to)";
const doing =
  "(?:is|are|was|'s|lives?|works?|speaks?|has|have|owns?|called|named|turns?|starts?|handles?|joined|comes?|goes|wants|likes|prefers?|hates?|was born|studies|plays|runs|does|will be|stays|moved|needs|can't|doesn't|don't)";

/** Who people are. */
export const identityCues: readonly Cue[] = [
  {
    kind: "identity",
    weight: 3,
    language: "english",
    pattern: words(
      "my name is|i work (?:nights|days|weekends|shifts|part[- ]time|full[- ]time|remotely|from home)|i(?:'m| am) called|(?:call|calls) (?:me|him|her|them)|goes by|i (?:work|volunteer) (?:at|for|as|with|in|from)|i live (?:in|at|near|with|on)|i(?:'m| am) (?:the|your|their|responsible|in charge|based|from|married|divorced|single|retired|doing an?|studying|self-taught|training to|currently|originally|self-employed|\\d{2})",
      "i(?:'m| am) an? (?!bit|little|lot|few|hour|fan|week|minute|step|second|day|moment|mess|huge|big|couple)\\p{L}+(?: \\p{L}+){0,2}(?: (?:at|in|from|for|by|of|and|who|with)|(?=[.,!]|$))",
      "i(?:'ve| have) been (?:an? |the |working as|living|in charge|doing|playing|married|with)|i (?:report to|studied|was born|grew up|became|come from|teach|coach|founded|co-?founded|manage|lead|own|drive|speak|represent|graduated|retired|identify as|moved (?:to|from|here)|was diagnosed|used to (?:be|work|live))|i turn(?:ed)? \\d+|i run (?:an?|my own|our|the (?:company|shop|business|team|club))|i have a (?:mortgage|degree|loan|licen[cs]e|permit)|i play (?:the|in|for)",
      "i(?:'ve got|'ve had| have| have got| suffer from) (?:bad |severe |mild |chronic )?(?:asthma|diabetes|adhd|migraines?|epilepsy|arthritis|dyslexia|tinnitus|insomnia|anxiety|allerg(?:y|ies)|vertigo|autism)",
      "(?:i|we)(?: have|'ve got| got) (?:an? |one |two |three |four |five |\\d+ |no )(?:\\p{L}+ ){0,2}(?:kids?|children|dogs?|cats?|sons?|daughters?|brothers?|sisters?|siblings|cars?|horses?|degree|phd|employees|people|developers|engineers|offices?|customers|clients|twins|grandchildren|bikes?|knee|back|allergy|condition|visa|passport)",
      `(?:my|our) (?:\\p{L}+ ){0,2}?${relatives}(?:'s)?(?:,? \\p{L}+\\.?){0,3},? ${doing}|(?:my|our) (?:\\p{L}+ ){0,2}?${contacts}(?:'s)?(?:,? (?:is |are )?\\p{L}+\\.?){0,3},? ${doing}`,
      `(?:is|are|was|becomes?|became|joined as|works as|stays|as)(?: now)? (?:our|my|the|their|his|her|your)(?: new| main| only| former| current| lead| senior| acting)? ${roles}|(?:contact|owner|responsible)(?: person)? (?:is|for)|owns the|is (?:responsible|in charge)|maintains the`,
      `(?:she|he|they)(?:'s| is|'re| are) (?:the|our|my|an?) (?!bit|little|lot|few|one|same|problem|idea|reason|good|bad|great)\\p{L}+|the (?:person|guy|woman|man|one|people|team)(?: \\p{L}+){0,2} (?:to (?:ask|talk|call|contact)|responsible|in charge|who (?:knows|owns|handles|decides|maintains|runs))|(?:ask|talk to|contact|reach out to|go to) \\p{L}+ (?:for|about|if|when)`,
      "we(?:'re| are) (?:an?|the|\\d+|two|three|four|five|six|seven|eight|nine|ten) (?!bit|little|lot|few|big fan)\\p{L}+(?: \\p{L}+){0,3} (?:in|of|from|based|with|for|at|people|who|that)|we(?:'re| are) (?:\\d+|two|three|four|five|six|seven|eight|nine|ten|twelve) (?:people|developers|engineers|friends|siblings|partners)|we(?:'re| are) (?:based|located|a team|a family)|(?:on|goes on|is on) (?:parental |maternity |paternity |sick |annual )?leave|stands? in for|fills? in for|takes? over (?:from|for|as)|on call|(?:will be|is) (?:away|pregnant|out of office|on holiday|on vacation|retiring)",
    ),
  },
  {
    kind: "identity",
    weight: 3,
    language: "any",
    isCased: true,
    // A member of our group by name, a person with a responsibility, or a name after "I am". Capitals mark a name.
    pattern:
      /(?<!\p{L})(?:[Mm]y|[Oo]ur|[Mm]i|[Nn]uestr[oa]|[Mm]on|[Mm]a|[Nn]otre) (?:\p{Ll}+ )?\p{Ll}{3,},? (?:(?:is|are|es|est) (?:called )?)?(?:\p{Lu}\p{Ll}+|Mr|Mrs|Ms|Dr)(?!\p{L})|(?<!\p{L})(?:[Mm]eine?|[Uu]nsere?) \p{Lu}\p{Ll}+ \p{Lu}\p{Ll}|^(?!This|That|These|Those|It|He|She|They|What|Which|Who|Where|There|Here|Nothing|Everything|Something|Everyone|Everybody|Nobody|And|But|So|If|When|The|Then|Also|Only|Yes|No|Now|Not|All|Each|Every|Some|Any|One|Please|Maybe|You|We|Version|Release|Today|Tomorrow)\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?(?: (?:from|in|at) \p{L}+)? (?:will |also |now )?(?:reviews?|approves?|signs? off|handles?|manages?|maintains?|leads?|owns?|covers?|decides|joined|left|stands in|takes over|reports to|works (?:at|for|on|in|as|from)|lives (?:in|at|with|near)|speaks|runs the|looks after|is (?:the|our|my|responsible|away|pregnant|vegan|vegetarian|allergic|retiring|moving|leaving|married|on)|übernimmt|prüft|leitet|betreut|vertritt|revisa|gestiona|dirige|gère|relit|valide)(?!\p{L})|^\p{Lu}\p{Ll}{2,} (?:replaced|succeeds|does the|did the|took over|moved to|retires|resigned|got promoted|was promoted)(?!\p{L})|(?<!\p{L})I(?:['’]m| am) \p{Lu}\p{Ll}+(?=[,.!]|$| and| from| \p{Lu})/u,
  },
  {
    kind: "identity",
    weight: 2,
    language: "english",
    pattern: words(
      "(?:is|are|turns?|turned|will be) (?:\\d{1,2}|five|six|seven|eight|nine|ten|eleven|twelve)(?: (?:and|or) \\d{1,2})?(?: years? old)?",
    ),
  },

  {
    kind: "identity",
    weight: 3,
    language: "european",
    pattern: words(
      "ich heiße|mein name ist|nenn(?:t|en sie)? mich|ich (?:arbeite|wohne|lebe) (?:bei|als|für|in|an|mit)|ich (?:bin|leite)(?: \\p{L}+)? (?:der|die|das|leiter\\p{L}*|\\p{L}+leiter\\p{L}*|zuständig|verantwortlich)|ich bin (?:\\p{L}+ )?\\p{L}{4,}(?:in|er|ist|or|ant|ent|arzt|ärztin|mann|frau)(?: (?:an|in|bei|von|aus|und|für)|(?=[.,!]|$))|ich (?:leite|komme aus|habe (?:zwei|drei|vier|einen|eine|ein) (?:\\p{L}+ )?(?:kinder|sohn|söhne|tochter|töchter|hund|hunde|katze|katzen|bruder|schwester)|spreche|fahre ein\\p{L}*|studiere|unterrichte)|(?:mein|unser)(?:e|er)? (?:frau|mann|partner(?:in)?|tochter|sohn|kind(?:er)?|mutter|vater|eltern|chef|chefin|kollege|kollegin|bruder|schwester|firma|hund|katze|vermieter(?:in)?|arzt|ärztin|nachbar(?:in)?|kunde|steuerberater(?:in)?) (?:\\p{L}+ )?(?:heißt|heißen|ist|sind|wohnt|arbeitet|hat|spricht|kommt)|(?:ansprechpartner(?:in)?|zuständig|verantwortlich)(?: \\p{L}+){0,3} ist|ist (?:zuständig|verantwortlich)|ist unser(?:e|er)?|vertritt mich",
      "me llamo|mi nombre es|trabajo (?:en|como|para|con)|vivo en|nací en|soy (?:el|la|un|una) \\p{L}+|soy (?:\\p{L}+ )?\\p{L}{4,}(?:[oa]r[oa]?|ist[a]|er[oa]|ent[ea]|ic[oa]|ad[oa]|gad[oa]|or|ora|ente)(?: (?:en|de|y)|(?=[.,!]|$))|tengo (?:un|una|dos|tres|cuatro|\\d+) (?:hij\\p{L}+|perr\\p{L}+|gat\\p{L}+|herman\\p{L}+|años)|mi (?:esposa|mujer|marido|pareja|hija|hijo|madre|padre|jefe|jefa|hermano|hermana|empresa|equipo|perro|gato|médic[oa]|vecin[oa]|cliente|caser[oa]) (?:\\p{L}+ )?(?:es|se llama|vive|trabaja|tiene|habla)|(?:la|el) (?:responsable|encargad[oa])(?: \\p{L}+){0,3} es",
      "je m'appelle|mon nom est|je travaille (?:chez|pour|comme|à|dans|en)|j'habite|je (?:viens de|suis né)|je suis (?:le|la|une?) \\p{L}+|je suis \\p{L}{4,}(?:ière|ier|eur|euse|iste|ien|ienne|ant|ante|ecin|teur|trice|ste|seur|aire|ète)(?: (?:à|en|de|chez|et|dans)|(?=[.,!]|$))|j'ai (?:un|une|deux|trois|quatre) (?:enfants?|fils|filles?|chiens?|chats?|frères?|sœurs?)|m(?:on|a|es) (?:femme|mari|compagne|compagnon|fille|fils|enfants|mère|père|chef|patron(?:ne)?|frère|sœur|équipe|chien|chat|médecin|voisin|voisine|propriétaire|comptable|client|cliente) (?:\\p{L}+ )?(?:s'appelle(?:nt)?|est|sont|habite|travaille|a|ont|parle)|(?:le|la) responsable(?: \\p{L}+){0,3} est",
    ),
  },
  {
    kind: "identity",
    weight: 3,
    language: "east-asian",
    pattern:
      /我叫|我的名字|我姓|我住在|我来自|我在.{1,12}(?:工作|上班|上学)|我是(?:一[名个位])?.{1,10}(?:师|生|员|长|人|家|手|工|商|士|理|者|夫|妇)(?:[。,，]|$)|(?:老婆|妻子|丈夫|老公|女儿|女兒|儿子|兒子|孩子|老板|同事|哥哥|姐姐|弟弟|妹妹|妈妈|爸爸|房东|医生)(?:叫|是|名|今年|在|住|有|姓)|负责|負責|联系人|聯絡人|名前は|と申します|といいます|私は.{1,14}(?:です|でした|をしてい)|(?:妻|夫|娘|息子|子供|上司|同僚|兄|姉|弟|妹|母|父|犬|猫|大家)の?(?:名前)?は|に住んで|で働いて|出身です|担当|連絡先/u,
  },
];
