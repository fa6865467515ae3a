"""Every law against its formula (docs/materials.md), written down here a second time: tension and shear of a cube.

`python tests/python/test_stress_table.py` prints the table.
"""

import numpy as np
import pytest

import phiflex

ONE = np.eye(3)
YOUNG, POISSON = 1e6, 0.3
MU, LAMBDA = YOUNG / (2 * (1 + POISSON)), YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
C1, C2, BULK = 1.5e5, 5e4, 1e6
FIBRES = dict(mu=4e5, bulk=1e6, k1=4e5, k2=0.1, dispersion=0.1, direction=[1, 0, 0])
TENSION = np.diag([1.2, 0.95, 0.95])
SHEAR = np.array([[1, 0.3, 0], [0, 1, 0], [0, 0, 1.0]])


def determinant(F):
    return np.dot(F[0], np.array([F[1, 1] * F[2, 2] - F[1, 2] * F[2, 1], F[1, 2] * F[2, 0] - F[1, 0] * F[2, 2],
                                  F[1, 0] * F[2, 1] - F[1, 1] * F[2, 0]]))


def hooke(e):
    return MU * np.sum(e * e) + LAMBDA / 2 * np.trace(e) ** 2


def holzapfel(F):
    C, J = F.T @ F, determinant(F)
    H = 0.1 * ONE + 0.7 * np.outer([1, 0, 0], [1, 0, 0])
    strain = np.sum(H * (C - ONE)) - 1e-10
    matrix = 4e5 / 2 * (J ** (-2 / 3) * np.trace(C) - 3) + 1e6 / 2 * (J - 1) ** 2
    return matrix + 4e5 / (2 * 0.1) * (np.exp(0.1 * strain**2) - 1)


def mooney_rivlin(F):
    C, J = F.T @ F, determinant(F)
    second = (np.trace(C) ** 2 - np.trace(C @ C)) / 2
    return C1 * (J ** (-2 / 3) * np.trace(C) - 3) + C2 * (J ** (-4 / 3) * second - 3) + BULK / 2 * (J - 1) ** 2


def stable(F):
    first, J = np.trace(F.T @ F), determinant(F)
    return 2 / 3 * MU * (first - 3 - np.log((first + 1) / 4)) + (LAMBDA / 2 + 5 / 12 * MU) * (J - 1) ** 2 - MU * (J - 1)


ENERGIES = {
    "linear": lambda F: hooke((F + F.T) / 2 - ONE),
    "stvk": lambda F: hooke((F.T @ F - ONE) / 2),
    "neo-hookean": lambda F: MU / 2 * (np.trace(F.T @ F) - 3)
    - MU * np.log(determinant(F))
    + LAMBDA / 2 * np.log(determinant(F)) ** 2,
    "neo-hookean-isochoric": lambda F: MU / 2 * (determinant(F) ** (-2 / 3) * np.trace(F.T @ F) - 3)
    + LAMBDA / 2 * (determinant(F) - 1) ** 2,
    "stable-neo-hookean": stable,
    "mooney-rivlin": mooney_rivlin,
    "holzapfel": holzapfel,
}


def derivative(energy, F):
    """P = dpsi/dF by a complex step: without rounding of differences."""
    P = np.zeros((3, 3))
    for k in np.ndindex(3, 3):
        moved = F.astype(complex)
        moved[k] += 1e-25j
        P[k] = energy(moved).imag / 1e-25
    return P


def singular(F, tension):
    U, s, V = np.linalg.svd(F)
    return U @ np.diag(tension(s)) @ V


STRESSES = {
    "corotated": lambda F: singular(F, lambda s: 2 * MU * (s - 1) + LAMBDA * np.sum(s - 1)),
    "arap": lambda F: singular(F, lambda s: YOUNG * (s - 1)),
    "spline": lambda F: singular(F, lambda s: 2 * MU * (s - 1) + LAMBDA * (np.prod(s) - 1) * np.prod(s) / s),
}
PARAMETERS = {"mooney-rivlin": dict(c1=C1, c2=C2, bulk=BULK), "holzapfel": FIBRES}


def cauchy(P, F):
    sigma = P @ F.T / np.linalg.det(F)
    return (sigma + sigma.T) / 2


def measured(law, F):
    """The mean stress of a cube, from the forces of its vertices: sum of x f over its volume."""
    material = phiflex.Material(law, density=1000, **PARAMETERS.get(law, dict(young=YOUNG, poisson=POISSON)))
    body = phiflex.Body.box((1, 1, 1), (1, 1, 1), material, name="cube")
    rest = np.array(body.vertices)
    x = rest @ F.T
    f = np.array(phiflex.Model([body]).system().force((x - rest).ravel(), np.zeros(rest.size))).reshape(-1, 3)
    return cauchy(-(f.T @ x) @ np.linalg.inv(F).T, F)


def expected(law, F):
    return cauchy(STRESSES[law](F) if law in STRESSES else derivative(ENERGIES[law], F), F)


LAWS = [law["name"] for law in phiflex._phiflex.material_laws()]


@pytest.mark.parametrize("law", LAWS)
def test_tension_and_shear_have_the_stress_of_the_formula(law):
    for F in (TENSION, SHEAR):
        exact = expected(law, F)
        assert np.abs(measured(law, F) - exact).max() < 1e-13 * np.abs(exact).max()


if __name__ == "__main__":
    print(f"{'law':24}{'tension, Pa':>16}{'error':>10}{'shear, Pa':>16}{'error':>10}")
    for name in LAWS:
        row = f"{name:24}"
        for deformation, place in ((TENSION, (0, 0)), (SHEAR, (0, 1))):
            stress, exact = measured(name, deformation), expected(name, deformation)
            row += f"{stress[place]:16.8g}{np.abs(stress - exact).max() / np.abs(exact).max():10.1e}"
        print(row)
