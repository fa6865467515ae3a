// What is drawn of a surface. Shading should be smooth where the body is smooth and break at its edges, and a vertex
// where two regions meet has two colours; so a vertex is drawn once for every group of its triangles:
//   corner   one of a triangle's three places
//   group    corners of one vertex whose triangles join without an edge: they share a normal
//   point    corners of one group in one region: what the graphics processor gets
import type { Topology } from "./motion";

// Faces that meet at less than this angle are one smooth surface.
const smooth_angle = (40 * Math.PI) / 180;

export interface Surface {
  triangle_points: Uint32Array; // 3 per triangle
  triangle_groups: Uint32Array;
  point_vertex: Uint32Array;
  point_group: Uint32Array;
  point_region: Uint16Array; // number of the region in `regions`
  groups: number;
  edges: Uint32Array; // 2 points per edge, every edge once
  regions: { body: number; region: number }[];
}

function unit_normals(rest: Float32Array, triangles: Int32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t],
      b = 3 * triangles[t + 1],
      c = 3 * triangles[t + 2];
    const ux = rest[b] - rest[a],
      uy = rest[b + 1] - rest[a + 1],
      uz = rest[b + 2] - rest[a + 2];
    const vx = rest[c] - rest[a],
      vy = rest[c + 1] - rest[a + 1],
      vz = rest[c + 2] - rest[a + 2];
    const x = uy * vz - uz * vy,
      y = uz * vx - ux * vz,
      z = ux * vy - uy * vx;
    const length = Math.hypot(x, y, z) || 1;
    normals[t] = x / length;
    normals[t + 1] = y / length;
    normals[t + 2] = z / length;
  }
  return normals;
}

// Numbers things by their keys in the order they are met.
class Numbering {
  private numbers = new Map<number, number>();
  of(key: number, met: () => void): number {
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(key, number);
      met();
    }
    return number;
  }
  get size(): number {
    return this.numbers.size;
  }
}

export function make_surface(topology: Topology): Surface {
  const { triangles, rest } = topology,
    corners = triangles.length,
    vertices = rest.length / 3;
  const normals = unit_normals(rest, triangles),
    smooth = Math.cos(smooth_angle);

  // Groups: corners joined across the smooth edges (union-find).
  const parent = Uint32Array.from({ length: corners }, (_, i) => i);
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const seen = new Map<number, [number, number]>(); // edge -> its first triangle's corners, lower vertex first
  const edge_corners: number[] = [];
  for (let i = 0; i < corners; ++i) {
    const j = i % 3 === 2 ? i - 2 : i + 1,
      ordered = triangles[i] < triangles[j];
    const lower = ordered ? i : j,
      upper = ordered ? j : i;
    const key = triangles[lower] * vertices + triangles[upper],
      other = seen.get(key);
    if (!other) {
      seen.set(key, [lower, upper]);
      edge_corners.push(lower, upper);
      continue;
    }
    const t = i - (i % 3),
      s = other[0] - (other[0] % 3);
    const cosine =
      normals[t] * normals[s] + normals[t + 1] * normals[s + 1] + normals[t + 2] * normals[s + 2];
    if (cosine < smooth) continue;
    parent[root(lower)] = root(other[0]);
    parent[root(upper)] = root(other[1]);
  }

  const regions: { body: number; region: number }[] = [];
  const region_number = new Numbering(),
    group_number = new Numbering(),
    point_number = new Numbering();
  const triangle_points = new Uint32Array(corners),
    triangle_groups = new Uint32Array(corners);
  const point_vertex: number[] = [],
    point_group: number[] = [],
    point_region: number[] = [];
  for (let i = 0; i < corners; ++i) {
    const t = (i - (i % 3)) / 3,
      body = topology.triangle_body[t] ?? 0,
      region = topology.triangle_region[t] ?? 0;
    const place = region_number.of(body * 65536 + region, () => regions.push({ body, region }));
    const group = group_number.of(root(i), () => {});
    triangle_groups[i] = group;
    triangle_points[i] = point_number.of(group * 65536 + place, () => {
      point_vertex.push(triangles[i]);
      point_group.push(group);
      point_region.push(place);
    });
  }
  // Bodies of springs alone have a colour too.
  for (const body of new Set(topology.line_body))
    if (!regions.some((region) => region.body === body)) regions.push({ body, region: 0 });
  return {
    triangle_points,
    triangle_groups,
    regions,
    groups: group_number.size,
    point_vertex: Uint32Array.from(point_vertex),
    point_group: Uint32Array.from(point_group),
    point_region: Uint16Array.from(point_region),
    edges: Uint32Array.from(edge_corners, (corner) => triangle_points[corner]),
  };
}

// Hairs and bristles: most triangles are so narrow that they fall between the pixels.
export function is_slender({ rest, triangles }: Topology): boolean {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  rest.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  const narrow = 0.003 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  let count = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const sides = [0, 1, 2].map((k) => {
      const a = 3 * triangles[t + k],
        b = 3 * triangles[t + ((k + 1) % 3)];
      return Math.hypot(rest[a] - rest[b], rest[a + 1] - rest[b + 1], rest[a + 2] - rest[b + 2]);
    });
    // A triangle's width is at most its shortest side.
    if (Math.min(...sides) < narrow) ++count;
  }
  return count > triangles.length / 6;
}

// Normals of the groups at positions x: sums of the triangles' area vectors. Their length does not matter, the shader
// makes it one.
export function add_normals(
  x: Float32Array,
  triangles: Int32Array,
  groups: Uint32Array,
  normals: Float32Array,
): void {
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t],
      b = 3 * triangles[t + 1],
      c = 3 * triangles[t + 2];
    const ux = x[b] - x[a],
      uy = x[b + 1] - x[a + 1],
      uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a],
      vy = x[c + 1] - x[a + 1],
      vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy,
      ny = uz * vx - ux * vz,
      nz = ux * vy - uy * vx;
    for (let k = 0; k < 3; ++k) {
      const g = 3 * groups[t + k];
      normals[g] += nx;
      normals[g + 1] += ny;
      normals[g + 2] += nz;
    }
  }
}
