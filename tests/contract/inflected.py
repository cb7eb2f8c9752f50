"""Inflected words of each language that indices are offered for."""

INFLECTED = {
    "arabic": "الكتاب كتاب كتب والكتاب كتابه كتابها مكتبة المكتبات يكتبون كاتبون المعلمين معلمات مدرسة المدرسة سيارات",
    "danish": "hus huse huset husene husenes arbejde arbejder arbejdede kærlighed venlig venlige hunden hundene biler",
    "english": (
        "run running runs runner ran happy happily happiness nation national nationalize relational conditional "
        "rationally valency digitizer conformably radically differently vileness analogously predication operator "
        "feudalism decisiveness hopefulness callousness formality sensitivity sensibility triplicate formative "
        "formalize electricity electrical hopeful goodness revival allowance inference airliner adjustable "
        "defensible irritant replacement adjustment dependent adoption communism activate effective bowdlerize "
        "skis dying lying tying news innings proceed exceed succeed generate generous commune communication "
        "arsenal arsenic ties cries gas gaps kiwis agreed feed fluently hopping hoping falling filing sky skies "
        "internal interval lateral emergency organization university paste evening biologist singly idly ugly only"
    ),
    "french": (
        "continu continua continuait continuant continuation continuellement majesté majestueux majestueusement "
        "chanter chantons chanteraient chanteuse heureux heureuse nationalité national nationaux lire lisible française"
    ),
    "greek": "βιβλίο βιβλία βιβλίων άνθρωπος άνθρωποι ανθρώπους τρέχω τρέχεις τρέχουμε γράφω έγραψα γυναίκες σπίτια",
    "hungarian": "ház házak házban házakban házamat könyv könyvek könyveimet szép szebb olvas olvasnak városból",
    "italian": "abbandonare abbandonata abbandonato abbandonavano libri libro nazionale nazionalità felice felicemente",
    "portuguese": "boa boas bom livro livros nacional nacionalidade correr corriam correndo ações quilômetros",
    "romanian": "carte cărți cărții cărților copil copiii copiilor frumos frumoasă lucra lucrează lucrând național",
    "russian": "книга книги книге книгами бежать бежал бежала бегущий красивый красивая красивейший вечность важничать",
    "spanish": "chico chicos libro libros nacional nacionalidad correr corrían corriendo felizmente acciones dárselo",
    "tamil": "வீடு வீடுகள் வீட்டில் மரங்கள் மரத்தை படித்தான் படிக்கிறான் புத்தகங்கள் புத்தகத்தின்",
    "turkish": "ev evler evlerde evlerimizden kitap kitaplar\u0131 okumak okuyor güzellik çocuklar\u0131m\u0131z",
}
