"""Threads that read and edit scenes do not disturb each other."""

import threading
from collections.abc import Callable

import numpy as np

import maquette

FILE = maquette.sample("post.glb").bytes


def run(*works: Callable[[], None]) -> None:
    failures: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive(), "it hangs"
    assert failures == []


def test_threads_read_and_edit_scenes_of_their_own() -> None:
    results: dict[int, float] = {}

    def work(number: int) -> Callable[[], None]:
        def steps() -> None:
            for turn in range(5):
                scene = maquette.read(FILE)
                primitive = scene.meshes[0].primitives[0]
                primitive.positions[:] = number
                primitive.positions = np.full((len(primitive.positions) * 3, 3), number)
                scene.nodes.add(f"{number}").translation = (number, 0, 0)
                larger, _ = maquette.read(FILE).edit(scale=number + 1)
                results[number] = float(larger.pose(0, 0.1).positions.max() / maquette.read(FILE).pose(0, 0.1).positions.max())
                assert (primitive.positions == number).all() and scene.nodes[-1].name == f"{number}"
        return steps

    run(work(1), work(2), work(3))
    assert {number: round(result, 3) for number, result in results.items()} == {1: 2, 2: 3, 3: 4}


def test_threads_share_a_scene() -> None:
    scene = maquette.read(FILE)
    count = len(scene.nodes)

    def add() -> None:
        for number in range(300):
            node = scene.nodes.add("new")
            node.parent = scene.nodes[0]
            node.extras = {"gltf.extras": {"number": number}}
            clip = scene.clips.add("new")
            clip.add_track(node, "scale", [0], [[1, 1, 1]])
            scene.clips.remove(clip)

    def look() -> None:
        for _ in range(30):
            scene.pose(0, 0.3).positions.sum()
            assert [node.name for node in scene.nodes][0] == scene.nodes[0].name
            scene.copy().check()

    run(add, add, look, look)
    assert len(scene.nodes) == count + 600
    scene.check()
