"""The panel, drawn onto a layout that writes down what it is given."""

import types

import bpy
import pytest


@pytest.fixture(autouse=True)
def panel(extension):
    return extension.report


class Layout:
    def __init__(self):
        self.rows, self.buttons = [], []

    def column(self, align=False):
        return self

    def label(self, text="", icon="NONE"):
        self.rows.append((icon, text))

    def operator(self, name, icon="NONE"):
        self.buttons.append(name)


def drawn():
    layout = Layout()
    bpy.types.VIEW3D_PT_maquette_report.draw(types.SimpleNamespace(layout=layout), bpy.context)
    return layout


def test_the_panel_shows_what_was_lost_file_by_file(empty, made, tmp_path):
    bpy.ops.import_scene.maquette(filepath=str(made("post.aem")))
    bpy.ops.export_scene.maquette(filepath=str(tmp_path / "out.nlm"), format="nlm")
    rows = drawn().rows
    assert rows[0] == ("FILE", "out.nlm")
    assert any(text.startswith("dropped") for _, text in rows)
    assert all(len(text) < 120 for _, text in rows)
    assert drawn().buttons == ["wm.maquette_copy_report"]


def test_an_error_is_the_lines_of_the_panel_too(empty, tmp_path):
    (tmp_path / "broken.aem").write_bytes(b"no model")
    try:
        bpy.ops.import_scene.maquette(filepath=str(tmp_path / "broken.aem"))
    except RuntimeError:
        pass
    assert ("FILE", "broken.aem") in drawn().rows and any(icon == "ERROR" for icon, _ in drawn().rows)


def test_a_pop_up_names_how_many_lines_it_leaves_out(panel):
    layout = Layout()
    lines = [types.SimpleNamespace(level="WARNING", file="a", text=f"line {index}") for index in range(20)]
    panel.draw_lines(layout, lines, 12)
    assert layout.rows[-1][1].startswith("and 8 more")


def test_nothing_to_tell_is_told(empty, made):
    bpy.ops.import_scene.maquette(filepath=str(made("post.nlm")))
    bpy.context.window_manager.maquette_report.clear()
    assert drawn().rows == [("NONE", "Nothing was lost and nothing found")]
