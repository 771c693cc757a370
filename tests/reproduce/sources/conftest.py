"""The local site of the tests of data sets."""

from tests.datasets.conftest import site as site
