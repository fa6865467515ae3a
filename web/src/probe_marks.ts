// Where the probes are: a dot, and the path it has come along.
import * as THREE from "three";
import { column, index_at, type Run } from "./data";
import { css_color } from "./dom";
import { probe_names } from "./probes";

interface Mark {
  times: (number | null)[];
  path: THREE.Line;
  dot: THREE.Points;
}

export class ProbeMarks {
  readonly group = new THREE.Group();
  private marks: Mark[] = [];

  constructor(private run: () => Run) {
    this.make();
  }

  // Anew: the run has more rows, or the theme has other colours.
  make(): void {
    const { probes } = this.run(),
      color = css_color("--probe");
    this.group.clear();
    this.marks = [];
    for (const name of probes ? probe_names(probes) : []) {
      const axes = ["x", "y", "z"].map((axis) => column(probes, `${name}_${axis}`)!);
      if (axes.some((values) => values.includes(null))) continue;
      const positions = Float32Array.from(axes[0].flatMap((x, i) => [x!, axes[1][i]!, axes[2][i]!]));
      const geometry = new THREE.BufferGeometry().setAttribute(
        "position",
        new THREE.BufferAttribute(positions, 3),
      );
      const path = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color }));
      const dot = new THREE.Points(
        geometry.clone(),
        new THREE.PointsMaterial({
          color,
          size: 7,
          sizeAttenuation: false,
          depthTest: false,
          transparent: true,
        }),
      );
      path.frustumCulled = dot.frustumCulled = false;
      dot.renderOrder = 1;
      this.group.add(path, dot);
      this.marks.push({ times: column(probes, "time") ?? [], path, dot });
    }
  }

  update(time: number): void {
    for (const { times, path, dot } of this.marks) {
      const last = index_at(times, time);
      path.geometry.setDrawRange(0, last + 1);
      dot.geometry.setDrawRange(last, 1);
    }
  }
}
