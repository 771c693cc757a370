"""Sentences that relate two entities: the paper's tables beside ours.

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171: Tables 4 and 5, Figure 2.
"""
