//! Arithmetic on four limbs at a time, one a lane.
//!
//! The four legs of an animal, or the two of a person with two lanes to spare, cost little more than one of them alone. Four
//! lanes are one register of every processor, so that there is one code for all of them; frames and characters, of which there
//! are as many as a register holds, go together in the run time's own lanes. Nothing here asks a library of the system: bits
//! are the same everywhere.

mod numbers;

use glam::{BVec4A, Mat3, Mat4, Quat, Vec3, Vec3A, Vec4};
use numbers::sine_cosine;
pub(crate) use numbers::{arc_tangent, root, series, smooth};
use rebone_model::rotation::NEARLY_UNIT;
use std::ops::{Add, Mul, Neg, Sub};

/// How many limbs go together.
pub(crate) const LANES: usize = 4;

/// Four vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vectors {
    x: Vec4,
    y: Vec4,
    z: Vec4,
}

impl Vectors {
    pub(crate) const ZERO: Self = Self {
        x: Vec4::ZERO,
        y: Vec4::ZERO,
        z: Vec4::ZERO,
    };

    pub(crate) fn new([a, b, c, d]: [Vec3; LANES]) -> Self {
        Self {
            x: Vec4::new(a.x, b.x, c.x, d.x),
            y: Vec4::new(a.y, b.y, c.y, d.y),
            z: Vec4::new(a.z, b.z, c.z, d.z),
        }
    }

    /// Of vectors that fill registers.
    #[inline(always)]
    pub(crate) fn gather(vectors: [Vec3A; LANES]) -> Self {
        let [x, y, z, _] = transposed(vectors.map(|vector| Vec4::from((vector, 0.0))));
        Self { x, y, z }
    }

    /// The same in all lanes.
    #[inline(always)]
    pub(crate) fn splat(vector: Vec3) -> Self {
        Self {
            x: Vec4::splat(vector.x),
            y: Vec4::splat(vector.y),
            z: Vec4::splat(vector.z),
        }
    }

    /// Of all lanes, each times its weight.
    #[inline(always)]
    pub(crate) fn sum(self, weights: Vec4) -> Vec3 {
        Vec3::new(
            self.x.dot(weights),
            self.y.dot(weights),
            self.z.dot(weights),
        )
    }

    /// Times a matrix.
    #[inline(always)]
    pub(crate) fn mapped(self, matrix: &Mat3) -> Self {
        let row = |x: f32, y: f32, z: f32| self.x * x + self.y * y + self.z * z;
        let [a, b, c] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
        Self {
            x: row(a.x, b.x, c.x),
            y: row(a.y, b.y, c.y),
            z: row(a.z, b.z, c.z),
        }
    }

    /// x, y and z, in all lanes.
    pub(crate) fn axes() -> [Self; 3] {
        [Vec3::X, Vec3::Y, Vec3::Z].map(Self::splat)
    }

    pub(crate) fn of_axes([x, y, z]: [Vec4; 3]) -> Self {
        Self { x, y, z }
    }

    pub(crate) fn axis_values(self) -> [Vec4; 3] {
        [self.x, self.y, self.z]
    }

    /// Less so much along each axis.
    pub(crate) fn minus_each(self, [x, y, z]: [Vec4; 3]) -> Self {
        self - Self { x, y, z }
    }

    pub(crate) fn lane(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x[lane], self.y[lane], self.z[lane])
    }

    pub(crate) fn set_lane(&mut self, lane: usize, value: Vec3) {
        self.x[lane] = value.x;
        self.y[lane] = value.y;
        self.z[lane] = value.z;
    }

    /// The vector of each lane.
    #[inline(always)]
    pub(crate) fn scattered(self) -> [Vec3; LANES] {
        transposed([self.x, self.y, self.z, Vec4::ZERO]).map(Vec4::truncate)
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> Vec4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - other.y * self.z,
            y: self.z * other.x - other.z * self.x,
            z: self.x * other.y - other.x * self.y,
        }
    }

    #[inline(always)]
    pub(crate) fn length(self) -> Vec4 {
        root(self.dot(self))
    }

    /// Without the part along unit vectors.
    #[inline(always)]
    pub(crate) fn across(self, along: Self) -> Self {
        self - along * self.dot(along)
    }

    /// Unit vectors, and where there is no such thing.
    #[inline(always)]
    pub(crate) fn normalized(self) -> (Self, BVec4A) {
        let factor = self.length().recip();
        let is_unit = factor.is_finite_mask() & factor.cmpgt(Vec4::ZERO);
        (self * factor, !is_unit)
    }

    #[inline(always)]
    pub(crate) fn select(mask: BVec4A, if_true: Self, if_false: Self) -> Self {
        Self {
            x: Vec4::select(mask, if_true.x, if_false.x),
            y: Vec4::select(mask, if_true.y, if_false.y),
            z: Vec4::select(mask, if_true.z, if_false.z),
        }
    }
}

impl Add for Vectors {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl Sub for Vectors {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

impl Mul<Vec4> for Vectors {
    type Output = Self;
    #[inline(always)]
    fn mul(self, sizes: Vec4) -> Self {
        Self {
            x: self.x * sizes,
            y: self.y * sizes,
            z: self.z * sizes,
        }
    }
}

impl Neg for Vectors {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

/// Four rotations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotations {
    axis: Vectors,
    w: Vec4,
}

impl Rotations {
    pub(crate) const IDENTITY: Self = Self {
        axis: Vectors::ZERO,
        w: Vec4::ONE,
    };

