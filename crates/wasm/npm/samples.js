// Characters and motions that are part of the package.
export const samples = [
  { name: "walk.bvh", role: "source" },
  { name: "wave.bvh", role: "source" },
  { name: "jump.bvh", role: "source" },
  { name: "adult.glb", role: "target" },
  { name: "brute.glb", role: "target" },
  { name: "chibi.vrm", role: "target" },
];
