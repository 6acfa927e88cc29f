// The page of the bench: measures as soon as it is opened.
import * as rebone from "rebone";
import * as core from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { retargetClip } from "three/addons/utils/SkeletonUtils.js";
import { measure } from "/measure.mjs";

const bytes = async (name) => new Uint8Array(await (await fetch(`/files/${name}`)).arrayBuffer());
const [source, target] = await Promise.all([bytes("source.glb"), bytes("target.glb")]);
const settings = await (await fetch("/files/settings.json")).json();
const times = await measure(rebone, { ...core, GLTFLoader, retargetClip }, { source, target, settings }, 15);
document.getElementById("times").textContent = JSON.stringify(times, null, 1);
globalThis.measured = times;
