// The three-dimensional picture: one canvas for every run, side by side or overlaid, seen by one camera. It is drawn
// when something has changed, and only then.
import * as THREE from "three";
import { Body, type Look } from "./body";
import { shows_numbers } from "./coloring";
import type { Run, SceneObject } from "./data";
import { css_color, element, svg_element } from "./dom";
import { ForceArrows, has_forces } from "./force_arrows";
import type { ShownMotion } from "./motion";
import { ProbeMarks } from "./probe_marks";
import { Surroundings } from "./surroundings";
import { on_theme } from "./theme";
import { Viewpoint } from "./viewpoint";
import { with_unit } from "./words";

export type Layout = "side by side" | "overlaid";

export interface Cast {
  name: string;
  color: string;
  motion: ShownMotion;
  run: () => Run; // as it is now
  counts: boolean; // to the view; a run that blew up does not
}

interface Cell {
  x: number;
  y: number;
  width: number;
  height: number;
}

// A processor that draws in place of a graphics card is given fewer pixels while things move, and smooths edges by more
// of them when they have come to rest.
function draws_in_software(): boolean {
  const gl = document.createElement("canvas").getContext("webgl");
  const named = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = named ? String(gl!.getParameter(named.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
const rest_before_refining = 150; // ms

function bounds_of(cast: Cast[]): THREE.Box3 {
  const bounds = new THREE.Box3();
  for (const {
    motion: { header },
  } of cast.filter((one) => one.counts))
    bounds.union(new THREE.Box3(new THREE.Vector3(...header.low), new THREE.Vector3(...header.high)));
  if (bounds.isEmpty()) {
    for (const {
      motion: { topology },
    } of cast)
      bounds.union(new THREE.Box3().setFromArray(topology.rest));
    bounds.expandByVector(bounds.getSize(new THREE.Vector3()));
  }
  // A motion in one plane or on one line needs room to be looked at.
  const size = bounds.getSize(new THREE.Vector3()).length() || 1;
  return bounds.expandByScalar(0.01 * size);
}

export class Stage {
  readonly place = element("div", { class: "stage" });
  readonly canvas = element("canvas", {
    tabindex: 0,
    role: "img",
    "aria-label":
      "The moving bodies. Drag turns, the right button shifts, the wheel zooms; keys A and D turn, Q and E tilt, Z and X zoom.",
  });
  readonly bodies: Body[];
  readonly extras: THREE.Group[]; // drawn with each run alone
  on_paint: () => void = () => {};
  drawn = 0; // pictures so far
  layout: Layout = "side by side";
  time = 0;
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private viewpoint: Viewpoint;
  private marks: ProbeMarks[];
  private arrows: ForceArrows[];
  private surroundings: Surroundings;
  private hemisphere = new THREE.HemisphereLight();
  private back_color = new THREE.Color();
  private gap_color = new THREE.Color(); // between views
  private labels: HTMLElement[];
  private scale_note = element("span", { class: "scale-note" });
  private forget_theme: () => void;
  private compass = svg_element("svg", { class: "compass", viewBox: "-30 -30 60 60", "aria-hidden": "true" });
  private in_software = draws_in_software();
  private fine = false; // the picture is as good as it gets
  private refining = 0; // timer
  private scheduled = false;
  private moved = true; // the camera
  private stale = true; // the bodies do not show the wanted frames or look
  private width = 0;
  private height = 0;

  // Throws when the browser has no WebGL.
  constructor(
    private cast: Cast[],
    contacts: SceneObject[],
    up: [number, number, number],
    public look: Look,
  ) {
    this.renderer = new THREE.WebGLRenderer({
      canvas: this.canvas,
      antialias: !this.in_software,
      stencil: true,
      powerPreference: "high-performance",
    });
    this.renderer.autoClear = false;
    const up_vector = new THREE.Vector3(...up),
      bounds = bounds_of(cast);
    this.viewpoint = new Viewpoint(this.canvas, bounds, up_vector, () => {
      this.moved = true;
      this.draw_soon();
    });
    this.surroundings = new Surroundings(contacts, bounds, up_vector);
    this.hemisphere.position.copy(up_vector);
    this.bodies = cast.map(({ motion, color }) => new Body(motion, color));
    this.marks = cast.map(({ run }) => new ProbeMarks(run));
    const size = bounds.getSize(new THREE.Vector3()).length();
    this.arrows = cast.map(({ motion }) => new ForceArrows(motion, size));
    this.extras = cast.map(() => new THREE.Group());
    this.scene.add(
      ...this.extras,
      this.viewpoint.camera,
      this.hemisphere,
      this.surroundings.group,
      ...this.marks.map((mark) => mark.group),
      ...this.arrows.map((arrows) => arrows.group),
    );
    for (const body of this.bodies) {
      body.shadow.visible = this.surroundings.place_shadow(body.shadow);
      this.scene.add(body.group, body.shadow);
    }
    this.labels = cast.map(({ name, color }) => {
      const patch = element("i");
      patch.style.background = color;
      return element("span", { class: "view-label" }, patch, name);
    });
    this.place.append(this.canvas, ...(cast.length > 1 ? this.labels : []), this.scale_note, this.compass);
    this.scale_note.textContent = `grid ${with_unit(this.surroundings.square, "m")}`;
    this.read_colors();
    this.forget_theme = on_theme(() => {
      this.read_colors();
      this.surroundings.make();
      for (const mark of this.marks) mark.make();
      this.change_look({});
    });
    this.canvas.addEventListener("webglcontextrestored", () => this.change_look({}));
    new ResizeObserver(() => this.resize()).observe(this.place);
  }

  private read_colors(): void {
    this.back_color.set(css_color("--stage"));
    this.gap_color.set(css_color("--line"));
  }

  // The index of the shown frame of every run; -1 while none is there.
  frames(): number[] {
    return this.bodies.map((body) => body.shown?.index ?? -1);
  }

  get has_forces(): boolean {
    return this.cast.some(({ motion }) => has_forces(motion));
  }

  // Arrows of contact forces that are seen.
  arrows_drawn(): number {
    return this.look.forces ? this.arrows.reduce((sum, arrows) => sum + arrows.count, 0) : 0;
  }

  names(): string[] {
    return this.cast.map(({ name }) => name);
  }

  // Names of what "region" colours tell apart, of all runs alike: bodies, and their regions where they have several.
  region_names(): string[] {
    const { regions } = this.bodies[0].surface,
      { bodies } = this.cast[0].motion.header;
    return regions.map(({ body, region }) =>
      regions.filter((other) => other.body === body).length > 1
        ? `${bodies[body] ?? body}, region ${region}`
        : (bodies[body] ?? `body ${body}`),
    );
  }

  // The ray under a place of the window (CSS pixels), and the view that it goes into: the one under the place, or `view`.
  ray_at(x: number, y: number, view?: number): { view: number; ray: THREE.Ray; pixel: number } | null {
    const box = this.canvas.getBoundingClientRect(),
      cells = this.cells();
    const inside = (cell: Cell): boolean =>
      x - box.left >= cell.x &&
      x - box.left < cell.x + cell.width &&
      y - box.top >= cell.y &&
      y - box.top < cell.y + cell.height;
    const number = view ?? cells.findIndex(inside),
      cell = this.layout === "overlaid" ? cells[0] : cells[number];
    if (!cell) return null;
    const caster = new THREE.Raycaster(),
      camera = this.viewpoint.camera;
    const place = new THREE.Vector2(
      (2 * (x - box.left - cell.x)) / cell.width - 1,
      1 - (2 * (y - box.top - cell.y)) / cell.height,
    );
    camera.updateMatrixWorld();
    caster.setFromCamera(place, camera);
    // How far a pixel is from the ray's axis, at the distance 1.
    const pixel = (2 * Math.tan((camera.fov * Math.PI) / 360)) / cell.height;
    return { view: number, ray: caster.ray, pixel };
  }

  // Where a point of a view is seen in the window.
  place_of(view: number, point: THREE.Vector3): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect(),
      cell = this.cells()[this.layout === "overlaid" ? 0 : view];
    const seen = point.clone().project(this.viewpoint.camera);
    return {
      x: box.left + cell.x + ((seen.x + 1) * cell.width) / 2,
      y: box.top + cell.y + ((1 - seen.y) * cell.height) / 2,
    };
  }

  // Into the picture, a unit vector.
  get sight(): THREE.Vector3 {
    return this.viewpoint.camera.getWorldDirection(new THREE.Vector3());
  }

  rename(names: string[]): void {
    names.forEach((name, i) => {
      this.cast[i].name = name;
      this.labels[i].lastChild!.textContent = name;
    });
  }

  // Draws when the time has other frames than those that are seen.
  show(time: number): void {
    this.time = time;
    const same = (body: Body, i: number): boolean => {
      const motion = this.cast[i].motion,
        frame = motion.frame(motion.index_at(time));
      return frame === null || (body.shown?.index === frame.index && body.shown.chunk === frame.chunk);
    };
    if (!this.surroundings.moves && this.bodies.every(same)) return;
    this.stale = true;
    this.draw_soon();
  }

  change_look(change: Partial<Look>): void {
    Object.assign(this.look, change);
    for (const body of this.bodies) body.shown = null;
    this.show(this.time);
  }

  set_layout(layout: Layout): void {
    this.layout = layout;
    this.change_look({});
    this.viewpoint.set_aspect(this.cells()[0].width / this.cells()[0].height);
    this.viewpoint.fit();
  }

  // The picture is not needed any more.
  dispose(): void {
    this.place.remove();
    this.forget_theme();
    clearTimeout(this.refining);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  // The motion has grown.
  update(): void {
    this.viewpoint.set_bounds(bounds_of(this.cast));
    for (const mark of this.marks) mark.make();
    this.stale = true;
    this.draw_soon();
  }

  fit(): void {
    this.viewpoint.fit();
  }
  look_from(side: Parameters<Viewpoint["look_from"]>[0]): void {
    this.viewpoint.look_from(side);
  }
  move_camera(turn: number, tilt: number, zoom: number): void {
    this.viewpoint.move(turn, tilt, zoom);
  }

  private resize(): void {
    const width = this.place.clientWidth,
      height = this.place.clientHeight;
    if (!width || !height || (width === this.width && height === this.height)) return;
    const first = this.width === 0;
    [this.width, this.height] = [width, height];
    this.renderer.setSize(width, height, false);
    const cell = this.cells()[0];
    this.viewpoint.set_aspect(cell.width / cell.height);
    if (first) this.viewpoint.look_from("corner");
    this.draw(); // at once: a canvas that has been given a size is empty
  }

  draw_soon(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  // Cells of the views: as many columns as make them largest.
  private cells(): Cell[] {
    const count = this.layout === "overlaid" ? 1 : this.cast.length;
    let best = { columns: 1, size: 0 };
    for (let columns = 1; columns <= count; ++columns) {
      const width = this.width / columns,
        height = this.height / Math.ceil(count / columns);
      const size = Math.min(width, 1.25 * height);
      if (size > best.size) best = { columns, size };
    }
    const rows = Math.ceil(count / best.columns),
      width = this.width / best.columns,
      height = this.height / rows;
    return Array.from({ length: count }, (_, i) => ({
      x: (i % best.columns) * width,
      y: Math.floor(i / best.columns) * height,
      width,
      height,
    }));
  }

  private pose(): void {
    // Colours that mean numbers must be seen as the legend has them: less light and shade.
    const numbers = shows_numbers(this.look.color) && this.layout !== "overlaid";
    this.viewpoint.dim_lights(numbers ? 0.45 : 1);
    this.hemisphere.intensity = numbers ? 2.1 : 0.9;
    this.hemisphere.groundColor.set(numbers ? 0xd0d6dc : 0xa3adb6);
    const overlaid = this.layout === "overlaid" && this.bodies.length > 1;
    const look: Look = overlaid ? { ...this.look, color: "plain", opacity: 0.45 } : this.look;
    this.bodies.forEach((body, i) => {
      const motion = this.cast[i].motion,
        index = motion.index_at(this.time),
        frame = motion.frame(index);
      if (frame && (body.shown?.index !== frame.index || body.shown.chunk !== frame.chunk)) {
        body.set_look(look);
        body.show(frame, look);
        if (look.forces) this.arrows[i].show(frame, look.top_force);
      }
    });
    this.surroundings.update(this.time);
    for (const mark of this.marks) mark.update(this.time);
    this.stale = false;
  }

  private draw(): void {
    if (!this.width) return;
    if (this.stale) this.pose();
    this.set_fineness(!this.in_software);
    this.paint();
    clearTimeout(this.refining);
    if (!this.fine) this.refining = setTimeout(() => this.refine(), rest_before_refining);
  }

  // Nothing more will be drawn unless something changes.
  get settled(): boolean {
    return !this.scheduled && this.fine;
  }

  private refine(): void {
    if (this.scheduled) return;
    this.set_fineness(true);
    this.paint();
  }

  private set_fineness(fine: boolean): void {
    this.fine = fine;
    const ratio = !this.in_software ? Math.min(devicePixelRatio, 2) : fine ? 2 : 1;
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
  }

  private paint(): void {
    const renderer = this.renderer,
      cells = this.cells(),
      has_ground = this.surroundings.ground !== null;
    renderer.setScissorTest(false);
    renderer.setClearColor(this.back_color);
    renderer.clear();
    renderer.setScissorTest(true);
    cells.forEach((cell, c) => {
      this.bodies.forEach((body, i) => {
        const seen = (this.layout === "overlaid" || i === c) && body.shown !== null;
        body.group.visible = this.marks[i].group.visible = this.extras[i].visible = seen;
        this.arrows[i].group.visible = seen && this.look.forces;
        body.shadow.visible = seen && has_ground;
      });
      const bottom = this.height - cell.y - cell.height;
      renderer.setViewport(cell.x, bottom, cell.width, cell.height);
      renderer.setScissor(cell.x, bottom, cell.width, cell.height);
      renderer.render(this.scene, this.viewpoint.camera);
    });
    this.draw_gaps(cells);
    this.place_labels(cells);
    if (this.moved) this.draw_compass();
    this.moved = false;
    ++this.drawn;
    this.on_paint();
  }

  // Lines between the views.
  private draw_gaps(cells: Cell[]): void {
    this.renderer.setClearColor(this.gap_color);
    for (const cell of cells) {
      const bottom = this.height - cell.y - cell.height;
      if (cell.x > 0) this.clear_box(cell.x, bottom, 1, cell.height);
      if (cell.y > 0) this.clear_box(cell.x, bottom + cell.height - 1, cell.width, 1);
    }
  }

  private clear_box(x: number, y: number, width: number, height: number): void {
    this.renderer.setScissor(x, y, width, height);
    this.renderer.clear();
  }

  private place_labels(cells: Cell[]): void {
    if (this.cast.length < 2) return;
    this.labels.forEach((label, i) => {
      const cell = cells[i] ?? cells[0],
        below = this.layout === "overlaid" ? 24 * i : 0;
      label.style.left = `${cell.x + 10}px`;
      label.style.top = `${cell.y + 8 + below}px`;
      label.style.maxWidth = `${cell.width - 20}px`;
    });
  }

  private draw_compass(): void {
    const camera = this.viewpoint.camera,
      parts: { depth: number; drawn: SVGElement }[] = [];
    for (const [k, name] of ["x", "y", "z"].entries()) {
      const direction = new THREE.Vector3().setComponent(k, 1).transformDirection(camera.matrixWorldInverse);
      const x = 18 * direction.x,
        y = -18 * direction.y;
      const label = svg_element("text", { x: 1.38 * x, y: 1.38 * y + 3.5, class: `axis-${name}` }, name);
      parts.push({
        depth: direction.z,
        drawn: svg_element(
          "g",
          {},
          svg_element("line", { x1: 0, y1: 0, x2: x, y2: y, class: `axis-${name}` }),
          label,
        ),
      });
    }
    parts.sort((a, b) => a.depth - b.depth);
    this.compass.replaceChildren(...parts.map((part) => part.drawn));
  }
}
