// The hand in the picture: a press on a body takes hold of it, pins it or not, or a ball follows the pointer. Every pointer, mouse
// or finger, has a grip of its own. A press beside the bodies turns the view as ever.
import * as THREE from "three";
import type { Hello, LiveConnection, LiveFrame, LiveSettings } from "./live_messages";
import { in_plane, pick } from "./live_pick";
import type { ShownMotion } from "./motion";
import type { Stage } from "./stage";

export const tools = ["pull", "pin", "ball"] as const;
export type Tool = (typeof tools)[number];

interface Held {
  view: number;
  point: THREE.Vector3; // of the plane in which the pointer leads
  normal: THREE.Vector3;
}

export class LiveHand {
  tool: Tool = "pull";
  private held = new Map<number, Held>();
  private leading: number | null = null; // the pointer that is down and leads the ball
  private lines: THREE.LineSegments[] = [];
  private dots: THREE.Points[] = [];
  private balls: THREE.Mesh[] = [];
  private pins: THREE.Points[] = [];
  private pinned: number[] = [];
  private middle: THREE.Vector3;
  private size: number;

  constructor(
    private stage: Stage,
    private motions: ShownMotion[],
    private connection: LiveConnection,
    motion: NonNullable<Hello["motion"]>,
  ) {
    const bounds = new THREE.Box3(new THREE.Vector3(...motion.low), new THREE.Vector3(...motion.high));
    this.middle = bounds.getCenter(new THREE.Vector3());
    this.size = bounds.getSize(new THREE.Vector3()).length();
    for (const group of stage.extras) this.make_marks(group);
    const place = stage.place;
    place.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    place.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    for (const name of ["pointerup", "pointercancel"] as const)
      place.addEventListener(name, (event) => this.up(event), { capture: true });
  }

  get holding(): number {
    return this.held.size;
  }

  set_tool(tool: Tool): void {
    if (this.tool === "ball" && tool !== "ball")
      this.connection.send({ do: "ball", on: false, point: [0, 0, 0], value: 0 });
    this.tool = tool;
    this.stage.canvas.style.cursor = tool === "pull" ? "" : "crosshair";
  }

  show_settings(settings: LiveSettings): void {
    this.pinned = settings.pins ?? [];
    for (const ball of this.balls) {
      ball.visible = (settings.ball ?? 0) > 0;
      ball.scale.setScalar(settings.ball || 1);
    }
  }

  show(frame: LiveFrame): void {
    this.stage.bodies.forEach((body, view) => {
      const ends = frame.head.grips.flatMap((grip) => grip.lines[view] ?? []);
      this.set_points(this.lines[view], ends.flat());
      this.set_points(this.dots[view], ends.filter((_end, i) => i % 2 === 0).flat());
      this.set_points(
        this.pins[view],
        this.pinned.flatMap((v) => [...body.positions.subarray(3 * v, 3 * v + 3)]),
      );
      const ball = this.balls[view];
      ball.visible = frame.head.ball !== undefined;
      if (frame.head.ball) ball.position.set(...frame.head.ball);
    });
  }

  private set_points(part: THREE.LineSegments | THREE.Points, values: number[]): void {
    part.geometry.setAttribute("position", new THREE.Float32BufferAttribute(values, 3));
    part.visible = values.length > 0;
  }

  private make_marks(group: THREE.Group): void {
    const on_top = { depthTest: false, transparent: true };
    const line = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: 0xe0445c, ...on_top }),
    );
    const dot = new THREE.Points(
      new THREE.BufferGeometry(),
      new THREE.PointsMaterial({ color: 0xe0445c, size: 9, sizeAttenuation: false, ...on_top }),
    );
    const pins = new THREE.Points(
      new THREE.BufferGeometry(),
      new THREE.PointsMaterial({ color: 0xd99b1c, size: 10, sizeAttenuation: false, ...on_top }),
    );
    const ball = new THREE.Mesh(
      new THREE.SphereGeometry(1, 40, 24),
      new THREE.MeshLambertMaterial({ color: 0xc8ccd0, transparent: true, opacity: 0.8 }),
    );
    ball.visible = false;
    for (const part of [line, dot, pins]) {
      part.renderOrder = 5;
      part.visible = false;
    }
    for (const part of [line, dot, pins, ball]) part.frustumCulled = false;
    group.add(line, dot, pins, ball);
    this.lines.push(line);
    this.dots.push(dot);
    this.pins.push(pins);
    this.balls.push(ball);
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || event.target !== this.stage.canvas) return;
    const at = this.stage.ray_at(event.clientX, event.clientY);
    if (!at) return;
    if (this.tool === "ball") {
      this.leading ??= event.pointerId;
      if (this.leading === event.pointerId) this.lead_ball(event);
      event.stopPropagation();
      return;
    }
    const found = pick(
      at.ray,
      this.motions[at.view].topology,
      this.stage.bodies[at.view].positions,
      at.pixel,
    );
    if (!found) return;
    event.stopPropagation();
    event.preventDefault();
    this.stage.canvas.focus({ preventScroll: true });
    if (this.tool === "pin") {
      const nearest = found.weights.indexOf(Math.max(...found.weights)),
        v = found.vertices[nearest];
      this.connection.send({ do: "pin", vertices: [v, v, v], weights: [1, 0, 0] });
      return;
    }
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.held.set(event.pointerId, { view: at.view, point: found.point, normal: this.stage.sight });
    this.connection.send({
      do: "grip",
      number: event.pointerId,
      view: at.view,
      vertices: found.vertices,
      weights: found.weights,
      point: found.point.toArray(),
      stamp: performance.now(),
    });
  }

  private move(event: PointerEvent): void {
    const held = this.held.get(event.pointerId);
    if (!held) {
      // A mouse leads while it hovers, too; a finger only while it is down.
      const leads = event.buttons === 0 || event.pointerId === this.leading;
      if (this.tool === "ball" && event.target === this.stage.canvas && leads) this.lead_ball(event);
      return;
    }
    event.stopPropagation();
    const at = this.stage.ray_at(event.clientX, event.clientY, held.view),
      point = at && in_plane(at.ray, held.point, held.normal);
    if (!point) return;
    this.connection.send({
      do: "move",
      number: event.pointerId,
      point: point.toArray(),
      stamp: performance.now(),
    });
  }

  private up(event: PointerEvent): void {
    if (this.leading === event.pointerId) this.leading = null;
    if (!this.held.delete(event.pointerId)) return;
    event.stopPropagation();
    this.connection.send({ do: "release", number: event.pointerId });
  }

  // In the plane through the middle of the scene, or through what lies under the pointer.
  private lead_ball(event: PointerEvent): void {
    const at = this.stage.ray_at(event.clientX, event.clientY);
    if (!at) return;
    const point = in_plane(at.ray, this.middle, this.stage.sight);
    if (!point || point.distanceTo(this.middle) > 4 * this.size) return;
    this.connection.send({ do: "ball", on: true, point: point.toArray(), value: 0, stamp: performance.now() });
  }
}
