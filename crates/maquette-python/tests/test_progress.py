"""Progress, threads, and the interpreter while work is done."""

import multiprocessing
import pathlib
import sys
import threading
import time

import numpy as np
import pytest

import maquette


def noisy() -> maquette.Scene:
    """A model whose texture takes a while to be compressed."""
    scene = maquette.read(maquette.sample("post.glb").bytes)
    scene.images[0].set_pixels(np.random.default_rng(7).integers(0, 256, (256, 256, 4), dtype=np.uint8))
    return scene


def test_every_stage_is_told(tmp_path: pathlib.Path) -> None:
    steps: "list[tuple[str, int, int]]" = []
    maquette.write(noisy(), tmp_path / "c.aem", textures="fast", progress=lambda *step: steps.append(step))
    stages = [stage for stage, _, _ in steps]
    assert "packing textures" in stages and "writing megabytes" in stages
    assert all(done <= total or total == 0 for _, done, total in steps)
    packing = sorted(done for stage, done, _ in steps if stage == "packing textures")
    assert packing == list(range(len(packing)))


def test_what_it_raises_is_raised_and_nothing_is_written(tmp_path: pathlib.Path) -> None:
    calls = 0

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        maquette.write(noisy(), tmp_path / "c.aem", textures="none", progress=progress)
    assert calls == 1 and list(tmp_path.iterdir()) == []
    with pytest.raises(KeyError, match="enough"):
        maquette.convert(maquette.sample("c.glb").bytes, tmp_path / "c.aem", textures="none", progress=progress)


def test_it_may_use_the_package_itself() -> None:
    seen = []
    data = maquette.sample("post.glb").bytes
    maquette.convert(data, name="a.aem", progress=lambda *step: seen.append(maquette.check(data).ok))
    assert seen and all(seen)


def test_it_is_let_go_of_afterwards() -> None:
    def progress(stage: str, done: int, total: int) -> None:
        pass

    before = sys.getrefcount(progress)
    output = maquette.write(noisy(), name="c.glb", progress=progress)
    assert sys.getrefcount(progress) == before
    output.findings()


def test_other_threads_run_while_work_is_done() -> None:
    scene = noisy()
    turns = 0
    done = threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = turns
        maquette.write(scene, name="c.aem")
        assert turns - before >= 3
    finally:
        done.set()
        thread.join()


def draw_and_write(turn: int) -> int:
    scene = noisy()
    maquette.render(scene, size=32)
    return len(maquette.write(scene, name="a.aem", textures="fast").bytes)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system forks no processes")
def test_processes_that_are_forked_off_work_after_their_parent_has() -> None:
    own = draw_and_write(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(draw_and_write, range(4)).get(timeout=120) == [own] * 4


def test_many_threads_check_many_files() -> None:
    data = maquette.sample("post.glb").bytes
    verdicts: "list[bool]" = []

    def work() -> None:
        verdicts.extend(maquette.check(data).ok for _ in range(200))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == [True] * 800
