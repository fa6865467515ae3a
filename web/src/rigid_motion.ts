// Where an obstacle's prescribed motion puts it: x(t) = p + R(t)(X - p) + o(t), between keys with constant speed of
// turning and shifting, or gently, held outside, and swings added one after the other (src/phiflex/model/path.h says more).
import * as THREE from "three";
import { index_at, type SceneObject, type SceneValue } from "./data";

export function vector_of(
  value: SceneValue | undefined,
  otherwise: [number, number, number] = [0, 0, 0],
): THREE.Vector3 {
  const numbers = Array.isArray(value) && value.length === 3 && value.every((v) => typeof v === "number");
  return new THREE.Vector3(...(numbers ? (value as number[]) : otherwise));
}

interface Turn {
  axis: THREE.Vector3;
  angle: number;
} // rad

// [[x, y, z], degrees]
export function turn_of(value: SceneValue | undefined): Turn {
  const pair = Array.isArray(value) && value.length === 2 ? value : [[0, 0, 1], 0];
  return { axis: vector_of(pair[0], [0, 0, 1]).normalize(), angle: (Number(pair[1]) * Math.PI) / 180 };
}

export function quaternion_of({ axis, angle }: Turn): THREE.Quaternion {
  return new THREE.Quaternion().setFromAxisAngle(axis, angle);
}

// The rotation s of the way from one key to the next: keys with one axis may be whole turns apart.
function between(a: Turn, b: Turn, s: number): THREE.Quaternion {
  const axis = a.angle === 0 ? b.axis : a.axis,
    along = axis.dot(b.axis);
  if (b.angle === 0 || Math.abs(along) > 1 - 1e-12) {
    const end = b.angle === 0 ? 0 : b.angle * Math.sign(along);
    return quaternion_of({ axis, angle: a.angle + s * (end - a.angle) });
  }
  return quaternion_of(a).slerp(quaternion_of(b), s);
}

interface Pose {
  offset: THREE.Vector3;
  rotation: THREE.Quaternion;
}

function pose_of_keys(motion: SceneObject, time: number): Pose {
  const keys = (Array.isArray(motion.keys) ? motion.keys : []) as SceneObject[];
  if (!keys.length) return { offset: new THREE.Vector3(), rotation: new THREE.Quaternion() };
  const times = keys.map((key) => Number(key.time)),
    i = index_at(times, time),
    j = Math.min(i + 1, keys.length - 1);
  const u = j > i ? Math.max(0, (time - times[i]) / (times[j] - times[i])) : 0;
  const s = motion.smooth ? u * u * (3 - 2 * u) : u;
  return {
    offset: vector_of(keys[i].translate).lerp(vector_of(keys[j].translate), s),
    rotation: between(turn_of(keys[i].rotate), turn_of(keys[j].rotate), s),
  };
}

// How far a swing is: sin(2 pi f (t - from) + phase) - sin(phase), 0 before `from`, held from `until` on.
function swing_at(swing: SceneObject, time: number): number {
  const from = Number(swing.from ?? 0),
    phase = (Number(swing.phase ?? 0) * Math.PI) / 180;
  if (time <= from) return 0;
  const end = typeof swing.until === "number" ? Math.min(time, swing.until) : time;
  return Math.sin(2 * Math.PI * Number(swing.frequency) * (end - from) + phase) - Math.sin(phase);
}

export function pose_at(motion: SceneObject, time: number): THREE.Matrix4 {
  const { offset, rotation } = pose_of_keys(motion, time),
    pivot = vector_of(motion.pivot);
  for (const swing of (Array.isArray(motion.sine) ? motion.sine : []) as SceneObject[]) {
    const s = swing_at(swing, time),
      { axis, angle } = turn_of(swing.rotate);
    offset.addScaledVector(vector_of(swing.translate), s);
    rotation.premultiply(quaternion_of({ axis, angle: s * angle }));
  }
  return new THREE.Matrix4()
    .compose(offset.add(pivot), rotation, new THREE.Vector3(1, 1, 1))
    .multiply(new THREE.Matrix4().makeTranslation(-pivot.x, -pivot.y, -pivot.z));
}
