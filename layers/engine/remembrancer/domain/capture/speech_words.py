"""Words by which the rules of capture tell statements from requests, questions and courtesies, by language.

All in lower case without accents on the words of requests and courtesies, as `folded` writes them.
"""

from remembrancer.domain.lexical_index.folding import folded


def _words(text: str) -> frozenset[str]:
    return frozenset(folded(text).split())


FUNCTION = _words(
    """
    a an the and or but so if of to in on at for with from by as about into than then too very really just also still
    even quite pretty much more most lot lots such i me my mine we us our ours you your yours he him his she
    her hers it
    its they them their theirs this that these those there here be is am are was were been being do does did
    doing done
    has have had having will would can could should may might must shall gonna wanna not no don't doesn't didn't can't
    couldn't won't wouldn't isn't aren't wasn't i'm im i've ive i'd i'll we're we've we'd we'll you're you've
    you'd it's
    that's he's she's they're there's what who when where why how which whose ok okay yes yeah well oh
    """
)
"""English words that say nothing by themselves."""

FIRST_PERSON = _words("i i'm im i've ive i'd i'll id ill my mine we we're we've we'd we'll our ours us me myself")
THIRD_PERSON = _words(
    "he he's she she's they they're they've his her their everyone everybody nobody someone somebody both"
)
RELATIVES = _words(
    """
    mum mom mother dad father parents son daughter kid kids child children baby wife husband partner
    girlfriend boyfriend
    brother sister cousin aunt uncle grandma grandmother grandpa grandfather boss colleague team company
    friend neighbour
    neighbor landlord doctor dog cat
    """
)

QUESTION = _words("what what's who who's whom whose which when where where's why how how's wherever")
AUXILIARIES = _words(
    """
    is are am was were do does did can could will would shall should may might have has had isn't aren't
    wasn't weren't
    don't doesn't didn't can't couldn't won't wouldn't shouldn't haven't hasn't hadn't
    """
)
QUESTIONS_ELSEWHERE = _words(
    """
    was wer wie wo wann warum wieso weshalb welche welcher welches kannst konntest koennen konnen wurdest hast bist
    que qui quoi quand comment pourquoi quel quelle quels quelles combien est-ce peux-tu pouvez-vous
    como cuando donde quien cual cuanto puedes podria
    cosa chi quando dove perche quale quanto puoi potresti
    quem onde qual quais voce pode poderia
    wat waar wanneer waarom hoe kun kunt kan
    vad vem nar varfor hur kan hva hvem hvor hvorfor kuka mita miksi missa
    co kto gdzie kiedy dlaczego jak czy kde kdy proc kdo
    что кто где когда почему зачем как какой какая какие сколько можешь
    """
)

REQUESTS = _words(
    """
    add analyse analyze annotate answer append apply arrange ask assume brainstorm browse build calculate change check
    choose clarify clean classify close code combine comment commit compare compile complete compose compute
    convert copy
    correct count create debug define delete deploy describe design detect develop display do document
    download draft draw
    edit elaborate email enumerate estimate evaluate execute expand explain export extract fetch fill filter
    find finish
    fire fix format forget generate get give go guess handle help highlight identify implement import improve include
    insert install integrate investigate invoke keep lint list load look lookup make merge migrate modify
    move name open
    optimise optimize order organise organize outline paraphrase parse paste plan play plot pick polish
    predict prepare
    print proofread propose prove provide publish pull push put rank rate read recommend redo refactor
    reformat regenerate
    reindent remove rename render reorder repeat rephrase replace reply report reschedule resolve respond
    restart restore
    retry return revert review revise rewrite rotate run save say scan schedule search select send set share
    shorten show
    simplify simulate sketch skip solve sort split start stop structure style submit suggest sum summarise summarize
    switch tell test think train transcribe translate try turn type undo uninstall update upgrade upload use validate
    verify visualise visualize wait walk warn wrap write
    """
)
"""English verbs of what people ask an assistant to do."""
REQUESTS_ELSEWHERE = _words(
    """
    schreib schreibe erklar erklare ubersetz ubersetze zeig zeige nenn nenne gib mach mache fass fasse
    erstell erstelle
    hilf sag sage erzahl erzahle such suche find finde liste korrigier korrigiere formuliere verbessere
    berechne plane buche
    ecris ecrivez explique expliquez traduis traduisez montre montrez donne donnez donne-moi fais faites
    resume resumez cree
    creez aide aidez aide-moi trouve trouvez corrige corrigez dis dites dis-moi raconte cherche propose liste calcule
    escribe escribeme explica explicame traduce muestra muestrame dame da haz hazme crea ayudame encuentra
    corrige dime
    cuentame busca lista calcula resumeme haga escriba
    scrivi scrivimi spiega spiegami traduci mostra mostrami dammi fai fammi riassumi crea aiutami elenca
    trova correggi
    dimmi cerca raccontami calcola
    escreva escreve explique traduza mostre mostra faca resuma crie ajude ajuda liste encontre corrija diga
    conte procure
    schrijf leg vertaal toon geef maak vat noem zoek verbeter vertel
    skriv forklara oversatt visa ge gor hjalp ratta forklar vis giv lav hjelp kirjoita selita kaanna nayta
    anna tee auta
    napisz wyjasnij przetlumacz pokaz podaj zrob pomoz napis vysvetli preloz ukaz dej
    yaz acikla cevir goster ver yap tuliskan jelaskan terjemahkan tolong viet dich
    напиши объясни переведи покажи дай сделай помоги расскажи найди исправь составь
    翻译 请 帮我 写 解释 書いて 教えて 翻訳して
    """
)
MADE_THINGS = _words(
    """
    summary list poem story essay translation code function script program query regex class test tests recipe recipes
    email mail letter article post tweet title name names idea ideas example examples help explanation answer overview
    outline plan table chart diagram joke song report review
    """
)
"""What an assistant makes: to want one of these is a request."""

