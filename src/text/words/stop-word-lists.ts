/**
 * Function words, question words and verbs of polite requests in each language, as the analyzer sees them: folded and
 * split at apostrophes. No nouns, numbers, colours or months, even where folding makes them look like a function word.
 * The Swedish list also serves Danish and Norwegian, the Russian one Ukrainian, the Czech one Slovak.
 */
export const stopWordLists = {
  en: `a about above according after again against ago all almost along already also although always am
    among an and another any anybody anyone anything are aren around as ask asked at away be became
    because become been before being below between both but by called came can cannot come could couldn
    currently describe did didn do does doesn doing don done down during each either else ever every
    everyone everything exactly explain few find for from further gave get gets give given gives goes
    going gone got had hadn has hasn have haven having he her here hers herself him himself his how
    however i if in instead into is isn it its itself just know last let like list ll made makes many
    may me mention mentioned might more most much must my myself never no nobody nor not nothing now of
    off often on once only onto or other others our ours ourselves out over own per perhaps please quite
    rather re really regarding said same say says shall she should shouldn since so some somebody
    someone something sometimes somewhere still such take tell than that the their theirs them
    themselves then there therefore these they this those though through throughout thus to together
    told too took toward towards under until up upon use used using ve very via want wanted was wasn we
    went were weren what whatever when whenever where wherever whether which while who whoever whom
    whose why will with within without would wouldn yes yet you your yours yourself`,
  de: `ab aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes anders
    auch auf aus befinden befindet bei beim beschreibe beschreiben bin bis bist bitte da dabei dadurch
    dafur dagegen daher damals damit danach daran darauf daraus darf darin daruber darum das dass davon
    davor dazu dein deine deinem deinen deiner dem den denen denn der deren derer des deshalb dessen die
    dies diese diesem diesen dieser dieses doch dort du durch durfen eben ein eine einem einen einer
    eines einige einigen einiger einiges entweder er erklare erklaren erst erwahne erwahnt es etwa etwas
    euch euer eure finde finden fur gab ganz gar gebe geben gegen gehabt genannt genau gerade gewesen
    gib gibt ging habe haben hat hatte hatten hattest heissen heisst hier hiess hiessen hin hinter ich
    ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in indem innerhalb ins irgend ist ja je jede
    jedem jeden jeder jedes jedoch jemand jene jenem jenen jener jenes jetzt kam kann kannst kein keine
    keinem keinen keiner konnen konnte konnten lasst lauten lautet machen man manche mehr mein meine
    meinem meinen meiner mich mir mit mogen muss mussen musste mussten nach nachdem nenne nennen nennt
    nicht nichts nie noch nun nur ob oder ohne sag sagen sagte schon sehr sei seid sein seine seinem
    seinen seiner seines seit sich sie sind so sobald sogar solche solchem solchen solcher soll sollen
    sollte sollten sondern sonst sowie statt trotz uber uberhaupt um und uns unser unsere unserem
    unseren unserer unter viel viele vielen vieler vom von vor wahrend wann war waren warum was weder
    wegen weil welche welchem welchen welcher welches wem wen wenig wenn wer werden weshalb wessen wie
    wieder wieso wieviel wieviele will wir wird wo wobei wodurch wofur woher wohin wollen wollte wollten
    womit woran worauf woraus worin woruber wovon wozu wurde wurden zeige zu zum zur zwar zwischen`,
  fr: `a afin ai ainsi alors apres as au aucun aucune auquel auquelle aura auraient aurait aussi autre
    autres aux auxquelles auxquels avaient avait avant avec avez avoir avons ayant beaucoup bien c ca
    car ce ceci cela celle celles celui cependant certain certaine certaines certains ces cet cette ceux
    chaque chez ci citez combien comme comment d dans de decrire decris decrivez dedans dehors deja
    depuis des desormais dessous dessus devrait dis dit dites doit doivent donc donne donner donnez dont
    du durant elle elles en encore enfin ensuite entre envers est et etaient etait etant etes etre eu
    eut eux explique expliquer expliquez faire fais faites font furent fut hors ici il ils j jamais je
    jusqu jusque l la laquelle le lequel les lesquelles lesquels leur leurs lors lorsqu lorsque lui m ma
    mais malgre me meme memes mentionne mes mien mienne moi moins mon n ne ni non nos notre nous on ont
    ou oui par parce parmi pas pendant peu peut peuvent plait plus plusieurs pour pourquoi pourrait
    pouvez puis puisque qu quand quel quelle quelles quelqu quelque quelques quels qui quiconque quoi s
    sa sans sauf se selon sera seraient serait seront ses si sien sienne soi soient soit sommes son sont
    sous souvent suis sur surtout t ta tandis te tel telle telles tels tes toi ton toujours tous tout
    toute toutes tres trop trouve trouver trouvez tu un une vers veuillez via voici voila vos votre vous
    y`,
  es: `a acerca ademas ahora al algo alguien algun alguna algunas alguno algunos alli ante antes aquel
    aquella aquellas aquello aquellos aqui asi aun aunque bajo bien busca cada casi como con contra cual
    cuales cualquier cuando cuanta cuantas cuanto cuantos cuya cuyas cuyo cuyos da dame dar de debe
    deben del dentro describe desde despues di dice dicho dijo dime donde durante e el ella ellas ello
    ellos en encontrar encuentra entonces entre era eran eras eres es esa esas ese eso esos esta estaba
    estaban estan estar estas este esto estos estoy explica explicar favor fue fuera fueron fui ha habia
    habian hace hacen hacer hacia haciendo han hasta hay haya he hemos hizo incluso ir jamas junto la
    las le les lo los mas me mediante menciona mencionado mi mia mias mientras mio mios mis misma mismas
    mismo mismos mucha muchas mucho muchos muy nada ni ningun ninguna ninguno no nos nosotros nuestra
    nuestras nuestro nuestros nunca o os otra otras otro otros para pero poco podria por porque pudo
    puede pueden pues que quien quienes quiere quiero sea sean segun ser sera seria si sido siempre sin
    sino sobre solo son soy su sus suya suyas suyo suyos tal tales tambien tampoco tan tanta tantas
    tanto tantos te tenemos tener tengo tenia tiene tienen toda todas todavia todo todos tras tu tus
    tuvo u un una unas unos usted ustedes va vamos van varios vosotros y ya yo`,
  pt: `a acerca agora ainda alem algo alguem algum alguma algumas alguns ali ambos ante antes ao aos apenas
    apos aquela aquelas aquele aqueles aquilo as assim ate atraves cada com como conforme contra cuja
    cujas cujo cujos da dar das de dela delas dele deles depois descreva desde dessa dessas desse desses
    desta destas deste destes deve devem diga disse disso disto do dos durante e ela elas ele eles em
    embora encontre enquanto entao entre era eram essa essas esse esses esta estamos estao estar estas
    estava estavam este esteja estes esteve estou eu explique favor faz fazer feito foi for foram fosse
    ha haver havia houve isso isto ja jamais la lhe lhes logo mais mas me mediante mencionado mencione
    menos mesma mesmas mesmo mesmos meu meus mim minha minhas muita muitas muito muitos na nada nao nas
    nem nenhum nenhuma nessa nesse nesta neste ninguem no nos nossa nossas nosso nossos num numa nunca o
    onde os ou outra outras outro outros para pela pelas pelo pelos per perante pode podem poderia pois
    por porem porque pouco pra quais qual qualquer quando quanta quantas quanto quantos que quem quer se
    seja sejam sem sempre sendo ser sera seria seriam seu seus sido sob sobre somente sou sua suas tal
    tambem tampouco tanto te tem temos tenho ter teu teus teve tinha tinham toda todas todavia todo
    todos tu tua tuas tudo um uma umas uns vai vao varias varios voce voces vos`,
  it: `a abbia abbiamo ad affinche agli ai al alcun alcuna alcune alcuni alcuno all alla alle allo allora
    altra altre altri altro anche ancora avanti avere aveva avevano avra avrebbe avuto c che chi
    chiunque ci cio circa coi col com come con contro cosa cosi cui d da dagli dai dal dall dalla dalle
    dallo davanti de degli dei del dell della delle dello dentro descrivere descrivi deve devono di
    dimmi dire dopo dov dove dovrebbe dunque durante e ebbe ecco ed egli elenca ella era erano essa esse
    essendo essere essi fa fanno fare favore fino fra fu furono gia gli ha hai hanno ho i il in infatti
    inoltre insieme invece io l la le lei li lo loro lui ma mai me mediante meno mentre menziona
    menzionato mi mia mie miei mio molta molte molti molto ne neanche negli nei nel nell nella nelle
    nello nemmeno neppure nessun nessuna nessuno niente noi non nostra nostre nostri nostro nulla o od
    ogni ognuno oltre oppure per perche percio pero piu poi poiche possono potrebbe presso puo pure qual
    qualche qualcosa qualcuno quale quali quando quant quanta quante quanti quanto quasi quel quell
    quella quelle quelli quello quest questa queste questi questo qui quindi sa sara sarebbe se sebbene
    sempre senza si sia siamo siano siete solo sono sopra sotto spiega spiegare sta stata state stesso
    su sua subito sue sugli sui sul sull sulla sulle sullo suo suoi tale tali tanta tante tanti tanto te
    ti tra tramite troppo trova trovare tu tua tue tuo tuoi tutta tuttavia tutte tutti tutto un una uno
    va vi viene voi vostra vostre vostri vostro`,
  nl: `aan al alle alleen allemaal alles als alsof alstublieft altijd ander andere anderen bent beschrijf
    bij binnen boven buiten daar daarbij daarna daarom daarvan dan dat de deze die dit doen doet door
    dus een eens eerst elk elke en enige enkele er ergens even ga gaan gaat geef geen geleden geven
    geweest gewoon haar had hadden heb hebben hebt heeft hem hen het hier hierdoor hij hoe hoeveel
    hoewel hun iedere iedereen iemand iets ik in indien is ja je jij jouw jullie kan kon konden kun
    kunnen kunt laat leg maar mag mee meer men met mij mijn misschien moest moet moeten mogen na naar
    naast niemand niet niets noem nog nooit nu of om omdat ons onze ook op over per reeds sinds sommige
    staan steeds te tegen ten ter terwijl tijdens toch toen tot totdat tussen u uit uw vaak van vanaf
    vanwege veel vele vermeld vertel via vind vinden volgens voor vooral voordat waar waarbij waardoor
    waarin waarmee waarom waarop waaruit waarvan waarvoor waren was wat we wel welk welke werd werden
    wie wiens wij wil wilde willen worden wordt zal ze zeer zeg zei zelf zich zij zijn zo zoals zodat
    zonder zou zouden zowel zulke`,
  sv: `af all alla alle allt alltid alltsa am an andet andra andre ar at att av bara begge beskriv blev
    blevet bli blir blitt blive bliver blivit da dar darfor de deg dem den denna denne deras deres dess
    dessa dessutom det detta dette dig din dina dine disse dit ditt dock du efter eftersom ej eller en
    enligt enn ens er era ert et ett etter fa fick finns flera for fordi fore forklar forklara forran
    fra fram fran ge genom ger gi gir giv gor ha hadde hade han hans har havde have hela heller hende
    hendes henne hennes her hos hun hur hva hvad hvem hver hverken hvilke hvilken hvilket hvis hvor
    hvordan hvorfor hvornar i ikke ikkje in ingen inget inn innan inte jag jeg ju kan kanske kommer kun
    kunde kunna kunne manga mange med meg meget mej mellan mellem men mer mera mest mig min mina mine
    mit mitt mot mycket mye naevn nagon nagot nagra nar nara ned nej ni no noe noen nogen noget nogle nu
    och ocksa og ogsa om opp oss over pa per rundt sa sadan sadana sadant sade sagde sakte sedan selv si
    siden sig sin sina sine sit sitt ska skal skall skulle slik snalla som til till ud uden under upp ut
    utan uten vad vaere vaert var vara vare varfor varit varje varken vars vart ved vem verken vi via
    vid vil vilka vilke vilken vilket vill ville vor vore vores`,
  pl: `a aby ach albo ale ani az bardzo beda bede bedzie bez bo bowiem by byc byl byla byli bylo byly bym
    bys chce chociaz ci ciebie co cos czego czegos czemu czy czyj czyja czyje czyli czym dla dlaczego
    dlatego do dokad dopoki gdy gdyby gdyz gdzie gdzies go i ich ile im inna inne innego innej inny
    innych iz ja jak jaka jakas jakby jaki jakich jakie jakiego jakiej jakim jakis jako jakos je jego
    jej jemu jesli jest jestem jestes jeszcze jezeli juz kazda kazde kazdy kiedy kilka kim kogo komu kto
    ktora ktore ktorego ktorej ktory ktorych ktorym ktorymi ktos lub ma maja mam mamy mi mial miala
    miedzy mimo mna mnie moga mogl moglby moi moj moja moje mojego mojej moze mozesz mozna musi my na
    nad nam nami nas nasz nasza nasze nawet nia nic nich nie niego niej niemu nigdy nim nimi niz no o
    obok od ode on ona one oni ono opisz oprocz oraz oto po pod podaj podczas ponad poniewaz powiedz
    poza prosze przed przede przez przy raczej sa sie siebie skad soba sobie swoj swoja swoje swojego
    swojej ta tak taka taki takich takie takze tam te tego tej temu ten tez to toba tobie totez tu tutaj
    twoj twoja twoje ty tych tylko tym tymi u w wam wami was wasz we wedlug wiec wiele wielu wlasnie
    wobec wspomniano wszyscy wszystkich wszystkie wszystko wtedy wy wyjasnij wymien z za zaden zadna
    zadne zas zawsze ze zeby znajdz zostal zostala zostalo zostaly`,
  ru: `а або адже але без би бо более больше був будет буду будут будучи була були було бути бы был была
    были было быть в вам вами вас ваш ваша ваше вашего ваши вдоль ведь весь вже вместо вне во возле
    вокруг вона вони воно вот впрочем все всегда всего всей всем всеми всему всех всю вся всі вы від він
    где да дабы даже дай дайте де для до должен должна должно должны другая другие других другого другой
    его едва ее ей ему если есть еще ею ж же з за затем зачем здесь зі и из или им ими иногда итак их й
    його к каждая каждого каждое каждый как какая какие каким каких какого какое какой каком какому
    какую когда кого коли кому конечно которая которого которое которой котором которому которую которые
    который которым которых кроме крім кто куда ли либо лишь мають має между меня ми мне многие многих
    много мной мог могла могли могу мое может можна можно мои моих мой мою моя мы між мій на навіть
    навіщо над назови назовите найди найдите нам нами нас наш наша наше нашего наши не него нее ней
    нельзя нем нему несколько нет нею ни нибудь никогда никто ним ними них ничего но ну ні о об обо
    объясни объясните однак однако около он она они оно описать опиши опишите опишіть ось от откуда ото
    отчего очень перед перелічи перечисли перечислите по под пожалуйста пока после почему почти поэтому
    поясни поясніть при про просто против пусть під після разве расскажи расскажите розкажи с сам сама
    самая сами само самого самое самые самый свое своего своей своем своему свои своим своими своих свой
    свою своя своє своїх свій себе себя сейчас скажи скажите сколько скільки со собой собі среди та так
    такая также такие такий таким таких такого такое також такой там твое твои твой твоя те тебе тебя
    тем теми тех ти то тобой тогда того тоже той только том тому тот точно ту тут ты тільки у уже
    упоминается упомяни хотя хоча хто це цей цього цьому ця ці чего чей чем чему через чи чий чого чому
    что чтоб чтобы чуть чье чьи чья ще що щоб щодо эта эти этим этими этих это этого этой этом этому
    этот эту я является являлся являются як яка яке який яких якого якому якою яку якщо які якій є із їй
    їх її`,
  tr: `acaba acikla aciklayin ait ama ancak anlat artik asla aslinda ayni az bana bazen bazi belki ben
    benden beni benim bile bir biraz biri birkac birsey biz bizden bize bizi bizim boyle boylece bu bul
    bulun buna bunda bundan bunlar bunlari bunlarin bunu bunun burada cok cunku da daha dahi daki de
    degil deki demek den diger digeri diye dolayi eden eder ederek edildi edilen edilir eger en etmek
    etti ettigi fakat gibi gore hakkinda halen hangi hangileri hangisi hani hatta hem henuz hep hepsi
    her herhangi herkes hic hicbir icin icinde ile ilgili in ise iste itibaren kac kadar karsi kendi
    kendine kendisi ki kim kimdir kime kimi kimin kimler kimse lar ler listele lutfen mi midir mu mudur
    nasil ne neden nedenle nedir neler nerede nereden neresi nereye nesi nicin nin niye nun o olan
    olarak oldu oldugu oldugunu oldular olmak olmasi olmayan olsa olsun olup olur olursa ona ondan onlar
    onlara onlari onlarin onu onun orada ornegin oyle oysa pek ragmen sadece sana sanki sen senden seni
    senin siz sizden size sizi sizin sonra soyle soyleyin suna sunlar sunu ta tan tarafindan te ten tum
    un uzere var vardi varsa ve ver verin veya ya yani yapan yapilan yapti yaptigi ye yerine yi yine yla
    yle yok yoksa yu zaten`,
  ar: `اثناء اخبرني اذ اذا اذكر اشرح اعطني الان التي الذي الذين اللاتي اللتان اللذان اللواتي الي اليه اليها
    ام امام ان انا انت انتم انه انها او اوليك اي ايضا اين ايه ب بان بدون بعد بعض بل بما بماذا به بها بين
    تحت تكن تكون تلك تم ثم جدا حتي حول حيث حين خلال خلف دون ذات ذلك ذو رجاء سوف سوي ضد ضمن عبر علي عليه
    عليها عما عن عند عندما عنه عنها غير ف فان فضلك فقط فوق في فيما فيه فيها قبل قد قل ك كان كانت كانوا
    كل كلا كلما كم كما كنت كي كيف ل لا لان لانه لدي لقد لكن لكي لم لما لماذا لمن لن له لها لهم لو لولا
    ليس ليست ليكن ما ماذا متي مثل مع معه مما ممن من منذ منه منها نحن نعم هذا هذان هذه هل هم هما هن هنا
    هناك هنالك هو هولاء هي و والتي والذي والذين والي وان وعلي وعن وفي وقد وكان وكانت ولا ولكن ولم وما
    ومن وهو وهي يتم يرجي يكن يكون`,
  fa: `از است اكنون الان اما ان انكه انها انچه او اي ايا ايشان اين اينكه اينها اگر با باشد باشند بايد بده
    بدهيد بدون بر براي برخي بسيار بعضي بله بنابراين به بود بودند بيش بيشتر بين بگو بگوييد تا تو توسط
    جايي جز خواهد خواهند خود خودش خيلي داراي دارد دارند داشت داشته در درباره ديگر را روي زماني زير زيرا
    سپس شايد شد شده شما شود ضمن طي عليه غير كجا كجاست كدام كداميك كرد كرده كساني كسي كم كن كند كنند كنيد
    كه كي كيست لطفا ما من مورد مي ميان نمي نه نيز نيست ها هاي هر هست هستند هم همان همه همين همچنين هنگام
    هيچ و وقتي ولي وي يا يكي پس پيش چرا چطور چقدر چند چندين چه چون چي چيزي چيست چگونه`,
  hi: `अंदर अगर अधिक अनुसार अपना अपनी अपने अब अभी आप आपका आपकी आपके आपको इन इनका इनकी इनके इन्हें इस इसका
    इसकी इसके इसमें इसलिए इसे उन उनका उनकी उनके उन्हें उस उसका उसकी उसके उसमें उसे ऊपर एवं और कब कम करता
    करती करते करना करने कहां का कि किंतु किए कितना कितनी कितने किन किया किये किस किसका किसकी किसके किसको
    किसने किसी किसे की कुछ कृपया के कैसा कैसी कैसे को कोई कौन कौनसा कौनसी क्या क्यों क्योंकि गई गए गया
    गयी गये चाहिए जब जहां जाता जाती जाते जिन जिन्हें जिस जिसका जिसकी जिसके जिसने जिसमें जिसे जो ज्यादा
    तक तथा तब ताकि तुम तुम्हारा तुम्हें तो था थी थे दिए दिया दी दीजिए द्वारा न नहीं नीचे ने पर परंतु
    पहले फिर बताइए बताएं बताओ बताये बहुत बाद बारे बाहर बिना बीच भी मगर मत मुझे में मेरा मेरी मेरे मैं
    यदि यह यहां या ये रहा रही रहे लिए लिया लिये ली लेकिन वह वहां वाला वाली वाले वे वो सकता सकती सकते सब
    सभी साथ से हम हमारा हमारी हमारे हमें हर ही हुआ हुई हुए हूं है हैं हो होता होती होते होना`,
  el: `ακομα ακομη αλλα αλλη αλλο αλλοι αλλοσ αν ανα αναφερεται ανεφερε απο ασ αυτα αυτεσ αυτη αυτην αυτο
    αυτοι αυτον αυτοσ αυτου αυτων αφου βρεσ για γιατι δεν δηλαδη δια διοτι διχωσ δωσε εαν εγω εδω ειμαι
    ειμαστε ειναι εισαι ειστε ειτε ειχαν ειχε εκει εκεινη εκεινο εκεινοι εκεινοσ εμεισ ενα εναντιον ενασ
    ενοσ ενω εξηγησε εξηγηστε επειδη επι επισησ εσεισ εσυ εχει εχουμε εχουν εχω εωσ η ηδη ημουν ηταν θα
    ιδια ιδιο ιδιοσ καθε καθωσ και κανεισ κανενασ καποια καποιο καποιοσ κατα κατι κι λογω λοιπον μασ με
    μεσω μετα μεταξυ μεχρι μη μην μητε μια μιασ μονο μου να ναι ο οι ολα ολεσ ολη ολο ολοι ολων ομωσ
    οποια οποιεσ οποιο οποιοι οποιοσ οποιου οποιων οπου οπωσ οσα οσο οσοι οταν οτι ουτε οχι παντα παρα
    παρακαλω πειτε περι περιγραψτε περιεγραψε πεσ πιο πλεον ποια ποιεσ ποιο ποιοι ποιον ποιοσ ποιουσ
    ποιων πολυ ποσα ποσεσ ποση ποσο ποσοι ποσοσ ποτε που πριν προσ πωσ σαν σασ σε σου στα στη στην στισ
    στο στον στου στουσ σχετικα τα τετοια τετοιοσ τη την τησ τι τιποτα τισ το τον τοσο τοτε του τουσ
    τουτο των τωρα υπερ υπο χωρισ ωσ ωστε ωστοσο`,
  vi: `ai ay bi boi cac chi cho chung co cua cung de deu duoc duoi gi giua hay hoac khi khong kia la lai
    nao nay neu nhieu nhu nhung o ra rat se theo thi toi tren trong truoc va van vao vi voi xin`,
  ro: `a abia acea aceasta acei aceia acel acela acele acelea acesta aceste acestea acestei acestia acestor
    acestui acolo acum ai aici al ale alt alta alte altele alti altul am ar are as asa asta astfel
    asupra atat atata ati atunci au avea aveau avem aveti avut azi ba ca cand care careia caror carora
    caruia cat cata cate cati ce cea ceea cei cel cele celor ceva chiar cine cineva cu cui cum cumva da
    daca dar dat dati de decat deci deja deoarece departe descrie desi despre din dintre doar dupa ea ei
    el ele era erau este esti eu explica fara fi fie fiecare fiind foarte fost gaseste i ia iar ii il
    imi in inainte inca insa intr intre isi la le li lor lui ma mea mei mele mentioneaza meu mi mult
    multa multe multi ne nici nicio niciun nimeni nimic noastra noastre noi nostri nostru nu numai o or
    ori oricare orice oricine oricum pana pe pentru peste plus poate pot prea prin printre rog sa sai
    sale sau se si sint spre spune spuneti sub sunt ta tale te ti toata toate tot toti totusi tu tuturor
    un una unde undeva unei unele unor unui va vi voi vom vor vostru voua vreo vreun vreuna`,
  cs: `a aby aj ale ani ano asi az bez bude budou budu by bych byl byla byli bylo byly byt ci co coz dal
    dale dalsi dej dnes do ho i ja jak jaka jake jakeho jako jakou jaky jakych jakym je jeho jej jeji
    jejich jemu jen jeste ji jich jim jimi jine jiz jsem jses jsi jsme jsou jste k kam kazda kazde kazdy
    kde kdo kdy kdyz ke koho kolik kolika kom komu ktera ktere ktereho kterem kteremu kteri kterou ktery
    kterych kterym ma maji me mel mela melo mezi mi mimo mit mne mnoho mnou moc mohl mohou moje moji mu
    muj musi muze my na nad najdi nam nami napiste nas nase nasi ne nebo nebyl nebyla nechat neco nejaky
    nejen nejsou nelze nem nemu neni nez ni nic nich nim nimi o od ode on ona oni ono ony pak po pod
    podle pokud popiste potom pouze prave pred pres pri pro proc prosim proto protoze reknete rekni sam
    se si sice sve svou svuj svych svym svymi ta tak take takze tam tato te tech tedy tem tema ten tento
    teto ti tim timto to tobe tohle toho tom tomto tomu totiz tu tuto tvuj ty tyto u uved uvedte uz v
    vam vas vase ve vedle velmi vice vsak vse vsech vsechno vsichni vy vyjmenuj vysvetlete vysvetli z za
    zadna zadny zda zde ze zmin zpet`,
  fi: `ehka ei eika eivat eli emme en enemman ennen ensin eras et etta ette haluan han hanelle hanen hanet
    hanta he heidan heille heita hyvin ilman itse ja jo joiden joissa joita joka jokin joku jolla jolle
    jolloin jonka jonkin jopa jos jossa josta jota joten jotka jotta juuri kaikki kaikkien kanssa katso
    kautta kenelle kenen kenesta kerro kertokaa keta ketka kohti koska koskaan kuin kuinka kuka kukaan
    kun kuten kuvaile kylla lahella lisaksi luettele mainitaan mainitse me meidan meille meita mihin
    mika mikaan mikali miksi milla millainen millaiset millaisia mille milloin mina minka minkalainen
    minne minulla minulle minun minut minuun missa mista mita mitaan miten mitka moni monta montako
    muiden mutta muu muut myos naiden nama ne niiden niille niin niissa niista niita noin nuo nyt ole
    olemme olen olet olette oli olimme olin olisi olivat olla olleet ollut on ovat paljon paljonko
    poikki pois sama samoin se seka selita sen siella sielta siihen siina siis siita siksi silla sille
    sina sinulla sinulle sinun sita sitten tahan tai talla tama taman tanne tassa tasta tata te teidan
    teille teita tuo tuon vaan vai vaikka varten vasta vastaan viela voi voisi voivat yli ymparilla`,
  id: `ada adakah adalah agar akan aku anda antara apa apabila apakah atas atau bagaimana bagaimanakah bagi
    bahkan bahwa banyak beberapa belum berapa berapakah berikan berikut bila bisa boleh bukan carikan
    ceritakan dalam dan dapat dari daripada demi dengan dengannya di dia dimana dimanakah hanya harus
    hingga ia ialah ini itu itulah jadi jangan jelaskan jika juga kalau kalian kami kamu kapan kapankah
    karena ke kemana kenapa kepada ketika kita lagi lain lalu lebih maka mana manakah masih mau melalui
    mengapa menjadi mereka meskipun mungkin namun nya oleh pada para per pernah pun saat saja saling
    sampai sana sangat saya se sebab sebagai sebelum sebuah sebutkan secara sedang sehingga sejak
    sekarang selain selalu selama seluruh semua seorang seperti sering serta sesuatu sesudah setelah
    setiap siapa siapakah sini suatu sudah supaya tanpa tapi telah temukan tentang terhadap tersebut
    tetapi tiap tidak tolong untuk walaupun ya yaitu yakni yang`,
  he: `אבל או אודות אולם אותה אותו אותי אותך אותם אותן אותנו אז אחרי איזה איזו איזשהו איך אילו אין איפה אך
    אל אלה אלו אליו אם אנא אנו אנחנו אני אף אפילו אשר את אתה אתם אתן ב בבקשה בגלל בה בהם בו ביותר בין
    בלי בשביל גם ה האם הוא היא היה היו הייתה היכן היתה הם הן הרי ו זאת זה זהו זו ידי יהיה יותר יש כאן
    כאשר כבר כדי כי כיצד כך כל כמה כמו כן כש ל לא לאן לגבי לה להיות להם להן לו לי ליד לך לכם לכן ללא למה
    לנו לפי לפני מ מאד מאוד מאין מדוע מה מי מישהו ממנה ממנו מן מעל מצא משהו מתי נגד עבור עד עוד על עליה
    עליו עם פחות ציין רק ש של שלה שלהם שלו שלי שלך שלכם שלנו תאר תהיה תוך תחת תן`,
  ko: `가 가장 같은 같이 거기 것 것으로 것은 것을 것이 것이다 것인가 과 관하여 관한 그 그가 그것 그것은 그녀 그는 그들 그들은 그러나 그리고 까지 나 나는 나열하시오 내 내가 너
    누가 누구 누구를 누구에게 누구의 누구인가 누구인가요 누구입니까 는 다시 대하여 대한 대해 더 도 되는 되었나 되었는가 되었다 된 됩니까 따라 따르면 때문에 또 또는 또한 라고
    라는 로 를 말해주세요 말해줘 매우 몇 모두 모든 못 무슨 무엇 무엇을 무엇이 무엇이며 무엇이었나 무엇인가 무엇인가요 무엇입니까 뭐 뭐야 뭔가 뭘 및 보다 부탁합니다 부탁해 부터
    설명하시오 설명해주세요 설명해줘 수 쓰시오 아주 아직 안 알려주세요 알려줘 어느 어디 어디까지 어디로 어디서 어디에 어디에서 어디인가 어디인가요 어떠한 어떤 어떻게 언제 언제까지
    언제부터 언제였나 언제인가 얼마 얼마나 얼마인가 없는 없다 에 에게 에서 여기 였다 와 왜 우리 우리는 우리의 위하여 위한 위해 으로 은 을 의 의해 이 이것 이것은 이다 이라고
    이라는 이며 이미 이었다 인가 인가요 입니까 입니다 있나요 있는 있다 있습니까 있었나 있었다 잘 저 저것 좀 주세요 즉 지금 찾아주세요 찾아줘 처럼 통해 하는 하는가 하다 하였는가
    하였다 하지만 한 할 합니까 했나 했나요 했는가 했다 했습니까`,
  hu: `a abban ahogy ahol aki akik akinek akit akkor alatt altal amely amelyek ami amikor amit annak arra
    at attol az azok azt aztan be csak de ebben egy el ellen elott emlit en engem ennek erre es ettol ez
    ezek ezt fel fele felett ha hany hanyan hogy hogyan hol honnan hova ide igen ilyen ird irja is itt
    kell kerem kerlek ki kie kik kinek kit kozott le legyen lehet lenne lesz lett magyarazd majd mar mas
    masik meg mellett mely melyek melyik mennyi mennyit mert mi miatt miert mikor milyen minden mindenki
    minket mint mit mondd mondja most nagyon neked nekem neki nekik nekunk nelkul nem o oda ok olyan ot
    ota ott sajat sem semmi senki sorold szerint te teged ti tobb utan vagy valaki valami van vannak
    volt voltak`,
  bg: `а аз ако без беше би бил била били било бих бъде бяха в вече ви вие всеки всички всичко всяка във ги
    го да дай дали до докато е за защо защото и или им има имаше кажете кажи как каква какви какво както
    какъв като кога когато кого кое което кои които кой който колко коя която къде където към ли ме
    между ми много може моля му на над най намери не нещо ни ние никой нищо но някой няма обясни около
    онази онези онзи онова опиши от относно още пак по повече под пред през при с са само свое свои свой
    своя се сега си след сме сте съм със също тази така там те тези ти то това тогава този той трябва
    тук тъй тя че чий чия чрез ще щеше`,
  sw: `alikuwa ambacho ambao ambapo ambaye ambayo ana au baada basi bila cha chake chini eleza gani hadi
    hakuna hao hapana hata hawa hii hiyo hizi hizo huo huu huyo ilikuwa ina je juu kabla kama kati
    katika kuna kuwa kwa kwanini la lake lakini lini mimi mpaka na nani ndani ndiyo ngapi ni niambie
    nini nje nyinyi pia sana si sisi tafadhali taja tangu tu vipi vya wa wake walikuwa wana wao wapi
    wewe ya yake yalikuwa yeye za zaidi zake`,
  bn: `অনুযায়ী অন্য আগে আছে আছেন আপনার আপনি আমরা আমাদের আমার আমি আর আরও আরো উপর এই এক একজন একটি এটা এটি
    এবং এর ঐ ও ওই কখন কত কতজন কতটি কবে করা করে করেছিল করেছিলেন করেছে করেছেন করেন কাকে কাছে কার কারণ কি
    কিছু কিন্তু কিভাবে কী কীভাবে কে কেন কেমন কোথায় কোন কোনটি খুব ছিল ছিলেন ছিলো জন্য জন্যে তখন তবে তাঁর
    তাঁরা তাদের তার তারা তাহলে তিনি তুমি তোমার থেকে দয়া দাও দিন দিয়ে দ্বারা নয় না নি নিচে নেই পরে
    পর্যন্ত প্রতি বলুন বলো বা মধ্যে মাত্র যখন যদি যা যাদের যার যারা যিনি যে শুধু সকল সঙ্গে সব সম্পর্কে
    সাথে সে সেই সেটা সেটি হতে হন হবে হয় হয়ে হয়েছিল হয়েছে`,
  ta: `அது அந்த அல்லது அவர் அவர்கள் அவை ஆகும் ஆனால் ஆவார் இது இந்த இருக்கும் இருந்தது இருந்து இல்லை இவர்
    இவை உங்கள் உள்ள உள்ளது எங்கு எங்கே எது எத்தனை எந்த என எனது எனும் என் என்ன என்ற என்று எப்படி
    எப்பொழுது எப்போது எவ்வளவு எவ்வாறு ஏன் ஒரு ஓர் கூட கூறுங்கள் சொல் தனது தன் தயவுசெய்து நாங்கள் நான்
    நாம் நீ நீங்கள் பற்றி பின் பின்னர் போது மட்டும் மற்றும் மிக மிகவும் முன் முன்னர் மூலம் யாரால்
    யாருடைய யார் வரை`,
  te: `అతను అది అని అనే అయిన అవి ఆ ఆమె ఇతను ఇది ఇవి ఈ ఉండేది ఉంది ఉన్న ఉన్నది ఉన్నాయి ఎంత ఎందుకు ఎక్కడ
    ఎన్ని ఎప్పుడు ఎలా ఎవరి ఎవరు ఏ ఏది ఏమి ఏమిటి ఏవి ఒక కాదు కానీ కూడా కోసం గురించి చాలా చెప్పండి తన
    తరువాత తర్వాత దయచేసి ద్వారా నా నీవు నుంచి నుండి నేను మనం మరియు మా మాత్రమే మీ మీరు ముందు మేము లేదా
    లేదు వరకు వలన వారు వీరు`,
  ur: `اب اس اسے ان انهيں اور اپ اپكا اگر بارے بتاو بتاييں بعد بغير بهت بھي تب تك تو تھا تھي تھے جب جس جهاں
    جو درميان رها رهي رهے ساتھ سب سكتا سكتي سے كا كب كتنا كتني كتنے كرتا كرتے كرنا كس كه كهاں كو كون
    كونسا كونسي كويي كي كيا كيسے كيونكه كيوں كيے كچھ كے ليكن ليے ميرا ميري ميں مگر نه نهيں نے هر هم
    همارا هو هوا هوتا هوتي هوتے هويي هويے هي هيں هے وه وهاں يا يه يهاں پر پهلے پھر گيا گيي گيے`,
} as const;
