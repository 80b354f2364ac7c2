"""Words and phrases by which capture tells small talk, requests and questions from statements, by language.

All are in lower case with straight apostrophes. Phrases of several words are separated by commas; `'s`, `'m` and the
like are words of their own there. Lists without a language are English.
"""

from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _split(text: str) -> list[str]:
    return text.split()


def _phrases(lists: Mapping[str, str]) -> frozenset[str]:
    return frozenset(
        " ".join(phrase.replace("-", " ").split()) for text in lists.values() for phrase in text.split(",")
    )


def _languages(lists: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for language, text in lists.items():
        for word in text.split():
            found.setdefault(word, set()).add(language)
    return {word: frozenset(languages) for word, languages in found.items()}


_SMALL_TALK = """
    a about absolutely again agree agreed ah aha ahead alike all almost already alright also always am amazing an and
    answer answered answers any anymore anything anytime apologies appreciate appreciated are aren't as ask asked at
    aw awe awesome aww back bad be beautiful been being believe best better big bit bless brilliant bro but by bye can
    can't care catch charming chat chatting cheers choose chosen clever come congrats congratulations cool could
    couldn't course cute damn day dear definitely delicious delighted did didn't do does doesn't doing don't done
    doubt dude else enjoy enough even ever everyone everything exactly excellent excited excuse explain explained
    explaining explanation explanations fab fabulous fair fantastic feel feels fine first for from fun funny generous
    genius get give glad go god going gonna good goodbye goodnight gorgeous got gotcha grateful great guess guys had
    haha happy has hasn't have haven't having he hear heard hearing hello help helped helpful helping helps her here
    hey hi hilarious his hm hmm hope how howdy i i'd i'll i'm i've idea ideas if impressed impressive in incredible
    indeed inspiring interesting is isn't it it's its just keep kind kindly know last later let let's like liked
    likewise listening little lol look looked looking looks lot lots love loved lovely luck luckily made magnificent
    make makes making man many marvellous matter may maybe me mean means meant meet merry mhm might mind mine mistake
    misunderstood mm more morning most much must my need needed neither never nevermind next nice night no nope not
    noted nothing now of off oh ok okay on one oops option options or other our ours out outstanding owe perfect
    perfectly please pleased pleasure point prefer pretty probably problem proud question questions quite ready really
    reply response right said same say saying second see seem seems seen sense she should smart so some something soon
    sorry sort sound sounds splendid still stunning such super superb support supporting supportive sure sweet take
    talk talking tell terrific than thank thankful thanks that that's the their them then there these they they're
    they've thing things think third this those thought thoughtful thrilled thx time to today told tonight too top
    totally tried true truly try trying u ugh understand understood until up us useful very voila wait wanna want
    wanted wants was wasn't way we we'd we'll we're we've welcome well were what what's whatever when where which who
    whoa whose why will wise wish with won't wonderful wondering works worries would wouldn't wow yay yeah yep yes yo
    you you'd you'll you're you've your yours yup
"""
SMALL_TALK = frozenset(_SMALL_TALK.split())
"""English words without a meaning of their own: function words, greetings, thanks, praise."""

_COURTESIES: Mapping[str, str] = {
    "af": """
        asseblief baie dag dankie dit goed goeie hallo ja jou kom môre middag naand nag nee reg totsiens vir hulp
    """,
    "ar": """
        شكرا شكراً شكرًا جزيلا جزيلاً جدا لك لكم لكِ على مساعدتك المساعدة مرحبا مرحباً أهلا أهلاً وسهلا السلام عليكم
        وعليكم صباح مساء الخير النور نعم لا حسنا حسناً تمام ممتاز رائع جيد مع السلامة عفوا من فضلك إلى اللقاء ألف طيب
        أوكي يعطيك العافية يسلمو مشكور تصبح خير وداعا وداعاً
    """,
    "az": "salam sağ ol olun təşəkkür edirəm çox təşəkkürlər bəli xeyr yaxşı sabahınız xeyir əla",
    "bg": """
        благодаря най най-благодаря много ти ви мерси здравей здравейте здрасти добро утро добър ден вечер лека нощ да
        не добре супер чудесно довиждане чао моля за помощта страхотно разбрах
    """,
    "bn": """
        ধন্যবাদ অনেক আপনাকে তোমাকে অসংখ্য হ্যালো নমস্কার আসসালামু আলাইকুম শুভ সকাল রাত্রি হ্যাঁ না ঠিক আছে আচ্ছা ভালো
        বিদায় দারুণ সাহায্যের জন্য খুব
    """,
    "ca": """
        gràcies moltes mercès bon dia bona tarda nit hola adéu fins aviat sí no d'acord perfecte si us plau molt bé
        per
    """,
    "cs": """
        předem stačí děkuji děkuju díky moc mockrát vám ti za pomoc ahoj čau dobrý den dobré ráno dobrou noc večer
        nashledanou na shledanou ano ne dobře jasně super skvěle skvělé prosím rozumím to je velice krásně pěkně
    """,
    "cy": "diolch yn fawr bore da nos helo hwyl ie na iawn",
    "da": """
        på forhånd svaret tak mange for hjælpen din hjælp hej hejsa god morgen aften nat goddag farvel vi ses ja nej
        okay fint godt det er super perfekt tusind skal du have selv
    """,
    "de": """
        im voraus hallo guten gute guter morgen abend tag nacht tschüss tschüs servus moin grüezi grüß gott danke dank
        vielen lieben herzlichen tausend besten schön schöne schönen dankeschön bitte bitteschön ja nein okay gut
        genau klar super alles gerne gern sehr dir ihnen euch für deine ihre eure die hilfe auch noch das ist toll
        prima perfekt wunderbar spitze stimmt verstanden verstehe ich kein problem bis bald dann morgen später
        wiedersehen auf liebe grüße viele einen doch natürlich passt cool echt richtig klasse großartig freut mich hi
        na hilft mir weiter geholfen schnelle antwort info schönes wochenende zusammen allerseits danke dir ich
        nochmal
    """,
    "el": """
        προκαταβολικά ευχαριστώ πάρα πολύ σας σε ευχαριστούμε γεια σου καλημέρα καλησπέρα καληνύχτα ναι όχι εντάξει
        ωραία τέλεια αντίο παρακαλώ για τη βοήθεια σου καλά χίλια
    """,
    "en": """
        a again agree agreed all alright always am amazing and any anytime appreciate appreciated are as awesome aww
        beautiful best better brilliant bro bye care chat cheers clear come congrats congratulations cool course cute
        damn day days dear delicious do don't done dude enjoy evening ever everything exactly excellent fab fabulous
        fair fantastic fine first for from fun funny gorgeous got gotcha good goodbye goodnight great guys had happy
        have helpful hello here hi hey hilarious holidays hope how howdy i idea impressive in incredible indeed
        interesting is it job kind know later lol looks lot lots love lovely luck makes many marvellous me meet mind
        morning much my need needed never nevermind new next nice night no nope not noted of ok okay one outstanding
        perfect perfectly please pleasure point pretty problem quite really right say see seem sense smart so soon
        sorry sound sounds splendid sure super superb sweet take talk terrific thank thanks thankful that the then
        there this thx tip to today tomorrow tonight too top totally true truly u understood up very wait was way
        weekend welcome well what wonderful word words work works worries wow yay yeah year yep yes yo you your yours
        yup help christmas easter birthday glad proud useful thoughtful clever genius advice answer tips explanation
        information info
    """,
    "es": """
        antemano hola buenas buenos días dias tardes noches gracias muchas muchísimas mil por favor sí si no vale
        adiós adios hasta luego mañana pronto claro perfecto genial todo tu su la ayuda te lo agradezco muy amable
        bien bueno estupendo excelente de acuerdo entendido igualmente nada qué que bonito guay saludos nos vemos eso
        es fantástico os se agradezco tu respuesta chao buena noche día
    """,
    "et": """
        aitäh tänu tänan suur suured väga tere hommikust päevast õhtust head aega ööd jah ei hästi hea selge palun abi
        eest
    """,
    "eu": "eskerrik asko kaixo egun on gabon bai ez ados agur mila esker",
    "fa": """
        ممنون ممنونم خیلی متشکرم مرسی سلام صبح شب عصر بخیر به خیر بله نه خوبه خوب باشه عالی خداحافظ لطفا لطفاً از شما
        کمکت سپاسگزارم بابت کمک تشکر دستت درد نکنه سپاس درود
    """,
    "fi": """
        etukäteen kiitos kiitän kiitoksia paljon avusta avustasi hyvää huomenta päivää iltaa yötä hei moi terve moikka
        heippa näkemiin kyllä joo juu ei selvä okei hyvä hienoa mahtavaa kiva oikein tuhannesti suuri suuret kovasti
        ole hyvä ymmärrän se on loistavaa
    """,
    "fil": """
        salamat maraming po sa tulong mo inyo magandang umaga hapon gabi kumusta oo opo hindi sige ayos paalam
    """,
    "fr": """
        d'avance bonjour bonsoir bonne nuit salut coucou merci beaucoup infiniment mille fois bien oui non d'accord au
        revoir journée soirée s'il vous te plaît plait parfait super génial pour ton votre aide l'aide à bientôt
        demain plus tard je te tout de très c'est ça va entendu compris je vois vraiment gentil cool top excellent
        magnifique ok ravi et enchanté enchantée à toi également rien problème pas remercie grand marche réponse
        rapide info
    """,
    "ga": "go raibh maith agat míle dia duit slán tá",
    "gu": "આભાર ધન્યવાદ ખૂબ નમસ્તે હા ના બરાબર સરસ",
    "he": """
        תודה רבה לך לכם על העזרה שלום היי בוקר ערב לילה טוב אור כן לא בסדר מעולה נהדר סבבה להתראות בבקשה מצוין יופי
        ביי המון אחלה
    """,
    "hi": """
        धन्यवाद बहुत शुक्रिया आपका आपको नमस्ते नमस्कार सुप्रभात शुभ रात्रि प्रभात हाँ हां जी नहीं ठीक है अच्छा अलविदा
        मदद के लिए आपकी बढ़िया कृपया तुम्हारा हेलो सही समझ गया गई शानदार
    """,
    "hr": """
        unaprijed hvala lepo puno vama vas lijepa lijepo vam ti na pomoći bok zdravo dobro dobar dan jutro večer laku
        noć da ne može super odlično doviđenja molim u redu jasno ćao veliko hvala
    """,
    "hu": """
        előre is köszönöm szépen nagyon köszi köszönet a segítséget segítségét segítséged szia sziasztok helló jó
        reggelt napot estét éjszakát viszlát viszontlátásra igen nem rendben szuper remek értem kérem jól van oké ezer
        hálásan
    """,
    "hy": "շնորհակալություն շատ բարև ձեզ այո ոչ լավ",
    "id": """
        terima kasih banyak makasih atas bantuannya bantuan anda ya halo hai selamat pagi siang sore malam tinggal
        jalan tidak baik oke bagus sip sampai jumpa sama mantap tolong sekali sangat
    """,
    "is": "takk kærlega fyrir hjálpina hæ halló góðan daginn góða nótt já nei allt í lagi bless",
    "it": """
        anticipo ciao buongiorno buonasera buonanotte salve grazie mille tante infinite molte prego sì no va bene
        certo perfetto arrivederci per l'aiuto il tuo aiuto di tutto ottimo benissimo capito ho a presto domani dopo è
        fantastico ti vi la ringrazio ringraziamo d'accordo gentile gentilissimo molto davvero ok piacere anche te
        favore buona notte giornata serata
    """,
    "ka": "გმადლობთ მადლობა დიდი გამარჯობა კი არა კარგი ნახვამდის",
    "kk": "рахмет көп сізге сәлем иә жоқ жақсы",
    "kn": "ಧನ್ಯವಾದ ಧನ್ಯವಾದಗಳು ತುಂಬಾ ನಮಸ್ಕಾರ ಹೌದು ಇಲ್ಲ ಸರಿ",
    "ko": """
        감사합니다 감사해요 정말 너무 대단히 고마워 고마워요 고맙습니다 안녕 안녕하세요 안녕히 계세요 가세요 네 예 응
        아니요 아니 알겠습니다 알겠어요 알았어 알았어요 좋아요 좋아 좋습니다 괜찮아요 그래
        그래요 도와주셔서 도움 진짜 수고하셨습니다 완벽해요 훌륭해요 잘 자요 많이
    """,
    "lt": """
        ačiū labai dėkoju dėkui už pagalbą labas rytas diena vakaras sveiki labos nakties taip ne gerai viso gero
        puiku
    """,
    "lv": """
        paldies liels lielu par palīdzību sveiki labdien labrīt labvakar jā nē labi atā ļoti lūdzu
    """,
    "mk": "благодарам многу ви ти здраво добро утро да не добро чао фала",
    "ml": "നന്ദി വളരെ നമസ്കാരം അതെ അല്ല ശരി",
    "mn": "баярлалаа их сайн байна уу баяртай",
    "mr": "धन्यवाद खूप आभारी आहे नमस्कार हो नाही ठीक बरं छान",
    "ms": "terima kasih banyak selamat pagi petang malam ya tidak baik bagus hai",
    "mt": "grazzi ħafna bonġu iva le tajjeb saħħa",
    "ne": "धन्यवाद धेरै नमस्ते हो होइन ठीक छ राम्रो",
    "nl": """
        alvast hallo hoi dag goedemorgen goedemiddag goedenavond welterusten dank je jullie u wel bedankt heel erg
        alstublieft alsjeblieft ja nee oké ok prima goed doei voor hulp de uw het is hartelijk veel duizend maal
        dankjewel dankuwel tot ziens straks morgen super geweldig perfect mooi begrepen snap ik fijn fijne avond dat
        klopt graag gedaan dankjewel u veel top leuk weer helpt antwoord
    """,
    "no": """
        på forhånd svaret takk tusen mange for hjelpen din hjelp hei god morgen kveld natt ha det bra ja nei greit
        fint flott supert hjertelig så mye skal du perfekt er vær
    """,
    "pa": "ਧੰਨਵਾਦ ਬਹੁਤ ਸਤ ਸ੍ਰੀ ਅਕਾਲ ਹਾਂ ਨਹੀਂ ਠੀਕ ਹੈ",
    "pl": """
        z góry dziękuję dziękuje bardzo dzięki wielkie serdecznie za pomoc ci panu pani cześć hej dzień dobry wieczór
        dobranoc dobrze do widzenia zobaczenia tak nie jasne super świetnie świetny rozumiem okej proszę spoko miłego
        dnia wspaniale to jest pięknie w porządku na razie pa siema pomogło jutra
    """,
    "pt": """
        desde já antecipadamente olá ola oi bom boa dia tarde noite obrigado obrigada obrigadão muito muita sim não
        nao tchau até logo amanhã certo perfeito pela ajuda sua tua por tudo valeu de nada ótimo otimo legal beleza
        entendi tá está bem por favor mesmo te lhe agradeço excelente que isso é mil tudo fico grato grata à o
    """,
    "ro": """
        anticipat mulțumesc mulțumim multumesc multumesc mult frumos de tot mersi pentru ajutor ajutorul tău salut
        bună buna ziua dimineața seara noapte da nu bine perfect la revedere vă îți rog super în regulă am înțeles
        foarte
    """,
    "ru": """
        заранее спасибо большое огромное вам тебе за помощь всё все благодарю очень привет здравствуй здравствуйте
        доброе утро добрый день вечер доброй спокойной ночи пока до свидания да нет ладно хорошо понятно понял поняла
        отлично супер пожалуйста ясно круто класс прекрасно замечательно это спс ок окей твою вашу ответ вас тебя
        завтра
    """,
    "sk": """
        vopred ďakujem pekne veľmi vďaka za pomoc ahoj dobrý deň dobré ráno dobrú noc dovidenia áno nie dobre jasné
        super prosím krásne vám ti
    """,
    "sl": """
        hvala lepa najlepša za pomoč živjo zdravo dober dan dobro jutro lahko noč ja ne v redu nasvidenje super
    """,
    "so": "mahadsanid aad u iyo haa maya waa hagaag",
    "sq": "faleminderit shumë përshëndetje mirëmëngjes po jo mirë mirupafshim për ndihmën",
    "sr": """
        хвала пуно вам ти лепо на помоћи здраво добро добар дан јутро вече лаку ноћ да не важи супер довиђења
    """,
    "sv": """
        på förhand tack så mycket jättemycket för hjälpen din hjälp hej hejdå god morgon kväll natt goddag ja nej jo
        okej bra fint toppen perfekt jag förstår det är vi ses tusen stort varmt snälla låter kul skönt jättebra ha en
        dag var snällt svaret imorgon
    """,
    "sw": """
        asante sana ahsante habari jambo ndiyo hapana sawa kwaheri karibu kwa msaada wako shukrani nzuri
    """,
    "ta": "நன்றி மிக்க மிகவும் வணக்கம் ஆம் இல்லை சரி உங்கள் உதவிக்கு",
    "te": "ధన్యవాదాలు చాలా నమస్కారం అవును లేదు సరే",
    "tr": """
        yardım şimdiden teşekkür teşekkürler ederim ediyorum çok sağ ol olun yardımın yardımınız için merhaba selam
        günaydın iyi günler akşamlar geceler evet hayır tamam peki güzel harika süper hoşça kal hoşçakal görüşürüz
        lütfen anladım sana size mükemmel
    """,
    "uk": """
        заздалегідь наперед дякую красно дуже щиро спасибі вам тобі за допомогу привіт вітаю добрий доброго ранку день
        дня вечір вечора добраніч так ні добре гаразд зрозуміло чудово бувай побачення до супер будь ласка велике на
    """,
    "ur": "شکریہ بہت آپ کا السلام علیکم جی ہاں نہیں ٹھیک ہے اچھا خدا حافظ مہربانی",
    "uz": "rahmat katta salom assalomu alaykum ha yo'q yaxshi xayr",
    "vi": """
        cảm ơn cám bạn rất nhiều nhé anh chị em vì đã giúp đỡ xin chào tạm biệt chúc ngủ ngon buổi sáng vâng dạ không
        được rồi ok tốt tuyệt vời hay quá lắm nha ạ à ừ
    """,
    "zu": "ngiyabonga kakhulu sawubona yebo cha",
}  # fmt: skip

COURTESIES = _languages(_COURTESIES)
"""Words of greetings, thanks, assent and praise with their languages: a courtesy has words of one language."""

INTERJECTIONS = _words("""
    hi hello hey ok okay oh ah wow haha hahaha lol super bravo ciao bye hm hmm cool
""")
"""Words of courtesy in every language."""

UNSPACED_COURTESIES = _split("""
    你好 您好 大家好 早上好 早安 上午好 下午好 晚上好 晚安 嗨 哈喽 再见 拜拜 谢谢 谢啦 多谢 感谢 非常 十分 太 真的
    真是 辛苦 了 啦 你 您 的 帮助 帮忙 好的 好吧 很好 太好 好 行 可以 是的 对 对的
    嗯 没问题 没关系 不用 不客气 不 明白 知道 收到 厉害 棒 很 完美 哈 谢 麻烦 回答 支持 こんにちは こんばんは おはよう
    ございます ございました ありがとう どうも 本当に とても 助かりました 助かります
    お疲れ様 です でした はい いいえ ええ うん 了解 しました わかりました わかった 分かりました なるほど すごい
    すばらしい 素晴らしい いいですね いいね ね よ 大丈夫 よろしく お願いします お願い いたします
    さようなら またね じゃあ すみません ごめんなさい 承知 やった 最高 完璧 おやすみ なさい สวัสดี ขอบคุณ ขอบใจ มาก
    มากๆ ครับ ค่ะ คะ ครับผม จ้า นะ ใช่ ไม่ใช่
    ไม่ เป็นไร โอเค ตกลง ได้ เข้าใจแล้ว เข้าใจ แล้ว ดีมาก ดี เยี่ยม ลาก่อน ราตรีสวัสดิ์ သောင့် ကျေးဇူး တင်ပါတယ်
    အများကြီး ပါ မင်္ဂလာပါ ဟုတ်ကဲ့ ຂອບໃຈ ຫຼາຍໆ ຫຼາຍ ສະບາຍດີ អរគុណ ច្រើន សួស្តី ជំរាបសួរ
""")
"""Parts of greetings, thanks and assent in Chinese, Japanese, Thai, Burmese, Lao and Khmer."""

IMPERATIVES = _words("""
    optimise minimise maximise randomise prioritise personalise stick maximize generalise generalize parallelise
    parallelize
    abort accept act activate adapt add address adjust advise align allocate allow amend analyse analyze annotate
    anonymise anonymize answer append apply approve archive arrange ask assemble assert assess assign assist assume
    attach audit automate avoid backup bake balance be begin benchmark block bold book bookmark brainstorm break brief
    bring browse build bump bundle buy cache calculate call calm cancel capitalize cast categorize center change
    characterize chart chat check choose chop cite clarify classify clean clear click clone close coach code collapse
    collect color combine come comment commit compare compile complete compose compress compute conclude condense
    conduct configure confirm conjugate connect consider construct contact containerize continue contrast convert cook
    coordinate copy correct count cover crawl create critique crop cross-check customise customize cut debug decide
    declare decode decorate decrease deduct dedupe deduplicate deepen define delete deliver demo demonstrate deploy
    derive describe design detail detect determine develop devise diagnose dictate diff differentiate digest dim
    disable disconnect discuss display disregard distinguish distribute divide do dockerize document don't double
    double-check downgrade download draft draw drop dump echo edit elaborate email embed emulate enable encode
    encourage encrypt enhance enlarge ensure enter enumerate erase establish estimate evaluate examine exclude execute
    exit expand explain explore export express extend extract fact-check factor fetch figure fill filter finalize find
    finish fire fix flag flatten flip focus fold follow forecast forget fork format formulate forward freeze fry
    gather generate get give go google grab grade greet grep grill group guess guide halve handle hash help hide
    highlight hold hurry identify ignore illustrate imagine impersonate implement import improve include increase
    indent index indicate infer inform initialise initialize inject inline insert inspect install instantiate instruct
    integrate interpret interview introduce invent investigate invite itemise itemize iterate join jot judge jump
    justify keep kill label launch leave lengthen let let's limit link lint list listen load localise localize locate
    lock log look lookup lower mail make map mark match measure memorise memorize mention merge message migrate minify
    minimize mix mock modernise modernize modify monitor mount move multiply mute name narrate navigate negotiate
    normalise normalize note notify number obtain offer omit open optimize order organise organize outline output
    override overwrite pack package paginate paint paraphrase parse partition paste patch pause perform personalize
    phrase pick pin ping place plan play plot point polish populate post practise praise predict prefix preheat
    prepare present press pretend preview print prioritize proceed process produce profile program pronounce proofread
    propose prototype prove provide publish pull purchase purge push put query queue quiz quote raise randomize rank
    rate read rearrange reassure rebase rebuild recalculate recall recap recheck recite recommend reconsider record
    recreate redesign redirect redo redraft reduce refactor reference refine reformat reformulate refresh refund
    regenerate register regroup reinstall release reload remember remind remove rename render renew renumber reorder
    reorganise reorganize repair repeat rephrase replace reply report request rerun reschedule research resend reserve
    reset resize resolve respond restart restate restore restructure resume retell rethink retrieve retry return reuse
    reveal reverse revert review revise rewind reword rewrite rhyme roast role-play roleplay roll rotate round run
    save say scaffold scale scan schedule scrape screenshot search select send separate sequence serialize set share
    shift ship shorten shout show shuffle shut sign silence simplify simulate sing sketch skip slice smooth snooze
    solve sort speak specify spell spellcheck split squash stage standardize start state stay stir stop store stream
    strip structure style submit subscribe substitute subtract suggest sum summarise summarize surprise swap switch
    sync synchronize tabulate tackle tag tailor take talk teach tell terminate test text think throw tidy tighten
    toggle toss touch trace track train transcribe transfer transform translate transpose trigger trim troubleshoot
    truncate try tune turn tweet type uncomment underline undo unify uninstall unlock unmute unsubscribe unzip update
    upgrade upload use utilize validate vary vectorize verify view visit visualise visualize wait wake walk warn watch
    weigh whisper wipe word worry wrap write zip zoom
""")
"""English verbs with which people ask an assistant for something."""


ENDINGS = _words("""
    s m re ve ll d
""")
"""What stands behind the apostrophe of an English contraction, and is a word of its own here."""
LONGEST = 5
"""So many words at a place are compared with the phrases above."""

CONNECTORS = _phrases(
    {
        "en": """
            because, since, so that, but, and, though, although, given that, considering that, now that, that, while,
            plus,
            which is why
        """,
        "de": "weil, denn, aber, und, dass, daß",
        "fr": "parce que, puisque, mais",
        "es": "porque, ya que, pero, y",
        "it": "poiché, siccome, perché",
        "nl": "omdat, maar",
        "sv": "eftersom, men, och",
        "da": "fordi, og",
        "fi": "koska, mutta",
        "pl": "ponieważ, ale",
        "cs": "protože",
        "ru": "потому что, так как, но",
        "uk": "тому що, але",
        "tr": "çünkü, ama",
        "id": "karena, tapi",
        "vi": "vì",
        "ar": "لأن, لأنني",
        "hi": "क्योंकि, लेकिन",
    }
)
"""Words behind which a clause of its own begins."""
OF_PURPOSE = frozenset(["so that", "that", "so", "dass", "daß"])
"""Connectors behind which a request says for what it is."""
PURPOSES = _words("""
    can could will would should may might need needs want asked sent gave wrote made use used like shared pasted
    uploaded see read understand put kann will soll brauche
""")
"""Behind such a connector, verbs of a purpose, or of a thing handed to the assistant: "so I can read it"."""

GREETINGS = _words("""
    hi hello hey yo howdy good thanks thank cheers bye goodbye welcome dear congrats congratulations sorry hallo hoi
    hej hei hola bonjour bonsoir salut ciao merci gracias grazie danke obrigado obrigada bedankt tack takk tak olá ola
    guten moin cześć ahoj szia привет merhaba buongiorno buenos buenas спасибо
""")
"""Words of courtesy behind which a name may stand."""
THANKS = _words("""
    thanks thank thx ty danke dank vielen merci gracias grazie obrigado obrigada obrigadão bedankt tack takk tak
    kiitos dziękuję dzięki díky děkuji ďakujem спасибо благодарю дякую благодаря hvala ευχαριστώ mulțumesc mersi
    grateful appreciate
""")
FOR = _words("""
    for für pour por per voor för за για pentru za pela pelo
""")
MINE = _words("""
    i me my mine we us our ours myself ourselves ich mein meine je mon ma mes yo mi mis mio mia meu minha
""")
"""With one of these, a sentence speaks of its speaker."""
HERE = _words("""
    here speaking hier
""")
_THIS_IS: Mapping[str, str] = {
    "en": "this is, it 's, its, it is, here is",
    "de": "hier ist, hier spricht, das ist, ich bin 's, ich bin es",
    "fr": "c'est, ici",
    "es": "soy yo, aquí, habla, le habla",
    "it": "sono io, qui è, parla",
    "nl": "hier is, dit is",
    "sv": "det är, här är",
    "da": "det er, her er",
    "pl": "tu, tutaj",
    "ru": "это",
    "uk": "це",
}
THIS_IS = _phrases(_THIS_IS)
"""What stands before the name of a person who only says who is there."""

OPENINGS = _words("""
    oh ah aw aww um uh hm hmm well wow so and but also then now ok okay yes yeah yep yup no nope sure right alright
    great actually btw anyway first next finally again only quickly briefly just maybe perhaps honestly basically
    assistant
    claude chatgpt gpt gemini copilot alexa siri computer hi hello hey dear everyone guys folks
""")
"""They say nothing at the beginning of a sentence, and are left out before it is read."""
OPENING_PHRASES = frozenset(
    ["by the way", "you know", "i mean", "to be honest", "you see", "good morning", "good evening", "good afternoon"]
)

_POLITE: Mapping[str, str] = {
    "en": """
        please, kindly, can you, could you, would you, will you, can you please, could you please, would you please, i
        want you to, i need you to, i 'd like you to, i would like you to, also, just, and, let 's, make sure to, be
        sure to, make sure you
    """,
    "de": "bitte, kannst du, könntest du, können sie, könnten sie",
    "fr": "peux tu, pouvez vous, s'il te plaît, s'il vous plaît",
    "es": "por favor, puedes, podrías",
    "it": "per favore, puoi, potresti",
    "pt": "por favor, você pode, pode, podes",
    "nl": "alsjeblieft, kun je, wil je",
    "ru": "пожалуйста",
}
POLITE = _phrases(_POLITE)
"""Words before what the assistant is to do."""
_INSTRUCTIONS: Mapping[str, str] = {
    "en": """
        remember, note that, note, take note, make a note, keep in mind, bear in mind, be aware, don't forget, do not
        forget, remind me, save this, fyi, for the record, for your information, for future reference, just so you
        know, so you know, you should know, you know that, did you know that, do you know that, did you know, from now
        on, in future, in the future, going forward, always, never, call me, you can call me, you may call me, check
        out my, check out our, address me,
        whenever i, every time i, refer to me, stop calling me, do not ever, don't ever, starting today, starting now,
        my preference is, as of today, store that, memorize that, memorise that
    """,
    "de": """
        ab jetzt, ab sofort, von jetzt an, von nun an, in zukunft, künftig, zukünftig, immer, nie, niemals, nenn mich,
        nennen sie mich, merk dir, merke dir, merken sie sich, denk daran, denk dran, vergiss nicht, erinnere mich,
        erinner mich, beachte, antworte immer, antworte mir immer
    """,
    "fr": """
        à partir de maintenant, dorénavant, désormais, toujours, ne jamais, appelle moi, appelez moi, souviens toi,
        rappelle toi, rappelle moi, n'oublie pas, n'oubliez pas, note que, notez que, retiens, ne propose jamais, ne
        me propose jamais, réponds toujours, à l'avenir
    """,
    "es": """
        a partir de ahora, de ahora en adelante, desde ahora, siempre, nunca, llámame, recuerda, recuerde, recuérdame,
        no olvides, ten en cuenta, tenga en cuenta, en el futuro, responde siempre, apunta que, anota que
    """,
    "it": """
        d'ora in poi, d'ora in avanti, da ora in poi, sempre, mai, chiamami, ricorda, ricordati, ricordami, non
        dimenticare, tieni presente, rispondi sempre, in futuro, tieni a mente, non suggerire mai
    """,
    "pt": """
        a partir de agora, de agora em diante, daqui em diante, sempre, nunca, me chame de, me chama de, chama me,
        lembre se, lembra te, lembre, me lembre, não esqueça, não se esqueça, no futuro, responda sempre, tenha em
        mente, anote que
    """,
    "nl": """
        vanaf nu, voortaan, altijd, nooit, noem me, noem mij, onthoud, vergeet niet, herinner me, denk eraan, in de
        toekomst, houd er rekening mee
    """,
    "sv": """
        från och med nu, hädanefter, alltid, aldrig, kalla mig, kom ihåg, glöm inte, påminn mig, i fortsättningen
    """,
    "da": "fra nu af, fremover, altid, aldrig, kald mig, husk, glem ikke, mind mig",
    "no": "fra nå av, heretter, alltid, aldri, kall meg, husk, ikke glem, minn meg",
    "fi": "tästä lähtien, tästedes, aina, älä koskaan, kutsu minua, muista, älä unohda, muistuta",
    "pl": """
        od teraz, odtąd, zawsze, nigdy, mów mi, nazywaj mnie, pamiętaj, zapamiętaj, nie zapomnij, przypomnij mi
    """,
    "cs": "od teď, odteď, vždy, nikdy, říkej mi, pamatuj, zapamatuj, nezapomeň, připomeň mi",
    "ru": """
        отныне, с этого момента, с сегодняшнего дня, впредь, всегда, никогда, зови меня, называй меня, запомни, помни,
        не забудь, имей в виду, учти, напомни
    """,
    "uk": """
        відтепер, надалі, завжди, ніколи, називай мене, запам'ятай, пам'ятай, не забудь, май на увазі, нагадай
    """,
    "tr": "bundan sonra, artık, her zaman, asla, bana, unutma, hatırla",
    "id": "mulai sekarang, selalu, jangan pernah, panggil saya, ingat",
    "vi": "từ giờ, từ bây giờ, luôn luôn, luôn, đừng bao giờ, hãy nhớ, gọi tôi là",
    "hi": "अब से, हमेशा, कभी, याद रखो, याद रखना, याद रखें",
    "ar": "من الآن فصاعدا, من الآن فصاعداً, دائما, دائماً, لا تنس, تذكر, نادني",
    "ko": "앞으로, 항상, 절대, 기억해, 기억해줘",
}
INSTRUCTIONS = _phrases(_INSTRUCTIONS) - {"bana", "artık"}
"""How a wish to remember something begins, or one for all answers to come."""
UNSPACED_INSTRUCTIONS = tuple(
    _split("""
    从现在 從現在 以后 以後 今后 总是 永远 不要再 叫我 记住 記住 请记住 請記住 别忘 今後 これから 覚えて いつも 常に
    ต่อไปนี้ จำไว้ เรียกฉัน
""")
)
NO_INSTRUCTIONS = _phrases(
    {
        "en": """
            remember when, remember how, remember what, remember who, remember where, remember me, never mind,
            nevermind, call me when, call me back, call me if, call me later, call me a, remind me what, remind me
            how, remind me who, remind me where, remind me when, remind me why, remind me which, remind me of, remind
            me again, remind me about, remember to breathe, in the future will, note the, did you know me
        """,
        "de": "erinnere mich was, erinnere mich wie",
        "fr": "rappelle moi comment, rappelle moi ce, rappelle moi quel, rappelle moi quelle",
        "es": "recuérdame qué, recuérdame cómo, recuérdame cuál",
    }
)
STANDING = _phrases(
    {
        "en": """
            from now on, always, never, going forward, in future, in the future, whenever, every time, each time, by
            default, anymore, ever again
        """,
        "de": "ab jetzt, ab sofort, immer, nie, niemals, künftig, in zukunft, nie wieder",
        "fr": "toujours, jamais, désormais, dorénavant, de maintenant",
        "es": "siempre, nunca, partir de ahora, en adelante",
        "it": "sempre, ora in poi",
        "pt": "sempre, nunca, partir de agora, em diante",
        "nl": "altijd, nooit, voortaan, vanaf nu",
        "sv": "alltid, aldrig, hädanefter",
        "pl": "zawsze, nigdy, od teraz",
        "ru": "всегда, никогда, отныне, впредь",
    }
)
"""Inside of a request: it holds for all answers to come."""

QUESTION_WORDS = _words("""
    what who whose whom which why how
""")
AUXILIARIES = _words("""
    am is are was were 's 're isn't aren't wasn't weren't have has had haven't hasn't hadn't do does did don't doesn't
    didn't can could can't cannot couldn't will would won't wouldn't shall should shouldn't may might must
""")
BEFORE_NOUNS = _words("""
    is are was were isn't aren't wasn't weren't do does did doesn't didn't don't can could should would has
""")
"""Auxiliaries that ask also before a noun: "Is the …", "Does Anna …"."""
SUBJECTS = _words("""
    i you he she it we they there u
""")
DETERMINERS = _words("""
    the a an this that these those my your our his her their any anyone anybody someone somebody everyone everybody
    all one people children some every
""")
AFTER_VERBS = DETERMINERS | _words("""
    me us it them him you i we he she they each what which who how if whether why when where to for in on at by from
    with of and or about into as up out off down over through than then not no so
""")
"""Words behind a bare verb that comes first; before them no predicate can follow."""
SHORT_REQUESTS = _phrases(
    {
        "en": """
            one more, another, more, less, same for, same in, same with, same again, same thing, the same, best, the
            best, top, cheapest, the cheapest, nearest, the nearest, shorter, longer, simpler, instead, in english, in
            french, in german, in spanish, in italian, in python, in java, in javascript, step by step, in other
            words, as a table, as a list, in one sentence, in detail
        """,
        "de": "auf englisch, auf deutsch, jetzt auf, nochmal, kürzer, länger, noch ein, noch eine, mehr beispiele",
        "fr": "en anglais, en français, maintenant en, plus court, plus long, encore un, encore une",
        "es": "en inglés, en español, ahora en, más corto, más largo, otro, otra",
        "it": "in inglese, in italiano, ora in, più corto, più breve, un altro, un'altra",
    }
)
"""How requests without a verb begin."""
WANTING = _phrases(
    {
        "en": """
            i need, i want, i 'd like, i would like, i 'd love, i would love, i 'm looking for, i am looking for, i
            need to see, i want to see, i 'd like to have, i would like to have, i want to have, we need, we want, we
            'd like, i really need, i just need, i just want
        """
    }
)
MADE = _words("""
    advice alternative alternatives analysis answer answers article code comparison definition details diagram draft
    email emails essay estimate example examples explanation explanations feedback function haiku help hint hints idea
    ideas image images info information instructions joke jokes letter list outline overview paragraph poem proof quiz
    quote quotes recipe recipes recommendation recommendations regex report review riddle script snippet solution song
    speech steps story suggestion suggestions summary synonym synonyms table template tip tips title translation
    tutorial version logo
""")
"""What people want from an assistant."""
HYPOTHETICAL = _words("""
    if when whenever whether once suppose imagine assuming wenn falls si se als om если jeśli quando quand
""")

FINITE = _words("""
    is are was were 's 're isn't aren't wasn't weren't has had hasn't hadn't will won't came went got broke fell
    starts begins meets closes opens ends arrives moved lives works likes loves called died quit leaves expires takes
    needs belongs runs smells hurts hates wants says told became costs
""")
"""Verbs that nobody takes for a plural or an order."""
STATING = _words("""
    am is are was were 's 're isn't aren't wasn't weren't has have had hasn't haven't hadn't does doesn't don't did
    didn't will won't can't cannot couldn't wouldn't came went got broke fell left said told took began became gave
    bought lost won met sold built brought ate drank drove flew grew knew slept spoke spent taught thought wore wrote
    made found kept felt held hurt quit cost costs
""") | frozenset(
    verb + ending
    for verb in _split("""
        accept agree allow answer arrive ask attend bark begin belong bring buy call change clean close collect come
        contain cook die drink drive earn eat end enjoy expect expire fail feel fly follow get give go grow happen
        hate help hold hurt join keep know last leave like listen live look lose love mean meet mind miss move need
        open own pay play prefer quit read refuse retire return run say see sell send serve sing sleep smell smoke
        snore speak spend start stay stop study suffer support swim take talk teach tell think travel turn use visit
        wait walk want watch wear weigh work write
    """)
    for ending in ("", "s", "es", "d", "ed")
) | {"studies", "studied", "marries", "married", "dies", "flies", "cries", "cried", "carries"}  # fmt: skip
"""Finite verbs: with a subject before them, they state something."""

PERSONAL = _words("""
    i we he she they nobody everybody someone somebody everything nothing
""")
ELLIPTIC = _words("""
    been got gonna had went moved started bought finished passed lost broke met saw took married allergic born
    pregnant divorced just feeling trying
""")
"""How sentences begin that leave out their subject, the speaker."""
TAGS = _words("""
    right correct ok okay yes no huh eh or isn't it aren't don't you doesn't didn't wasn't is not
""")
"""Words of a question behind a statement."""
ARTICLES = _words("the a an all both two three one some most")
POSSESSIVE = _words("""
    my our his her their
""")
OTHERS = _words("""
    you your yours it its that this these those them there
""")
"""Words for what was said before: without another word with a meaning, the sentence answers the other speaker."""
REACTING = _words("""
    'm 're 's 've 'll 'd am is are was were be been have had has do did does will would can may might don't didn't
    won't see know understand understood get got agree disagree guess suppose hope think thought mean believe doubt
    wonder love like appreciate enjoy try wait bet wish imagine remember say said hear heard feel look looks sound
    sounds seem seems so too very really just also now then yet again all still quite pretty totally completely
    absolutely truly definitely much more it that this you your those these them one what how not to a an the of for
    here there back ready done good fine great well okay ok alright sure sorry curious meant want other care first
    second third last latter
    former option listening impressed kidding joking confused grateful thankful right wrong amazing awesome wonderful
    nice cute lovely sweet adorable beautiful gorgeous fantastic incredible delicious tasty perfect cool funny fun
    interesting such super yes please thanks thank point idea no can't pleasure bad mistake fault stuck lost broken
    correct working failing compiling crashing running empty missing better worse long short fixed clear helpful
    useful complicated confusing hard easy difficult about with your my
""") - {"said", "can't", "lost", "my", "bad"}  # fmt: skip
"""Words of answers to the other speaker: "I see", "She is lovely", "It's too long"."""
STATES = _words("""
    well fine ok okay good alright happy
""")
"""Negated, they state something of the speaker."""
REACTIONS = _words("""
    that sound sounds look looks seem seems must what how you your glad sorry so such it this these those thanks thank
    happy merry good great nice wow love congrats congratulations hope
""")
"""How sentences about the other speaker begin."""
WISHES = _phrases(
    {
        "en": """
            have a, have an, enjoy your, enjoy the, enjoy, happy birthday, happy new, happy easter, happy holidays,
            merry christmas, see you, see ya, see u, catch you, talk to you, speak to you, good luck, take care, all
            the best, nice to, pleased to meet, good job, great job, good work, nice work, well done, i can't wait to
            hear, can't wait to, i can't wait, i can't believe it, i can't thank, just kidding, just joking, my bad,
            my pleasure, my fault, my mistake, i love your, i like your, i like how you, i love how you, i 'm not
            sure, i am not sure, not sure, not yet, not now, not really, i don't know what, i don't know how, i don't
            understand, i don't get, i 'm here for you, i 'm proud of you, i 'm happy to, i am happy to, i 'm happy
            with, i 'm happy that, i 'm happy for, i 'm so happy for, i 'm glad, i 'm so glad, i 'm sorry, i 'm so
            sorry, what a, what an, i 'm all ears
        """
    }
) - {"i can't wait", "can't wait to", "enjoy"}
"""How wishes, praise and comfort begin."""

PERSONS = _words("""
    wife husband son daughter mother mum mom father dad sister brother partner girlfriend boyfriend child kid baby
    toddler grandson granddaughter grandmother grandfather grandma grandpa aunt uncle niece nephew cousin friend
    fiancé fiancée dog cat puppy horse boss colleague neighbour neighbor roommate flatmate guest student pupil patient
    client customer parents kids children twins sons daughters brothers sisters parents pupils students guests clients
    patients teacher landlord team
""")
AFTER_NOUNS = FOR | AFTER_VERBS - {"who", "with"}
"""Words that end a noun's own words."""
PLAIN_ADJECTIVES = _words("""
    best dear own little big older younger new old good whole entire favourite favorite and for of to in on with other
""")
"""They tell next to nothing of a person."""
CONDITIONS = _words("""
    allergy allergies asthma diabetes adhd autism dyslexia pregnancy intolerance migraine migraines depression anxiety
    disability divorce arthritis eczema insomnia epilepsy wheelchair
""")
"""What a question about it tells of the speaker."""
RELATIVES = _words("""
    who whose die der das deren qui che som który która które который которая которое yang
""")
CALENDAR = _words("""
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december
""")
COPULAS = _words("ist sind hat war est sont était es está están è sono é são är jest są")
"""Words for is, are, has and was in other languages: with words on both sides, a clause states something."""
DAYS = CALENDAR | {"today", "tonight", "tomorrow", "weekend"}
ARRANGING = _words("meet go get leave have eat celebrate visit")
"""Verbs behind `let's` of what people do together, and not with an assistant."""
HANDING_OVER = _words("""
    analyse analyze annotate check classify complete continue convert correct debug edit evaluate explain extract fix
    format improve paraphrase parse polish proofread rephrase review reword rewrite shorten simplify solve
    spellcheck summarise summarize tag transcribe translate übersetze übersetz übersetzen korrigiere korrigieren
    verbessere fasse traduis traduisez corrige corrigez résume résumez traduce traduzca resume tradu traduza traduz
    resuma traduci correggi riassumi vertaal verbeter översätt rätta oversæt oversett переведи переведите исправь
    исправьте przetłumacz popraw çevir 翻译 翻譯 翻訳
""")
"""Verbs behind which a colon hands over a text to work on, which says nothing of the speaker."""
COMMANDS = _words("""
    sudo pip pip3 python3 npm npx yarn pnpm apt apt-get brew docker docker-compose kubectl curl wget cd ls mv rm
    mkdir chmod chown ssh scp git cargo rustc gcc grep sed awk unzip systemctl journalctl terraform ansible aws
    gcloud az helm psql mysql redis-cli uv poetry pytest ruff mvn gradle dotnet
""")
"""Programs that people run in a terminal."""
COMMON_COMMANDS = _words("cat make go find node bundle source export echo rails tar python java")
"""Programs whose names are common words: these need a flag or a path."""
PROSE = _words("""
    a an the i my me we our you your he she they it this that these those is are was were has have had and or but of
    with for to from in on at not all more some it's don't me please everything something
""")
"""A line that begins like a command of a shell is a sentence if it has one of these."""
_ANSWERS: Mapping[str, str] = {
    "en": """
        yes, yeah, yep, yup, no, nope, nah, correct, right, exactly, sure, ok, okay, absolutely, definitely, of
        course, that one, that 's right, that 's it, that 's correct, that 's the one, the first, the second, the
        third, the last, the former, the latter, both, neither, please do, go ahead, sounds good, do it, agreed, deal,
        perfect
    """,
    "de": "ja, nein, genau",
    "fr": "oui, non, exact",
    "es": "sí, si, claro",
    "it": "sì",
    "pt": "sim, não",
    "nl": "nee",
}
ANSWERS = _phrases(_ANSWERS)
"""How people affirm, deny or choose."""

_ASKING_FIRST: Mapping[str, str] = {
    "en": """
        i meant, whats, whos, wheres, hows, whens, text, i was wondering, i 'm wondering, i am wondering, i wonder,
        wondering,
        just wondering, curious, i 'm curious, i
        am curious, i was hoping, i was curious, i 'd like to know, i would like to know, i 'd love to know, i 'd love
        to hear, i would love to hear, i 'd love to see, i want to know, i need to know, i wanted to know, i 'd like
        to hear, i 'd like to ask, i would like to ask, i wanted to ask, i want to ask, i want to understand, i 'd
        like to understand, i 'd like to see, i want to see, i 'm interested to, i have a question, i had a question,
        i have another question, i have one question, i have some questions, i 've got a question, quick question, one
        question, i need you, i want you, i 'd like you, i would like you, i 'd love you, i expect you, i 'd prefer
        you, i 'd appreciate it if, i would appreciate it if, i 'd appreciate if, i need help, i need some help, i
        need your help, i need advice, i need some advice, i need your advice, do you, don't you, did you, have you,
        are you, were you, will you, can you, could you, would you, won't you, would it, tell me, let me, let 's, let
        us, lets, please, pls, plz, kindly, help, help me, give me, any idea, any ideas, any chance, any news, any
        tips, any advice, any suggestions, any recommendations, any thoughts, any update, any updates, how to, how
        about, what about, what if, i ask you, i asked you, your task, mind telling, mind if, ready to, time to, next
        question, what 's, who 's, how 's, where 's, when 's, why not, how come, who knows
    """,
    "ar": """
        عندي سؤال, لدي سؤال, أحتاج مساعدة, هل, ما هي, ما هو, ما معنى, ما أفضل, ماذا, كيف, أين, متى, لماذا, من هو, من
        هي, كم, اكتب, اكتبي, أكتب, ترجم,
        اشرح, لخص, أخبرني, اعطني, أعطني, ساعدني, من فضلك, أريد منك, صحح, أنشئ, هات, قل لي, ابحث
    """,
    "bn": "আমাকে বলুন, আমাকে বলো, কী, কি, কোথায়, কিভাবে, কেন, দয়া করে",
    "cs": """
        mám otázku, mám dotaz, napiš, napište, přelož, přeložte, vysvětli, vysvětlete, shrň, ukaž, řekni mi, dej mi,
        najdi, oprav, pomoz mi,
        vytvoř, můžeš, můžete, mohl bys, mohla byste, prosím, jak, co je, kde, kdy, kdo, proč, kolik, jaký je, jaká
        je, jaké
    """,
    "da": """
        jeg har et spørgsmål, fortæl, giv, skriv, oversæt, forklar, opsummer, vis mig, fortæl mig, giv mig, find, ret,
        hjælp mig, lav, kan
        du, kunne du, vil du, hvad, hvordan, hvorfor, hvem, hvornår, hvor, hvilken, hvilke
    """,
    "de": """
        wann, wo, ich hätte eine frage, ich habe eine frage, ich hätte gern, ich brauche hilfe, wo finde, schreib,
        schreibe,
        schreiben sie, erkläre, erklär, erklären sie, übersetze, übersetz, übersetzen sie, fasse,
        fass, zeig, zeige, zeigen sie, gib, geben sie, nenne, nenn, nennen sie, sag mir, sag, sage mir, sagen sie,
        erzähl, erzähle, such mir, such bitte, such nach, suche mir, suchen sie, finde, find, finden sie, mach, mache,
        machen sie, erstelle, erstell, erstellen sie, hilf, helfen sie, korrigiere, korrigieren sie, verbessere,
        berechne, vergleiche, empfiehl, empfehlen sie, schlag, schlage, liste, plane, buche, buchen sie, prüfe, bitte,
        kannst du, kannst, könntest du, könntest, können sie, könnten sie, würdest du, würden sie, könnt ihr, ich
        möchte dass du, ich will dass du, ich möchte wissen, wie, was ist, was sind, was kostet, was bedeutet, was
        heißt, was macht, was kann ich, was soll ich, wer, wo ist, wo sind, wo kann, wo gibt, wann ist, wann war, wann
        kommt, wann fährt, warum, wieso, weshalb, welche, welcher, welches, wieviel, gibt es, weißt du, wissen sie,
        ändere, lösche, fixe, behebe, füge, übertrage, bestelle, bestell, reserviere
    """,
    "el": """
        γράψε, γράψτε, μετάφρασε, εξήγησε, πες μου, δώσε μου, δείξε μου, βοήθησέ με, μπορείς, μπορείτε, ποια είναι,
        ποιος, τι, πώς, πού, πότε, γιατί, βρες
    """,
    "es": """
        tengo una pregunta, tengo una duda, necesito ayuda, escribe, escriba, escríbeme, explica, explícame, explique,
        traduce, traduzca, tradúceme, resume, resuma,
        resúmeme, muestra, muéstrame, muéstreme, dame, deme, dime, dígame, cuéntame, busca, búscame, busque,
        encuentra, haz, hazme, haga, crea, créame, cree, ayúdame, ayúdeme, ayuda, corrige, corrija, mejora, calcula,
        compara, recomienda, recomiéndame, recomiéndeme, sugiere, sugiéreme, lista, planea, planifica, reserva,
        resérvame, genera, puedes, podrías, puede usted, podría, me puedes, me podrías, me puede, quiero que, necesito
        que, me gustaría que, quisiera saber, por favor, qué es, qué son, qué, cuál, cuáles, cuál es, cómo, cuándo,
        dónde, por qué, quién, quiénes, cuánto, cuánta, cuántos, cuántas, cual es, como puedo, como se, que es, sabes,
        sabe usted, arregla, cambia, borra, elimina, añade, pide
    """,
    "fa": "لطفا, لطفاً, آیا, چگونه, چطور, کجا, چرا, می توانی, می‌توانی, میتونی, می‌تونی, چه",
    "fi": """
        minulla on kysymys, kirjoita, käännä, selitä, tiivistä, näytä, kerro, anna minulle, etsi, korjaa, auta, tee,
        luo, laske, vertaa,
        suosittele, ehdota, listaa, voitko, voisitko, voitteko, voisitteko, osaatko, tiedätkö, mikä on, mikä, mitä,
        mitkä, miten, missä, milloin, miksi, kuka, kuinka, paljonko, onko, poista, lisää, varaa, muuta tämä auttoi
    """,
    "fr": """
        j'ai une question, j'ai besoin d'aide, j'ai besoin de, écris, écrivez, écris-moi, explique, expliquez,
        explique-moi, expliquez-moi, traduis, traduisez, traduis-moi,
        résume, résumez, résume-moi, montre, montre-moi, montrez, montrez-moi, donne, donne-moi, donnez-moi, donnez,
        dis-moi, dites-moi, raconte, raconte-moi, cherche, trouve, trouve-moi, trouvez, fais, fais-moi, faites, crée,
        créez, aide-moi, aidez-moi, corrige, corrigez, améliore, calcule, compare, comparez, recommande,
        recommande-moi, suggère, propose, propose-moi, liste, planifie, réserve, réservez, génère, peux-tu,
        pouvez-vous, pourrais-tu, pourriez-vous, tu peux, vous pouvez, est-ce que tu peux, est-ce que, j'aimerais que
        tu, je veux que tu, je voudrais que, j'aimerais savoir, s'il te plaît, s'il vous plaît, quelle est, quel est,
        quels, quelles, quel, quelle, comment, pourquoi, où est, où sont, où, qui est, qui a, combien, qu'est-ce que,
        qu'est-ce qu'un, que signifie, quand est-ce, sais-tu, savez-vous, y a-t-il, répare, change, supprime, ajoute,
        rédige, rédigez, rappelle-moi comment
    """,
    "he": """
        כתוב, כתבי, תכתוב, תכתבי, תרגם, תרגמי, תתרגם, הסבר, תסביר, סכם, תראה לי, תן לי, תגיד לי, ספר לי, עזור לי,
        תעזור לי, האם, מה, מהי, איך, איפה, מתי, למה, מדוע, מי, כמה, אפשר, אתה יכול, את יכולה, בבקשה
    """,
    "hi": "मुझे मदद चाहिए, क्या, कृपया, मुझे बताओ, मुझे बताइए, कैसे",
    "hu": """
        van egy kérdésem, írj, írd, írjon, fordítsd, magyarázd, foglald, mutasd, mondd, adj, keress, javítsd, segíts,
        készíts, tudsz,
        tudnál, meg tudod, meg tudnád, kérlek, mi a, mi az, mennyi, hogyan, hol, mikor, miért, ki a, ki volt, melyik,
        ajánlj
    """,
    "id": """
        saya mau tanya, saya ingin bertanya, saya butuh bantuan, tolong, buatkan, buat, tuliskan, tulis, jelaskan,
        terjemahkan, ringkas, tunjukkan, beri, berikan, beritahu,
        carikan, cari, perbaiki, bantu, bisakah, bisa kamu, bisakah kamu, dapatkah, mohon, apa itu, apa, apakah,
        bagaimana, siapa, di mana, dimana, berapa, kapan, mengapa, kenapa, sebutkan, hitung
    """,
    "it": """
        ho una domanda, avrei una domanda, ho bisogno di aiuto, scrivi, scriva, scrivimi, spiega, spiegami, spieghi,
        traduci, traduca, traducimi, riassumi, mostra, mostrami,
        dammi, mi dia, dimmi, mi dica, raccontami, cerca, cercami, trova, trovami, fai, fammi, crea, creami, aiutami,
        mi aiuti, correggi, migliora, calcola, confronta, consiglia, consigliami, suggerisci, suggeriscimi, elenca,
        prenota, pianifica, genera, puoi, può, potresti, potrebbe, mi puoi, mi potresti, voglio che tu, vorrei che tu,
        vorrei sapere, per favore, qual è, quali, quale, come si, come posso, come faccio, cos'è, cosa, che cos'è, che
        cosa, quando è, dov'è, dove si, dove posso, perché, chi è, chi ha, quanto, quanti, quante, quanta, sai,
        sistema, aggiungi, cancella, cambia, ripara
    """,
    "ko": "질문이 있어요, 질문 있어요, 질문이 있습니다",
    "ms": "boleh, bolehkah, sila, tolong",
    "nl": """
        ik heb een vraag, ik heb hulp nodig, schrijf, leg, vertaal, vat, toon, laat, geef, noem, vertel, zoek, vind,
        maak, help, corrigeer, verbeter,
        bereken, vergelijk, beveel, raad, stel, boek, reserveer, kun je, kunt u, kan je, zou je, zou u, kan jij, wil
        je, wilt u, ik wil dat je, ik wil weten, wat is, wat zijn, wat kost, wat betekent, hoe, waar is, waar kan,
        wanneer is, waarom, wie is, wie heeft, welke, welk, hoeveel, weet je, repareer, verwijder, voeg, verander,
        bestel, alsjeblieft
    """,
    "no": """
        jeg har et spørsmål, fortell, gi, skriv, oversett, forklar, oppsummer, vis meg, fortell meg, gi meg, finn,
        rett, hjelp meg, lag,
        kan du, kunne du, vil du, hva, hvordan, hvorfor, hvem, når, hvor, hvilken, hvilke, foreslå, anbefal
    """,
    "pl": """
        mam pytanie, potrzebuję pomocy, napisz, przetłumacz, wyjaśnij, wytłumacz, streść, podsumuj, pokaż, daj mi,
        podaj, powiedz, opowiedz, znajdź,
        poszukaj, zrób, stwórz, utwórz, pomóż, popraw, oblicz, porównaj, poleć, zaproponuj, wymień, zarezerwuj,
        zaplanuj, czy, możesz, możecie, mógłbyś, mogłabyś, czy możesz, proszę, chcę żebyś, jak, co to, co oznacza,
        gdzie, kiedy, kto, dlaczego, ile, jaki jest, jaka jest, jakie są, jakie, który, która, które, usuń, dodaj,
        zmień, napraw
    """,
    "pt": """
        tenho uma pergunta, tenho uma dúvida, preciso de ajuda, escreva, escreve, explique, explica, explica-me,
        traduza, traduz, resuma, resume, mostre, mostra, mostra-me,
        me mostre, dê, me dê, dá-me, diga, me diga, diz-me, conte, me conte, procure, encontre, encontra, faça, faz
        um, faz uma, faz-me, crie, cria, me ajude, ajude, ajuda-me, corrija, corrige, melhore, calcule, compare,
        recomende, me recomende, sugira, liste, reserve, planeje, gere, você pode, você poderia, pode, podes, poderia,
        podia, pode me, consegue, quero que, preciso que você, gostaria que, gostaria de saber, por favor, qual é,
        qual, quais, como posso, como se, como faço, o que é, o que são, o que, quando é, onde, por que, porque é que,
        quem é, quem foi, quem, quanto, quantos, quantas, quanta, sabe, você sabe, conserte, adicione, apague, mude,
        indique
    """,
    "ro": """
        am o întrebare, scrie, tradu, explică, rezumă, arată-mi, dă-mi, spune-mi, găsește, corectează, ajută-mă, fă,
        creează, poți,
        puteți, ai putea, te rog, vă rog, care este, care sunt, ce este, cum, unde, când, de ce, cine, cât, câți,
        câte, recomandă-mi
    """,
    "ru": """
        у меня вопрос, у меня есть вопрос, мне нужна помощь, нужна помощь, напиши, напишите, переведи, переведите,
        объясни, объясните, расскажи, расскажите, покажи, покажите, дай,
        дайте, скажи, скажите, подскажи, подскажите, найди, найдите, сделай, сделайте, создай, создайте, помоги,
        помогите, исправь, исправьте, улучши, посчитай, сравни, сравните, посоветуй, посоветуйте, порекомендуй,
        порекомендуйте, предложи, предложите, приведи, приведите, перечисли, назови, составь, составьте, придумай,
        забронируй, закажи, проверь, проверьте, удали, добавь, измени, сократи, резюмируй, можешь, можете, мог бы,
        могла бы, могли бы, не мог бы, не могли бы, пожалуйста, хочу чтобы ты, я хочу чтобы ты, как, что такое, что
        значит, что, где, кто, почему, зачем, сколько, какой, какая, какое, какие, есть ли, знаешь, знаете, давай,
        почини, запусти, повтори, продолжи
    """,
    "sk": """
        napíš, prelož, vysvetli, zhrň, ukáž, povedz mi, daj mi, nájdi, oprav, pomôž mi, vytvor, môžeš, môžete, mohol
        by si, prosím, ako sa, ako je, ako môžem, ako mám, čo je, kde, kedy, kto, prečo, koľko, aký je, aká je, aké
    """,
    "sr": """
        napiši, prevedi, objasni, reci mi, daj mi, pokaži, pomozi mi, možeš li, možete li, molim te, kako, šta je, što
        je, gdje, gde, kada, ko je, tko je, zašto, koliko, koji je, koja je, напиши, преведи, објасни, можеш ли, како,
        шта је, где
    """,
    "sv": """
        jag har en fråga, jag behöver hjälp, skriv, översätt, förklara, sammanfatta, visa, berätta, ge mig, säg,
        hitta, sök, rätta, hjälp, gör, skapa,
        räkna, jämför, rekommendera, föreslå, lista, boka, kan du, kan ni, skulle du kunna, kunde du, vill du, jag
        vill att du, vet du, vad är, vad betyder, vad kostar, vad, hur, var är, var ligger, var finns, när är, när
        går, varför, vem är, vem, vilken, vilket, vilka, finns det, ta bort, lägg, ändra, fixa
    """,
    "sw": "andika, tafsiri, eleza, nisaidie, niambie, tafadhali, nini",
    "tr": "bir sorum, yardım et, lütfen, bana, nasıl, neden, nerede, kim, kaç, hangi",
    "uk": """
        маю питання, у мене питання, потрібна допомога, напиши, напишіть, переклади, перекладіть, поясни, поясніть,
        розкажи, розкажіть, покажи, дай, скажи, скажіть,
        підкажи, знайди, знайдіть, зроби, зробіть, створи, допоможи, допоможіть, виправ, порівняй, порадь, порадьте,
        запропонуй, склади, можеш, можете, чи можеш, чи можете, міг би, могла б, будь ласка, як, що таке, що, де, хто,
        чому, скільки, який, яка, яке, які, чи
    """,
    "vi": """
        cho tôi hỏi, cho mình hỏi, hãy, viết, dịch, giải thích, tóm tắt, cho tôi biết, giúp tôi, giúp mình, tìm, kể,
        làm ơn, bạn có thể, bạn có,
        có thể, xin hãy, tạo, liệt kê, so sánh, làm thế nào, tại sao, ai là, bao nhiêu, sửa, gợi ý
    """,
}  # fmt: skip
ASKING_FIRST = _phrases(_ASKING_FIRST)
"""How requests and questions begin in languages with blanks; English ones that begin with a verb are further below."""

_ASKING_LAST: Mapping[str, str] = {
    "bn": "দাও, দিন, লেখো, লিখুন, বলো, বলুন, করো, করুন",
    "fa": "بنویس, بنویسید, کن, کنید, بده, بدهید, بگو, بگویید, چیست, کجاست, کیست",
    "hi": """
        दो, दीजिए, दीजिये, बताओ, बताइए, बताइये, बताएं, करो, कीजिए, करें, लिखो, लिखिए, लिखें, समझाओ, समझाइए, दिखाओ,
        सुनाओ, क्या है
    """,
    "ta": "எழுது, எழுதுங்கள், சொல், சொல்லுங்கள்",
    "tr": """
        yaz, yazın, yazar mısın, çevir, çevirin, çevirir misin, açıkla, açıklar mısın, anlat, anlatır mısın, söyle,
        söyler misin, bul, bulur musun, göster, yap, yapar mısın, verir misin, özetle, özetler misin, öner, önerir
        misin, düzelt, listele, karşılaştır, nedir, misin, mısın, musun, müsün, misiniz, mısınız, musunuz, müsünüz,
        kimdir, nerede
    """,
    "ur": "دو, دیں, لکھو, لکھیں, بتاؤ, بتائیں, کرو, کریں",
    "vi": "được không, phải không, là gì, ở đâu, như thế nào, không nhỉ",
}  # fmt: skip
ASKING_LAST = _phrases(_ASKING_LAST)
"""How requests and questions end; at most three words."""

KOREAN_ASKING_LAST = tuple(
    _split("""
    줘 줘요 주세요 써줘 해줘 해주세요 알려줘 알려주세요 줄래 줄래요 있나요 인가요 할까요 뭐야 뭐예요 무엇인가요 주실래요
""")
)
"""Endings of Korean requests and questions."""

UNSPACED_ASKING_FIRST = tuple(
    _split("""
    我有一个问题 我有个问题 我想问 请 請 把 帮我 帮忙 幫我 给我 給我 告诉我 告訴我 写一 写个 写首 寫一 翻译 翻譯 解释
    解釋 总结 總結 列出 列举 推荐
    推薦 说明 介绍 生成 修改 改成 讲个 讲一 计算 比较 你能 你可以 您能 您可以
    能不能 可不可以 可以帮 能帮 麻烦你 麻烦您 我想知道 我想请 我要你 什么是 什麼是 为什么 怎么 怎样 如何 哪 谁 查一
    找一 搜索 继续 再来 重写 删除 修复 教えて 教えください もっと ช่วย กรุณา
    เขียน แปล อธิบาย สรุป แนะนำ บอก ขอสูตร ขอ ทำไม คุณช่วย คุณสามารถ หา
""")
)
UNSPACED_ASKING_LAST = tuple(
    _split("""
    質問があります 吗 嗎 呢 什么 什麼 多少 哪里 哪裡 哪儿 谁 怎么办 几点 ください 下さい 教えて くれ くれる 書いて
    訳して 直して
    説明して 要約して まとめて して 作って 見せて 探して 調べて 考えて 続けて てほしい
    お願い 何 どこ いつ 誰 ですか ますか でしょうか ませんか かな ましたか 주세요 줘 줘요 줄래 줄래요 까요 나요 인가요
    ไหม มั้ย อะไร ที่ไหน เมื่อไหร่ เท่าไหร่ อย่างไร
    ยังไง หรือเปล่า หรือไม่ ให้หน่อย หน่อย ด้วย ใคร
""")
)
"""How requests and questions begin and end in Chinese, Japanese and Thai."""

_OWN: Mapping[str, str] = {
    "ar": """
        أنا, نحن, لدي, عندي, لدينا, عندنا, أعيش, أسكن, أعمل, زوجتي, زوجي, ابني, ابنتي, أختي, أخي, أمي, أبي, اسمي, لا
        أستطيع
    """,
    "bg": "аз, ние, имам, моят, моята, моето, нашата, съм, живея",
    "bn": "আমি, আমার, আমরা, আমাদের",
    "cs": "já, jsem, mám, bydlím, můj, moje, má, náš, naše, jsme, máme, nejím, nemám, pracuji",
    "da": "jeg, vi, min, mine, vores",
    "de": "ich, wir, mein, meine, meiner, meinem, meinen, unser, unsere, unserem, unseren, mir",
    "el": "εγώ, εμείς, είμαι, έχω, μένω, ο γιος μου, η γυναίκα μου, η κόρη μου",
    "es": """
        yo, nosotros, soy, estoy, tengo, vivo, trabajo, mi, mis, nuestra, nuestro, somos, tenemos, estamos, vivimos,
        odio, prefiero, no como, no tengo, no puedo, no soy, me llamo, me gusta, me gustan, me encanta, uso
    """,
    "et": "ma olen, ma elan, mina, mul, meil, mu, minu, meie, olen, elan",
    "fa": "من, ما, همسرم, پسرم, دخترم",
    "fi": """
        minä, mä, olen, minulla, mulla, asun, meillä, vaimoni, mieheni, poikani, tyttäreni, äitini, isäni, en syö, en
        voi, olemme, minun, meidän, siskoni, veljeni, koirani
    """,
    "fr": """
        je ne, je vis, je mange, je voyage, je travaille, je préfère, je déteste, je pars, j'ai, j'habite, on a, on
        est, on vit, j'aime, j'adore, je suis, je n'ai, nous, mon, ma, mes, notre, nos, j'utilise
    """,
    "he": "אני, אנחנו, יש לי, אין לי, אשתי, בעלי, הבן שלי, הבת שלי, אמא שלי, אבא שלי, לי",
    "hi": "मैं, मेरा, मेरी, मेरे, मुझे, हम, हमारा, हमारे, हमारी",
    "hr": "imam, živim, moja, moj, moje, naša, naš, nemam",
    "hu": """
        én, vagyok, lakom, feleségem, a feleségem, férjem, a férjem, a fiam, a lányom, nekem, az anyám, az apám
    """,
    "id": "saya, aku, kami, istri saya, suami saya, anak saya, ibu saya, ayah saya",
    "it": """
        io, noi, sono, ho, abito, vivo, lavoro, mio, mia, miei, mie, nostro, nostra, siamo, abbiamo, il mio, la mia,
        non ho, non mangio, non posso, mi chiamo, mi piace, uso, odio, preferisco, i miei, le mie, la nostra, il
        nostro
    """,
    "ko": "저는, 나는, 저희, 우리, 제, 내, 제가, 내가, 난, 전",
    "nl": "ik, wij, we, mijn, onze, ons, ik ben, ik heb",
    "no": "jeg, vi, min, mitt, mine, vår, vårt",
    "pl": """
        jestem, mam, mieszkam, mój, moja, moje, nasz, nasza, nasze, jesteśmy, mamy, pracuję, nie jem, nie mam, nie
        mogę, jem, lubię, wolę, używam
    """,
    "pt": """
        eu, nós, sou, estou, tenho, moro, vivo, trabalho, meu, minha, meus, minhas, nosso, nossa, somos, temos, a
        minha, o meu, não tenho, não como, não posso, uso, odeio, prefiro, a gente
    """,
    "ro": """
        eu, noi, sunt, locuiesc, soția mea, soțul meu, fiul meu, fiica mea, mama mea, lucrez, nu mănânc
    """,
    "ru": """
        я, мы, у меня, у нас, мне, мой, моя, моё, мое, мои, наш, наша, наше, наши, меня зовут, живу, работаю
    """,
    "sk": "som, mám, bývam, môj, moja, moje, náš, naša",
    "sr": "ја, ми, имам, моја, мој, сам, живим",
    "sv": "jag, vi, min, mitt, mina, vår, vårt, våra",
    "sw": "mimi, sisi, ninaishi, nina, naishi",
    "ta": "நான், என், எனக்கு, எங்கள்",
    "tr": "ben, biz, benim, bizim, eşim, oğlum, kızım, annem, babam, kocam, karım, kardeşim, evim",
    "uk": """
        я, ми, у мене, у нас, мені, мій, моя, моє, мої, наш, наша, наше, живу, працюю, мене звати, в мене
    """,
    "ur": "میں, میرا, میری, میرے, ہم, مجھے",
    "vi": """
        tôi, mình, chúng tôi, vợ tôi, chồng tôi, con tôi, con gái tôi, con trai tôi, mẹ tôi, bố tôi
    """,
}  # fmt: skip
OWN = _phrases(_OWN)
"""How clauses about the speaker begin in languages with blanks; at most three words."""
UNSPACED_OWN = (
    "我",
    "俺",
    "私",
    "僕",
    "ぼく",
    "わたし",
    "うち",
    "家族",
    "夫",
    "妻",
    "娘",
    "息子",
    "ผม",
    "ฉัน",
    "ดิฉัน",
    "หนู",
    "เรา",
)

_POSSESSIVES: Mapping[str, str] = {
    "de": "mein, meine, meiner, meinem, meinen, unser, unsere, unserem, unseren, unserer",
    "en": "my, our",
    "da": "min, mine, vores",
    "es": "mi, mis, nuestra, nuestro",
    "fr": "mon, ma, mes, notre, nos",
    "it": "mio, mia, miei, mie, nostro, nostra",
    "nl": "mijn, onze",
    "pl": "mój, moja, mojej, mojego, mojemu, moją, nasza, naszej",
    "pt": "meu, minha, meus, minhas, nosso, nossa",
    "ru": "мой, моя, моей, моего, моему, мою, моим, нашей, нашему",
    "sv": "min, mitt, mina, vår",
    "uk": "мій, моя, моєї, моєму, моєю, мою, моїй",
}
POSSESSIVES = _phrases(_POSSESSIVES)
"""Words for my and our; behind them and a noun, a name or a relative clause says something of the speaker."""
GERMAN_POSSESSIVES = _words("""
    mein meine meiner meinem meinen unser unsere unserem unseren unserer
""")
"""The same, where nouns have capitals as names do."""

PLEASE = _words("""
    please pls plz bitte plaît favor favore proszę prosím пожалуйста lütfen alsjeblieft alstublieft snälla
""")
"""A sentence that ends in one of them asks for something, whatever it begins with."""

_FROM_NOW_ON: Mapping[str, str] = {
    "en": "from now on, from now onwards, going forward, starting today, starting now, from today on",
    "de": "ab jetzt, ab sofort, von jetzt an, von nun an, künftig, zukünftig, fortan",
    "fr": "à partir de maintenant, dorénavant, désormais",
    "es": "a partir de ahora, de ahora en adelante, desde ahora",
    "it": "d'ora in poi, d'ora in avanti, da ora in poi",
    "pt": "a partir de agora, de agora em diante, daqui em diante",
    "nl": "vanaf nu, voortaan",
    "sv": "från och med nu, hädanefter",
    "da": "fra nu af, fremover",
    "no": "fra nå av, heretter",
    "fi": "tästä lähtien, tästedes",
    "pl": "od teraz, odtąd",
    "cs": "od teď, odteď",
    "ru": "отныне, с этого момента, с сегодняшнего дня, впредь",
    "uk": "відтепер, надалі",
}
FROM_NOW_ON = _phrases(_FROM_NOW_ON)
"""A request with one of these holds for all answers to come, wherever it stands in it."""
AT_FIRST = _phrases(
    {
        "en": "in future, in the future, by default, as a rule",
        "de": "in zukunft, standardmäßig",
        "fr": "à l'avenir, par défaut",
        "es": "en el futuro, por defecto",
        "it": "in futuro",
        "pt": "no futuro, por padrão",
        "nl": "in de toekomst, standaard",
        "sv": "i fortsättningen",
    }
)
"""The same, where the request begins with it."""
AT_LAST = _phrases(
    {
        "en": """
            in future, by default, every time, each time, all the time, in all your answers, in all your replies, in
            your answers, in your replies, in your responses, in your messages
        """,
        "de": "in zukunft, in deinen antworten",
        "fr": "à l'avenir, dans tes réponses, dans vos réponses",
        "es": "en el futuro, en tus respuestas",
        "it": "in futuro, nelle tue risposte",
        "pt": "nas suas respostas",
        "nl": "in je antwoorden",
    }
)
"""The same, where the request ends with it."""
NO_MORE = _phrases({"en": "anymore, any more, ever again, again", "de": "mehr, nie wieder", "fr": "plus", "es": "más"})
"""At the end of a request that denies something."""
_ALWAYS: Mapping[str, str] = {
    "en": "always, never",
    "de": "immer, nie, niemals",
    "fr": "toujours, jamais",
    "es": "siempre, nunca",
    "it": "sempre, mai",
    "pt": "sempre, nunca",
    "nl": "altijd, nooit",
    "sv": "alltid, aldrig",
    "da": "altid, aldrig",
    "no": "alltid, aldri",
    "fi": "aina, koskaan",
    "pl": "zawsze, nigdy",
    "cs": "vždy, nikdy",
    "ru": "всегда, никогда",
    "uk": "завжди, ніколи",
}
ALWAYS = _phrases(_ALWAYS)
"""A request with one of these beside its verb holds for all answers to come."""
_ANSWERING: Mapping[str, str] = {
    "en": """
        add address alphabetize answer append apologize apologise assume attach avoid begin book capitalize cite comment
        commit compute confirm convert default delete deploy describe display double end exclude explain express format
        generate give greet highlight include indent limit list mark mention merge name number offer omit order output
        paraphrase phrase praise prefer prefix present print propose provide push put quote rank recommend refactor
        refer reference remind rephrase reply report respond return round run send show skip speak spell start structure
        suggest summarise summarize switch talk tell translate use validate verify warn write ask keep be make
    """,
    "de": """
        antworte antworten antwort schreib schreibe schreiben sprich sprechen rede reden nutz nutze nutzen benutz
        benutze benutzen verwend verwende verwenden schlag schlage empfiehl empfehle empfehlen erklär erkläre erklären
        nenn nenne nennen gib geben zeig zeige zeigen duz duze duzen siez sieze siezen vermeid vermeide vermeiden
        übersetz übersetze übersetzen erwähn erwähne erwähnen fass fasse formulier formuliere
    """,
    "fr": """
        réponds répondez répondre écris écrivez écrire parle parlez parler utilise utilisez utiliser n'utilise
        n'utilisez propose proposez proposer recommande recommandez suggère suggérez explique expliquez donne donnez
        montre montrez tutoie tutoyez vouvoie vouvoyez évite évitez cite citez mentionne mentionnez traduis
    """,
    "es": """
        responde responda responder respóndeme contesta conteste contestar escribe escriba escribir habla hable usa use
        usar utiliza utilice propongas proponga sugieras sugiera recomiendes recomiende explica explique dame muestra
        muestre tutéame trátame evita evite cita menciones uses
    """,
    "it": """
        rispondi risponda rispondere rispondimi scrivi scriva scrivere parla parli usa usi usare utilizza proponi
        proporre suggerisci suggerire consigliare consigli spiega mostra mostrare evita cita menzionare dammi
    """,
    "pt": """
        responda responde responder escreva escreve escrever fale fala use usa usar utilize sugira sugerir proponha
        recomende recomendar explique mostre evite cite mencione trate
    """,
    "nl": """
        antwoord antwoorden schrijf schrijven spreek praat gebruik gebruiken stel raad leg geef toon vermijd noem
        vertaal
    """,
    "sv": "svara skriv använd tala föreslå rekommendera förklara ge visa undvik nämn",
    "da": "svar skriv brug tal foreslå anbefal forklar giv vis undgå nævn",
    "no": "svar skriv bruk snakk foreslå anbefal forklar gi vis unngå nevn",
    "fi": "vastaa kirjoita käytä puhu ehdota suosittele selitä näytä vältä mainitse",
    "pl": """
        odpowiadaj odpowiedz pisz używaj mów proponuj polecaj sugeruj wyjaśniaj podawaj pokazuj unikaj wspominaj
        zwracaj
    """,
    "cs": "odpovídej piš používej mluv navrhuj doporučuj vysvětluj uváděj ukazuj tykej",
    "ru": """
        отвечай отвечайте пиши пишите используй используйте говори говорите предлагай предлагайте советуй рекомендуй
        объясняй показывай избегай упоминай давай указывай обращайся
    """,
    "uk": "відповідай відповідайте пиши використовуй говори пропонуй рекомендуй пояснюй показуй уникай згадуй",
}
ANSWERING = frozenset(_split(" ".join(_ANSWERING.values())))
"""Orders, and infinitives in their place, for what an assistant does again and again, above all in its answers."""
ANSWERING_ING = _words("""
    adding answering apologising apologizing asking beginning calling citing ending explaining giving including making
    mentioning offering praising quoting recommending repeating replying responding saying showing starting suggesting
    summarising summarizing telling translating using writing
""")
"""What an assistant is told to stop."""
WAYS = _words("""
    brief casual clear concise detailed direct formal friendly funny honest informal ironic long plain polite precise
    sarcastic serious short shorter simple simpler technical english french german spanish italian dutch
""")
"""What an answer may be asked to be: its length, its tone, its language."""
BEHIND_VERBS: Mapping[str, frozenset[str]] = {
    "ask": _words("me before for first whether if"),
    "be": WAYS,
    "begin": _words("with your every each by"),
    "end": _words("with your every each by"),
    "give": _words("me prices examples sources reasons times dates two three numbers"),
    "keep": _words("your"),
    "make": _words("it jokes assumptions lists"),
    "speak": _words("me in like with english german french spanish italian dutch plainly"),
    "start": _words("with your every each by"),
    "talk": _words("me like"),
    "tell": _words("me"),
}
"""Verbs that are orders to an assistant only before one of these words: "Always tell the truth" is none."""
_CALLING: Mapping[str, str] = {
    "en": "call me, address me as, refer to me as, calling me, you can call me, you may call me",
    "de": "nenn mich, nenne mich, nennen sie mich, sprich mich mit, sprich mich als",
    "fr": "appelle moi, appelez moi",
    "es": "llámame, llámeme",
    "it": "chiamami, mi chiami",
    "pt": "me chame de, me chama de, chama me, chame me de",
    "nl": "noem me, noem mij",
    "sv": "kalla mig",
    "da": "kald mig",
    "no": "kall meg",
    "fi": "kutsu minua",
    "pl": "mów mi, nazywaj mnie",
    "cs": "říkej mi",
    "ru": "зови меня, называй меня",
    "uk": "називай мене",
}
CALLING = _phrases(_CALLING)
"""How people say by what name they want to be called."""
ENGLISH_CALLING = _phrases({"en": _CALLING["en"]})
"""In other languages the name must have a capital letter."""
NO_NAMES = (
    SMALL_TALK
    | AFTER_VERBS
    | QUESTION_WORDS
    | CALENDAR
    | _words("""
    tomorrow tonight immediately asap anytime sometimes once twice before after during while until unless needed
    necessary required appropriate usual crazy mad silly stupid cynical lazy naive pessimistic sceptical skeptical
    biased names old
""")
)
"""With what no name begins behind "call me"."""
ANSWERS_TO_COME = _words("answers replies responses messages explanations suggestions summaries emails")
"""With `your` before them, all answers to come."""
MANNERS = _phrases(
    {
        "en": """
            emojis, emoji, emoticons, smileys, bullets, bullet points, exclamation marks, exclamation points, markdown,
            jargon, headings, headers, tables, hashtags, slang, swearwords, swear words, abbreviations, acronyms,
            dashes, contractions, footnotes, clichés, metaphors
        """,
        "de": "emojis, smileys, ausrufezeichen, anglizismen, abkürzungen, fremdwörter, aufzählungen, tabellen",
        "fr": "emojis, émojis, anglicismes, tableaux, abréviations",
        "es": "emojis, emoticonos, tablas, abreviaturas",
        "it": "emoji, tabelle, abbreviazioni",
        "pt": "emojis, tabelas, abreviações",
    }
)
"""What answers may contain whatever they are about."""
ASKING_AGAIN = _words("ask send paste share request mention upload post quote")
"""Behind "when I" and "whenever I", what a user does again and again."""
ONCE = _phrases(
    {
        "en": """
            this, these, here, today, tonight, tomorrow, until, yet, just once, for now, right now, the rest, next
            answer, next reply, next message, next time
        """,
        "de": "diesmal, dieses mal, heute, morgen, hier, bis, ausnahmsweise, diese, dieser, dieses, diesem",
        "fr": "cette fois, aujourd'hui, demain, ici, jusqu'à, ce, cet, cette",
        "es": "esta vez, hoy, mañana, aquí, hasta, este",
        "it": "questa volta, stavolta, oggi, domani, stasera, qui, fino, questo, questa",
        "pt": "desta vez, hoje, amanhã, aqui, até, este, esse, essa",
        "nl": "deze keer, vandaag, morgen, hier, tot, deze, dit",
        "pl": "tym razem, dzisiaj, dziś, jutro",
        "ru": "в этот раз, на этот раз, сегодня, завтра, сейчас, этот, этом",
    }
)
"""What holds for one answer, one text, or one day."""
REMINDING = _phrases(
    {
        "en": """
            remember, remember to, please remember, please remember to, don't forget to, do not forget to, don't forget,
            keep in mind, please keep in mind, bear in mind, note, please note
        """,
        "de": "merk dir, merke dir, denk daran, denk dran, vergiss nicht, beachte",
        "fr": "souviens toi, rappelle toi, n'oublie pas",
        "es": "recuerda, no olvides",
        "it": "ricorda, ricordati, non dimenticare",
        "pt": "lembre se, lembra te, não esqueça",
        "nl": "onthoud, vergeet niet",
        "ru": "запомни, помни, не забудь",
    }
)
"""What may stand before a standing instruction."""
REPORTING = _words("""
    say says said tell tells told read reads wrote writes hear heard ask asks asked sign rule policy prompt slogan quote
    sagt sagte dit disait dice disse zegt
""")
"""Words after which somebody else's words may follow: these are no instruction of the user."""
