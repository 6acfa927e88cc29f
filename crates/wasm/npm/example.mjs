import { AnimationMixer } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { load, Rig, sample, Session } from "rebone";

await load();
const source = Rig.open(await sample("walk.bvh"), { name: "walk.bvh" });
const target = Rig.open(await sample("adult.glb"), { name: "adult.glb", role: "target" });
const session = new Session(source, target);
session.retarget();
const { bytes } = session.write("glb");
const character = await new GLTFLoader().parseAsync(bytes.buffer, "");
export const mixer = new AnimationMixer(character.scene);
mixer.clipAction(character.animations.at(-1)).play(); // and mixer.update(seconds) in every frame
