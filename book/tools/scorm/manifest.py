"""The manifest of a package: what a learning platform reads of it (SCORM 1.2, CAM 2.3)."""

from pathlib import PurePosixPath
from string import Template
from xml.sax.saxutils import escape, quoteattr

MANIFEST = Template("""\
<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="game-ai-$chapter" version="1.0"
  xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
  <organizations default="chapter">
    <organization identifier="chapter">
      <title>$title</title>
$items
    </organization>
  </organizations>
  <resources>
$resources
    <resource identifier="shared" type="webcontent" adlcp:scormtype="asset">
$shared
    </resource>
  </resources>
</manifest>
""")
ITEM = """\
      <item identifier="item-{stem}" identifierref="page-{stem}"><title>{title}</title></item>"""
PAGE = """\
    <resource identifier="page-{stem}" type="webcontent" adlcp:scormtype="sco" href={name}>
      <file href={name}/>
      <dependency identifierref="shared"/>
    </resource>"""


def manifest(chapter, titles, shared):
    """The text of ``imsmanifest.xml``.

    Parameters
    ----------
    chapter : str
    titles : dict of str to str
        Titles of the pages, by their names in the package; the first is the chapter's.
    shared : iterable of str
        Names of all other files.
    """
    stems = {name: PurePosixPath(name).stem for name in titles}
    items = [ITEM.format(stem=stems[name], title=escape(title)) for name, title in titles.items()]
    pages = [PAGE.format(stem=stem, name=quoteattr(name)) for name, stem in stems.items()]
    return MANIFEST.substitute(
        chapter=chapter,
        title=escape(next(iter(titles.values()))),
        items="\n".join(items),
        resources="\n".join(pages),
        shared="\n".join(f"      <file href={quoteattr(name)}/>" for name in shared),
    )
