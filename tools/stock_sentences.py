"""Learn the words of stock sentences from the labels of structured abstracts.

``python tools/stock_sentences.py DATA/rct/rct-train.xml.gz > relsent_ir/related/stock.tsv``:
sentences of sections whose label speaks of registration, funding or support against all others, a
logistic regression with an L1 penalty. A fifth of the records is left out; what is reached there
goes to standard error.
"""

import re
import sys
from dataclasses import replace
from pathlib import Path

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from relsent_ir.records import Record, read_records
from relsent_ir.related.matching.shown import BIAS, stock_features
from relsent_ir.related.pairs import held_out

STOCK = re.compile("REGIST|FUND|GRANT|SUPPORT", re.IGNORECASE)
WORDS = 200


def main(path: str) -> None:
    """Learn, measure and print."""
    texts, labels, records = [], [], []
    for record in read_records(Path(path)):
        if not isinstance(record, Record):
            continue
        for section in record.sections:
            if section.label:
                for sentence in replace(record, sections=(section,)).sentences():
                    if sentence.n:
                        texts.append(stock_features(sentence.text))
                        labels.append(bool(STOCK.search(section.label)))
                        records.append(record.id)
    test = held_out(records, 0, 0.2)
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform([dict.fromkeys(text, 1.0) for text in texts])
    model = LogisticRegression(C=1.0, l1_ratio=1.0, solver="liblinear", random_state=0)
    model.fit(matrix[~test], [y for y, out in zip(labels, test, strict=True) if not out])
    found = model.predict(matrix[test])
    truth = [y for y, out in zip(labels, test, strict=True) if out]
    both = sum(f and y for f, y in zip(found, truth, strict=True))
    print(f"precision {both}/{sum(found)}, recall {both}/{sum(truth)}", file=sys.stderr)
    print("# word, weight: tools/stock_sentences.py")
    print(f"{BIAS}\t{model.intercept_[0]:.3f}")
    weights = dict(zip(vectorizer.feature_names_, model.coef_[0].tolist(), strict=True))
    largest = sorted(weights, key=lambda word: -abs(weights[word]))[:WORDS]
    for word in sorted(word for word in largest if weights[word]):
        print(f"{word}\t{weights[word]:.3f}")


if __name__ == "__main__":
    main(sys.argv[1])
