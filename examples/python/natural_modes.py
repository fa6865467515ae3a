"""Natural frequencies and shapes of a bar, against Euler and Bernoulli's beam, and by scipy on the engine's matrices.

    f_1 = (1.8751^2 / 2 pi) sqrt(E I / (rho A L^4)),   I = a^4 / 12, A = a^2                                (1)
"""
import numpy as np
from scipy.sparse.linalg import eigsh

import phiflex

E, rho, length, side = 2e6, 1000, 1.0, 0.1
bar = phiflex.Body.box((length, side, side), (24, 4, 4), phiflex.NeoHookean(E, 0.0, rho), elements="linear")
model = phiflex.Model([bar, phiflex.Fix(bar, lambda x: x[:, 0] == 0)])

modes = phiflex.modes(model, 8)
beam = 1.8751**2 / (2 * np.pi) * np.sqrt(E * side**2 / 12 / (rho * length**4))  # (1)
print("engine:", ", ".join(f"{f:.3f}" for f in modes.frequencies), "Hz; the slender beam:", f"{beam:.3f} Hz")

system = model.system()
K, M = system.stiffness(np.zeros(system.dofs)), system.mass  # scipy's matrices on the engine's memory
eigenvalues = eigsh(K.tocsc(), 8, M.tocsc(), sigma=0, return_eigenvectors=False)
print("scipy: ", ", ".join(f"{f:.3f}" for f in np.sort(np.sqrt(eigenvalues)) / (2 * np.pi)), "Hz")
assert np.allclose(np.sort(eigenvalues), modes.eigenvalues, rtol=1e-6)
assert abs(modes.frequencies[0] / beam - 1) < 0.15  # straight tetrahedra are too stiff
print("the tip moves most in mode 1:", np.abs(modes.shapes[0]).max(axis=1).argmax() in np.flatnonzero(bar.vertices[:, 0] > 0.99))
