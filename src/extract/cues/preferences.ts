import { type Cue, opening, words } from "./cue.ts";

/** How the user wants to be answered. */
const manner =
  "(?:short|shorter|brief|concise|long|longer|detailed|formal|informal|friendly|blunt|plain|simple|direct|honest|polite|bullet|numbered)";
const speech =
  "(?:answers?|repl(?:y|ies)|responses?|messages?|sentences?|paragraphs?|tone|style|language|summar(?:y|ies)|emails?|mails?|explanations?|commit messages?|lists?|points|comments?|words?|headings?|emojis?|spelling|titles?|names?|versions?)";
/** What an assistant does regularly. */
const conduct =
  "(?:explain|apologi[sz]e|use|write|add|touch|commit|push|schedule|call|ask|repeat|summari[sz]e|include|put|make|send|delete|install|deploy|guess|assume|invent|mention|mock|translate|format|change|rename|reply|answer|respond|bother|wake|book|order|suggest|recommend|sugar-?coat|round|address|store|log|merge|create)";
const bodies =
  "(?:left-handed|right-handed|colou?r-?blind|deaf|blind|diabetic|pregnant|allergic|vegan|vegetarian|pescatarian|celiac|coeliac|intolerant|dyslexic|asthmatic|autistic|afraid|scared|sensitive|nervous|bad at|good at|used to|fine with|okay with|ok with|happy with|into|more of an?|a morning|a night|not an?)";

