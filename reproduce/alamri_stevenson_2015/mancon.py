"""ManConCorpus (Alamri & Stevenson): review questions, and the sentence of an abstract that claims.

It has no abstracts; the questions are taken whose abstract is in the abstracts collection, or in
the folder ``mancon`` beside it, which takes the records that ``fetch mancon`` brings.
"""

from pathlib import Path

from lxml import etree

from relsent_ir.answers.questions import Question
from relsent_ir.datasets.catalogue import data_path
from relsent_ir.errors import InputError
from relsent_ir.records import list_inputs, read_records


def mancon_questions() -> list[Question]:
    """Read the questions, each with one abstract and its claim.

    Raises
    ------
    InputError
        If the file is no XML.
    """
    path = data_path("answers", "mancon.xml")
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        claims = list(etree.parse(str(path), parser).iter("CLAIM"))
    except etree.XMLSyntaxError as error:
        raise InputError(f"no XML ({error})", where=path) from error
    wanted = {claim.get("PMID", "") for claim in claims}
    abstracts = data_path("abstracts", "abstracts.jsonl.gz")
    own = abstracts.parents[1] / "mancon"
    sources: list[tuple[Path, str | None]] = [(abstracts, None)]
    sources += list_inputs([own])[0] if own.is_dir() else []
    records = {
        record.id: record
        for path, form in sources
        for record in read_records(path, form)
        if record.id in wanted
    }
    return [
        Question(
            f"mancon-{n}",
            claim.get("QUESTION", ""),
            records[claim.get("PMID", "")],
            (claim.text or "",),
            f"{path}, claim {n}",
        )
        for n, claim in enumerate(claims, 1)
        if claim.get("PMID", "") in records
    ]
