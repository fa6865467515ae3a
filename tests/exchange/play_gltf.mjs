// Plays a .glb with three.js as a page would, and prints what is shown at a time: the number of vertices and the
// place of one of them.  node play_gltf.mjs NODE_MODULES FILE TIME VERTEX
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

globalThis.self = globalThis;
const [modules, file, time, vertex] = process.argv.slice(2);
const at = (path) => pathToFileURL(`${modules}/three/${path}`).href;
const THREE = await import(at('build/three.module.js'));
// The loader asks for 'three' by name; node finds it beside the loader.
const { GLTFLoader } = await import(at('examples/jsm/loaders/GLTFLoader.js'));
const bytes = readFileSync(file);
const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new Promise((done, failed) => new GLTFLoader().parse(data, '', done, failed));
const mixer = new THREE.AnimationMixer(gltf.scene);
const action = mixer.clipAction(gltf.animations[0]);
action.setLoop(THREE.LoopOnce);
action.clampWhenFinished = true;
action.play();
mixer.setTime(Number(time));
let mesh = null;
gltf.scene.traverse((node) => { if (node.isMesh && !mesh) mesh = node; });
const shown = mesh.getVertexPosition(Number(vertex), new THREE.Vector3());
console.log(mesh.geometry.attributes.position.count, shown.x, shown.y, shown.z);
