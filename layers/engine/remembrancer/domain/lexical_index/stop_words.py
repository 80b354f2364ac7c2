"""Stop words of each language in which texts are stemmed: function words, lower-case and without accents.

Contractions are split at their apostrophes, so what stands before or after one is listed by itself: l, qu, dell.
"""

_ENGLISH = """
a about after all also am an and any are as at be because been before being but by can could d did do does doing don
for from had has have having he her here hers him his how i if in into is it its just ll m me my no nor not now of
on or our out own re s she should so some such t than that the their them then there these they this those through
to too up us ve very was we were what when where which while who whom why will with would you your
"""
_GERMAN = """
ab aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bin bis bist
da dabei dadurch dafur dagegen daher damit danach daran darauf daraus darf darin daruber darum das dass davon dazu dein
deine deinem deinen deiner dem den denen denn der deren des dessen dich die dies diese diesem diesen dieser dieses dir
doch dort du durch ein eine einem einen einer eines einige einmal er es etwas euch euer eure eurem euren eurer fur
gegen gehabt geworden gewesen hab habe haben habt hat hatte hatten hattest hier hin hinter ich ihm ihn ihnen ihr ihre
ihrem ihren ihrer ihres im in ins ist ja jede jedem jeden jeder jedes jemand jener jetzt kann kannst kein keine keinem
keinen keiner konnen konnt konnte konnten machen mal man manche mehr mein meine meinem meinen meiner meines mich mir
mit mochte mochten muss mussen musst musste nach nicht nichts noch nun nur ob oder ohne schon sehr sei seid sein seine
seinem seinen seiner seines seit sich sie sind so solche soll sollen sollte sollten sondern sonst um und uns unser
unsere unserem unseren unserer unter uber viel vom von vor war ware waren warst warum was weil weiter welche welchem
welchen welcher welches wem wen wenn wer werde werden wessen wie wieder will willst wir wird wirst wo woher wohin
wieso wollen wollte worden wurde wurden wahrend zu zum zur zwar zwischen
"""
_FRENCH = """
a ai aie ainsi alors apres as au aucun aucune aussi autre autres aux avaient avais avait avant avec avez aviez avions
avoir avons ayant bien c ca car ce ceci cela celle celles celui ces cet cette ceux chaque chez ci comme comment d dans
de depuis des deux dont du elle elles en encore entre es est et etaient etais etait etant ete etes etions etre eu eux
fait fais faire faut font fut ici il ils j je jusqu l la le les leur leurs lors lorsque lui m ma mais me meme memes mes
mien moi moins mon n ne ni nos notre nous on ont ou par parce pas pendant peu peut peux plus pour pourquoi pouvez
puis puisqu qu quand que quel quelle quelles quels qui quoi s sa sans se sera serai seraient serait ses si sien soi
soit sommes son sont sous suis sur t ta te tes toi ton tous tout toute toutes tres tu un une va vais vers veut voici
voila vont vos votre vous y
"""
_SPANISH = """
a ademas ahi ahora al algo alguien algun alguna algunas alguno algunos alli ambos ante antes aquel aquella aquellas
aquello aquellos aqui asi aun aunque bajo cada casi como con contra cual cuales cualquier cuando cuanto cuya cuyo de
del desde donde dos durante e el ella ellas ello ellos en entre era eran eras eres es esa esas ese eso esos esta estaba
estaban estado estamos estan estar estas este esto estos estoy estuvo fue fuera fueron fui ha habia habian haber han
has hasta hay haya he hemos hizo la las le les lo los mas me mi mia mias mientras mio mios mis misma mismo mucho muy
nada ni ningun ninguna ninguno no nos nosotras nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros
para pero poco por porque pues que quien quienes se sea sean segun ser si sido siempre sin sino sobre sois solo somos
son soy su sus suya suyo tal tambien tampoco tan tanto te tenemos tener tengo ti tiene tienen tienes todo todos toda
todas tu tus tuya tuyo u un una unas uno unos usted ustedes va vosotros voy vuestra vuestro y ya yo
"""
_ITALIAN = """
a abbia abbiamo ad agli ai al alcun alcuna alcuni all alla alle allo allora altra altre altri altro anche ancora avere
aveva avevano avevo avete bene c che chi ci cio coi col come con contro cosa cosi cui d da dagli dai dal dall dalla
dalle dallo degli dei del dell della delle dello dentro di dopo dov dove dunque e ecco ed era erano eravamo ero essere
fa faccio fai fanno fare fatto fino fra fu furono gia gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me
meno mentre mi mia mie miei mio molto ne negli nei nel nell nella nelle nello no noi non nostra nostre nostri nostro o
ogni oppure ora per perche pero piu po poi prima proprio qual quale quali quando quanta quanto quei quel quell quella
quelle quelli quello quest questa queste questi questo qui quindi sara sarebbe se sei sempre senza si sia siamo siano
siete sono sta stai stanno stare stata stati stato sto su sua sue sugli sui sul sull sulla sulle sullo suo suoi tanto
te ti tra tu tua tue tuo tuoi tutta tutte tutti tutto un una uno v va vi voi vostra vostro
"""
_PORTUGUESE = """
a agora ai ainda algo alguem algum alguma algumas alguns ali ao aos apenas apos aquela aquelas aquele aqueles aquilo
aqui as assim ate cada com como contra da daquela daquele das de dela delas dele deles depois desde dessa desse desta
deste do dos duas durante e ela elas ele eles em enquanto entao entre era eram es essa essas esse esses esta estamos
estao estar estas estava estavam este estes esteve estou eu faz fazer foi fomos for foram fosse fui ha havia isso isto
ja la lhe lhes logo mais mas me mesma mesmo meu meus mim minha minhas muita muito muitos na nada nao nas nela nele nem
nenhum nenhuma nessa nesse nesta neste no nos nossa nossas nosso nossos num numa nunca o onde os ou outra outras outro
outros para pela pelas pelo pelos pode pois por porque pra pro quais qual quando quanto que quem quer se seja sem
sempre sendo ser sera seu seus si sido so sob sobre sou sua suas tal tambem tao te tem temos tendo tenho ter teu teus
teve ti tinha tinham toda todas todo todos tu tua tuas tudo um uma umas uns vai vem voce voces vos vou
"""
_DUTCH = """
aan af al alle alleen alles als altijd ander andere anders ben bent bij daar daarna daarom dan dat de deze die dit
doe doen doet door dus echter een eens eerst en er erg eruit ga gaan gaat ge geen gehad geweest geworden haar had
hadden heb hebben hebt heeft hem hen het hier hij hoe hun iemand iets ik in is ja je jij jou jouw jullie kan kon
kunnen kunt laat maar me meer men met mij mijn moet moeten moest mocht na naar niet niets nog nu of om omdat ons onze
ook op over reeds s te tegen toch toen tot tussen u uit uw van vanaf veel voor vooral waar waarom waren was wat we wel
welk welke werd werden wie wij wil wilde willen word worden wordt zal ze zei zelf zeer zich zij zijn zo zoals zonder
zou zouden zullen zult
"""

ENGLISH = "english"
STOP_WORDS = {
    ENGLISH: frozenset(_ENGLISH.split()),
    "german": frozenset(_GERMAN.split()),
    "french": frozenset(_FRENCH.split()),
    "spanish": frozenset(_SPANISH.split()),
    "italian": frozenset(_ITALIAN.split()),
    "portuguese": frozenset(_PORTUGUESE.split()),
    "dutch": frozenset(_DUTCH.split()),
}
"""The stop words of each language; the languages are named as Snowball names its stemmers."""
LANGUAGES = tuple(STOP_WORDS)

FUNCTION_CHARACTERS = frozenset(
    "的地得了着过過吗嗎呢吧啊么麼什怎哪谁誰何几幾多少这這那个個些是在有没沒不也都就还還很和与與跟及或但对對把被给給让讓从從到"
    "向为為以于於之其而且所我你您他她它们們私僕俺"
) | frozenset(map(chr, range(0x3041, 0x309B)))
"""Characters of Chinese and Japanese function words and endings; Japanese writes most of these in hiragana, with
marks that are characters by themselves in folded texts. A pair of them tells little about a text. The index has them
all the same: a character may be a part of another word.
"""
