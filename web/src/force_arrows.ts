// The forces of contact on the vertices of one run as arrows: they start at their vertices and are seen through the bodies.
import * as THREE from "three";
import { field_value, positions_of } from "./chunk";
import { force_names } from "./fields";
import type { Frame, ShownMotion } from "./motion";

const longest_part = 0.3; // of the motion's size: the length of the largest force
const least_part = 0.01; // of the largest force: what is weaker is not drawn
const color = 0xd0203c;

// A unit arrow along y, from the origin.
function arrow_geometry(): THREE.BufferGeometry {
  const shaft = new THREE.CylinderGeometry(0.35, 0.35, 0.75, 6).translate(0, 0.375, 0).toNonIndexed(),
    head = new THREE.ConeGeometry(1, 0.25, 8).translate(0, 0.875, 0).toNonIndexed();
  const places = new Float32Array([
    ...shaft.getAttribute("position").array,
    ...head.getAttribute("position").array,
  ]);
  return new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(places, 3));
}

// The places of the three components among the motion's fields; null where the run did not record forces.
function force_fields(motion: ShownMotion): number[] | null {
  const places = force_names.map((name) =>
    (motion.header.fields ?? []).findIndex((field) => field.name === name),
  );
  return places.every((place) => place >= 0) ? places : null;
}

export function has_forces(motion: ShownMotion): boolean {
  return force_fields(motion) !== null;
}

// No force of the motion is larger than this, N; 0 where none was recorded.
export function largest_force(motion: ShownMotion): number {
  const fields = force_fields(motion);
  if (!fields) return 0;
  return Math.hypot(
    ...fields.map((place) => {
      const { low, high } = motion.header.fields![place];
      return Math.max(Math.abs(low ?? 0), Math.abs(high ?? 0));
    }),
  );
}

export class ForceArrows {
  readonly group = new THREE.Group();
  private mesh: THREE.InstancedMesh | null = null;
  private x: Float32Array;

  constructor(
    private motion: ShownMotion,
    private size: number, // of the picture, m
  ) {
    this.x = new Float32Array(3 * motion.header.vertices);
    if (!force_fields(motion)) return;
    const material = new THREE.MeshBasicMaterial({
      color,
      depthTest: false,
      transparent: true,
      opacity: 0.9,
    });
    this.mesh = new THREE.InstancedMesh(arrow_geometry(), material, Math.max(1, motion.header.vertices));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
    this.mesh.count = 0;
    this.group.add(this.mesh);
  }

  get count(): number {
    return this.mesh?.count ?? 0;
  }

  // top: the force of the longest arrow, N.
  show(frame: Frame, top: number): void {
    const fields = force_fields(this.motion);
    if (!this.mesh || !fields) return;
    const { chunk, within } = frame,
      n = chunk.vertices;
    positions_of(chunk, within, this.x);
    const tables = fields.map((place) =>
      Float64Array.from({ length: 256 }, (_, s) => field_value(chunk.fields[place], s)),
    );
    const force = new THREE.Vector3(),
      place = new THREE.Vector3(),
      stretch = new THREE.Vector3(),
      turn = new THREE.Quaternion(),
      up = new THREE.Vector3(0, 1, 0),
      matrix = new THREE.Matrix4();
    let count = 0;
    for (let v = 0; v < n; ++v) {
      fields.forEach((field, k) =>
        force.setComponent(k, tables[k][chunk.fields[field].codes[within * n + v]]),
      );
      const strength = force.length();
      if (!(strength > least_part * top && top > 0)) continue;
      const length = (longest_part * this.size * strength) / top,
        width = Math.min(0.05 * length, 0.004 * this.size);
      turn.setFromUnitVectors(up, force.divideScalar(strength));
      place.fromArray(this.x, 3 * v);
      this.mesh.setMatrixAt(count++, matrix.compose(place, turn, stretch.set(width, length, width)));
    }
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
