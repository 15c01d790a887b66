"""Files are written whole or not at all."""

import pytest

from gameai_lib.base.files import write_whole


def test_a_write_that_breaks_leaves_the_old_file(tmp_path):
    path = tmp_path / "kept"
    path.write_text("old")

    def broken(file):
        file.write(b"half")
        raise RuntimeError("disk")

    with pytest.raises(RuntimeError, match="disk"):
        write_whole(path, broken)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["kept"]


def test_text_that_cannot_be_stored_leaves_the_old_file(tmp_path):
    path = tmp_path / "kept"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    assert path.read_text() == "old"


def test_the_file_has_the_mode_of_any_new_file(tmp_path):
    (tmp_path / "plain").write_text("")
    write_whole(tmp_path / "whole", "text")
    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(IsADirectoryError, match="a folder, not a file.*" + tmp_path.name):
        write_whole(tmp_path, "text")
