"""Clips of files, edited."""

import io
import pathlib
from typing import Any

import pytest

import maquette
from maquette import clip


@pytest.fixture
def walk(tmp_path: pathlib.Path) -> pathlib.Path:
    return pathlib.Path(maquette.sample("walk.seanim").save(tmp_path)[0])


@pytest.fixture
def post(tmp_path: pathlib.Path) -> pathlib.Path:
    return pathlib.Path(maquette.sample("post.glb").save(tmp_path)[0])


def seen(edited: clip.Edited) -> "dict[str, Any]":
    """The first clip of the first file that came of it."""
    rows: "list[dict[str, Any]]" = clip.info(edited.outputs[0].bytes)["clips"]
    return rows[0]


def test_a_part_is_kept_by_seconds_or_frames(walk: pathlib.Path, tmp_path: pathlib.Path) -> None:
    edited = clip.trim(walk, tmp_path / "part.seanim", start=0.5, end="30f")
    assert seen(edited)["duration_secs"] == 0.5
    assert edited.clips[0]["did"] == "keeps 0.5 to 1 s"
    assert edited.outputs[0].paths == [str(tmp_path / "part.seanim")]
    with pytest.raises(maquette.Error):
        clip.trim(walk, start=1.0, end=0.5)
    with pytest.raises(ValueError, match="45f"):
        clip.trim(walk, end="soon")


def test_frames_and_pace(walk: pathlib.Path) -> None:
    assert seen(clip.resample(walk, fps=60))["frame_rate"] == 60
    assert seen(clip.retime(walk, speed=2))["duration_secs"] == 1
    assert seen(clip.retime(walk, duration=4, keep_fps=True))["frame_rate"] == 30
    with pytest.raises(TypeError, match="fps is missing"):
        clip.resample(walk)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="one of speed, duration and fps"):
        clip.retime(walk)


def test_twice_backwards_is_the_clip_as_it_was(walk: pathlib.Path) -> None:
    once = clip.reverse(walk).outputs[0].bytes
    assert once != walk.read_bytes()
    assert clip.reverse(once, read_name="walk.seanim").outputs[0].bytes == walk.read_bytes()


def test_lengths_change_and_nothing_else(walk: pathlib.Path) -> None:
    def values(rows: "list[dict[str, Any]]", wanted: str) -> "list[Any]":
        return [row["first"] for row in rows if row["property"] == wanted]

    before, after = clip.info(walk)["clips"][0]["tracks"], seen(clip.scale(walk, factor=3))["tracks"]
    assert values(after, "translation") == [[3 * x for x in value] for value in values(before, "translation")] != values(before, "translation")
    assert values(after, "rotation") == values(before, "rotation") and values(after, "scale") == values(before, "scale")


def test_a_clip_repeats(walk: pathlib.Path) -> None:
    looped = clip.loop(walk, seam=True, count=3, flag=True)
    assert (seen(looped)["duration_secs"], seen(looped)["looped"]) == (6, True)
    for wrong in ({}, {"blend": 0.1}, {"flag": True, "accumulate": True}):
        with pytest.raises(TypeError):
            clip.loop(walk, **wrong)


def test_parts_become_files_of_their_own(walk: pathlib.Path, tmp_path: pathlib.Path) -> None:
    edited = clip.split(walk, str(tmp_path / "parts") + "/", parts=2)
    assert [output.name for output in edited.outputs] == ["walk.1.seanim", "walk.2.seanim"]
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == ["walk.1.seanim", "walk.2.seanim"]
    assert len(clip.split(walk, at=[0.5, "45f"]).outputs) == 3
    assert len(clip.split(walk, events=True).outputs) == 3
    with pytest.raises(ValueError, match="a file object takes one"):
        clip.split(walk, io.BytesIO(), parts=2)
    with pytest.raises(TypeError, match="one of at, parts, every and events"):
        clip.split(walk, parts=2, events=True)


def test_clips_become_one(walk: pathlib.Path) -> None:
    assert seen(clip.merge([walk, walk.read_bytes()]))["duration_secs"] == 4
    assert seen(clip.merge([walk, walk], layers=True, prefer="last"))["duration_secs"] == 2
    with pytest.raises(maquette.Error, match="merged with nothing"):
        clip.merge(walk)


def test_names_change(post: pathlib.Path, tmp_path: pathlib.Path) -> None:
    renamed = clip.rename(post, clip_name="lean", bones={"tip": "head"}).outputs[0].bytes
    scene = maquette.read(renamed)
    assert scene.clips.names == ["lean"] and "head" in scene.nodes and "tip" not in scene.nodes
    (tmp_path / "map.txt").write_text("tip = top\n")
    assert "top" in maquette.read(clip.rename(post, map=tmp_path / "map.txt").outputs[0].bytes).nodes
    with pytest.raises(TypeError, match="at least one of"):
        clip.rename(post)
    with pytest.raises(maquette.Error, match="near is"):
        clip.rename(post, bones={"tap": "x"})


def test_clips_of_others_are_put_onto_a_model(post: pathlib.Path, walk: pathlib.Path, tmp_path: pathlib.Path) -> None:
    edited = clip.apply(post, [walk, maquette.read(walk)], tmp_path / "both.glb")
    assert len(maquette.read(tmp_path / "both.glb").clips) == 3
    assert edited.clips[0]["figures"][0]["what"] == "bones moved"
    only = clip.apply(post, walk, own_clips="left-out", format="glb")
    assert maquette.read(only.outputs[0].bytes).clips.names == ["walk"]


