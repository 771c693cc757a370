"""The words that the sentence splitter knows. Case counts."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER = _words(
    """
    approx ca cf cit e.g eg fig figs i.e ie p pp ref refs ssp subsp v viz vs
    Co Dr Fig Figs Mr Mrs No Nos Prof Ref Refs St Ste
    Acad Adv Am Ann Appl Biochem Biol Biophys Br Chem Clin Endocrinol Environ Eur Exp Genet Hum
    Immunol Int Invest Med Metab Microbiol Mol Natl Neurol Neurosci Oncol Pathol Pharmacol Phys
    Physiol Proc Psychiatr Radiat Res Sci Soc Surg Toxicol Virol
    """
)
"""Abbreviations whose full stop never ends a sentence."""

SELDOM = _words(
    """
    al etc gen hr hrs inj max mg min ml mo mos no nos nov resp sec sp spp var vol wt yr yrs
    Corp Inc Jr Ltd Vol
    """
)
"""Abbreviations and words whose full stop ends a sentence only before a capital letter."""

STARTERS = _words(
    """
    A After All Also Although Among An Analysis And Another As At Because Before Between Both But By
    Compared Consequently Conversely Despite Due During Each Eight Either Even Finally First Five
    For Four From Further Furthermore Given Group Here How However If In Increased Indeed Instead
    Interestingly Is It Its Later Like Many Mean Moreover Most Neither Nevertheless Nine No None Nor
    Not Of On One Only Other Our Out Over Overall Patients Previous Rather Recent Recently Results
    Second Seven Several She Similar Similarly Since Six Some Studies Subjects Subsequently Such Ten
    That The Their Then There Therefore These They This Those Three Through Thus To Together
    Treatment Twelve Twenty Two Under Unlike Until Upon Using We What When Whereas Whether Which
    While Who Why With Within Without Yet
    AIM AIMS BACKGROUND CONCLUSION CONCLUSIONS DESIGN FINDINGS INTERPRETATION METHOD METHODS
    OBJECTIVE OBJECTIVES PURPOSE RESULT RESULTS SETTING
    """
)
"""Words that begin sentences and are no names: before them even "B." or "U.S." was an end."""

NOTES = frozenset(["ABSTRACT", "References"])
"""How the bracketed notes of NLM and publishers at the end of an abstract begin."""
