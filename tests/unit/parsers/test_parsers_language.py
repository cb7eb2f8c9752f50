import pytest

from workers.parsers.language import detect_language, parse_language_tag

TEXTS = {
    "en": "The quick brown fox jumps over the lazy dog, and it was not the first time that this happened. ",
    "de": "Der schnelle braune Fuchs springt über den faulen Hund, und es war nicht das erste Mal, dass das geschah. ",
    "fr": "Le renard brun saute par-dessus le chien paresseux, et ce n'est pas la première fois que cela se passe. ",
    "es": "El zorro marrón salta sobre el perro perezoso, y no es la primera vez que esto ocurre en el jardín. ",
    "it": "La volpe marrone salta sopra il cane pigro, e non è la prima volta che questo accade nel giardino. ",
    "pt": "A raposa marrom salta sobre o cão preguiçoso, e não é a primeira vez que isso acontece no jardim. ",
    "nl": "De snelle bruine vos springt over de luie hond, en het is niet de eerste keer dat dit in de tuin gebeurt. ",
    "ru": "Быстрая лиса прыгает через ленивую собаку, и это не первый раз, когда так бывает в саду, но она не одна. ",
    "ja": "素早い茶色の狐はのろまな犬を飛び越えた。これは庭で初めてのことではありませんでした。",
    "zh": "敏捷的棕色狐狸跳过了懒惰的狗。这不是花园里第一次发生这样的事情。",
    "ko": "빠른 갈색 여우가 게으른 개를 뛰어넘었다. 정원에서 이런 일이 처음은 아니었다.",
    "el": "Γρήγορη καφέ αλεπού πηδάει πάνω από το τεμπέλικο σκυλί, και δεν είναι η πρώτη φορά που συμβαίνει. ",
}


@pytest.mark.parametrize("language", TEXTS)
def test_long_texts_tell_their_language(language: str) -> None:
    assert detect_language(TEXTS[language] * 8) == language


@pytest.mark.parametrize("text", ["The short text of the day", "xyzzy plugh " * 60, "1234 5678 " * 100, ""])
def test_short_and_strange_texts_do_not(text: str) -> None:
    assert detect_language(text) is None


def test_tags_are_reduced_to_the_language() -> None:
    assert [parse_language_tag(tag) for tag in ("en-US", "DE", "pt_BR", "english", "", "x-y")] == [
        "en",
        "de",
        "pt",
        None,
        None,
        None,
    ]
