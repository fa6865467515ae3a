// The motion of the run in three dimensions, and its clock.
"use strict";

// The clock that the picture, the slider and the cursors of the plots share; simulated seconds.
class Clock {
  constructor(start, end) {
    Object.assign(this, { start, end, time: start, playing: false, speed: 1, listeners: [] });
  }
  listen(listener) { this.listeners.push(listener); }
  set(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.tell();
  }
  tell() { for (const listener of this.listeners) listener(this); }
  toggle() {
    this.playing = !this.playing && this.end > this.start;
    if (this.playing) {
      if (this.time >= this.end) this.time = this.start;
      let last = performance.now();
      const tick = (now) => {
        if (!this.playing) return;
        const next = this.time + (now - last) / 1000 * this.speed;
        last = now;
        this.set(next > this.end ? this.start : next);
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }
    this.tell();
  }
  pause() { if (this.playing) this.toggle(); }
}

// The last index i with times[i] <= time.
function index_at(times, time) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle; else high = middle - 1;
  }
  return low;
}

function from_base64(text, Type) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
  return new Type(bytes.buffer);
}

// Draws the surface at the clock's time: triangles sorted back to front (the painter's way), springs as lines,
// probes with their trails. `up` is the axis (0, 1, 2) that points up, `sign` its direction.
class Player {
  constructor(canvas, motion, probes, up, sign) {
    this.canvas = canvas;
    this.motion = motion;
    this.probes = probes;
    this.triangles = from_base64(motion.triangles, Int32Array);
    this.springs = from_base64(motion.springs, Int32Array);
    this.quantized = from_base64(motion.positions, Uint16Array);
    this.axes = [(up + 2) % 3, up, (up + 1) % 3];  // world axes drawn to the right, up and towards the viewer...
    this.signs = [1, sign, sign];                  // ...kept right-handed
    this.points = new Float32Array(3 * motion.vertices);   // of the camera: right, up, towards
    this.depths = new Float32Array(this.triangles.length / 3);
    this.center = motion.low.map((low, k) => (low + motion.high[k]) / 2);
    const size = motion.low.map((low, k) => motion.high[k] - low);
    this.radius = Math.hypot(...size) / 2 || 1;
    this.time = motion.times[0];
    this.waiting = false;
    this.reset();
    this.take_input();
    new ResizeObserver(() => this.draw_soon()).observe(canvas);
  }

  reset() {
    Object.assign(this, { yaw: 0.45, pitch: 0.3, zoom: 1 });
    this.draw_soon();
  }

