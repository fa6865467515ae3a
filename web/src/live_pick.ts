// What of a body lies under the pointer: the nearest point of its surface along the ray, or else the vertex that is nearest to the
// ray, for ropes and hairs.
import * as THREE from "three";
import type { Topology } from "./motion";

export interface Pick {
  vertices: [number, number, number];
  weights: [number, number, number];
  point: THREE.Vector3;
}

// x: positions of the vertices. pixel: what is a pixel wide at the distance 1.
export function pick(ray: THREE.Ray, topology: Topology, x: Float32Array, pixel: number): Pick | null {
  const { triangles, lines } = topology,
    a = new THREE.Vector3(),
    b = new THREE.Vector3(),
    c = new THREE.Vector3(),
    hit = new THREE.Vector3();
  let best: Pick | null = null,
    nearest = Infinity;
  for (let t = 0; t < triangles.length; t += 3) {
    a.fromArray(x, 3 * triangles[t]);
    b.fromArray(x, 3 * triangles[t + 1]);
    c.fromArray(x, 3 * triangles[t + 2]);
    if (!ray.intersectTriangle(a, b, c, false, hit)) continue;
    const away = hit.distanceToSquared(ray.origin);
    if (away >= nearest) continue;
    nearest = away;
    const weights = THREE.Triangle.getBarycoord(hit, a, b, c, new THREE.Vector3());
    if (!weights) continue;
    best = {
      vertices: [triangles[t], triangles[t + 1], triangles[t + 2]],
      weights: [Math.max(0, weights.x), Math.max(0, weights.y), Math.max(0, weights.z)],
      point: hit.clone(),
    };
  }
  if (best) {
    const sum = best.weights[0] + best.weights[1] + best.weights[2];
    best.weights = [best.weights[0] / sum, best.weights[1] / sum, best.weights[2] / sum];
    return best;
  }
  const reach = lines.length ? 18 : 8; // pixels
  let least = reach;
  for (let v = 0; v < x.length / 3; ++v) {
    a.fromArray(x, 3 * v);
    const along = a.clone().sub(ray.origin).dot(ray.direction);
    if (along <= 0) continue;
    const apart = Math.sqrt(ray.distanceSqToPoint(a)) / (along * pixel);
    if (apart >= least) continue;
    least = apart;
    best = { vertices: [v, v, v], weights: [1, 0, 0], point: a.clone() };
  }
  return best;
}

// Where the ray meets the plane through a point that faces the viewer.
export function in_plane(ray: THREE.Ray, point: THREE.Vector3, normal: THREE.Vector3): THREE.Vector3 | null {
  return ray.intersectPlane(
    new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point),
    new THREE.Vector3(),
  );
}
