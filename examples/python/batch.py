"""Many at once: 64 bars with different velocities, as one array of positions; the one that jumps highest is found."""
import time

import numpy as np

import phiflex

material = phiflex.StableNeoHookean(young=5e4, poisson=0.4, density=1000)
random = np.random.default_rng(0)


def thrown(velocity):
    body = phiflex.Body.box((0.2, 0.1, 0.1), (2, 1, 1), material, velocities=np.tile(velocity, (12, 1)))
    return phiflex.Model([body, phiflex.Floor(-0.3)], gravity=(0, -9.81, 0)).simulate(step=0.01, integrator="em")


velocities = random.uniform((-1, -3, -1), (1, 0, 1), (64, 3))
batch = phiflex.Batch([thrown(velocity) for velocity in velocities])

highest = np.full(64, -np.inf)
start = time.perf_counter()
for _ in range(50):
    x = batch.step(2)  # (64, 12, 3), on all cores
    if batch.simulations[0].time > 0.4:  # after the first bounce
        highest = np.maximum(highest, x[:, :, 1].mean(axis=1))
seconds = time.perf_counter() - start
best = highest.argmax()
print(f"{64 * 100 / seconds:.0f} steps a second; number {best} jumps highest, to {highest[best]:.3f} m, thrown with "
      f"{velocities[best].round(2)} m/s")
