//! What the curves of a clip do to a file that is drawn, not written.

use super::CurvePlaces;
use crate::Error;
use crate::gltf::glb;
use crate::gltf::json::TopLevel;
use rebone_model::{Clip, Curve, CurveTarget, Interpolation};
use std::sync::Arc;

/// The morph weights of a node over time.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeWeights {
    /// Place of the node in the file.
    pub node: usize,
    /// Morph targets of the node's mesh.
    pub targets: usize,
    /// How weights between keys are found.
    pub interpolation: Interpolation,
    /// Key times, seconds, not falling.
    pub times: Arc<[f32]>,
    /// The weights of all targets, key after key; of a cubic spline in-tangents, weights and out-tangents.
    pub values: Vec<f32>,
}

/// What moves in a file besides its joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownCurves {
    /// By node, in rising order.
    pub weights: Vec<NodeWeights>,
    /// An avatar's own expressions, by their names in the file as VRM 1.0 calls presets. What they do to morph targets is not among
    /// the weights: who draws an avatar knows it, and what else they do.
    pub expressions: Vec<Curve>,
}

/// Finds in a glTF, GLB or VRM what the curves of a clip move, by the same names as
/// [`write_clips_into`](crate::gltf::write_clips_into). What has no place is left out.
///
/// Fails where the file cannot be read.
pub fn shown_curves(file: &[u8], clip: &Clip) -> Result<ShownCurves, Error> {
    if clip.curves.is_empty() {
        return Ok(ShownCurves::default());
    }
    let parts = glb::split(file)?;
    let top = TopLevel::parse(parts.json)?;
    let places = CurvePlaces::new(&top)?;
    let mut others = Clip::new(&clip.name, 0);
    let mut shown = ShownCurves::default();
    for curve in &clip.curves {
        let own = match curve.target() {
            CurveTarget::Expression { name, preset } => {
                let named = |name: &str| CurveTarget::Expression {
                    name: name.to_owned(),
                    preset: *preset,
                };
                places.expression(name).map(named)
            }
            _ => None,
        };
        match own {
            Some(own) => shown.expressions.push(curve.clone().with_target(own)),
            None => others.curves.push(curve.clone()),
        }
    }
    shown.weights = places.weights(&others);
    Ok(shown)
}
