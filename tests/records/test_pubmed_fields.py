"""The fields of PubMed XML, on invented records."""

import pytest

from relsent_ir.records import Mesh, Record, Section, read_records

FULL = """\
<PubmedArticle>
  <MedlineCitation Status="MEDLINE" Owner="NLM">
    <PMID Version="1"> 00123 </PMID>
    <DateCompleted><Year>2014</Year><Month>01</Month></DateCompleted>
    <Article PubModel="Print">
      <Journal>
        <ISSN>1234-5678</ISSN>
        <JournalIssue CitedMedium="Print">
          <Volume>3</Volume><Issue>2</Issue><PubDate><Year>2011</Year><Month>Jul</Month></PubDate>
        </JournalIssue>
        <Title>Journal of invented ants</Title>
        <ISOAbbreviation>J. Ants</ISOAbbreviation>
      </Journal>
      <ArticleTitle>Ants &amp; <i>Formica  rufa</i> at
        5<sup>th</sup> instar&#x2014;H<sub>2</sub>O <b>and <u>more</u></b>.</ArticleTitle>
      <Abstract>
        <AbstractText Label="BACKGROUND" NlmCategory="BACKGROUND">Ants <!-- no --> are
          many.</AbstractText>
        <AbstractText Label="WHAT WE DID" NlmCategory="METHODS">We counted (p &lt;
          0.05).</AbstractText>
        <AbstractText Label="REGISTRATION">None.</AbstractText>
        <AbstractText>The end, <mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML">
          <mml:mi>x</mml:mi>
          <mml:mo>=</mml:mo><mml:mn>2</mml:mn></mml:math><![CDATA[ <sic>]]>.</AbstractText>
        <AbstractText Label="EMPTY"/>
        <CopyrightInformation>Copyright nobody.</CopyrightInformation>
      </Abstract>
      <Pagination><MedlinePgn>12-9</MedlinePgn></Pagination>
      <ELocationID EIdType="pii">S1</ELocationID>
      <ELocationID EIdType="doi">10.1000/ants.3</ELocationID>
      <Language>eng</Language><Language>ita</Language>
      <AuthorList CompleteYN="Y">
        <Author ValidYN="Y"><LastName>Rossi</LastName><ForeName>Ada B</ForeName>
          <Initials>AB</Initials>
          <AffiliationInfo><Affiliation>Nest</Affiliation></AffiliationInfo></Author>
        <Author ValidYN="N"><LastName>Webber</LastName><Initials>C</Initials></Author>
        <Author ValidYN="Y"><LastName>Weber</LastName><Initials>C</Initials><Suffix>Jr</Suffix>
          </Author>
        <Author><CollectiveName>The Ant <i>Study</i> Group</CollectiveName></Author>
        <Author><LastName>Plato</LastName></Author>
      </AuthorList>
      <PublicationTypeList>
        <PublicationType UI="D016428">Journal Article</PublicationType>
        <PublicationType UI="D016454">Review</PublicationType>
      </PublicationTypeList>
      <VernacularTitle>Ameisen.</VernacularTitle>
      <ArticleDate DateType="Electronic"><Year>2010</Year></ArticleDate>
    </Article>
    <MedlineJournalInfo><Country>Italy</Country><MedlineTA>J Ants</MedlineTA></MedlineJournalInfo>
    <ChemicalList>
      <Chemical><RegistryNumber>0</RegistryNumber>
        <NameOfSubstance UI="D1">Formates</NameOfSubstance></Chemical>
      <Chemical><RegistryNumber>0</RegistryNumber>
        <NameOfSubstance UI="D2">formic acid</NameOfSubstance></Chemical>
    </ChemicalList>
    <CommentsCorrectionsList>
      <CommentsCorrections RefType="Cites"><RefSource>J Ants 1</RefSource>
        <PMID Version="1">11</PMID></CommentsCorrections>
      <CommentsCorrections RefType="ErratumIn"><RefSource>J Ants 2</RefSource>
        <PMID Version="1">12</PMID></CommentsCorrections>
      <CommentsCorrections RefType="Cites"><RefSource>Nowhere</RefSource></CommentsCorrections>
      <CommentsCorrections RefType="Cites"><RefSource>J Ants 3</RefSource>
        <PMID Version="1">13</PMID></CommentsCorrections>
    </CommentsCorrectionsList>
    <MeshHeadingList>
      <MeshHeading><DescriptorName UI="D000818" MajorTopicYN="N">Animals</DescriptorName>
        </MeshHeading>
      <MeshHeading><DescriptorName MajorTopicYN="N">Ants</DescriptorName>
        <QualifierName MajorTopicYN="N">genetics</QualifierName>
        <QualifierName MajorTopicYN="Y">physiology</QualifierName></MeshHeading>
      <MeshHeading><DescriptorName MajorTopicYN="Y">Sugars</DescriptorName>
        <QualifierName MajorTopicYN="N">metabolism</QualifierName></MeshHeading>
    </MeshHeadingList>
    <OtherAbstract Type="Publisher" Language="ger"><AbstractText>Anderes.</AbstractText>
      </OtherAbstract>
    <KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">six legs</Keyword></KeywordList>
    <InvestigatorList><Investigator><LastName>Nobody</LastName><Initials>N</Initials>
      </Investigator></InvestigatorList>
  </MedlineCitation>
  <PubmedData>
    <History><PubMedPubDate PubStatus="pubmed"><Year>1999</Year></PubMedPubDate></History>
    <ArticleIdList><ArticleId IdType="pubmed">99</ArticleId>
      <ArticleId IdType="doi">10.1/x</ArticleId><ArticleId IdType="pmc">PMC7</ArticleId>
      </ArticleIdList>
    <ReferenceList><Title>References</Title>
      <Reference><Citation>One.</Citation><ArticleIdList><ArticleId IdType="pubmed">13</ArticleId>
        </ArticleIdList></Reference>
      <Reference><Citation>Two.</Citation><ArticleIdList><ArticleId IdType="pmc">PMC1</ArticleId>
        <ArticleId IdType="pubmed"> 14
        </ArticleId></ArticleIdList></Reference>
      <Reference><Citation>No id.</Citation></Reference>
      <ReferenceList><Title>More</Title>
        <Reference><Citation>Three.</Citation><ArticleIdList>
          <ArticleId IdType="pubmed">15</ArticleId></ArticleIdList></Reference>
      </ReferenceList>
    </ReferenceList>
  </PubmedData>
</PubmedArticle>
"""

