"""Files are written whole or not at all."""

import pytest

from gameai_lib.base.files import write_whole


def test_a_write_that_breaks_leaves_the_old_file(tmp_path):
    path = tmp_path / "kept"
    write_whole(path, "old")
    (tmp_path / "plain").write_text("")
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode

    def broken(file):
        file.write(b"half")
        raise RuntimeError("disk")

    for content, error in ((broken, RuntimeError), ("\ud800", UnicodeEncodeError)):
        with pytest.raises(error):
            write_whole(path, content)
    assert path.read_text() == "old"
    assert {one.name for one in tmp_path.iterdir()} == {"kept", "plain"}
    before = path.stat().st_ino
    write_whole(path, lambda file: file.write(b"new"))
    assert path.read_text() == "new"
    assert path.stat().st_ino != before  # another file has taken its place


def test_what_is_no_file_and_no_content_is_named(tmp_path):
    with pytest.raises(IsADirectoryError, match="a folder, not a file.*" + tmp_path.name):
        write_whole(tmp_path, "text")
    with pytest.raises(FileNotFoundError, match=r"no folder for the file.*gone.file'"):
        write_whole(tmp_path / "gone" / "file", "text")
    with pytest.raises(TypeError, match=r"takes text, or a function that writes.*got a int"):
        write_whole(tmp_path / "file", 7)
