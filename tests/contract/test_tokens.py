"""One definition of tokens and stems, compared where it runs: in Python, in tantivy and on OpenSearch."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import httpx
import pytest

from indexer.engines.analyzers import build_analyzer
from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.mappings import index_body
from indexer.schema.analysis import tokens
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.schema.languages import SNOWBALL, overrides
from tests.contract.inflected import INFLECTED

Analyzer = Literal["exact", "stemmed"]
Analyze = Callable[[str, Analysis, Analyzer], list[str]]
WORDS_A_REQUEST = 3_000

HARD = [
    "Don't rate-limit snake_case, CamelCase & kebab-case; e-mail: user@example.org",
    "x² ½ Ⅷ ① 3.14 1,000 v2.0 C++ C# .NET",
    "ΣΟΦΟΣ Οδυσσεύς ὈΔΥΣΣΕΎΣ İstanbul Iğd\u0131r DIYARBAKIR ǅungla Straße ẞ",
    "漢字とかなカタカナ 日本語テキスト 中文分词 ㍿ 々〆〇 𠮷野家 𰻞𰻞麵",
    "ภาษาไทยไม่มีช่องว่าง ພາສາລາວ ភាសាខ្មែរ ១២៣ မြန်မာဘာသာ။",
    "한국어 형태소 분석 ᄒᆞᆫ글",
    "हिन्दी में खोज தமிழ் మాట বাংলা ગુજરાતી",
    "العربيّة بِسْمِ ٱللَّهِ ۱۲۳ فارسی\u200cنویسی",
    "עברית עם נִקּוּד ״ציטוט״",
    "Ärger naïve cafe\u0301 Ångström Å K ﬁne Ⅻ",
    "\U0001d4b3\U0001d4b4 𐐀𐐁 😀👩\u200d💻 \U0001f1e9\U0001f1ea",
    "a\u200bb a\u00adb a\u2060b a\ufeffb a\u202eb",
    "ⴰⵎⴰⵣⵉⵖ ᏣᎳᎩ ꮳꮃꭹ Ⴀⴀ ა Ა ᲀ Ⱥⱥ Ɥ ꞿ ꟊ",
    "x" * 255 + " " + "y" * 256 + " " + "z" * 300 + " end",
    "ж" * 127 + " " + "é" * 127 + " end",
]


@pytest.fixture(scope="module")
def opensearch(opensearch_url: str) -> Iterator[Analyze]:
    with httpx.Client(base_url=opensearch_url, timeout=60) as client:

        def analyze(text: str, analysis: Analysis, analyzer: Analyzer) -> list[str]:
            definition = IndexDefinition(kind="local", version=1, analysis=analysis)
            made = index_body(definition, Connection(urls=(opensearch_url,)))["settings"]["analysis"]
            filters = [made["filter"].get(name, name) for name in made["analyzer"][analyzer]["filter"]]
            body = {"tokenizer": made["tokenizer"]["words"], "filter": filters, "text": text}
            answer = client.post("/_analyze", json=body)
            assert answer.status_code == 200, answer.text
            return [found["token"] for found in answer.json()["tokens"]]

        yield analyze


def in_tantivy(text: str, analysis: Analysis, analyzer: Analyzer) -> list[str]:
    return build_analyzer(analysis, stemmed=analyzer == "stemmed").analyze(text)


def batches(words: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(words), WORDS_A_REQUEST):
        yield " ".join(words[start : start + WORDS_A_REQUEST])


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("min_length", [1, 2, 5])
def test_hard_texts_have_the_same_tokens_everywhere(opensearch: Analyze, lowercase: bool, min_length: int) -> None:
    analysis = Analysis(lowercase=lowercase, min_length=min_length)
    for text in HARD:
        expected = tokens(text, analysis)
        assert in_tantivy(text, analysis, "exact") == expected
        assert opensearch(text, analysis, "exact") == expected


def test_characters_of_all_planes_have_the_same_tokens_everywhere(opensearch: Analyze) -> None:
    analysis = Analysis(min_length=1)
    sampled = [*range(0x20, 0x600), *range(0x600, 0x20000, 7), *range(0x20000, 0x110000, 257)]
    words = [f"a{chr(point)}B" for point in sampled if not 0xD800 <= point <= 0xDFFF]
    for text in batches(words):
        expected = tokens(text, analysis)
        assert in_tantivy(text, analysis, "exact") == expected
        assert opensearch(text, analysis, "exact") == expected


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("language", SNOWBALL)
def test_words_have_the_same_stems_on_both_engines(opensearch: Analyze, language: str, lowercase: bool) -> None:
    analysis = Analysis(language=language, lowercase=lowercase)
    words = [*INFLECTED[language].split(), *overrides(language)]
    for text in batches([*words, *(word.capitalize() for word in words)]):
        stems = in_tantivy(text, analysis, "stemmed")
        assert opensearch(text, analysis, "stemmed") == stems
        assert stems != tokens(text, analysis)


def test_without_a_language_nothing_is_stemmed(opensearch: Analyze) -> None:
    analysis = Analysis(language="none")
    text = INFLECTED["english"]
    assert opensearch(text, analysis, "stemmed") == in_tantivy(text, analysis, "stemmed") == tokens(text, analysis)
