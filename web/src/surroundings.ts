// What the bodies move in: the ground or a grid for scale, and the scene's obstacles.
import * as THREE from "three";
import type { SceneObject } from "./data";
import { css_color } from "./dom";
import { pose_at, quaternion_of, turn_of, vector_of } from "./rigid_motion";

const segments = 48;

// A plane through `point` as a turned frame whose z axis is the normal.
function frame_on(point: THREE.Vector3, normal: THREE.Vector3): THREE.Matrix4 {
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
  return new THREE.Matrix4().compose(point, turn, new THREE.Vector3(1, 1, 1));
}

// The round length (1, 2 or 5 times a power of ten) that is nearest below `length`.
export function round_length(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length || 1));
  return [5, 2, 1].map((factor) => factor * power).find((value) => value <= length * 1.0001) ?? power;
}

// Colours and opacities that fade out away from the middle: four numbers per point.
function faded(positions: number[], radius: number, color: THREE.Color, opacity: number): Float32Array {
  const colors = new Float32Array((4 * positions.length) / 3);
  for (let i = 0; i < positions.length / 3; ++i) {
    const away = Math.min(1, Math.hypot(positions[3 * i], positions[3 * i + 1]) / radius);
    colors.set([color.r, color.g, color.b, opacity * (1 - away) ** 1.2], 4 * i);
  }
  return colors;
}

function make_grid(radius: number, square: number): THREE.LineSegments {
  const positions: number[] = [],
    pieces = 12,
    lines = Math.floor(radius / square);
  for (let i = -lines; i <= lines; ++i) {
    const half = Math.sqrt(Math.max(0, radius * radius - (i * square) ** 2));
    for (let k = 0; k < pieces; ++k) {
      const a = half * ((2 * k) / pieces - 1),
        b = half * ((2 * (k + 1)) / pieces - 1);
      positions.push(i * square, a, 0, i * square, b, 0, a, i * square, 0, b, i * square, 0);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute(
    "color",
    new THREE.BufferAttribute(faded(positions, radius, new THREE.Color(css_color("--grid")), 1), 4),
  );
  const grid = new THREE.LineSegments(
    geometry,
    new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }),
  );
  grid.renderOrder = -2;
  return grid;
}

function make_ground(radius: number): THREE.Mesh {
  const geometry = new THREE.RingGeometry(0, radius, segments, 6);
  const positions = Array.from(geometry.getAttribute("position").array);
  geometry.setAttribute(
    "color",
    new THREE.BufferAttribute(faded(positions, radius, new THREE.Color(css_color("--ground")), 1), 4),
  );
  const ground = new THREE.Mesh(
    geometry,
    new THREE.MeshBasicMaterial({
      vertexColors: true,
      transparent: true,
      side: THREE.DoubleSide,
      depthWrite: false,
    }),
  );
  ground.renderOrder = -3;
  return ground;
}

function solid(geometry: THREE.BufferGeometry, at: THREE.Vector3, turn = new THREE.Quaternion()): THREE.Mesh {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: css_color("--obstacle") }));
  mesh.applyMatrix4(new THREE.Matrix4().compose(at, turn, new THREE.Vector3(1, 1, 1)));
  return mesh;
}

function capsule(contact: SceneObject): THREE.Mesh {
  const from = vector_of(contact.from),
    to = vector_of(contact.to),
    axis = to.clone().sub(from),
    length = axis.length();
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis.normalize());
  return solid(
    new THREE.CapsuleGeometry(Number(contact.radius), length, 16, segments),
    from.add(to).multiplyScalar(0.5),
    turn,
  );
}

interface Plane {
  point: THREE.Vector3;
  normal: THREE.Vector3;
}

