// The panel that tells the keys.
import { element } from "./dom";

export type KeyGroup = [string, [string[], string][]];

const time_keys: KeyGroup[] = [
  [
    "Time",
    [
      [["Space"], "play or pause"],
      [["←", "→"], "one frame back or forward"],
      [["Shift ←", "Shift →"], "ten frames"],
      [["Home", "End"], "first or last frame"],
      [["+", "−"], "faster or slower"],
      [["L"], "loop on or off"],
    ],
  ],
];
const other_keys: KeyGroup[] = [
  [
    "Picture",
    [
      [["C"], "colour by the next quantity"],
      [["V"], "forces of contact, where the run recorded them"],
      [["W"], "edges: none, over the surface, alone"],
      [["S"], "flat or smooth shading"],
      [["O"], "overlaid or side by side, with several runs"],
      [["F"], "fit the motion into the view"],
      [["1", "2", "3", "4"], "look from the corner, the front, the side, the top"],
      [["A", "D"], "turn"],
      [["Q", "E"], "tilt"],
      [["Z", "X"], "nearer or farther"],
    ],
  ],
  [
    "Page",
    [
      [["T"], "dark or light"],
      [["?"], "this panel"],
    ],
  ],
];

const for_recorded =
  "With the pointer: drag to turn, right button or two fingers to shift, wheel to zoom; " +
  "a press on a plot sets the time. A name in a plot's legend hides its curve.";

export class Help {
  readonly place: HTMLDialogElement;

  constructor(program: string, first: KeyGroup[] = time_keys, pointer = for_recorded) {
    const close = element("button", { type: "button" }, "Close");
    close.addEventListener("click", () => this.toggle());
    this.place = element(
      "dialog",
      { class: "help", "aria-labelledby": "help-heading" },
      element("header", {}, element("h2", { id: "help-heading" }, "Keys"), close),
      ...[...first, ...other_keys].map(([group, list]) =>
        element(
          "section",
          {},
          element("h3", {}, group),
          element(
            "dl",
            {},
            ...list.flatMap(([names, text]) => [
              element("dt", {}, ...names.map((name) => element("kbd", {}, name))),
              element("dd", {}, text),
            ]),
          ),
        ),
      ),
      element(
        "p",
        { class: "note" },
        pointer,
      ),
      element("p", { class: "note" }, `Made by ${program}.`),
    );
    // A press beside the panel closes it.
    this.place.addEventListener("click", (event) => {
      if (event.target === this.place) this.place.close();
    });
  }

  get open(): boolean {
    return this.place.open;
  }
  toggle(): void {
    if (this.place.open) this.place.close();
    else this.place.showModal();
  }
}
