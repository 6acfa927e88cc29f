//! To which side a limb of two bones bends (F5, E40); the symbols are those of [`two_bone`](super::two_bone).
//!
//! A straight limb shows no plane: there n is `forward`, swung by Q. [`Bend::Switch`] takes it where the middle joint
//! is nearer to the line than 2 % of |u|, as the reference tools seem to do. [`Bend::Blend`] lets the middle joint go further off the
//! line to the side of `forward`: n is along `o + m f`, with o = off / |u|, f = `forward` at right angles to the line, and m by how much
//! further off it goes than |o|, less and less as |o| goes from 0.05 to 0.35 (a limb that is bent surely shows its plane). So a knee that
//! passes through straight does not jump, one that hardly moves keeps its plane, and one whose plane is mostly noise bends as it is built.
//!
//! [`Bend::OneWay`] is for legs whose middle joint bends to one side only, whatever the source's does: `o = off / |u|`,
//! `c = o · f` with f where the hinge u × `forward` lets it go, and n is along `o + (c' − c) f` with `c' = |c|`, rounded below 0.05. So an elbow of a dog that is moved by
//! the knee of a horse keeps bending backwards, and a leg that passes through straight does not jump.
//!
//! Sources: F5 of the project's motion notes, E40 of its algorithm notes.

use crate::lanes::{Lanes, Mask, Vectors};
use glam::Vec3;

/// How the plane of a nearly straight limb is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bend {
    /// From one frame to the next.
    Switch,
    /// Little by little.
    #[default]
    Blend,
    /// Always to the side of `forward`, with as much of the other direction as the limb has.
    OneWay,
    /// As it is, as nearly as the goal allows, and steadily over time: thighs, shins and hips are found together.
    Steady,
}

/// How far off the line a middle joint must be, as a share of the upper bone, to be surely on its side.
pub(super) const SURE: f32 = 0.05;

/// How far off the line, as a share of the upper bone, a middle joint begins to show the plane of its limb, and surely does.
const SHOWN: [f32; 2] = [0.05, 0.35];

/// True where the middle joint is where [`Bend::OneWay`] wants it.
pub(super) fn is_on_its_side<const N: usize>(
    upper: Vectors<N>,
    forward: Vectors<N>,
    along: Vectors<N>,
) -> Mask<N> {
    let (side, is_free) = hinge_side(upper, forward, along);
    is_free | upper.dot(side).cmpge(upper.length() * SURE)
}

/// To which side a hinge lets the middle joint go, and where it does not say. Hinge and upper bone turn together, so that also
/// a folded limb shows it, of which `forward` may lie along the line.
fn hinge_side<const N: usize>(
    upper: Vectors<N>,
    forward: Vectors<N>,
    along: Vectors<N>,
) -> (Vectors<N>, Mask<N>) {
    upper.cross(forward).cross(along).normalized()
}

/// n: the direction in which the middle joint shall stand off the line, by `wanted` upper bones; unit, at right angles to it. From the
/// direction of the upper bone and `forward`.
pub(super) fn bend_directions<const N: usize>(
    [upper, forward]: [Vectors<N>; 2],
    along: Vectors<N>,
    wanted: Lanes<N>,
    bend: Bend,
) -> Vectors<N> {
    let off = upper.across(along);
    let share = off.length();
    let (own, is_straight) = off.normalized();
    let (ahead, is_blind) = forward.across(along).normalized();
    let blended = || {
        let t = (share - Lanes::splat(SHOWN[0])) * (1.0 / (SHOWN[1] - SHOWN[0]));
        let t = t.max(Lanes::ZERO).min(Lanes::ONE);
        let unsure = Lanes::ONE - t * t * (Lanes::splat(3.0) - t * 2.0);
        let further = (wanted - share).max(Lanes::ZERO) * unsure;
        let (side, is_none) = (off + ahead * further).normalized();
        Vectors::select(is_none, own, side)
    };
    let mut side = match bend {
        Bend::Switch => Vectors::select(share.cmpge(Lanes::splat(0.02)), own, ahead),
        Bend::Blend | Bend::OneWay | Bend::Steady => blended(),
    };
    let is_odd = is_straight | is_blind;
    if is_odd.any() {
        let any = |lane: usize| along.lane(lane).any_orthonormal_vector().try_normalize();
        for lane in (0..N).filter(|&lane| is_odd.test(lane)) {
            let known = [(is_straight, own), (is_blind, ahead)];
            let known = known.into_iter().find(|(is_none, _)| !is_none.test(lane));
            let known = known.map(|(_, side)| side.lane(lane)).or_else(|| any(lane));
            side.set_lane(lane, known.unwrap_or(Vec3::X));
        }
    }
    if bend != Bend::OneWay {
        return side;
    }
    // Unlike `forward`, the hinge counts for every bend.
    let (hinge, is_free) = hinge_side(upper, forward, along);
    let c = off.dot(hinge);
    let rounded = (c * c * (1.0 / SURE) + Lanes::splat(SURE)) * 0.5;
    let size = c.abs();
    let size = Lanes::select(size.cmplt(Lanes::splat(SURE)), rounded, size);
    let (hinged, is_none) = (off + hinge * (size - c)).normalized();
    Vectors::select(is_free | is_none, side, hinged)
}
