// Who took the energy, in sentences.   node --test web/test/ledger_sentences_test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { table_of } from "./encoder.mjs";

// The page's module, as it is.
const { outputFiles } = await build({
  entryPoints: [new URL("../src/ledger_sentences.ts", import.meta.url).pathname],
  bundle: true,
  format: "esm",
  write: false,
});
const { ledger_sentences } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
);

const damped_body = { name: "cube", damping: { mass: 0, stiffness: 0.001 } },
  free_body = { name: "cube", damping: { mass: 0, stiffness: 0 } };

// Sentences of a run that exchanged 10 J, from the last row of its ledger.
function said(last, { contacts = [], body = free_body } = {}) {
  const zero = { dissipated: 0, friction: 0, contact_work: 0, contact: 0 };
  const columns = Object.entries({ ...zero, ...last }).map(([name, value]) => [name, [0, value]]);
  const energy = table_of({ time: [0, 1], ...Object.fromEntries(columns) });
  return ledger_sentences({ energy, run: { scene: { bodies: [body], contacts } } }, 10);
}

test("friction is told in joules", () => {
  assert.deepEqual(said({ friction: 0.37 }), ["There was no physical damping.", "Friction took 370 mJ."]);
});

test("what viscoelastic branches dissipated is physical damping", () => {
  const relaxing = { ...free_body, material: { prony: [{ ratio: 1, time: 0.1 }] } };
  assert.deepEqual(said({ dissipated: 2 }, { body: relaxing }), ["Physical damping took 2 J."]);
  assert.deepEqual(said({}, { body: relaxing }), []);
  assert.deepEqual(said({}, { body: { ...free_body, regions: [relaxing] } }), []);
});

test("a projected obstacle that added energy is named, with the way out", () => {
  assert.equal(
    said({ contact_work: 73.1 }, { contacts: [{ type: "floor", mode: "project" }] }).at(-1),
    'The projected floor added 73.1 J: use "mode": "barrier", which keeps the energy.',
  );
  const several = ["floor", "sphere", "floor"].map((type) => ({ type, mode: "project" }));
  assert.match(
    said({ contact_work: 2 }, { contacts: several }).at(-1),
    /^The projected obstacles \(floor, sphere\) added 2 J: use/,
  );
});

test("what projections or impulses took is told, without advice", () => {
  assert.equal(
    said({ contact_work: -4 }, { contacts: [{ type: "sphere", mode: "project" }] }).at(-1),
    "The projected sphere took 4 J.",
  );
  assert.equal(said({ contact_work: -4 }).at(-1), "Impulses of contact took 4 J.");
});

test("damping and contacts that do not rebound are told apart by the scene", () => {
  assert.deepEqual(said({ dissipated: 1 }, { body: damped_body }), ["Physical damping took 1 J."]);
  assert.deepEqual(said({ dissipated: 1, contact: 0.1 }), ["Contacts that did not rebound took 1 J."]);
  assert.deepEqual(said({ dissipated: 1, contact: 0.1 }, { body: damped_body }), [
    "Physical damping, with contacts that did not rebound, took 1 J.",
  ]);
});

test("rounding is not told", () => {
  assert.deepEqual(said({ dissipated: 1.7e-14, friction: 1e-12, contact_work: 1e-12 }), [
    "There was no physical damping.",
  ]);
});