def test_left_and_right_change_places_and_back(post: pathlib.Path) -> None:
    once = clip.mirror(post).outputs[0].bytes
    assert maquette.diff(post, once) != []
    assert maquette.diff(post, clip.mirror(once, name="p.glb").outputs[0].bytes) == []
    with pytest.raises(ValueError, match='"x", "y" or "z"'):
        clip.mirror(post, axis="w")  # type: ignore[arg-type]


def test_differences_from_a_pose_and_back(walk: pathlib.Path, post: pathlib.Path, tmp_path: pathlib.Path) -> None:
    clip.additive_make(walk, tmp_path / "add.seanim", relative_to="rest", skeleton=post)
    assert clip.info(tmp_path / "add.seanim")["clips"][0]["blend"] == "additive"
    back = clip.additive_compose(tmp_path / "add.seanim", tmp_path / "walk.seanim", onto="rest", skeleton=maquette.read(post))
    assert clip.info(back.outputs[0].bytes)["clips"][0]["blend"] == "absolute"
    clip.additive_make(walk, relative_to="first")
    clip.additive_make(walk, relative_to=(walk.read_bytes(), 0.5))
    with pytest.raises(ValueError, match="its own first frame"):
        clip.additive_compose(tmp_path / "add.seanim", onto="first")
    with pytest.raises(TypeError, match="base_clip is of a file"):
        clip.additive_make(walk, relative_to="rest", base_clip="x")


def test_the_way_of_a_root_is_taken_out_and_put_back(post: pathlib.Path, walk: pathlib.Path) -> None:
    out = clip.root_motion_extract(post, into="way", axes="xz,yaw").outputs[0].bytes
    assert "way" in maquette.read(out).nodes
    assert "way" not in clip.info(clip.root_motion_bake(out, from_="way").outputs[0].bytes)["clips"][0]
    assert clip.root_motion_remove(post).clips[0]["clip"] == "sway"
    with pytest.raises(maquette.Error, match='say up="y" or up="z"'):
        clip.root_motion_remove(walk)
    with pytest.raises(ValueError, match="xz,yaw"):
        clip.root_motion_remove(walk, axes="w")


def test_clips_are_given_another_skeleton(post: pathlib.Path) -> None:
    scene = maquette.read(post)
    for node in scene.nodes:
        node.name = "other_" + node.name
    pairs = {name: "other_" + name for name in ("base", "middle", "tip")}
    edited = clip.retarget(post, format="glb", skeleton=scene, map=pairs)
    assert "other_tip" in maquette.read(edited.outputs[0].bytes).nodes
    proposed = clip.propose(post, post)
    assert proposed["mapped"] == len(proposed["bones"]) == 4


def test_fewer_keys_stay_within_the_tolerance(post: pathlib.Path) -> None:
    few = clip.reduce(post, tolerance="1mm")
    assert seen(few)["keys"] < clip.info(post)["clips"][0]["keys"]
    with pytest.raises(ValueError, match="a length such as"):
        clip.reduce(post, tolerance="1 inch")


def test_what_a_clip_says_of_itself_is_put_right(walk: pathlib.Path) -> None:
    fixed = seen(clip.fix(walk, looped=True, blend="additive"))
    assert (fixed["looped"], fixed["blend"]) == (True, "additive")


def test_clips_are_looked_at(walk: pathlib.Path, post: pathlib.Path, tmp_path: pathlib.Path) -> None:
    assert clip.info(walk)["clips"][0]["frames"] == 61
    told = clip.doctor(walk, skeleton=post)
    assert told["ok"] is True and told["findings"] == []
    plot = clip.plot(walk, bones="middle")
    assert (plot.clip, plot.format, plot.drawn) == ("walk", "png", 3)
    assert plot.bytes.startswith(b"\x89PNG") and plot._repr_svg_() is None
    svg = clip.plot(walk, format="svg", properties=["rotation"])
    assert svg.drawn == 3 and (svg._repr_svg_() or "").startswith("<svg")
    svg.save(tmp_path / "curves.svg")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(maquette.Error, match="force=True overwrites it"):
        svg.save(tmp_path / "notes.txt")
    with pytest.raises(maquette.Error, match="none of the tracks"):
        clip.plot(walk, bones="nobody")


def test_only_named_clips_change(post: pathlib.Path) -> None:
    with pytest.raises(maquette.Error, match='it has "sway"'):
        clip.reverse(post, clips="run")
    assert clip.reverse(post, clips="sw*").clips[0]["clip"] == "sway"


def test_options_that_all_have(walk: pathlib.Path, tmp_path: pathlib.Path) -> None:
    steps: "list[str]" = []
    clip.reverse(walk, tmp_path / "b.seanim", progress=lambda stage, done, total: steps.append(stage))
    assert "writing megabytes" in steps
    assert clip.reverse(walk, tmp_path).outputs[0].paths == [str(walk)]
    memory = io.BytesIO()
    assert clip.reverse(walk, memory).outputs[0].bytes == memory.getvalue()
    with pytest.raises(TypeError, match='trim\\(\\) has no option "stat"; did you mean start'):
        clip.trim(walk, stat=1)  # type: ignore[call-arg]


def test_the_module_is_one_that_can_be_imported() -> None:
    import maquette.clip as module

    assert module is clip is maquette.clip
    assert "full precision" in (module.__doc__ or "")
