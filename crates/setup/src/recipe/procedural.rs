//! Spacing and gaze of the target as text.

use super::SideRecipe;
use crate::procedural::LookAt;
use std::fmt::Write as _;

/// Both tables; nothing where nothing was chosen.
pub(super) fn procedural_text(text: &mut String, name: &str, side: &SideRecipe) {
    if let Some(spacing) = side.spacing {
        let _ = writeln!(text, "\n[{name}.spacing]  # degrees away from the body");
        let _ = writeln!(text, "arms = {:?}\nlegs = {:?}", spacing.arms, spacing.legs);
    }
    let Some(look) = side.look_at else { return };
    let _ = writeln!(
        text,
        "\n[{name}.look_at]  # metres: to the body's left, up, forwards"
    );
    if let Some([x, y, z]) = look.point {
        let _ = writeln!(text, "point = [{x:?}, {y:?}, {z:?}]");
    }
    let usual = LookAt::default();
    for (name, value, usual) in [
        ("weight", look.weight, usual.weight),
        ("neck", look.neck, usual.neck),
        ("yaw", look.yaw, usual.yaw),
        ("eyes", look.eyes, usual.eyes),
    ] {
        if value != usual {
            let _ = writeln!(text, "{name} = {value:?}");
        }
    }
    if look.pitch != usual.pitch {
        let [down, up] = look.pitch;
        let _ = writeln!(text, "pitch = [{down:?}, {up:?}]  # down, up");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Recipe;

    #[test]
    fn both_survive_being_written_and_read() {
        for text in [
            "[target.spacing]\narms = 5\nlegs = -2.5\n[target.look_at]\npoint = [0, 1.5, 2e-3]\nyaw = 60\n",
            "[target.look_at]\nweight = 0.5\nneck = 0.3\npitch = [20, 30]\neyes = 0\n",
            "[target.look_at]\n",
        ] {
            let recipe = Recipe::parse(text).unwrap();
            assert!(recipe.target.look_at.is_some());
            let mut written = String::new();
            procedural_text(&mut written, "target", &recipe.target);
            assert_eq!(Recipe::parse(&written).unwrap(), recipe);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("[source.spacing]\narms = 1", "[target.spacing]"),
            ("[target.spacing]\narms = 90", "from -60 to 60"),
            ("[target.spacing]\nlegs = nan", "from -60 to 60"),
            ("[target.look_at]\nweight = 2", "weight"),
            ("[target.look_at]\npoint = [0, inf, 0]", "nowhere"),
        ] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
