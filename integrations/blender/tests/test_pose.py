"""Transforms of many keys, alone: no Blender needed."""

import importlib.util
import pathlib

import numpy as np
import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[1] / "extension" / "pose.py"
SPEC = importlib.util.spec_from_file_location("maquette_pose", SOURCE)
pose = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(pose)


def turns(count, seed=1):
    q = np.random.default_rng(seed).normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def angle(a, b):
    return 2 * np.arccos(np.clip(np.abs(np.einsum("ij,ij->i", a, b)), 0, 1))


def test_a_product_of_quaternions_is_that_of_their_matrices():
    for a, b in zip(turns(20, 1), turns(20, 2)):
        assert np.allclose(pose.matrix(pose.multiply(a, b)), pose.matrix(a) @ pose.matrix(b))


def test_a_matrix_gives_its_quaternion_back():
    for q in [*turns(50), [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]:
        back = pose.quaternion(pose.matrix(q))
        assert min(np.abs(back - q).max(), np.abs(back + q).max()) < 1e-7


def test_the_turn_to_z_up_takes_y_to_z():
    assert np.allclose(pose.turned(pose.TO_Z_UP, [[0, 1, 0], [0, 0, 1], [1, 0, 0]]), [[0, 0, 1], [0, -1, 0], [1, 0, 0]])


@pytest.mark.parametrize("turn", [pose.NO_TURN, pose.TO_Z_UP])
def test_a_basis_behind_the_rest_place_is_the_turned_local_transform(turn):
    place = pose.Place([1, 2, 3], turns(1, 5)[0], turn)

    def affine(translation, rotation):
        whole = np.eye(4)
        whole[:3, :3], whole[:3, 3] = pose.matrix(rotation), translation
        return whole

    translation, rotation = np.array([[0.3, -2, 5]]), turns(1, 6)
    basis = affine(place.basis_translations(translation)[0], place.basis_rotations(rotation)[0])
    expected = affine([0, 0, 0], turn) @ affine(translation[0], rotation[0])
    assert np.allclose(affine(place.translation, place.rotation) @ basis, expected)
    assert np.allclose(place.local_translations(place.basis_translations(translation)), translation)
    assert np.allclose(place.local_rotations(place.basis_rotations(rotation)), rotation)
    rest = place.rest()
    assert np.allclose(place.basis_translations(rest[0][None]), 0)
    assert np.allclose(np.abs(place.basis_rotations(rest[1][None])), [[0, 0, 0, 1]])


def test_rotations_never_jump_to_the_opposite_quaternion():
    q = np.repeat(turns(1), 6, axis=0) * np.array([1, -1, -1, 1, -1, 1])[:, None] * 3
    assert np.allclose(pose.rotations_from(q), np.repeat(turns(1), 6, axis=0))
    assert np.allclose(pose.rotations_from([[0, 0, 0, 0]]), [[0, 0, 0, 1]])


def test_the_error_of_mixing_is_what_is_seen_between_keys():
    a, b = np.array([[0, 0, 0, 1.0]]), np.array([[np.sin(0.6), 0, 0, np.cos(0.6)]])
    amounts = np.linspace(0, 1, 1001)
    mixed = (1 - amounts)[:, None] * a + amounts[:, None] * b
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    exact = pose.slerp(np.repeat(a, 1001, axis=0), np.repeat(b, 1001, axis=0), amounts)
    assert pose.mixing_error(a, b)[0] == pytest.approx(angle(mixed, exact).max(), rel=0.02)


def test_whole_frames_between_wide_turns_get_keys_on_the_sphere_and_lose_them_again():
    rotations = pose.rotations_from([[0, 0, 0, 1], [np.sin(0.7), 0, 0, np.cos(0.7)], [np.sin(0.7001), 0, 0, np.cos(0.7001)]])
    frames, made, added = pose.with_whole_frames([0, 4, 9.5], rotations)
    assert frames.tolist() == [0, 1, 2, 3, 4, 9.5]
    assert added.tolist() == [False, True, True, True, False, False]
    assert np.allclose(made[1], [np.sin(0.175), 0, 0, np.cos(0.175)])
    assert (pose.without_added(frames, made, added) == ~added).all()
    # One that somebody changed stays.
    made[2] = turns(1)[0]
    assert pose.without_added(frames, made, added).tolist() == [True, False, True, False, True, True]


def test_a_whole_frame_between_two_parts_of_frames_counts():
    rotations = pose.rotations_from([[0, 0, 0, 1], [np.sin(0.7), 0, 0, np.cos(0.7)]])
    assert pose.with_whole_frames([0.6, 1.4], rotations)[0].tolist() == [0.6, 1, 1.4]
    assert pose.with_whole_frames([0.2, 0.9], rotations)[0].tolist() == [0.2, 0.9]
    assert pose.with_whole_frames([3, 4], rotations)[0].tolist() == [3, 4]


def test_splines_pass_through_their_keys_and_bend_between():
    values = [[0], [0], [1], [1], [1], [0]]
    assert np.allclose(pose.sample_spline([0, 1], values, [0, 0.5, 1]).ravel(), [0, 0.5, 1])
    assert np.allclose(pose.sample_spline([0, 1], [[0], [0], [4], [0], [0], [0]], [0.5]).ravel(), [0.5])
    assert np.allclose(pose.sample_spline([2], [[9], [3], [9]], [0, 5]).ravel(), [3, 3])


def test_blends_reach_as_far_as_the_scope_says():
    parents, own = [-1, 0, 1, 2, 0], {1: "relative", 3: "additive"}
    assert pose.effective_blends(parents, own, "absolute", "both") == ["absolute", "relative", "relative", "additive", "absolute"]
    assert pose.effective_blends(parents, own, "absolute", "self") == ["absolute", "relative", "absolute", "additive", "absolute"]
    assert pose.effective_blends(parents, own, "absolute", "children") == ["absolute", "absolute", "relative", "relative", "absolute"]


def test_what_files_store_is_relative_to_rest_as_their_kind_says():
    rest, turn = np.array([1.0, 0, 0]), turns(1, 9)[0]
    values, q = np.array([[3.0, 0, 0]]), turns(1, 8)
    assert pose.relative_translations("absolute", rest, values)[0, 0] == 3
    assert all(pose.relative_translations(blend, rest, values)[0, 0] == 2 for blend in ("relative", "additive", "delta"))
    assert np.allclose(pose.relative_rotations("relative", turn, q), q)
    assert np.allclose(pose.multiply(turn, pose.relative_rotations("additive", turn, q)), q)