    #[inline(always)]
    pub(crate) fn new(rotations: [Quat; LANES]) -> Self {
        let [x, y, z, w] = transposed(rotations.map(Vec4::from));
        Self {
            axis: Vectors { x, y, z },
            w,
        }
    }

    /// The rotation of each lane.
    #[inline(always)]
    pub(crate) fn scattered(self) -> [Quat; LANES] {
        let Vectors { x, y, z } = self.axis;
        transposed([x, y, z, self.w]).map(Quat::from_vec4)
    }

    /// How much of each turns about a unit axis: along · axis, and w.
    #[inline(always)]
    pub(crate) fn twist(self, axes: Vectors) -> (Vec4, Vec4) {
        (self.axis.dot(axes), self.w)
    }

    /// About unit axes, by angles up to three quarters of a turn, radians.
    #[inline(always)]
    pub(crate) fn about(axes: Vectors, angles: Vec4) -> Self {
        let (sine, cosine) = sine_cosine(angles * 0.5);
        Self {
            axis: axes * sine,
            w: cosine,
        }
    }

    /// By rotation vectors of up to half a turn.
    #[inline(always)]
    pub(crate) fn of_vectors(turns: Vectors) -> Self {
        let quarter = turns.dot(turns) * 0.25;
        let sine = series(
            quarter,
            &[1.0, -6.0, 120.0, -5_040.0, 362_880.0, -39_916_800.0],
        );
        let cosine = series(quarter, &[1.0, -2.0, 24.0, -720.0, 40_320.0, -3_628_800.0]);
        Self {
            axis: turns * (sine * 0.5),
            w: cosine,
        }
    }

    pub(crate) fn lane(&self, lane: usize) -> Quat {
        Quat::from_xyzw(
            self.axis.x[lane],
            self.axis.y[lane],
            self.axis.z[lane],
            self.w[lane],
        )
    }

    pub(crate) fn set_lane(&mut self, lane: usize, value: Quat) {
        self.axis.set_lane(lane, value.xyz());
        self.w[lane] = value.w;
    }

    /// The shortest turns from unit vectors to unit vectors; `cosine` is that of the angles between them, and opposite
    /// ones turn about `fallback`, made perpendicular.
    #[inline(always)]
    pub(crate) fn arc(from: Vectors, to: Vectors, fallback: Vectors) -> Self {
        let cosine = from.dot(to);
        let axis = from.cross(to);
        let w = cosine + Vec4::ONE;
        let factor = root(axis.dot(axis) + w * w).recip();
        let mut arc = Self {
            axis: axis * factor,
            w: w * factor,
        };
        let is_opposite = cosine.cmple(Vec4::splat(OPPOSITE));
        if is_opposite.any() {
            arc.turn_over(is_opposite, [from, to, fallback]);
        }
        arc
    }

    #[cold]
    fn turn_over(&mut self, which: BVec4A, [from, to, fallback]: [Vectors; 3]) {
        for lane in (0..LANES).filter(|&lane| which.test(lane)) {
            let [from, to, fallback] = [from, to, fallback].map(|vectors| vectors.lane(lane));
            let arc = rebone_model::rotation::shortest_arc_of_units(from, to, fallback);
            self.set_lane(lane, arc);
        }
    }

    /// Of products of unit rotations.
    #[inline(always)]
    pub(crate) fn renormalized(self) -> Self {
        let square = self.axis.dot(self.axis) + self.w * self.w;
        let mut factor = Vec4::splat(1.5) - square * 0.5;
        let is_far = (square - Vec4::ONE).abs().cmpge(Vec4::splat(NEARLY_UNIT));
        if is_far.any() {
            factor = Vec4::select(is_far, root(square).recip(), factor);
        }
        Self {
            axis: self.axis * factor,
            w: self.w * factor,
        }
    }

    #[inline(always)]
    pub(crate) fn turned(self, vectors: Vectors) -> Vectors {
        let aside = self.axis.cross(vectors) * Vec4::splat(2.0);
        vectors + aside * self.w + self.axis.cross(aside)
    }

    #[inline(always)]
    pub(crate) fn conjugate(self) -> Self {
        Self {
            axis: -self.axis,
            w: self.w,
        }
    }

    /// The part of each that is about a unit axis; none where that is undefined.
    #[inline(always)]
    pub(crate) fn about_axis(self, axes: Vectors) -> Self {
        let (along, w) = self.twist(axes);
        let square = along * along + w * w;
        let is_none = square.cmplt(Vec4::splat(1e-12));
        let factor = root(square).recip();
        let along = Vec4::select(is_none, Vec4::ZERO, along * factor);
        Self {
            axis: axes * along,
            w: Vec4::select(is_none, Vec4::ONE, w * factor),
        }
    }

    #[inline(always)]
    pub(crate) fn select(mask: BVec4A, if_true: Self, if_false: Self) -> Self {
        Self {
            axis: Vectors::select(mask, if_true.axis, if_false.axis),
            w: Vec4::select(mask, if_true.w, if_false.w),
        }
    }
}

/// Cosine below which directions are opposite; that of `shortest_arc_of_units`.
const OPPOSITE: f32 = -0.999_999;

impl Mul for Rotations {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self {
            axis: other.axis * self.w + self.axis * other.w + self.axis.cross(other.axis),
            w: self.w * other.w - self.axis.dot(other.axis),
        }
    }
}

/// Rows of columns.
#[inline(always)]
fn transposed([a, b, c, d]: [Vec4; LANES]) -> [Vec4; LANES] {
    let rows = Mat4::from_cols(a, b, c, d).transpose();
    [rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis]
}
