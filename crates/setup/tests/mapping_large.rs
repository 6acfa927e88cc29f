//! Rigs of thousands of joints: hair, cloth and props must not make mapping and alignment crawl.

use rebone_model::{Character, NewJoint, SkeletonBuilder, Transform, Vec3};
use rebone_setup::align::{AlignOptions, align};
use rebone_setup::mapping::map_character;
use std::time::{Duration, Instant};

/// Far more than it takes on a slow machine, and far less than what grows with the square of the strands.
const PATIENCE: Duration = Duration::from_secs(10);

/// Mirrored pairs of strands of five joints each, all from one joint, as wide as a body.
fn strands(pairs: usize) -> Character {
    let mut builder = SkeletonBuilder::new();
    let place = |x: f32, y: f32, z: f32| Transform::from_translation(Vec3::new(x, y, z));
    let mut count = 1;
    builder.add(NewJoint::new("r", None, place(0.0, 1.0, 0.0)));
    for pair in 0..pairs {
        for side in [1.0f32, -1.0] {
            let mut above = 0;
            for joint in 0..5 {
                let x = side * (0.02 + 0.001 * (pair % 50) as f32);
                let y = if joint % 2 == 0 { 0.05 } else { -0.1 };
                let name = format!("s{count}");
                builder.add(NewJoint::new(
                    name,
                    Some(above),
                    place(x, y, 0.001 * pair as f32),
                ));
                above = count;
                count += 1;
            }
        }
    }
    let (skeleton, _) = builder.build().unwrap();
    Character {
        skeleton,
        ..Character::default()
    }
}

#[test]
fn five_thousand_joints_are_mapped_and_aligned_in_moments() {
    let character = strands(500);
    let start = Instant::now();
    let map = map_character(&character);
    align(&character, &map, &[], &AlignOptions::default());
    let took = start.elapsed();
    assert!(took < PATIENCE, "{took:?}");
}
