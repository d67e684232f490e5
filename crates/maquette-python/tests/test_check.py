"""Checking files, and looking into them."""

import pathlib

import pytest

import maquette


def test_a_sound_file_is_true_and_has_no_findings() -> None:
    checked = maquette.check(maquette.sample("post.glb").bytes)
    assert checked and checked.ok and checked.readable
    assert (checked.format, checked.dialect, len(checked), list(checked)) == ("gltf", "binary", 0, [])


def test_findings_say_what_where_and_what_would_be_right() -> None:
    checked = maquette.check(maquette.sample("x.aem", fault="AEM0028").bytes, name="x.aem")
    assert not checked and checked.file == "x.aem"
    found = [finding for finding in checked if finding.code == "AEM0028"][0]
    assert (found.name, found.severity, found.path) == ("mip-chain-overlap", "warning", "textures[1].offset")
    assert found.offset == 0xC30 and found.expected is not None and found.why
    assert str(found).startswith("warning AEM0028 mip-chain-overlap at 0xc30 in textures[1].offset: ")
    assert checked[-1].code == found.code and len(checked[:1]) == 1


def test_a_file_that_cannot_be_read_is_a_verdict() -> None:
    checked = maquette.check(maquette.sample("post.aem").bytes[:100], name="a.aem")
    assert (checked.ok, checked.readable, checked.format) == (False, False, "aem")
    assert checked.findings[0].severity == "error"
    nothing = maquette.check(b"hello")
    assert (nothing.ok, nothing.format) == (False, None) and nothing.error


def test_every_place_of_a_finding_can_be_had_and_their_number_bounded() -> None:
    scene = maquette.read(maquette.sample("post.glb").bytes)
    normals = scene.meshes[0].primitives[0].normals
    assert normals is not None
    normals *= 2
    data = maquette.write(scene, name="a.aem", textures="none").bytes
    together = maquette.check(data)
    assert [(finding.code, finding.count) for finding in together] == [("AEM0061", 28)]
    assert len(maquette.check(data, each=True)) == 28
    some = maquette.check(data, each=True, most=3)
    assert (len(some), some.left_out, bool(some)) == (3, 25, False)


def test_info_is_what_the_command_prints_as_json() -> None:
    info = maquette.info(maquette.sample("post.glb").bytes, name="post.glb")
    assert (info["file"], info["format"], info["dialect"], info["vertices"]) == ("post.glb", "gltf", "binary", 28)
    assert info["clips"][0]["name"] == "sway"
    with pytest.raises(maquette.ReadError):
        maquette.info(b"hello")


def test_formats_and_codes_are_explained() -> None:
    formats = {row["id"]: row for row in maquette.formats()}
    assert {"aem", "gltf", "seanim"} <= set(formats) and "glb" in formats["gltf"]["extensions"]
    assert maquette.explain("aem0028")["name"] == "mip-chain-overlap"
    assert maquette.explain("rest poses")["why"]
    byte = maquette.explain(maquette.sample("post.aem").bytes, 8)
    assert (byte["path"], byte["value"]) == ("header.index_count", "54")
    with pytest.raises(maquette.Error, match="AEM9999"):
        maquette.explain("AEM9999")


def test_a_dump_has_every_field_or_those_of_a_part() -> None:
    data = maquette.sample("post.aem").bytes
    assert maquette.dump(data)["header"]
    assert "joints" not in str(maquette.dump(data, section="header"))
    with pytest.raises(ValueError):
        maquette.dump(data, section="[[")


def test_differences_are_between_meanings() -> None:
    data = maquette.sample("post.glb").bytes
    scene = maquette.read(data)
    assert maquette.diff(data, scene) == []
    scene.meshes[0].primitives[0].positions += 1
    found = maquette.diff(data, scene)
    assert found and {"what", "subject", "a", "b"} <= set(found[0])
    assert maquette.diff(data, scene, tolerance=1e9) == []
    with pytest.raises(ValueError, match="tolerance"):
        maquette.diff(data, scene, tolerance=-1)


def test_textures_come_out_as_files(tmp_path: pathlib.Path) -> None:
    data = maquette.sample("post.aem").bytes
    files = maquette.textures(data, tmp_path / "new")
    assert files and all(content.startswith(b"\x89PNG") for content in files.values())
    assert {path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()} == files
    maquette.textures(data, tmp_path / "new")
    name = next(iter(files))
    (tmp_path / "new" / name).write_bytes(b"other")
    with pytest.raises(maquette.Error, match="force=True"):
        maquette.textures(data, tmp_path / "new")
    maquette.textures(data, tmp_path / "new", force=True)
    assert all(content.startswith(b"DDS ") for content in maquette.textures(data, dds=True).values())
    assert any("base_color" in name for name in maquette.textures(data, srgb=True, name="post.aem"))
    with pytest.raises(ValueError, match="choose dds or srgb"):
        maquette.textures(data, dds=True, srgb=True)


@pytest.mark.parametrize("row", maquette.formats(), ids=lambda row: str(row["id"]))
def test_samples_of_every_format_and_dialect_are_sound(row: "dict[str, object]") -> None:
    extensions, dialects = row["extensions"], row["dialects"]
    assert isinstance(extensions, list) and isinstance(dialects, list)
    for dialect in dialects:
        output = maquette.sample("x", format=str(row["id"]), dialect=dialect["id"])
        files = output.files
        assert output.dialect == dialect["id"]
        assert maquette.check(output.bytes, name=output.name, companions=files).readable


def test_a_creature_is_made_in_any_model_format() -> None:
    creature = maquette.sample("c.aem", model="creature")
    assert creature.format == "aem" and len(creature.losses) > 0
    with pytest.raises(ValueError, match="its own model"):
        maquette.sample("c.aem", model="creature", fault="AEM0028")
