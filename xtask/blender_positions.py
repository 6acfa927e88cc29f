"""Where Blender puts the joints of a file: the second opinion about written files.

    PYTHON xtask/blender_positions.py FILE SECONDS [SECONDS ...]

PYTHON must have Blender as a module (`pip install bpy==4.2.0` for Python 3.11). FILE is FBX, GLB, glTF or
BVH. Prints one JSON object: "fps", "seconds", and under "bones" for each bone (its head) and under
"objects" for each object (its origin) a list of positions, one for each of SECONDS, in metres, +Y up. A key
lies on a frame, so SECONDS should be multiples of 1/fps: between keys Blender interpolates in its own way.
"""

import json
import os
import sys

import bpy


def load(path):
    """Imports the file into an empty scene; returns the frame at which its time 0 lies."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    extension = os.path.splitext(path)[1].lower()
    if extension == ".fbx":
        # Blender shifts animation by a frame unless told not to.
        bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0)
    elif extension in (".glb", ".gltf", ".vrm"):
        bpy.ops.import_scene.gltf(filepath=path)
    elif extension == ".bvh":
        # The first frame lands one after `frame_start`, which cannot be below 0.
        bpy.ops.import_anim.bvh(
            filepath=path, update_scene_fps=True, update_scene_duration=True, frame_start=0
        )
        return 1
    else:
        sys.exit(f"{path}: none of .fbx, .glb, .gltf, .vrm, .bvh")
    return 0


def y_up(position):
    """Blender is +Z up and looks along -Y."""
    return [position.x, position.z, -position.y]


def sample(first, seconds):
    """Positions by name at each time."""
    scene = bpy.context.scene
    fps = scene.render.fps / scene.render.fps_base
    bones, objects = {}, {}
    for time in seconds:
        frame = first + time * fps
        whole = int(round(frame)) if abs(frame - round(frame)) < 1e-3 else int(frame // 1)
        part = min(max(frame - whole, 0.0), 0.999999)
        scene.frame_set(whole, subframe=0.0 if part < 1e-3 else part)
        bpy.context.view_layer.update()
        for thing in scene.objects:
            if thing.type == "ARMATURE":
                for bone in thing.pose.bones:
                    head = thing.matrix_world @ bone.head
                    bones.setdefault(bone.name, []).append(y_up(head))
            origin = thing.matrix_world.translation
            objects.setdefault(thing.name, []).append(y_up(origin))
    return {"fps": fps, "seconds": seconds, "bones": bones, "objects": objects}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path, seconds = sys.argv[1], [float(word) for word in sys.argv[2:]]
    # The importers print; only the result goes to standard output.
    out = os.dup(1)
    os.dup2(2, 1)
    result = sample(load(path), seconds)
    with os.fdopen(out, "w") as stream:
        json.dump(result, stream)
        stream.write("\n")
    # Blender as a module may crash while the interpreter shuts down, when all is done.
    sys.stderr.flush()
    os._exit(0)


main()
