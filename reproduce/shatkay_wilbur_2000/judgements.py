"""The ten labels as their readers judge them, each beside the titles of its records."""

from collections.abc import Mapping, Sequence
from typing import Final

from reproduce.page import table

JUDGED: Final = {
    "pneumothorax": (
        "pneumothorax, hemoptysis, open thoracotomy, episodes, thoracic, therapeutic, "
        "postoperative, downhill course, adults, recurrence",
        5,
        "partly",
    ),
    "pancreatitis": (
        "secretin, insulin responses, glucose tolerance, amylases, pancreas, arginine infusion, "
        "pancreatic function, body weight, family history, diminished",
        7,
        "partly",
    ),
    "cor pulmonale": (
        "right ventricular, pulmonary heart, ventricle, echocardiography, cor pulmonale, left, "
        "electrocardiography, dimension, hypertrophy, septal",
        10,
        "right",
    ),
    "osteoarthropathy": (
        "secondary hypertrophic, osteoarthropathy, adenoids, diagnosis differential, radiographic, "
        "clubbing, aspirin, sinusitis, radiographs, longer",
        5,
        "partly",
    ),
    "gallbladder disease": (
        "gallbladder, abdominal pain, liver, complaints, fibrosis seen, incidence, hepatomegaly, "
        "biliary tract, symptoms, fatty infiltration",
        6,
        "partly",
    ),
    "meconium ileus equivalent": (
        "ileus equivalent, intestinal obstruction, meconium, enema, acetylcysteine, bowel, "
        "clinical suspicion, complicated, gastrografin, case report",
        7,
        "right",
    ),
    "nasal polyps": (
        "nasal polyps, otitis media, ear, mucous glands, polyposis, sinus, epithelium, nose, "
        "eosinophils, allergic rhinitis",
        10,
        "right",
    ),
    "hemoptysis": (
        "hemoptysis, bleeding, initial episode, pneumothorax, therapeutic, recurrence, "
        "bronchial arteries, younger patients, occurred, massive",
        6,
        "partly",
    ),
    "aspergillosis": (
        "aspergillus fumigatus, ige, hypersensitivity, skin tests, sensitization, grass pollen, "
        "immediate, allergic, antibodies fungal, positive prick",
        10,
        "right",
    ),
    "portal hypertension": (
        "portal hypertension, complications, interstitial, portacaval shunt, cor pulmonale, "
        "meconium ileus, postoperative, pulmonary heart, vessels, year period",
        4,
        "partly",
    ),
}
"""By the kernel's complication: the label that was read, how many of its terms belong, the word."""


def judgements(labels: Mapping[str, Sequence[str]]) -> str:
    """Set the labels beside what was said of them; one that was not read has a dash."""
    rows = []
    for name, terms in labels.items():
        label = ", ".join(terms)
        read, belong, word = JUDGED[name]
        rows.append([name, label, *([str(belong), word] if label == read else ["–", "–"])])
    return table(["", "label", "terms that belong", "judged"], rows)