  take_input() {
    const canvas = this.canvas;
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) return;
      this.yaw -= event.movementX * 0.008;
      this.pitch = Math.min(1.55, Math.max(-1.55, this.pitch + event.movementY * 0.008));
      this.draw_soon();
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom = Math.min(20, Math.max(0.2, this.zoom * Math.exp(-event.deltaY * 0.0015)));
      this.draw_soon();
    }, { passive: false });
  }

  show(time) {
    this.time = time;
    this.draw_soon();
  }
  draw_soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  // Camera coordinates of a point given in metres.
  to_camera(x) {
    const [right, up, towards] = this.axes.map((axis, k) => this.signs[k] * (x[axis] - this.center[axis]));
    const r = this.cos_yaw * right - this.sin_yaw * towards, t = this.sin_yaw * right + this.cos_yaw * towards;
    return [r, this.cos_pitch * up - this.sin_pitch * t, this.sin_pitch * up + this.cos_pitch * t];
  }
  // Pixels of a camera point; the eye is four radii away.
  to_screen([right, up, towards]) {
    const scale = this.scale * 4 * this.radius / (4 * this.radius - towards);
    return [this.width / 2 + scale * right, this.height / 2 - scale * up];
  }

  // The scale at which the whole motion fits the picture.
  fit() {
    const { low, high } = this.motion;
    let across = 0, along = 0;
    this.scale = 1;
    for (let corner = 0; corner < 8; ++corner) {
      const x = low.map((value, k) => corner >> k & 1 ? high[k] : value);
      const [sx, sy] = this.to_screen(this.to_camera(x));
      across = Math.max(across, Math.abs(sx - this.width / 2));
      along = Math.max(along, Math.abs(sy - this.height / 2));
    }
    const shape = Math.min(0.44 * this.width / (across || 1), 0.42 * this.height / (along || 1));
    this.scale = shape * this.zoom;
  }

  place_points() {
    const { times, low, high, vertices } = this.motion;
    const i = index_at(times, this.time), j = Math.min(i + 1, times.length - 1);
    const part = j > i ? Math.min(1, (this.time - times[i]) / (times[j] - times[i])) : 0;
    const step = low.map((value, k) => (high[k] - value) / 65535);
    const now = 3 * vertices * i, next = 3 * vertices * j, x = [0, 0, 0];
    for (let v = 0; v < 3 * vertices; v += 3) {
      for (let k = 0; k < 3; ++k) {
        const a = this.quantized[now + v + k], b = this.quantized[next + v + k];
        x[k] = low[k] + step[k] * (a + part * (b - a));
      }
      this.points.set(this.to_camera(x), v);
    }
  }

  draw() {
    const ratio = window.devicePixelRatio || 1, canvas = this.canvas;
    this.width = canvas.clientWidth;
    this.height = canvas.clientHeight;
    if (!this.width || !this.height) return;
    if (canvas.width !== Math.round(this.width * ratio) || canvas.height !== Math.round(this.height * ratio)) {
      canvas.width = Math.round(this.width * ratio);
      canvas.height = Math.round(this.height * ratio);
    }
    this.pen = canvas.getContext("2d");
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.pen.clearRect(0, 0, this.width, this.height);
    this.pen.lineJoin = this.pen.lineCap = "round";
    [this.sin_yaw, this.cos_yaw] = [Math.sin(this.yaw), Math.cos(this.yaw)];
    [this.sin_pitch, this.cos_pitch] = [Math.sin(this.pitch), Math.cos(this.pitch)];
    this.style = getComputedStyle(document.documentElement);
    this.fit();
    this.place_points();
    this.draw_grid();
    this.draw_triangles();
    this.draw_springs();
    this.draw_probes();
    this.draw_axes();
  }

  line(points) {
    this.pen.beginPath();
    for (const point of points) this.pen.lineTo(...point);
    this.pen.stroke();
  }

  // A grid under the motion, in round steps of length, gives the eye a floor.
  draw_grid() {
    const [right, up, towards] = this.axes;
    const { low, high } = this.motion;
    const step = nice_step(2.4 * this.radius / 8), cells = 6;
    const ground = this.signs[1] > 0 ? low[up] : high[up];
    const middle = (axis) => Math.round(this.center[axis] / step) * step;
    const at = (a, b) => {
      const x = [0, 0, 0];
      x[right] = middle(right) + a * step;
      x[up] = ground - this.signs[1] * 0.02 * this.radius;
      x[towards] = middle(towards) + b * step;
      return this.to_screen(this.to_camera(x));
    };
    this.pen.strokeStyle = this.style.getPropertyValue("--grid");
    this.pen.lineWidth = 1;
    for (let i = -cells; i <= cells; ++i) {
      this.line([at(i, -cells), at(i, cells)]);
      this.line([at(-cells, i), at(cells, i)]);
    }
  }

  draw_triangles() {
    const { triangles, points, depths, pen } = this, order = [];
    for (let i = 0; i < depths.length; ++i) {
      depths[i] = points[3 * triangles[3 * i] + 2] + points[3 * triangles[3 * i + 1] + 2]
        + points[3 * triangles[3 * i + 2] + 2];
      order.push(i);
    }
    order.sort((a, b) => depths[a] - depths[b]);
    const dark = document.documentElement.dataset.theme === "dark";
    const body = this.style.getPropertyValue("--body").trim().replace(" ", ", ");
    const [first, range] = dark ? [16, 54] : [25, 56];
    const shades = Array.from({ length: 65 }, (_, i) => `hsl(${body}, ${first + range * i / 64}%)`);
    const edges = Array.from({ length: 65 }, (_, i) => `hsl(${body}, ${(first + range * i / 64) * 0.84}%)`);
    const show_edges = depths.length < 6000;
    pen.lineWidth = 0.7;
    for (const i of order) {
      const corners = [0, 1, 2].map((k) => points.subarray(3 * triangles[3 * i + k], 3 * triangles[3 * i + k] + 3));
      const [p, q, r] = corners.map((corner) => this.to_screen(corner));
      if ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) >= 0) continue;  // seen from behind
      const shade = Math.round(64 * brightness(...corners));
      pen.fillStyle = shades[shade];
      pen.strokeStyle = show_edges ? edges[shade] : shades[shade];
      pen.beginPath();
      pen.moveTo(p[0], p[1]);
      pen.lineTo(q[0], q[1]);
      pen.lineTo(r[0], r[1]);
      pen.closePath();
      pen.fill();
      pen.stroke();
    }
  }

  draw_springs() {
    const { springs, points, pen } = this;
    pen.strokeStyle = this.style.getPropertyValue("--accent");
    pen.lineWidth = springs.length > 4000 ? 0.8 : 1.6;
    for (let i = 0; i < springs.length; i += 2)
      this.line([springs[i], springs[i + 1]].map((v) => this.to_screen(points.subarray(3 * v, 3 * v + 3))));
  }

  draw_probes() {
    const pen = this.pen;
    pen.font = "12px system-ui, sans-serif";
    for (const probe of this.probes) {
      const last = index_at(probe.time, this.time + 1e-12), trail = [];
      for (let i = 0; i <= last; ++i)
        trail.push(this.to_screen(this.to_camera([probe.x[i], probe.y[i], probe.z[i]])));
      pen.strokeStyle = pen.fillStyle = this.style.getPropertyValue("--kinetic");
      pen.lineWidth = 1.3;
      this.line(trail);
      const [x, y] = trail[last];
      pen.beginPath();
      pen.arc(x, y, 3.5, 0, 7);
      pen.fill();
      pen.fillStyle = this.style.getPropertyValue("--ink");
      pen.fillText(probe.name, x + 8, y - 6);
    }
  }

  draw_axes() {
    const pen = this.pen, origin = [38, this.height - 38];
    pen.font = "12px system-ui, sans-serif";
    pen.strokeStyle = pen.fillStyle = this.style.getPropertyValue("--muted");
    pen.lineWidth = 1.2;
    for (let axis = 0; axis < 3; ++axis) {
      const x = this.center.map((value, k) => k === axis ? value + 1 : value);
      const [right, up] = this.to_camera(x);
      const tip = [origin[0] + 22 * right, origin[1] - 22 * up];
      this.line([origin, tip]);
      pen.fillText("xyz"[axis], tip[0] + 5 * Math.sign(right) - 3, tip[1] - 5 * Math.sign(up) + 4);
    }
  }
}

// Diffuse light from above the viewer's left shoulder, 0 to 1, of a triangle in camera coordinates.
function brightness(a, b, c) {
  const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]], v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...n) || 1;
  const lit = (-0.38 * n[0] + 0.74 * n[1] + 0.55 * n[2]) / length;
  return Math.min(1, Math.max(0, 0.25 + 0.75 * lit));
}
