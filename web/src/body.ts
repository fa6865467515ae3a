// One run's bodies as the graphics processor draws them: the surface, its edges, and springs and fibres as lines.
// A new frame only rewrites arrays that are already there.
import * as THREE from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { positions_of } from "./chunk";
import {
  codes_of,
  displacement_place,
  places_of_codes,
  quantities,
  region_light,
  table_of,
  type ColorMode,
} from "./coloring";
import { linear, rgb_of } from "./colors";
import { css_color } from "./dom";
import { field_places, type FieldScale } from "./fields";
import type { Frame, ShownMotion } from "./motion";
import { add_normals, is_slender, make_surface, type Surface } from "./surface";

export const edge_modes = ["none", "over the surface", "alone"] as const;
export type EdgeMode = (typeof edge_modes)[number];

export interface Look {
  color: ColorMode;
  tops: { speed: number; displacement: number; strain_energy: number }; // ends of the colour scales
  fields: FieldScale[]; // of the numbers that the frames hold beside these
  forces: boolean; // of contact, as arrows
  top_force: number; // N: of the longest arrow
  edges: EdgeMode;
  shading: "smooth" | "flat";
  opacity: number;
}

export class Body {
  readonly group = new THREE.Group();
  readonly shadow: THREE.Mesh;
  readonly surface: Surface;
  shown: Frame | null = null;
  private x: Float32Array; // of the vertices
  private normals: Float32Array; // of the groups
  private point_positions: THREE.BufferAttribute;
  private point_normals: THREE.BufferAttribute;
  private point_colors: THREE.BufferAttribute;
  private mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
  private edges: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private lines: LineSegments2 | null = null;
  private painted = ""; // colours that do not change from frame to frame are filled in once
  private slender: boolean; // its edges must be drawn for it to be seen
  private plain: [number, number, number];

  constructor(
    private motion: ShownMotion,
    color: string,
  ) {
    const topology = motion.topology;
    this.plain = linear(rgb_of(color));
    this.surface = make_surface(topology);
    this.slender = is_slender(topology);
    this.x = new Float32Array(topology.rest);
    this.normals = new Float32Array(3 * this.surface.groups);
    const points = this.surface.point_vertex.length;
    const dynamic = (): THREE.BufferAttribute =>
      new THREE.BufferAttribute(new Float32Array(3 * points), 3).setUsage(THREE.DynamicDrawUsage);
    this.point_positions = dynamic();
    this.point_normals = dynamic();
    this.point_colors = dynamic();

    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.point_positions);
    geometry.setAttribute("normal", this.point_normals);
    geometry.setAttribute("color", this.point_colors);
    geometry.setIndex(new THREE.BufferAttribute(this.surface.triangle_points, 1));
    this.mesh = new THREE.Mesh(
      geometry,
      new THREE.MeshLambertMaterial({
        vertexColors: true,
        side: THREE.DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      }),
    );

    const edge_geometry = new THREE.BufferGeometry();
    edge_geometry.setAttribute("position", this.point_positions);
    edge_geometry.setAttribute("color", this.point_colors);
    edge_geometry.setIndex(new THREE.BufferAttribute(this.surface.edges, 1));
    this.edges = new THREE.LineSegments(edge_geometry, new THREE.LineBasicMaterial({ transparent: true }));

    // Under the body on the ground, drawn once however many layers lie above.
    this.shadow = new THREE.Mesh(
      geometry,
      new THREE.MeshBasicMaterial({
        color: 0x000000,
        transparent: true,
        opacity: 0.16,
        side: THREE.DoubleSide,
        depthWrite: false,
        stencilWrite: true,
        stencilRef: 1,
        stencilFunc: THREE.NotEqualStencilFunc,
        stencilZPass: THREE.ReplaceStencilOp,
      }),
    );
    this.shadow.renderOrder = -1;

