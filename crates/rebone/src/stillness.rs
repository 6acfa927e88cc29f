//! Results that stand still.

use rebone_model::track::TrackValue;
use rebone_model::{Action, Clip, Interpolation, JointTracks, Remedy, Skeleton, Track, Warning};

/// Why nothing moves, where the source's clip moves joints and its retarget none: no joint that moves drives one. That
/// is so where the keys are those of controls, or of joints that the map leaves out.
pub(crate) fn stillness(clip: &Clip, result: &Clip) -> Option<Warning> {
    let moving = moving_joints(clip);
    (moving > 0 && moving_joints(result) == 0).then(|| {
        Warning::new(
            "nothing-moves",
            format!(
                "\"{}\" moves {moving} joints of the source and none of the target: no joint that moves drives one",
                clip.name
            ),
            Remedy::new(
"compare the joints that the clip moves with the links, and link them in a recipe; bake the animation if it \
 moves controls only",
&[Action::ListJoints, Action::CompareLinks],
),
        )
    })
}

/// Gives a result without keys a track that holds its topmost joint at rest, as long as the source's clip. A result that is the rest pose in
/// every frame has no keys, and glTF has no clips without them.
pub(crate) fn hold_at_rest(result: &mut Clip, clip: &Clip, skeleton: &Skeleton) {
    let (Some(top), true) = (skeleton.joints().first(), result.is_empty()) else {
        return;
    };
    let (start, end) = clip.time_span();
    let times = if start < end {
        vec![start, end]
    } else {
        vec![start]
    };
    let values = vec![top.rest.rotation; times.len()];
    result.joints[0].rotation = Track::new(Interpolation::Linear, times.into(), values).ok();
}

/// True if a clip turns, shifts or scales any joint over time.
pub fn moves(clip: &Clip) -> bool {
    moving_joints(clip) > 0
}

fn moving_joints(clip: &Clip) -> usize {
    let moves = |joint: &&JointTracks| {
        changes(joint.rotation.as_ref())
            || changes(joint.translation.as_ref())
            || changes(joint.scale.as_ref())
    };
    clip.joints.iter().filter(moves).count()
}

fn changes<V: TrackValue>(track: Option<&Track<V>>) -> bool {
    track.is_some_and(|track| !track.is_constant())
}