/** Likes, dislikes and standing wishes. */
export const preferenceCues: readonly Cue[] = [
  {
    kind: "preference",
    weight: 3,
    language: "english",
    pattern: words(
      "i(?:'d| would)?(?: really| much| strongly| always| usually| generally| actually)? (?:prefer|rather|favou?r|like to be|like it when|love it when|hate it when|can't stand|cannot stand|dislike|despise|avoid|enjoy|appreciate)",
      "(?:i|we)(?: really| also| only| just)? (?:like|love|hate|want|need)(?= (?!it|this|that|these|those|the |to |you|how|what|your|him|her|them|a |an |some |more |help|another|one ))",
      "i (?:really )?(?:don't|do not) (?:like|want|need|eat|drink|use|work|do|take|read|have time for|care for|watch|trust|drive|mind)|i (?:never|always|usually|normally|mostly|tend to|only) (?!said|saw|got|had|tried|get|see|wanted|did|know|knew|want to|need to)\\p{L}+|i (?:can't|cannot) (?!see|find|get|reproduce|open|access|log|connect|remember|tell|figure|believe|wait|run|install|build|compile|load|reach|say|seem|do (?:it|this|that)|use (?:it|this)|make|understand|think)\\p{L}+|i (?:eat|drink|wear|keep|sleep|cycle|commute|cook|read|listen to|pay) (?!it|this|that|the (?:docs|article|log|file))\\p{L}+|i can only|i get \\p{L}+sick|i \\p{L}+ (?:badly|poorly|best|better|early|late)|(?:if|when) (?:something|anything|in doubt|unsure)|, (?:always|never|every time|each time)(?=[.!]*$)",
      "my (?:favou?rite|preferred|preference|go-to|usual|default)|not (?:really )?my (?:thing|style|cup)|(?:works?|suits?|fits?) (?:best|better|well) for (?:me|us)|(?:easier|harder|better|best|useless|useful|important|too \\p{L}+) (?:on|for|to) (?:me|us|my|the eyes)|(?:annoys?|bothers?|confuses?|distracts?|helps?) me|drives me",
      `i(?:'m| am)(?: also| very| really| quite| a bit| not| pretty)? ${bodies}|i find .{2,60}(?:easier|harder|better|nicer|annoying|confusing|useful|ugly|boring|hard to)`,
      `(?:always|never) (?:${conduct}|run|give|tell|show|start|end|begin|check|do|be|mix|trust|leave|keep|say|speak)`,
      "(?:ask|tell|check with|warn|consult|wait for) (?:me|us)(?: first| before)|asked? (?:me )?before|before you (?:commit|install|delete|push|write|change|start|send|answer|deploy|touch|merge|book|buy|run|edit|reply|post)|(?:when|whenever|if) you (?:write|commit|answer|reply|send|quote|cite|book|plan|code|name|translate|summari[sz]e|explain|suggest|create|review)|unless i (?:say|ask|tell)|unless told",
      `${manner}(?: and ${manner})? ${speech}|you (?:should|must|may|can|need to|have to)(?: please)? (?:never|always|only|not)|i(?:'d| would) (?:appreciate|be grateful|like it if)`,
    ),
  },
  {
    kind: "preference",
    weight: 3,
    language: "english",
    pattern: opening(
      `(?:don't|do not|never|no need to|stop|quit|no more)(?: ever)? ${conduct}|stop \\p{L}+ing|(?:always|never) \\p{L}{2,}|only ${conduct}|don't \\p{L}+ .{2,60}(?:any|ever|every|each) ?\\p{L}*|avoid|prefer|make sure (?:to|you|that you|it's)|be (?:blunt|brief|concise|honest|polite|formal|kind|direct|precise|terse|careful with|sceptical|skeptical|critical|strict|patient|informal|casual|nice)`,
      "(?:call|address) me|(?:answer|reply|write|speak|talk)(?: to)?(?: me)? (?:formally|informally|only|briefly|in (?:the language|full|plain|simple|\\p{L}+(?:ish|an|ese|ch|ic)))",
      "(?:use|write|prefer|avoid|call|keep|do|format|give|quote|name|round|show|put|skip|sign|spell) [^.?!]{2,80}(?:,? (?:not|never|instead of|only|always|unless|under|in everything|in all|for me|at most|as a rule|by default|throughout)|first, then)",
      "(?:round|format|quote|spell|indent|prefix|sign|sort|name) (?:all|every|each|numbers|dates|names|prices|my|everything)",
      "keep (?:the|your|all|my|it|them|answers|things|replies) (?:tone|answers?|repl(?:y|ies)|short|brief|simple|under|below|style|messages?|language|files?|functions?|functional|plain|formal|friendly)",
      "\\p{L}+(?:-\\p{L}+)?(?: \\p{L}+){0,2} only(?= for| on| when| if| in|,|[.!]*$)|only \\p{L}+ (?:food|seats?|answers?|in|from|for)",
      "no \\p{L}{3,}(?: \\p{L}+){0,2}(?=,? (?:please|for me|thanks|ever)|,? in (?:my|the|your|our)|[.!]*$)|no \\p{L}{3,}s(?=,| on| before| after| until)",
      "(?:show|give|list|write|use|put|quote|print) (?:prices|dates|times|numbers|names|amounts|units|code|answers|examples|sources|links|titles|distances) (?:with|in|as|without|first|only)|\\p{L}+ first, (?:then )?\\p{L}+ (?:later|second|after|last|next)",
      "(?:comments?|docs?|answers|dates|numbers|names|variables?|titles?|prices|errors?|messages|functions|files|summaries|meetings|headings|examples|amounts|units|logs?|reports?|emails?|commits?|branches|variables)(?: in (?:the|our|my) \\p{L}+)? (?:should|must|have to|need to|are to|go|belong)",
    ),
  },
  {
    kind: "preference",
    weight: 2,
    language: "english",
    pattern: words(
      "everywhere|throughout|at all times|(?:mornings?|evenings?|weekends?|afternoons?) (?:are|is|work)|unless",
    ),
  },
  {
    kind: "preference",
    weight: 1,
    language: "english",
    pattern: words(
      "i (?:want|need|like)|please|always|never|everything|every|each|for me|at most|or less|with me|to me|easily|usually|as a rule|in general|by default|skip|short|no",
    ),
  },

  {
    kind: "preference",
    weight: 3,
    language: "european",
    pattern: words(
      "ich (?:bevorzuge|mag|hasse|liebe|vertrage kein\\p{L}*|esse (?:kein|nur|gern)\\p{L}*|trinke (?:kein|nur|gern)\\p{L}*|brauche (?:immer|kein)\\p{L}*|möchte (?:immer|nie|niemals|kein\\p{L}*|lieber|kurze|nur|dass du)|will (?:immer|nie|kein\\p{L}*|nur|kurze)|arbeite (?:lieber|nie|immer|am liebsten)|finde .{2,40}(?:besser|schlechter|angenehmer|nervig|lästig))|(?:mir|ich \\p{L}+) (?:ist|wäre)? ?(?:es )?lieber|bitte(?: \\p{L}+){0,4} (?:immer|nie|niemals|kein|keine|keinen|nur|ohne|nicht|kurz|kurze|knapp|auf deutsch)|mein(?:e)? lieblings\\p{L}+|bin (?:allergisch|vegetarier\\p{L}*|veganer\\p{L}*|linkshänder\\p{L}*|farbenblind)|am liebsten|(?:mir|uns) (?:ist|sind|wäre|wären) \\p{L}+(?: \\p{L}+)? (?:lieber|wichtig)|frag(?:e)? mich|(?:kurze|knappe|ausführliche|einfache) (?:antworten|sätze|mails)",
      "prefiero|preferimos|(?:no )?me gustan?|me gustaría que|odio|detesto|me encanta|quiero (?:respuestas|que (?:siempre|nunca|no)|siempre|solo)|no (?:quiero|como|bebo|tomo|puedo comer)|por favor,? (?:siempre|nunca|no|usa|evita|responde)|(?:siempre|nunca) (?:uses|usa|escribas|respondas|responde|hagas|pongas|me)|no (?:me )?(?:pongas|uses|escribas|hagas|llames|mandes|añadas)|mi \\p{L}+ favorit[oa]|soy (?:alérgic[oa]|vegetarian[oa]|vegan[oa]|zurd[oa]|celíac[oa]|daltónic[oa])|me va mejor|respuestas (?:cortas|breves)|trátame|tutéame|pregúntame antes",
      "je (?:préfère|veux (?:des|que|toujours|seulement)|ne veux (?:pas|plus)|n'aime pas|déteste|ne (?:mange|bois|supporte|travaille) (?:pas|jamais|plus))|j'(?:aime(?:rais)?|adore|évite)|je suis (?:allergique|végétarien(?:ne)?|végan|gauch(?:er|ère)|daltonien(?:ne)?|intolérante?)|(?:n'|ne )\\p{L}+ jamais|mon \\p{L}+ préféré|ma \\p{L}+ préférée|toujours (?:en|utiliser|répondre)|(?:réponses?|phrases|mails) (?:courtes?|brèves?|simples?)|ça me convient|tutoie-moi|demande-moi avant|sois (?:bref|brève|direct\\p{L}*|concis\\p{L}*)",
    ),
  },
  {
    kind: "preference",
    weight: 3,
    language: "european",
    pattern: opening(
      "vermeide|verwende (?:immer|nie|kein\\p{L}*)|nutze (?:immer|nie|kein\\p{L}*)|duze mich|sieze mich|sprich mich|schreib(?:e)? (?:mir )?(?:bitte )?(?:immer|nie|kurz\\p{L}*|nur|auf|in)|antworte (?:mir )?(?:bitte )?(?:immer|nur|kurz|auf|in)|nenn mich|keine? \\p{L}{3,}(?=,? bitte|[.!]*$)",
      "evita|evite|utiliza siempre|usa siempre|responde (?:siempre|en|solo)|escribe (?:siempre|en|solo)|llámame|nada de|sin \\p{L}{3,}",
      "évite|évitez|préfère|utilise toujours|réponds (?:toujours|en|seulement)|écris (?:toujours|en)|appelle-moi|pas d(?:e |')\\p{L}{3,}",
    ),
  },
  {
    kind: "preference",
    weight: 1,
    language: "european",
    pattern: words("bitte|immer|nie|siempre|nunca|toujours|jamais|por favor|s'il te plaît|s'il vous plaît"),
  },
  {
    kind: "preference",
    weight: 3,
    language: "east-asian",
    pattern:
      /喜欢|喜歡|讨厌|討厭|偏好|更愿意|更願意|请(?:总是|一直|务必|不要|别|尽量|用)|請(?:總是|務必|不要|別|盡量|用)|过敏|過敏|吃素|不吃|不喝|不要用|不用加|尽量|盡量|别(?:用|加|写)|最爱|好き|嫌い|苦手|アレルギー|方がいい|方が良い|ないでください|使わないで|でお願いします|にしてください|短くして|いつも.{1,20}ください|必ず.{1,30}ください|食べられま|飲めま(?:せん)|が楽です/u,
  },
];