BOOK = """\
<PubmedBookArticle>
  <BookDocument>
    <PMID Version="3">777</PMID>
    <ArticleIdList><ArticleId IdType="pubmed">778</ArticleId></ArticleIdList>
    <Book>
      <Publisher><PublisherName>Hive</PublisherName></Publisher>
      <BookTitle book="ants">Ants: <i>a handbook</i></BookTitle>
      <PubDate><Year>2002</Year></PubDate>
      <AuthorList Type="editors"><Author><LastName>Editor</LastName></Author></AuthorList>
    </Book>
    <ArticleTitle>Nests</ArticleTitle>
    <AuthorList Type="authors"><Author><LastName>Rossi</LastName><Initials>A</Initials></Author>
      </AuthorList>
    <PublicationType UI="D016454">Review</PublicationType>
    <Abstract><AbstractText>On nests.</AbstractText></Abstract>
    <Sections><Section><SectionTitle>No text</SectionTitle></Section></Sections>
    <ContributionDate><Year>2018</Year></ContributionDate>
    <ReferenceList><Reference><ArticleIdList><ArticleId IdType="pubmed">5</ArticleId>
      </ArticleIdList></Reference></ReferenceList>
  </BookDocument>
  <PubmedBookData><ArticleIdList><ArticleId IdType="pubmed">777</ArticleId></ArticleIdList>
    </PubmedBookData>
</PubmedBookArticle>
"""


def read(tmp_path, *records):
    """Give the records of a set."""
    path = tmp_path / "set.xml"
    path.write_text(f"<PubmedArticleSet>{''.join(records)}</PubmedArticleSet>")
    return list(read_records(path))


def article(citation="", inside="", data=""):
    """Write a record with PMID 1."""
    return (
        f"<PubmedArticle><MedlineCitation><PMID>1</PMID><Article>{inside}</Article>{citation}"
        f"</MedlineCitation><PubmedData>{data}</PubmedData></PubmedArticle>"
    )


