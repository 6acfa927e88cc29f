//! What runs: a compiled plan, applied to clips or to single poses.
//!
//! A plan is a flat list of constant operations; it knows no slots, names or files.

mod affine_lanes;
mod apply_clip;
mod apply_pose;
mod apply_stages;
mod batch;
mod blend;
mod contact_motion;
mod foresight;
pub mod kernel;
#[cfg(target_arch = "x86_64")]
mod kernel_x86;
mod keys;
mod mirror_clip;
mod mirror_curves;
mod needs;
mod notes;
mod op;
mod placed_lanes;
mod program;
mod retargeter;
mod rig;
mod rig_frames;
mod root_path;
mod sliders;
mod sources;
mod stage;
mod transfer_clip;
mod transfer_frame;
mod turns;

pub use apply_clip::{ClipOptions, apply_clip, apply_clip_noted};
pub use apply_pose::{Workspace, apply_pose};
pub use batch::{Batch, apply_poses};
pub use blend::{BlendOp, BlendTerm};
pub use mirror_clip::mirror_clip;
pub use notes::{ClipContacts, ClipNotes, REACHED, ReachNotes, TurnedJoints};
pub use op::{AttachOp, AttachSource, LegsOp, LinearOp, Plan, RotationOp, ScaleOp, TravelOp};
#[cfg(feature = "author")]
pub(crate) use op::{is_at_rest, size_of};
pub use rebone_model::bake::{BakeLimits, FRAMES_PER_KEY, TooManyFrames};
pub use retargeter::Retargeter;
pub use rig::Rig;
pub use root_path::{ROOT_PLACE_CURVE, ROOT_TURN_CURVE};
pub(crate) use stage::blended;
pub use stage::{
    ALONG, AROUND, AimChain, AimJoint, AimStage, Anchor, Arm, BodyArm, BodyPart, BodyPoint,
    BodyStage, Chest, FeetStage, FloorRule, Foot, FootStand, Frame, Free, Given, GripRule,
    GroundArm, GroundLeg, GroundPart, GroundPoint, GroundStage, Held, Hold, JointMirror,
    JointWeight, Kinematics, Leg, Legs, Lift, LimitKind, LimitStage, LimitedJoint, MOST_ARMS,
    MOST_JOINTS, MOST_LEGS, Mirror, PartKind, PartPair, PinEnd, PinGoal, PinLimb, PinSpan,
    PinStage, PinStretch, Placed, ReachStage, RootMotionStage, RootPlace, SkinPoint, Solid,
    SolidBlock, SolidFace, SpacingStage, SpreadLimb, Stage, StageOp, StageState, Stand, Stride,
    Touch, TouchingHand, TwistJoint, TwistOf, TwistSegment, TwistStage, Waist, WeightStage,
    begins_with_other_foot, mirror_in_place,
};
#[cfg(feature = "author")]
pub(crate) use stage::{PosedSolid, SkinLanes, SolidLanes, reflected};