    this.group.add(this.mesh, this.edges);
    if (topology.lines.length) this.group.add((this.lines = this.make_lines(topology.lines)));
    for (const part of [...this.group.children, this.shadow]) part.frustumCulled = false;
  }

  private make_lines(ends: Int32Array): LineSegments2 {
    const geometry = new LineSegmentsGeometry();
    geometry.setPositions(new Float32Array(3 * ends.length));
    geometry.setColors(new Float32Array(3 * ends.length));
    return new LineSegments2(geometry, new LineMaterial({ vertexColors: true, linewidth: 2 }));
  }

  // Where the vertices are that are seen now, x y z of each.
  get positions(): Float32Array {
    return this.x;
  }

  set_look(look: Look): void {
    const material = this.mesh.material;
    if (material.flatShading !== (look.shading === "flat")) {
      material.flatShading = look.shading === "flat";
      material.needsUpdate = true;
    }
    if (material.transparent !== look.opacity < 1) material.needsUpdate = true;
    material.transparent = look.opacity < 1;
    material.depthWrite = !material.transparent;
    material.opacity = look.opacity;
    this.mesh.visible = look.edges !== "alone";
    this.edges.visible = look.edges !== "none" || this.slender;
    const alone = look.edges === "alone" || this.slender;
    if (this.edges.material.vertexColors !== alone) {
      this.edges.material.vertexColors = alone;
      this.edges.material.needsUpdate = true;
    }
    this.edges.material.color.set(alone ? "#ffffff" : css_color("--edge"));
    this.edges.material.opacity = alone ? 0.8 : 0.45;
  }

  show(frame: Frame, look: Look): void {
    positions_of(frame.chunk, frame.within, this.x);
    const { point_vertex, point_group, triangle_groups } = this.surface,
      x = this.x,
      normals = this.normals;
    normals.fill(0);
    add_normals(x, this.motion.topology.triangles, triangle_groups, normals);
    const positions = this.point_positions.array,
      at_points = this.point_normals.array;
    for (let p = 0, to = 0; p < point_vertex.length; ++p, to += 3) {
      const v = 3 * point_vertex[p],
        g = 3 * point_group[p];
      positions[to] = x[v];
      positions[to + 1] = x[v + 1];
      positions[to + 2] = x[v + 2];
      at_points[to] = normals[g];
      at_points[to + 1] = normals[g + 1];
      at_points[to + 2] = normals[g + 2];
    }
    this.point_positions.needsUpdate = true;
    this.point_normals.needsUpdate = true;
    if (this.lines) {
      const attribute = this.lines.geometry.getAttribute("instanceStart") as THREE.InterleavedBufferAttribute;
      this.motion.topology.lines.forEach((vertex, end) => {
        for (let k = 0; k < 3; ++k) attribute.data.array[3 * end + k] = x[3 * vertex + k];
      });
      attribute.data.needsUpdate = true;
    }
    this.paint(frame, look);
    this.shown = frame;
  }

  private paint(frame: Frame, look: Look): void {
    if (this.painted === look.color && (look.color === "plain" || look.color === "region")) return;
    this.painted = look.color;
    const light = this.light_of(frame, look),
      { point_vertex, point_region } = this.surface;
    const colors = this.point_colors.array;
    for (let p = 0; p < point_vertex.length; ++p) light(point_vertex[p], point_region[p], colors, 3 * p);
    this.point_colors.needsUpdate = true;
    if (!this.lines) return;
    const attribute = this.lines.geometry.getAttribute(
      "instanceColorStart",
    ) as THREE.InterleavedBufferAttribute;
    const { lines, line_body } = this.motion.topology;
    const of_body = new Map(
      [...new Set(line_body)].map((body) => [
        body,
        this.surface.regions.findIndex((region) => region.body === body),
      ]),
    );
    lines.forEach((vertex, end) =>
      light(vertex, of_body.get(line_body[end >> 1]) ?? 0, attribute.data.array, 3 * end),
    );
    attribute.data.needsUpdate = true;
  }

  // A function that writes the colour of a vertex in a region.
  private light_of(
    frame: Frame,
    look: Look,
  ): (vertex: number, region: number, to: THREE.TypedArray, at: number) => void {
    const constant = (color: [number, number, number], to: THREE.TypedArray, at: number): void => {
      for (let k = 0; k < 3; ++k) to[at + k] = color[k];
    };
    const scale = look.fields.find((field) => field.name === look.color);
    if (scale) return this.field_light(frame, scale);
    const quantity = quantities[look.color];
    if (!quantity)
      return look.color !== "region"
        ? (_vertex, _region, to, at) => constant(this.plain, to, at)
        : (_vertex, region, to, at) => constant(region_light[region % region_light.length], to, at);
    const table = table_of(quantity.map),
      top = look.tops[quantity.key];
    const from_table = (place: number, to: THREE.TypedArray, at: number): void => {
      for (let k = 0; k < 3; ++k) to[at + k] = table[3 * place + k];
    };
    if (look.color === "displacement")
      return (vertex, _region, to, at) =>
        from_table(displacement_place(this.x, this.motion.topology.rest, vertex, top), to, at);
    const { codes, max } = codes_of(look.color, frame),
      places = places_of_codes(quantity, max, top);
    return (vertex, _region, to, at) => from_table(places[codes[vertex]], to, at);
  }

  // A run that lacks the field keeps its plain colour.
  private field_light(
    frame: Frame,
    scale: FieldScale,
  ): (vertex: number, region: number, to: THREE.TypedArray, at: number) => void {
    const number = (this.motion.header.fields ?? []).findIndex((field) => field.name === scale.name),
      field = frame.chunk.fields[number];
    if (!field)
      return (_vertex, _region, to, at) => {
        for (let k = 0; k < 3; ++k) to[at + k] = this.plain[k];
      };
    const table = table_of(scale.map),
      places = field_places(field, scale),
      from = frame.within * frame.chunk.vertices;
    return (vertex, _region, to, at) => {
      const place = places[field.codes[from + vertex]];
      for (let k = 0; k < 3; ++k) to[at + k] = table[3 * place + k];
    };
  }
}
