"""Backends are told apart in figures: by eyes of all kinds, on white, and where nobody sees colours."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from jitcost import backends
from jitcost.show.figures import DRAWINGS, figure, style
from jitcost.show.figures.account import _COLOURS
from making_cells import cells, steady

# Machado, Oliveira and Fernandes 2009, table 1, severity 1.0; of linear red, green and blue.
SEEN_BY = {
    "everybody else": np.eye(3),
    "protanopes": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopes": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopes": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}

# sRGB to CIE XYZ, with white of D65 (IEC 61966-2-1).
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def linear(colour):
    rgb = np.array(to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def cielab(rgb):
    """Return L*, a*, b* of linear red, green and blue, by the definition of 1976."""
    shares = TO_XYZ @ np.clip(rgb, 0, 1) / TO_XYZ.sum(axis=1)
    small = (6 / 29) ** 3
    x, y, z = np.where(shares > small, np.cbrt(shares), shares / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast_with_white(colour):
    """Return the contrast by WCAG 2: 1.05 to luminance and 0.05."""
    return 1.05 / (TO_XYZ[1] @ linear(colour) + 0.05)


def distances(colours, seen):
    labs = {name: cielab(np.array(seen) @ linear(colour)) for name, colour in colours.items()}
    return {
        pair: float(np.linalg.norm(labs[pair[0]] - labs[pair[1]]))
        for pair in itertools.combinations(colours, 2)
    }


def test_the_measures_are_those_of_the_literature():
    assert cielab(linear("#ffffff")) == pytest.approx([100, 0, 0], abs=0.01)
    assert cielab(linear("#ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    assert contrast_with_white("#767676") == pytest.approx(4.54, abs=0.005)  # WCAG's own example
    # Red and green are one hue to a deuteranope, and far from it to others.
    named = {"red": "#ff0000", "green": "#00a000"}
    for seen, apart in (("everybody else", 130), ("deuteranopes", 40)):
        (distance,) = distances(named, SEEN_BY[seen]).values()
        assert (distance > apart) == (seen == "everybody else")


@pytest.mark.parametrize("who", SEEN_BY)
def test_the_colours_of_backends_are_far_apart(who):
    found = distances({name: its.colour for name, its in style.LOOKS.items()}, SEEN_BY[who])
    assert len(found) == 15
    assert min(found.values()) > 25, min(found, key=found.get)


def test_lines_and_letters_stand_out_from_white():
    """WCAG 2.1 asks for 3 to 1 of graphical objects (1.4.11), and for 4.5 to 1 of text (1.4.3)."""
    for its in (*style.LOOKS.values(), *style._OTHERS):
        assert contrast_with_white(its.colour) >= 3
        assert contrast_with_white(its.text_colour) >= 4.5


def test_backends_differ_without_colours_too():
    ours = [style.look(backend.name) for backend in backends.BUILT_IN]
    assert len({its.marker for its in ours}) == len({its.dashes for its in ours}) == len(ours) == 6
    assert not {its.marker for its in ours} & {its.marker for its in style._OTHERS}


def test_a_part_of_a_time_does_not_look_like_a_backend():
    assert not set(_COLOURS.values()) & {its.colour for its in style.LOOKS.values()}


def colours_drawn(axes):
    """Return the colours of the lines that are named after a backend."""
    return {
        line.get_label(): line.get_color()
        for line in axes.lines
        if line.get_label() in style.LOOKS and len(line.get_xdata())
    }


def test_a_backend_has_its_colour_in_every_figure():
    sizes = (10, 100, 1000, 10_000, 100_000)
    rows = [
        row
        for i, name in enumerate(style.LOOKS)
        for row in steady(name, {n: (i + 1) * 1e-6 + (7 - i) * 1e-9 * n for n in sizes})
    ]
    rows += steady("jax_jit", dict.fromkeys(sizes, 0.05), kind="FirstCall")
    made = cells(*rows)
    for name in ("article", "compare", "fit", "breakeven", "crossover", "predict"):
        drawing = DRAWINGS[name](made)
        found = [colours_drawn(axes) for axes in figure(drawing.panels).axes]
        assert any(found), name
        for colours in found:
            assert colours == {backend: style.LOOKS[backend].colour for backend in colours}
