// Times of one clip: the engine, and three.js's SkeletonUtils.retargetClip, in turns; only the retarget, without reading and writing.
// The same in Node.js and in a browser.

/** Medians in milliseconds. `three` has what is used of three.js, `files` the bytes of source.glb and target.glb and the settings. */
export async function measure(rebone, three, files, rounds) {
  const { Matrix4, PropertyBinding, Quaternion, GLTFLoader, retargetClip } = three;
  const { source: sourceBytes, target: targetBytes, settings } = files;

  async function skinned(bytes) {
    const file = await new GLTFLoader().parseAsync(bytes.slice().buffer, "");
    let found;
    file.scene.traverse((node) => {
      if (node.isSkinnedMesh) found = node;
    });
    return { found, clip: file.animations[0] };
  }

  const source = await skinned(sourceBytes);
  const target = await skinned(targetBytes);
  const names = {};
  const localOffsets = {};
  for (const joint of settings.joints) {
    const name = PropertyBinding.sanitizeNodeName(joint.target);
    names[name] = PropertyBinding.sanitizeNodeName(joint.source);
    localOffsets[name] = new Matrix4().makeRotationFromQuaternion(new Quaternion(...joint.offset));
  }
  const options = { names, localOffsets, hip: PropertyBinding.sanitizeNodeName(settings.hip), useFirstFramePosition: false };

  const begin = performance.now();
  await rebone.load();
  const loading = performance.now() - begin;
  const time = (job) => {
    const start = performance.now();
    job();
    return performance.now() - start;
  };
  const times = { open: [], plain: [], full: [], write: [], three: [] };
  for (let round = 0; round < rounds; round += 1) {
    let rigs;
    times.open.push(
      time(() => {
        rigs = [rebone.Rig.open(sourceBytes, { name: "source.glb" }), rebone.Rig.open(targetBytes, { name: "target.glb", role: "target" })];
      }),
    );
    const session = new rebone.Session(...rigs);
    times.full.push(time(() => session.retarget()));
    times.write.push(time(() => session.write("glb")));
    // What three.js does: turns alone, neither feet nor hands nor what lies on the floor.
    session.setRecipe('feet = false\nground = false\n[hands]\nmode = "off"\n');
    times.plain.push(time(() => session.retarget()));
    times.three.push(time(() => retargetClip(target.found, source.found, source.clip, options)));
    session.free();
  }
  const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
  const medians = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, Math.round(median(list) * 10) / 10]));
  return { loading: Math.round(loading), ...medians };
}
