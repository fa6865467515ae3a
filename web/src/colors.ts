// Colour maps whose lightness rises evenly, so that equal differences look equal and greyscale prints stay readable;
// anchors of matplotlib's viridis, cividis and plasma (public domain). One from blue over grey to red for values to both
// sides of a middle. And colours that tell things apart, also to
// readers who do not see red and green alike.

const anchors = {
  viridis: "440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725",
  cividis: "00224e 123570 3b496c 575d6d 707173 8a8678 a59c74 c3b369 e1cc55 fee838",
  plasma: "0d0887 46039f 7201a8 9c179e bd3786 d8576b ed7953 fb9f3a fdca26 f0f921",
  two_sided: "2a4f9e 5b8fc9 aecbe3 e4e4e4 f0b99b d8705a a3213a",
};
export type ColorMap = keyof typeof anchors;

export const distinct_colors = [
  "#3b82b8",
  "#d97a28",
  "#2f9a78",
  "#b85aa0",
  "#b8962e",
  "#5aa7d6",
  "#c8523f",
  "#7a6fc0",
];
export const reference_color = "#8a9199";

type Rgb = [number, number, number];

export function rgb_of(hex: string): Rgb {
  const value = parseInt(hex.replace("#", ""), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

// What the eye is shown (sRGB) as amounts of light, in which shading computes.
export function linear(color: Rgb): Rgb {
  return color.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as Rgb;
}

function at(map: ColorMap, t: number): Rgb {
  const colors = anchors[map].split(" ").map(rgb_of);
  const place = Math.min(1, Math.max(0, t)) * (colors.length - 1);
  const i = Math.min(colors.length - 2, Math.floor(place)),
    w = place - i;
  return colors[i].map((c, k) => (1 - w) * c + w * colors[i + 1][k]) as Rgb;
}

// 256 colours as amounts of light, three numbers each.
export function color_table(map: ColorMap): Float32Array {
  const table = new Float32Array(3 * 256);
  for (let i = 0; i < 256; ++i) table.set(linear(at(map, i / 255)), 3 * i);
  return table;
}

export function css_gradient(map: ColorMap): string {
  return `linear-gradient(to right, ${anchors[map]
    .split(" ")
    .map((hex) => `#${hex}`)
    .join(", ")})`;
}
