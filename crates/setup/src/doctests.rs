//! The code blocks of `docs/methods` run as tests, so that their numbers stay true.

#[doc = include_str!("../../../docs/methods/model-delta.md")]
struct ModelDelta;

#[doc = include_str!("../../../docs/methods/rest-delta.md")]
struct RestDelta;

#[doc = include_str!("../../../docs/methods/channels.md")]
struct Channels;

#[doc = include_str!("../../../docs/methods/parent-delta.md")]
struct ParentDelta;

#[doc = include_str!("../../../docs/methods/root-scale.md")]
struct RootScale;

#[doc = include_str!("../../../docs/methods/mirror.md")]
struct Mirror;

#[doc = include_str!("../../../docs/methods/limits.md")]
struct Limits;

#[doc = include_str!("../../../docs/methods/run-time-rig.md")]
struct RunTimeRig;

#[doc = include_str!("../../../docs/methods/report.md")]
struct Report;

#[doc = include_str!("../../../docs/methods/rebind.md")]
struct Rebind;

#[doc = include_str!("../../../docs/methods/chains.md")]
struct Chains;

#[doc = include_str!("../../../docs/methods/twist.md")]
struct Twist;

#[doc = include_str!("../../../docs/methods/root-motion.md")]
struct RootMotion;

#[doc = include_str!("../../../docs/methods/ground.md")]
struct Ground;

#[doc = include_str!("../../../docs/methods/hands.md")]
struct Hands;

#[doc = include_str!("../../../docs/methods/layers.md")]
struct Layers;

#[doc = include_str!("../../../docs/methods/contacts.md")]
struct Contacts;
