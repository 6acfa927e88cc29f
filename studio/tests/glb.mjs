// GLB files changed for tests and the bench: a face, an animation of it, files outside, a large picture.

const padded = (bytes, filler) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filler)]);

export function split(bytes) {
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + length).toString());
  const start = 20 + length;
  const bin = start + 8 <= bytes.length ? bytes.subarray(start + 8, start + 8 + bytes.readUInt32LE(start)) : Buffer.alloc(0);
  return { json, bin };
}

export function join(json, bin) {
  const text = padded(Buffer.from(JSON.stringify(json)), 0x20);
  const data = padded(bin, 0);
  const head = Buffer.alloc(20);
  head.write("glTF");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(28 + text.length + data.length, 8);
  head.writeUInt32LE(text.length, 12);
  head.write("JSON", 16);
  const middle = Buffer.alloc(8);
  middle.writeUInt32LE(data.length, 0);
  middle.write("BIN\0", 4);
  return Buffer.concat([head, text, middle, data]);
}

/** Changes a GLB; `floats` adds numbers as an accessor and gives its index. */
export function changed(bytes, change) {
  const { json, bin } = split(bytes);
  let data = padded(bin, 0);
  const floats = (numbers, type) => {
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    const own = Buffer.from(new Float32Array(numbers).buffer);
    json.bufferViews.push({ buffer: 0, byteOffset: data.length, byteLength: own.length });
    data = padded(Buffer.concat([data, own]), 0);
    const rows = Array.from({ length: numbers.length / width }, (_, row) => numbers.slice(row * width, (row + 1) * width));
    const limit = (of) => Array.from({ length: width }, (_, at) => of(...rows.map((row) => row[at])));
    json.accessors.push({
      bufferView: json.bufferViews.length - 1,
      componentType: 5126,
      count: rows.length,
      type,
      ...(rows.length < 5000 ? { min: limit(Math.min), max: limit(Math.max) } : {}),
    });
    return json.accessors.length - 1;
  };
  change(json, floats);
  json.buffers[0].byteLength = data.length;
  return join(json, data);
}

/** Two morph targets for the first mesh; gives the node that shows it. */
export function addFace(json, floats) {
  const mesh = json.meshes[0];
  for (const primitive of mesh.primitives) {
    const { count } = json.accessors[primitive.attributes.POSITION];
    const offsets = (height) => floats(new Array(count).fill([0, height, 0]).flat(), "VEC3");
    primitive.targets = [{ POSITION: offsets(0.01) }, { POSITION: offsets(0.02) }];
  }
  mesh.extras = { targetNames: ["smile", "jawOpen"] };
  return json.nodes.findIndex((node) => node.mesh === 0);
}

/** An avatar whose expression `happy` is its morph target `smile`. */
export const avatarWithFace = (bytes) =>
  changed(bytes, (json, floats) => {
    const node = addFace(json, floats);
    json.extensions.VRMC_vrm.expressions = { preset: { happy: { morphTargetBinds: [{ node, index: 0, weight: 1 }] } } };
  });

/** A clip that also moves the face: `smile` rises and `jawOpen` falls, within a second. */
export const clipWithFace = (bytes) =>
  changed(bytes, (json, floats) => {
    const node = addFace(json, floats);
    const [animation] = json.animations;
    animation.samplers.push({ input: floats([0, 1], "SCALAR"), output: floats([0, 1, 1, 0], "SCALAR") });
    animation.channels.push({ sampler: animation.samplers.length - 1, target: { node, path: "weights" } });
  });

/** A VRM animation that also smiles, within a second. */
export const animationWithSmile = (bytes) =>
  changed(bytes, (json, floats) => {
    json.nodes.push({ name: "happy" });
    const node = json.nodes.length - 1;
    json.scenes?.[0]?.nodes.push(node);
    json.extensions.VRMC_vrm_animation.expressions = { preset: { happy: { node } } };
    const [animation] = json.animations;
    animation.samplers.push({ input: floats([0, 1], "SCALAR"), output: floats([0, 0, 0, 1, 0, 0], "VEC3") });
    animation.channels.push({ sampler: animation.samplers.length - 1, target: { node, path: "translation" } });
  });

const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC", "base64");

/** A GLB as a glTF with its buffer and a picture outside. */
export function outside(bytes, name) {
  const { json, bin } = split(bytes);
  json.buffers[0] = { byteLength: bin.length, uri: `${name}%20data.bin` };
  json.images = [{ uri: "textures/skin.png" }];
  json.textures = [{ source: 0 }];
  for (const material of json.materials ?? [])
    material.pbrMetallicRoughness = { ...material.pbrMetallicRoughness, baseColorTexture: { index: 0 } };
  return [
    { name: `${name}.gltf`, bytes: Buffer.from(JSON.stringify(json)) },
    { name: `${name} data.bin`, bytes: bin },
    { name: "skin.png", bytes: PIXEL },
  ];
}
