"""Topics that belong together."""

import pytest

from relsent_ir.errors import MismatchError
from relsent_ir.trec import check_common_topics


def test_one_common_id_is_enough():
    """Ids that only one side has are somebody else's concern."""
    check_common_topics({"1": 0, "2": 0}, ["2", "3"], "a", "b")


def test_no_common_id():
    """Both places are named, with an example of each: leading zeros are easy to overlook."""
    with pytest.raises(
        MismatchError, match=r"a\.txt \(such as topic 01\) and b\.txt \(such as topic 1\)"
    ):
        check_common_topics({"01": 0}, {"1": 0}, "a.txt", "b.txt")
    with pytest.raises(MismatchError, match=r"b\.txt \(no topics\)"):
        check_common_topics({"01": 0}, {}, "a.txt", "b.txt")
