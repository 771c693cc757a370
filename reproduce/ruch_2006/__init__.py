"""Argumentative feedback: the paper's table and ours, and the potential of feedback here.

Reference
---------
P. Ruch, I. Tbahriti, J. Gobeill, A. R. Aronson. Argumentative feedback: a linguistically-motivated
term expansion for information retrieval. COLING/ACL 2006 posters, 675-682: Table 5.
"""