// An obstacle's drawing, if this page knows its kind. Planes are drawn with the ground's means.
function obstacle_of(contact: SceneObject): THREE.Mesh | Plane | null {
  switch (contact.type) {
    case "floor":
      return { point: new THREE.Vector3(0, Number(contact.height), 0), normal: new THREE.Vector3(0, 1, 0) };
    case "plane":
      return { point: vector_of(contact.point), normal: vector_of(contact.normal, [0, 1, 0]).normalize() };
    case "sphere":
      return solid(
        new THREE.SphereGeometry(Number(contact.radius), segments, segments / 2),
        vector_of(contact.center),
      );
    case "capsule":
      return capsule(contact);
    case "box":
      return solid(
        new THREE.BoxGeometry(...vector_of(contact.size).toArray()),
        vector_of(contact.center),
        quaternion_of(turn_of(contact.rotate)),
      );
    default:
      return null;
  }
}

export class Surroundings {
  readonly group = new THREE.Group();
  readonly square: number; // m, of the grid
  ground: Plane | null = null; // the first plane: bodies cast a shadow on it
  private moving: { part: THREE.Object3D; motion: SceneObject }[] = [];

  constructor(
    private contacts: SceneObject[],
    private bounds: THREE.Box3,
    private up: THREE.Vector3,
  ) {
    this.square = round_length(bounds.getSize(new THREE.Vector3()).length() / 8);
    this.make();
  }

  // Anew, in the colours of the theme.
  make(): void {
    this.group.clear();
    this.moving = [];
    this.ground = null;
    for (const contact of this.contacts) {
      const obstacle = obstacle_of(contact);
      if (!obstacle) continue;
      const part = new THREE.Group();
      if (obstacle instanceof THREE.Mesh) part.add(obstacle);
      else {
        this.ground ??= obstacle;
        part.add(this.make_plane(obstacle, true));
      }
      if (contact.motion && typeof contact.motion === "object" && !Array.isArray(contact.motion))
        this.moving.push({ part, motion: contact.motion });
      this.group.add(part);
    }
    if (!this.ground) this.group.add(this.make_plane(this.lowest_plane(), false));
  }

  update(time: number): void {
    for (const { part, motion } of this.moving) {
      part.matrixAutoUpdate = false;
      part.matrix.copy(pose_at(motion, time));
    }
  }

  get moves(): boolean {
    return this.moving.length > 0;
  }

  // Puts a body's shadow on the ground, straight below: p -> p - n (n.p - n.q), a hair above it.
  place_shadow(shadow: THREE.Object3D): boolean {
    if (!this.ground) return false;
    const { point, normal: n } = this.ground,
      lift = 2e-4 * this.bounds.getSize(new THREE.Vector3()).length();
    const reach = n.dot(point) + lift;
    shadow.matrixAutoUpdate = false;
    shadow.matrix.set(
      1 - n.x * n.x,
      -n.x * n.y,
      -n.x * n.z,
      reach * n.x,
      -n.y * n.x,
      1 - n.y * n.y,
      -n.y * n.z,
      reach * n.y,
      -n.z * n.x,
      -n.z * n.y,
      1 - n.z * n.z,
      reach * n.z,
      0,
      0,
      0,
      1,
    );
    return true;
  }

  private make_plane(plane: Plane, filled: boolean): THREE.Group {
    const middle = this.bounds.getCenter(new THREE.Vector3());
    const foot = middle.addScaledVector(
      plane.normal,
      plane.normal.dot(plane.point) - plane.normal.dot(middle),
    );
    // Lines at multiples of the square's length, as far as the plane lies along the axes.
    const snapped = foot.clone().divideScalar(this.square).round().multiplyScalar(this.square);
    snapped.addScaledVector(plane.normal, plane.normal.dot(foot) - plane.normal.dot(snapped));
    const radius = 1.6 * this.bounds.getSize(new THREE.Vector3()).length();
    const drawn = new THREE.Group();
    if (filled) drawn.add(make_ground(radius));
    drawn.add(make_grid(radius, this.square));
    drawn.applyMatrix4(frame_on(snapped, plane.normal));
    return drawn;
  }

  private lowest_plane(): Plane {
    const point = this.bounds.getCenter(new THREE.Vector3()),
      half = this.bounds.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    point.addScaledVector(this.up, -Math.abs(half.dot(this.up)) - 0.02 * half.length());
    return { point, normal: this.up };
  }
}