EVALUATIVE = _words(
    """
    good great nice cool awesome amazing wonderful lovely fantastic incredible beautiful gorgeous impressive inspiring
    interesting fun funny cute sweet super fab fabulous stunning perfect excellent brilliant fine okay ok
    right correct
    true wrong quick fast helpful useful clear easy better best neat smart clever sad bad terrible awful
    enough it that
    this so very really pretty quite too just what how a an much more well done all sense makes make sounds
    sound looks
    look seems seem works work helps help thing idea one answer question point job news wow oh
    """
)
"""Praise, comfort and judgement: a reaction, not a statement about the world."""

THANKS = _words(
    """
    thanks thank thx ty cheers danke dank dankeschon merci gracias grazie obrigado obrigada bedankt dankjewel
    tack takk tak
    kiitos kiitti dziekuje dzieki dekuji diky dakujem koszonom koszi multumesc mersi hvala blagodarya
    tesekkurler tesekkur
    sagol efcharisto terima kasih makasih salamat arigato gomawo spasibo
    спасибо благодарю дякую благодаря хвала рахмет рахмат
    ευχαριστω ευχαριστουμε תודה شكرا متشكرم سپاس مرسی ممنون شکریہ धन्यवाद शुक्रिया ধন্যবাদ நன்றி ధన్యవాదాలు
    ధన్యవాదములు
    ধন্যবাদ
    谢谢 谢谢你 谢谢您 多谢 感谢 非常感谢 謝謝 ありがとう ありがとうございます ありがとうございました どうも
    감사합니다 고마워 고마워요 고맙습니다 ขอบคุณ ขอบคุณครับ ขอบคุณค่ะ ขอบคุณมาก asante shukran
    köszönöm aitäh paldies ačiū
    """
)
GREETINGS = _words(
    """
    hi hello hey hiya howdy yo greetings welcome bye goodbye ciao cu cya farewell morning evening afternoon night
    hallo servus moin tschuss tschau guten gruss gruezi bonjour bonsoir salut coucou hola buenos buenas adios
    buongiorno
    buonasera salve arrivederci ola oi tchau hoi goedemorgen goedemiddag goedenavond doei dag hej hejsan hei
    moi terve heippa
    czesc witam dzien dobry wieczor dobranoc ahoj dobry den szia sziasztok buna salut zdravo bok merhaba
    selam gunaydin
    geia kalimera halo selamat apa kabar xin chao
    привет здравствуйте здравствуй доброе утро добрый день вечер пока привіт
    γεια καλημερα καλησπερα שלום مرحبا السلام عليكم سلام नमस्ते নমস্কার வணக்கம்
    你好 您好 早上好 晚上好 嗨 再见 こんにちは
    こんばんは おはよう おはようございます さようなら 안녕하세요 안녕 สวัสดี สวัสดีครับ สวัสดีค่ะ
    """
)
THANKS_PHRASES = ("cam on", "xin cam on", "salamat po", "mh goi", "terima kasih")
"""Thanks of words that mean something else by themselves."""
COURTESY = (
    THANKS
    | GREETINGS
    | _words(
        """
        please sorry yes yeah yep yup no nope nah ok okay okey sure alright absolutely definitely exactly
        indeed agreed
        right correct true perfect great good nice cool awesome amazing super lovely brilliant excellent
        wonderful fine
        understood makes sense haha lol wow hmm hm ah oh aha mm so much very a lot again all both now then
        everyone everybody you guys there my friend dear congrats congratulations welcome anytime cheers later soon
        have day one weekend time take care good luck thing that's that is this for your the help
        and go ahead do too me neither same here of course no problem worries never mind well done bye like a
        to be kind
        bitte ja nein okay gut genau klar alles gerne gern vielen herzlichen schonen schone fur die hilfe
        deine ihre dir
        ihnen sehr nochmals tag morgen abend wiedersehen bis bald super
        beaucoup bien oui non d'accord au revoir bonne journee soiree s'il vous te plait parfait pour ton
        votre aide l'aide
        infiniment mille
        dias tardes noches muchas muchisimas por favor si vale hasta luego claro perfecto la ayuda tu su mil
        mille tante prego va bene certo perfetto per l'aiuto il tuo aiuto molte molto
        bom dia boa tarde noite muito nao ate logo certo perfeito pela ajuda sua
        je jullie u wel heel erg alstublieft alsjeblieft nee oke prima goed voor hulp
        sa mycket for hjalpen din bra tusen mange hjelpen hjaelpen paljon avusta hyva joo
        bardzo tak nie prosze za pomoc serdecznie moc prosim segitseget a nagyon szepen frumos lepa mnogo cok
        icin yardimin
        banyak sama rat nhieu ban toi ban
        большое огромное за помощь вам тебе пожалуйста да нет хорошо ладно понятно дуже
        पोलो πολυ רבה جزيلا لك نعم لا حسنا बहुत हाँ नहीं ठीक है 好 好的 是的 不客气 はい
        いいえ 了解 了解です わかりました ครับ ค่ะ 네 아니요
        """
    )
)
"""A sentence of these words alone is a courtesy."""
