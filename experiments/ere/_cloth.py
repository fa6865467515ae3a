"""The cloth of Section 5.3: 11 x 11 particles with stretching and shearing springs; its motions."""
import math

FRAME = 1 / 60
CLOTH = "Size (1 m x 1 m), stiffness per spring and mass (0.1 kg per metre of spring) of the cloth are assumed."
SHAKE = "The shake is not printed: the corners move by 0.1 sin(2 pi (t - 1)/0.2) m vertically for 0.2 s."
SPHERE = ("The sphere (radius 0.25 m, 0.5 m below, 0.05 m off centre, without friction) is assumed; particles are projected to its surface "
          "at "
          "the end of a step. The corners stay held, as in the example before: a free cloth slides off within a second and only falls "
          "then.")
RELEASE = ("when the corners are let go, s: never, or at the start (a free cloth, which slides off the sphere within a second)", [0.01])
DANCE = ("The dance is not published: the upper edge moves by 0.3 sin(2 pi 0.7 t) m in x and turns by 40 degrees sin(2 pi 0.5 t) about y; "
         "there is no body to touch.")
AMPLITUDE = ("how far the corners are shaken, m; not printed", [0.05])
TOUCH = 0.226  # s: the first touch of the sphere


def shaken(x, K):
    """One period of a sine, 24 keys; x.shake: its amplitude, m."""
    keys = [{"time": 1 + 0.2 * i / 24, "translate": [0, x.shake * math.sin(2 * math.pi * i / 24), 0]} for i in range(25)]
    return {"bodies.0.springs.spring_constant": K, "constraints.0.keys": keys}


def shaken_truth(x, K, judges):
    return x.truth(f"reference, K_l = {K}", "shaken", shaken(x, K), "pexprb43:evaluator=auto", end=x.end, sample=FRAME, judges=judges)


def on_sphere(x):
    return {"constraints.0.until": x.release}


def cape(x):
    """x.pace: how fast the dance is, 1 as above."""
    keys = []
    for i in range(241):
        t = i / 48
        turn, way = 40 * math.sin(2 * math.pi * 0.5 * x.pace * t), 0.3 * math.sin(2 * math.pi * 0.7 * x.pace * t)
        keys.append({"time": t, "translate": [way, 0, 0], "rotate": [[0, 1, 0], turn]})
    return {"constraints.0.keys": keys}
