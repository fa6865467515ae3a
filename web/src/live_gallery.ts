// The gallery as cards: a picture of where each scene starts, its name and a sentence. A press opens it.
import { from_base64, inflate } from "./bytes";
import type { Look } from "./body";
import { decode_chunk } from "./chunk";
import { distinct_colors } from "./colors";
import { up_of, type MotionHeader, type SceneObject } from "./data";
import { element } from "./dom";
import { LiveMotion } from "./live_motion";
import { topology_of } from "./motion";
import { Stage } from "./stage";
import { amount } from "./words";

interface Card {
  motion: MotionHeader;
  chunk: string;
  elements: number;
  scene: SceneObject;
}

export function plain_look(): Look {
  return {
    color: "plain",
    tops: { speed: 1, displacement: 1, strain_energy: 1 },
    fields: [],
    forces: false,
    top_force: 0,
    edges: "none",
    shading: "smooth",
    opacity: 1,
  };
}

// A still picture of a scene, as the address of an image; drawn once, in a place that is not seen.
async function picture_of(card: Card): Promise<string> {
  const motion = new LiveMotion(card.motion, await topology_of(card.motion));
  motion.take(decode_chunk(await inflate(from_base64(card.chunk))), 1);
  const stage = new Stage(
    [
      {
        name: "",
        color: distinct_colors[0],
        motion,
        run: () => ({ name: "", folder: "", reference: false, run: {}, energy: null, probes: null, motion: null, remarks: [] }),
        counts: true,
      },
    ],
    (card.scene.contacts ?? []) as SceneObject[],
    up_of({ scene: card.scene }),
    plain_look(),
  );
  stage.place.classList.add("card-stage");
  document.body.append(stage.place);
  try {
    await new Promise((drawn) => requestAnimationFrame(drawn));
    stage.show(0);
    return await new Promise<string>((made) => {
      stage.on_paint = () => made(stage.canvas.toDataURL("image/png"));
      stage.change_look({ edges: "over the surface" });
    });
  } finally {
    stage.dispose();
  }
}

export class Gallery {
  readonly place = element("div", { class: "gallery", role: "list" });
  pictures = 0; // that are there
  private closed = false;

  constructor(
    private scenes: { name: string; line: string }[],
    open: (number: number) => void,
  ) {
    if (!scenes.length)
      this.place.append(
        element(
          "p",
          { class: "no-picture" },
          "No gallery is here. Open a scene with: phiflex live SCENE, or name the folder of the gallery in PHIFLEX_SCENES.",
        ),
      );
    scenes.forEach(({ name, line }, number) => {
      const card = element(
        "button",
        { type: "button", class: "card", role: "listitem", "aria-label": `Open ${name}` },
        element("span", { class: "card-picture" }),
        element("b", {}, name),
        element("span", { class: "note" }, line),
      );
      card.addEventListener("click", () => open(number));
      this.place.append(card);
    });
  }

  // One after the other, those that are seen first.
  async draw(): Promise<void> {
    for (let number = 0; number < this.scenes.length && !this.closed; ++number) {
      const holder = this.place.children[number].querySelector(".card-picture")!;
      try {
        const answer = await fetch(`gallery/${number}.json`);
        if (!answer.ok) throw new Error(String(answer.status));
        const card = (await answer.json()) as Card;
        if (this.closed) return;
        const image = element("img", { alt: "", src: await picture_of(card) });
        holder.replaceChildren(image);
        holder.append(element("span", { class: "card-size" }, `${amount(card.elements)} elements`));
      } catch {
        holder.textContent = "no picture";
      }
      ++this.pictures;
    }
  }

  close(): void {
    this.closed = true;
    this.place.remove();
  }
}
