// Gives meshes to the graphics card piece by piece, before they are seen: all at once would hold up the page.

import { type Camera, type Material, type Mesh, type Object3D, type Scene, type WebGLRenderer, WebGLRenderTarget } from "three";
import { others } from "../ui/pauses";

/** Vertices that are handed over together. */
const TOGETHER = 50_000;

/** Time between two looks at whether the card is done, milliseconds, and how many there are at most. */
const LOOK_MS = 5;
const MOST_LOOKS = 2000;

/** Waits for the card while the page goes on: the first question to it would stand and wait. */
async function done(renderer: WebGLRenderer): Promise<void> {
  const card = renderer.getContext() as WebGL2RenderingContext;
  const fence = card.fenceSync(card.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (!fence) return;
  card.flush();
  for (let look = 0; look < MOST_LOOKS && card.clientWaitSync(fence, 0, 0) === card.TIMEOUT_EXPIRED; look++)
    await new Promise((next) => setTimeout(next, LOOK_MS));
  card.deleteSync(fence);
}

const count = (mesh: Mesh): number => mesh.geometry.getAttribute("position")?.count ?? 0;

function meshesOf(root: Object3D): Mesh[] {
  const meshes: Mesh[] = [];
  root.traverse((object) => {
    if ((object as Partial<Mesh>).isMesh) meshes.push(object as Mesh);
  });
  return meshes;
}

/** three.js hands a geometry over when it comes upon it in a picture, drawn or not. */
async function handAllOver(meshes: readonly Mesh[], root: Object3D, renderer: WebGLRenderer, camera: Camera): Promise<void> {
  const materials = [
    ...new Set(meshes.flatMap((mesh): Material[] => (Array.isArray(mesh.material) ? mesh.material : [mesh.material]))),
  ].filter((own) => own.visible);
  const shown = meshes.filter((mesh) => mesh.visible);
  const nowhere = new WebGLRenderTarget(1, 1);
  materials.forEach((own) => (own.visible = false));
  meshes.forEach((mesh) => (mesh.visible = false));
  const handOver = (some: Mesh[]): void => {
    some.forEach((mesh) => (mesh.visible = true));
    renderer.setRenderTarget(nowhere);
    renderer.render(root, camera);
    renderer.setRenderTarget(null);
    some.forEach((mesh) => (mesh.visible = false));
  };
  try {
    let some: Mesh[] = [];
    for (const mesh of shown) {
      some.push(mesh);
      if (some.reduce((sum, own) => sum + count(own), 0) < TOGETHER) continue;
      handOver(some);
      some = [];
      await others();
    }
    handOver(some);
  } finally {
    materials.forEach((own) => (own.visible = true));
    shown.forEach((mesh) => (mesh.visible = true));
    nowhere.dispose();
  }
}

/**
 * Hands over what an object is drawn with, and waits until that is done. For an object that is in no scene yet. A small one is ready as it
 * is: its first picture takes less time than the waiting.
 */
export async function upload(root: Object3D, scene: Scene, renderer: WebGLRenderer, camera: Camera): Promise<void> {
  const meshes = meshesOf(root);
  // Beside who is still seen: what both are drawn with is not made anew.
  if (renderer.extensions.has("KHR_parallel_shader_compile")) await renderer.compileAsync(root, camera, scene);
  else renderer.compile(root, camera, scene);
  if (meshes.reduce((sum, mesh) => sum + count(mesh), 0) <= TOGETHER) return;
  await handAllOver(meshes, root, renderer, camera);
  await done(renderer);
}
