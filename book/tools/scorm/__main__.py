"""Pack each chapter of the built book for a learning platform: ``python -m book.tools.scorm``."""

from book.tools.chapters import CHAPTERS, ROOT
from book.tools.scorm.packing import TARGET, contents, zip_files
from gameai_lib.base.files import write_whole


def main():
    """Write one zip a chapter, and say how large it is."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for chapter in CHAPTERS:
        content, path = zip_files(contents(chapter)), TARGET / f"{chapter}.zip"
        write_whole(path, lambda file, content=content: file.write(content))
        print(f"{path.relative_to(ROOT)}: {len(content) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
