"""Which turns say something."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.capture import phrases
from remembrancer.domain.capture.choice import Choice, choose
from remembrancer.domain.capture.selection import (
    ANSWERED,
    ASSISTANT,
    NO_STATEMENT,
    QUESTION,
    STATEMENT,
    sentences_of,
)
from tests import capture_cases

NAMES = {"melanie", "caroline"}

STATEMENTS = [
    # The speaker, in words that mean little alone
    "I can't see.",
    "I love my job.",
    "I feel sad.",
    "I'm Will",
    "I'm not okay",
    "I can't walk.",
    "I'm in love",
    "We broke up",
    "My name is Priya",
    "My sister is called Ida",
    "We have two dogs",
    "I moved to Ghent last month.",
    # Persons and things
    "She said yes!",
    "He is dead.",
    "They let me go.",
    "It's twins!",
    "It's a boy.",
    "Mum died.",
    "The dog bit me.",
    "Nobody came.",
    "Mark is my brother.",
    "Book club meets on Tuesdays.",
    "Check-in is at 3 pm",
    "Test results came back negative.",
    "Blue is my favourite colour",
    "The meeting with Siemens is on 3 May",
    "It was in 2019, in Porto",
    "python is my favourite language",
    "cat loves tuna",
    "at 10:30 we meet the notary",
    "English: B2 level, French: none",
    "password = 4417",
    "Grade report: my son failed maths",
    # Other languages, with a list and without
    "Я веган",
    "Я глухой",
    "मैं शाकाहारी हूँ",
    "मुझे मूंगफली से एलर्जी है",
    "Ich wohne in Berlin und arbeite als Bäckerin",
    "Ich bin taub",
    "Elle a dit oui !",
    "No puedo ver",
    "Mia madre è morta",
    "Não enxergo",
    "Hij is dood.",
    "Jestem smutna",
    "我住在上海",
    "他死了。",
    "目が見えません",
    "저는 채식주의자입니다",
    "ฉันชอบกาแฟ",
    "Guten Morgen ist mein Lieblingslied",
    "Mi perro se llama Bruno",
    "Dw i'n fegan",
    "Jam vegjetarian",
    "Mwen se vejetaryen",
    "Мен вегетарианмын",
    # Behind a courtesy
    "thanks! btw my allergy is peanuts",
    "Hi, I'm allergic to cats.",
    "Thanks, my son loved it!",
    "Danke! Ich bin allergisch gegen Nüsse.",
    "谢谢，我对花生过敏。",
]
WISHES = [
    "Remind me that the rent is due on the 5th",
    "Please remember that my locker code is 4417",
    "Remember: no onions",
    "Keep in mind that I live in New Zealand",
    "Don't forget that Anna comes on Monday",
    "Call me Sam",
    "From now on answer in German",
    "Answer in metric units from now on",
    "Never suggest pork",
    "Always use tabs",
    "Could you please remember that I'm deaf?",
    "Please always answer in French.",
    "Ab jetzt bitte auf Deutsch antworten",
    "À partir de maintenant, réponds en français",
    "A partir de ahora responde en español",
    "Запомни, что у меня диабет",
]
REQUESTS_WITH_A_STATEMENT = [
    "Book a table for Friday, my wife is vegan",
    "I'm allergic to nuts, so suggest a cake",
    "Can you find a flight? I live in Tornio",
    "Do you know that I start at Philips on Monday?",
    "Which restaurants suit my daughter Mia, who is coeliac?",
    "Could you recommend a hotel, as we travel with two dogs?",
    "How do I tell my boss that I'm leaving?",
    "What's a good gift for my vegan friend?",
    "As a nurse, how can I protect my back?",
    "Use four spaces, our linter demands it",
    "Plan a menu, there are three of us and one is diabetic",
    "Write to the landlord because the heating is broken",
    "Give me vegan recipes since I don't eat meat",
    "Buche einen Tisch, meine Frau ist vegan",
    "Réserve une table, ma sœur est végane",
    "Busca un vuelo, vivo en Bilbao",
    "Найди ресторан, моя жена веганка",
]
REQUESTS = [
    "Fix the typo in the readme",
    "Fire the test",
    "Write a Python function that reverses a linked list.",
    "Please send the report to Claire",
    "Can you tell me the capital of Australia",
    "I want you to act as a Linux terminal",
    "I need you to rewrite the introduction for Siemens",
    "I need some ideas for a party in Rome",
    "Let's write a story about a dragon named Fred",
    "Help me understand recursion in Haskell",
    "Give me three ideas for a birthday party in Rome",
    "Instead of Redis, use Memcached",
    "For the next step, write the tests",
    "More examples in Python please",
    "Yes please, order it.",
    "Forget what I told you about Anna",
    "Forget that I'm vegan",
    "Translate to French: I live in Paris and love cheese.",
    "I was wondering if the Louvre opens on Mondays",
    "I'd like to know how vaccines work",
    "Schreib mir eine Funktion, die eine Liste umdreht",
    "Écris une fonction Python",
    "Escribe un poema sobre Madrid",
    "Scrivi una poesia su Roma",
    "Escreve um poema sobre Lisboa",
    "Schrijf een functie in Python",
    "Напиши письмо Анне",
    "请帮我翻译这句话",
    "宿題を手伝ってください",
    "숙제 도와줘",
]
COURTESIES = [
    "Hi!",
    "We'll skip that one.",
    "Never mind then, we do without it.",
    "Nothing else for now.",
    "Thanks a lot, Mel!",
    "Wow, that's so cool!",
    "ok",
    "Yes, exactly",
    "Bye, take care!",
    "Hello Hob!",
    "Thanks a lot, Hob.",
    "Hello, Bob here.",
    "Hi, this is Anna",
    "Guten Tag, Müller hier",
    "Hello Bob here",
    "Bob here",
    "Hi, it's Kelly",
    "Morning, it's Sandra again",
    "Hallo, ich bin's, Peter",
    "Bonjour, ici Luc Martin",
    "Buenos días, le habla Pilar",
    "I see",
    "I'm not sure",
    "I like the second one",
    "You are awesome",
    "Great job!",
    "That works, thanks",
    "Thank you for your patience",
    "It doesn't compile.",
    "...",
    "👍",
    "Vielen lieben Dank für deine Hilfe!",
    "Guten Morgen",
    "Merci beaucoup !",
    "¡Muchas gracias!",
    "Grazie mille.",
    "Muito obrigada!",
    "Dank je wel!",
    "Dziękuję bardzo",
    "Tack så mycket",
    "Mange tak for hjælpen",
    "Tusen takk",
    "Kiitos paljon avusta",
    "Suur tänu",
    "Děkuji mockrát",
    "Ďakujem pekne",
    "Nagyon szépen köszönöm",
    "Mulțumesc frumos",
    "Hvala lepo",
    "Благодаря много",
    "Большое спасибо за помощь",
    "Щиро дякую",
    "Ευχαριστώ πάρα πολύ",
    "Çok teşekkür ederim",
    "شكرا جزيلا",
    "תודה רבה",
    "خیلی ممنون",
    "बहुत बहुत धन्यवाद",
    "অনেক ধন্যবাদ",
    "மிக்க நன்றி",
    "Terima kasih banyak",
    "Cảm ơn bạn rất nhiều",
    "Asante sana",
    "정말 감사합니다",
    "谢谢你！",
    "ありがとうございます。",
    "ขอบคุณครับ",
]
OUTPUT = [
    "TypeError: undefined is not a function",
    "at foo (bar.js:3)",
    "    at Object.<anonymous> (/app/index.js:10:5)",
    'File "app.py", line 3, in <module>',
    "2024-05-01 10:00:00 INFO Server started on port 8080",
    "[ERROR] Connection refused by Postgres",
    "npm ERR! missing script: build",
    "bash: command not found: foo",
    "git push origin main --force",
    "docker compose up -d",
    "$ make test",
    "SELECT * FROM users WHERE id = 1;",
]
QUESTIONS = [
    "How are you?",
    "What do you think?",
    "Could you help me?",
    "Is Benedikta married?",
    "What are the KPIs for customer Benedikta Ruiz?",
    "Where did Maria go on holiday?",
    "So the answer is 12?",
    'Why do I get "I am not authorized" when I call the API?',
    "Ist Benedikta verheiratet?",
    "¿Está casada Benedikta?",
    "澳大利亚的首都是哪里？",
    "ما هي عاصمة فرنسا؟",
]
LEAST_CHOSEN = 0.95
LEAST_CONFIRMED = 0.90
"""Shares of the labelled turns of each half that the rules decide as labelled, to keep and to drop."""


@pytest.mark.parametrize("text", [*STATEMENTS, *WISHES, *REQUESTS_WITH_A_STATEMENT])
def test_a_turn_that_says_something_is_kept(text: str) -> None:
    assert choose("user", text, None, NAMES) == Choice(True, STATEMENT)


@pytest.mark.parametrize("text", [*COURTESIES, *REQUESTS, *OUTPUT])
def test_courtesies_requests_and_output_of_programs_are_dropped(text: str) -> None:
    assert choose("user", text, None, NAMES).is_kept is False


def test_the_reason_of_a_courtesy_is_that_it_states_nothing() -> None:
    assert choose("user", "Thanks a lot!", None) == Choice(False, NO_STATEMENT)


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_bare_question_is_dropped(text: str) -> None:
    assert choose("user", text, None, NAMES) == Choice(False, QUESTION)


@pytest.mark.parametrize(("is_confirming", "least"), [(False, LEAST_CHOSEN), (True, LEAST_CONFIRMED)])
@pytest.mark.parametrize("is_worth", [True, False])
def test_labelled_turns_are_decided_as_labelled(is_confirming: bool, least: float, is_worth: bool) -> None:
    turns = [
        turn for turn in capture_cases.turns() if turn.is_confirming == is_confirming and turn.is_worth == is_worth
    ]

    wrong = [turn.text for turn in turns if _is_kept(turn.text, turn.preceding) != is_worth]

    assert len(turns) >= 100
    assert len(wrong) <= (1 - least) * len(turns), wrong


def _is_kept(text: str, preceding: str | None = None) -> bool:
    return choose("user", text, None, preceding=preceding).is_kept


@given(
    statement=st.sampled_from(STATEMENTS),
    before=st.sampled_from(["Hi! ", "Thanks a lot. ", "Danke! ", "What is that? ", "Write a poem. "]),
    after=st.sampled_from(["", " Thank you!", "\nWhat do you think?", " Can you help me?"]),
)
def test_what_stands_around_a_statement_does_not_lose_it(statement: str, before: str, after: str) -> None:
    end = "" if re.search(r"[.!?。！？]$", statement) else "."

    assert _is_kept(f"{before}{statement}{end}{after}")


@given(st.text(max_size=200))
def test_every_text_is_decided(text: str) -> None:
    assert choose("user", text, None, preceding="Why?").reason in (STATEMENT, QUESTION, NO_STATEMENT)


def test_thanks_are_known_in_many_languages() -> None:
    languages = {language for of_word in phrases.COURTESIES.values() for language in of_word}

    assert len(languages) >= 50


@pytest.mark.parametrize("answer", ["Yes", "Yes, please do!", "The second one", "ok, do it"])
def test_an_assistants_turn_is_kept_when_the_user_answers_it_without_saying_what(answer: str) -> None:
    assert choose("assistant", "Shall I book the train to Bruges for 9 o'clock?", answer) == Choice(True, ANSWERED)


def test_a_question_about_the_user_is_kept_when_it_is_denied_and_an_offer_is_not() -> None:
    assert choose("assistant", "Are you allergic to nuts?", "No") == Choice(True, ANSWERED)
    assert choose("assistant", "Shall I book the train to Bruges?", "No") == Choice(False, ASSISTANT)
    assert choose("assistant", "Two tickets to Bruges would be 49 euros.", "nah leave it") == Choice(False, ASSISTANT)


@pytest.mark.parametrize("following", [None, "I would rather go to Ghent on Friday", "What does it cost?"])
def test_other_turns_of_the_assistant_are_dropped(following: str | None) -> None:
    assert choose("assistant", "Shall I book the train to Bruges?", following) == Choice(False, ASSISTANT)


def test_an_answer_to_an_assistant_that_says_nothing_keeps_nothing() -> None:
    assert choose("assistant", "How can I help you?", "Yes") == Choice(False, ASSISTANT)


@pytest.mark.parametrize(
    ("text", "asked"),
    [("Blue", "What is your favourite colour?"), ("Peanuts!", "Any allergies?"), ("In 2019", "When was that?")],
)
def test_a_single_word_is_enough_in_answer_to_a_question(text: str, asked: str) -> None:
    assert choose("user", text, None, preceding=asked) == Choice(True, STATEMENT)


@pytest.mark.parametrize("text", ["Blue", "Peanuts!", "Bob here", "hi its kel"])
def test_a_single_word_or_a_name_is_no_reply_to_a_statement_or_an_offer(text: str) -> None:
    assert choose("user", text, None, preceding="I see.") == Choice(False, NO_STATEMENT)
    assert choose("user", text, None, preceding="Hello! How can I help?") == Choice(False, NO_STATEMENT)


@pytest.mark.parametrize("text", ["Yes", "Not now", "What a great idea!", "How lovely!"])
def test_an_answer_that_names_nothing_is_dropped(text: str) -> None:
    assert not choose("user", text, None, preceding="Shall we go?").is_kept


@pytest.mark.parametrize("text", ["May I suggest the check-up on Monday at 9:15?", "Could you note the ratio 3:1?"])
def test_the_colon_of_a_time_hands_nothing_over(text: str) -> None:
    assert list(sentences_of(text)) == [text]


@pytest.mark.parametrize("text", ["Translate this: I live in Ghent.", "Translate this：I live in Ghent."])
def test_what_is_handed_over_for_work_is_not_read(text: str) -> None:
    assert list(sentences_of(text)) == ["Translate this"]
