// The panel that tells the keys.
import { element } from "./dom";

const keys: [string, [string[], string][]][] = [
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

export class Help {
  readonly place: HTMLDialogElement;

  constructor(program: string) {
    const close = element("button", { type: "button" }, "Close");
    close.addEventListener("click", () => this.toggle());
    this.place = element(
      "dialog",
      { class: "help", "aria-labelledby": "help-heading" },
      element("header", {}, element("h2", { id: "help-heading" }, "Keys"), close),
      ...keys.map(([group, list]) =>
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
        "With the pointer: drag to turn, right button or two fingers to shift, wheel to zoom; " +
          "a press on a plot sets the time. A name in a plot's legend hides its curve.",
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
