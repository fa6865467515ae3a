// The one camera of all views: turning, shifting and zooming with pointer or keys, and fitting the motion into the view.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export type Side = "corner" | "front" | "side" | "top";

export class Viewpoint {
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
  private controls: OrbitControls;
  private lights: { light: THREE.DirectionalLight; intensity: number }[] = [];

  constructor(
    canvas: HTMLCanvasElement,
    private bounds: THREE.Box3,
    private up: THREE.Vector3,
    changed: () => void,
  ) {
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomSpeed = 1.2;
    this.controls.addEventListener("change", changed);
    // Light from above the viewer, and a little from his right, so that the faces of a box differ.
    for (const [intensity, x, y, z] of [
      [2.1, -0.35, 1.6, 0.9],
      [0.9, 0.5, 0.1, 1],
    ]) {
      const light = new THREE.DirectionalLight(0xffffff, intensity);
      light.position.set(x, y, z);
      this.camera.add(light, light.target);
      this.lights.push({ light, intensity });
    }
  }

  dim_lights(part: number): void {
    for (const { light, intensity } of this.lights) light.intensity = part * intensity;
  }

  set_aspect(aspect: number): void {
    if (this.camera.aspect === aspect) return;
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  // A right-handed frame: x to the right, y up, z to the viewer.
  private axes(): [THREE.Vector3, THREE.Vector3] {
    const right = new THREE.Vector3(1, 0, 0);
    if (Math.abs(right.dot(this.up)) > 0.9) right.set(0, 1, 0);
    return [right, right.clone().cross(this.up)];
  }

  look_from(side: Side): void {
    const [right, front] = this.axes();
    const direction = new THREE.Vector3();
    if (side === "front") direction.copy(front);
    else if (side === "side") direction.copy(right);
    else if (side === "top") direction.copy(this.up).addScaledVector(front, 1e-3);
    else direction.copy(front).addScaledVector(right, 0.5).addScaledVector(this.up, 0.38);
    this.place(direction.normalize());
  }

  // As near as the whole motion allows, from where the camera looks now.
  fit(): void {
    this.place(this.camera.position.clone().sub(this.controls.target).normalize());
  }

  private place(direction: THREE.Vector3): void {
    const middle = this.bounds.getCenter(new THREE.Vector3()),
      radius = this.bounds.getSize(new THREE.Vector3()).length() / 2 || 1;
    const right = new THREE.Vector3().crossVectors(this.up, direction).normalize();
    const above = new THREE.Vector3().crossVectors(direction, right);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const { min, max } = this.bounds;
      const p = new THREE.Vector3(
        corner & 1 ? max.x : min.x,
        corner & 2 ? max.y : min.y,
        corner & 4 ? max.z : min.z,
      ).sub(middle);
      const across = Math.max(Math.abs(p.dot(right)) / this.camera.aspect, Math.abs(p.dot(above)));
      distance = Math.max(distance, p.dot(direction) + across / tangent);
    }
    distance = Math.max(1.12 * distance, 1e-3 * radius);
    this.camera.near = 0.02 * radius;
    this.camera.far = 100 * radius + distance;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = 0.05 * radius;
    this.controls.maxDistance = 60 * radius;
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(direction, distance);
    this.controls.update();
  }

  // Around the target by angles (rad), and towards it by a factor.
  move(turn: number, tilt: number, zoom: number): void {
    const arm = this.camera.position.clone().sub(this.controls.target);
    arm.applyAxisAngle(this.up, turn);
    const right = new THREE.Vector3().crossVectors(this.up, arm).normalize();
    const angle = arm.angleTo(this.up);
    arm.applyAxisAngle(right, -Math.min(angle - 0.05, Math.max(angle - Math.PI + 0.05, tilt)));
    this.camera.position.copy(this.controls.target).addScaledVector(arm, 1 / zoom);
    this.controls.update();
  }

  set_bounds(bounds: THREE.Box3): void {
    this.bounds = bounds;
  }
}