def test_every_field(tmp_path):
    """Each field goes where it belongs, and nothing else gets in."""
    assert read(tmp_path, FULL) == [
        Record(
            id="00123",
            title="Ants & Formica rufa at 5th instar\u2014H2O and more.",
            vernacular_title="Ameisen.",
            sections=(
                Section("Ants are many.", "BACKGROUND", "BACKGROUND"),
                Section("We counted (p < 0.05).", "WHAT WE DID", "METHODS"),
                Section("None.", "REGISTRATION"),
                Section("The end, x =2 <sic>."),
            ),
            mesh=(
                Mesh("Animals"),
                Mesh("Ants", ("genetics", "*physiology"), major=True),
                Mesh("Sugars", ("metabolism",), major=True),
            ),
            chemicals=("Formates", "formic acid"),
            references=("11", "13", "14", "15"),
            year="2011",
            journal="J Ants",
            authors=("Rossi AB", "Weber C Jr", "The Ant Study Group", "Plato"),
            publication_types=("Journal Article", "Review", "Corrected Publication"),
            pmid="00123",
            doi="10.1000/ants.3",
            volume="3",
            issue="2",
            pages="12-9",
            affiliations=("Nest",),
            languages=("eng", "ita"),
            keywords=("six legs",),
            own=(("pmcid", "PMC7"), ("journal_title", "Journal of invented ants")),
        )
    ]


def test_books(tmp_path):
    """A chapter's title and abstract, in the book as its journal; without a title, the book."""
    assert read(tmp_path, BOOK) == [
        Record(
            id="777",
            title="Nests",
            sections=(Section("On nests."),),
            references=("5",),
            year="2002",
            journal="Ants: a handbook",
            authors=("Rossi A",),
            publication_types=("Review",),
            pmid="777",
        )
    ]
    book = """<PubmedBookArticle><BookDocument><PMID>7</PMID><Book><BookTitle>Ants</BookTitle>
        <AuthorList Type="editors"><Author><LastName>Editor</LastName></Author></AuthorList>
        <AuthorList Type="authors"><Author><LastName>Rossi</LastName></Author></AuthorList>
        </Book></BookDocument></PubmedBookArticle>"""
    assert read(tmp_path, book) == [Record("7", "Ants", authors=("Rossi",), pmid="7")]


PUB_DATE = "<Journal><JournalIssue><PubDate>{}</PubDate></JournalIssue></Journal>"
ARTICLE_DATE = "<ArticleDate><Year>1997</Year></ArticleDate>"
CREATED = "<DateCreated><Year>1976</Year></DateCreated>"
COMPLETED = "<DateCompleted><Year>1977</Year></DateCompleted>"
REVISED = "<DateRevised><Year>2000</Year></DateRevised>"


@pytest.mark.parametrize(
    ("citation", "inside", "year"),
    [
        (
            "",
            PUB_DATE.format("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>") + ARTICLE_DATE,
            "1998",
        ),
        ("", PUB_DATE.format("<Season>Spring</Season>") + ARTICLE_DATE, "1997"),
        (CREATED + COMPLETED + REVISED, "", "1977"),
        (CREATED, "", "1976"),
        (REVISED, "", ""),
    ],
)
def test_year(tmp_path, citation, inside, year):
    """The year of publication, or the best that there is; never that of a revision."""
    (record,) = read(tmp_path, article(citation, inside))
    assert record.year == year


def test_what_stands_in(tmp_path):
    """ISO's abbreviation goes before the title; a record without its own PMID borrows none."""
    title, iso = "<Title>Ants</Title>", "<ISOAbbreviation>A.</ISOAbbreviation>"
    records = [article("", f"<Journal>{names}</Journal>") for names in (title + iso, title, "")]
    assert [record.journal for record in read(tmp_path, *records)] == ["A.", "Ants", ""]
    without = FULL.replace('<PMID Version="1"> 00123 </PMID>', "")
    assert [record.id for record in read(tmp_path, without, article())] == ["1"]


def test_empty_elements(tmp_path):
    """Elements without text leave nothing behind."""
    inside = (
        "<ArticleTitle/><Abstract><AbstractText> \n </AbstractText></Abstract><AuthorList><Author/>"
        "</AuthorList><PublicationTypeList><PublicationType/></PublicationTypeList>"
    )
    citation = (
        "<ChemicalList><Chemical><NameOfSubstance/></Chemical></ChemicalList><MeshHeadingList>"
        '<MeshHeading><DescriptorName MajorTopicYN="Y"/><QualifierName/></MeshHeading>'
        "<MeshHeading><DescriptorName>Ants</DescriptorName><QualifierName/></MeshHeading>"
        "</MeshHeadingList>"
    )
    references = '<Reference><ArticleId IdType="pubmed"/></Reference>'
    data = f"<ReferenceList>{references}</ReferenceList>"
    expected = Record("1", mesh=(Mesh("Ants"),), pmid="1")
    assert read(tmp_path, article(citation, inside, data)) == [expected]
