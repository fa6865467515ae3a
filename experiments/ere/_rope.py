"""The rope of Section 5.2: 50 springs in sequence, one metre, 0.1 kg/m."""
FRAME = 1 / 60
VALUES = dict(held=[0, 50], Ks=[1, 10, 100, 1000])
OPEN = dict(held=("which particles are held is not printed: both ends, or one", [[0]]))
DIFFERS = [
    "Which particles are held, the direction and the meaning of K_l are not printed: horizontal at rest, both ends held, K_l the constant "
    "of each spring (with 50 K_l each and the printed damping the stiffest rope would need RK4 steps of 1/360,000 s, seventy times less "
    "than printed). With one end held ERE diverges at 1/60 s.",
    "The reference is RK4, its step halved until it has converged."]


def rope(x, K):
    return {"constraints.0.where.vertices": x.held, "bodies.0.springs.spring_constant": K}


def rope_truth(x, K, judges):
    step = FRAME / (256 if K >= 1000 else 32)
    return x.truth(f"reference, K_l = {K}", "rope", rope(x, K), "rk4", step=step, sample=FRAME, judges=judges)
