//! How the command line does what remedies speak of: the libraries name no flags.

use rebone::{Action, Remedy};

/// A remedy as a person at the command line reads it: its text, then the flags or commands.
pub(crate) fn worded(remedy: &Remedy) -> String {
    let ways: Vec<&str> = remedy.actions.iter().map(|&action| way(action)).collect();
    if ways.is_empty() {
        return remedy.text.clone();
    }
    format!("{} ({})", remedy.text, ways.join("; "))
}

/// The flag or the command that does it.
fn way(action: Action) -> &'static str {
    match action {
        Action::ChooseClip => "--clip NAME",
        Action::ChooseRestFrame => "--rest-frame FRAME, for the target --target-rest-frame FRAME",
        Action::ChooseSkeleton => "--skeleton NAME",
        Action::CompareLinks => "`rebone map SOURCE TARGET`",
        Action::ConnectKinds => "--across-kinds",
        Action::DrawReadings => {
            "`rebone render FILE --readings -o readings.png` draws the two likeliest ways to read it; --up AXIS"
        }
        Action::GiveRestPose => "--rest FILE, for the target --target-rest FILE",
        Action::KeepInPlace => "--in-place",
        Action::LearnLimits => "--limits-from FILE",
        Action::ListClips => "`rebone inspect FILE` lists the clips",
        Action::ListContactPoints => "`rebone retarget --json` lists the points",
        Action::ListJoints => "`rebone inspect FILE --joints` lists the joints",
        Action::ListSettings => "`rebone settings` lists the keys",
        Action::LowerRate => "--fps RATE",
        Action::MirrorExactly => "leave --compat out",
        Action::NameJoints => {
            "rebone map SOURCE TARGET -o recipe.toml, edit it, then --recipe recipe.toml"
        }
        Action::NameTwins => "--twins LEFT=RIGHT",
        Action::PrepareMirror => "--mirror=ready",
        Action::Retarget => "`rebone retarget`",
        Action::RetargetLayer => "rebone retarget LAYER BASE --additive rest",
        Action::SaveProfile => "`rebone map FILE --save-profile PROFILE` writes an example",
        Action::ScaleByLegs => "--root-scale auto",
        Action::StateFloor => "--floor METRES",
        // A newer library may speak of more; its text is complete without.
        _ => "see `rebone help`",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::CommandFactory;

    #[test]
    fn every_action_names_flags_and_commands_that_exist() {
        let whole = Arguments::command();
        let commands: Vec<_> = whole.get_subcommands().collect();
        let flags: Vec<&str> = commands
            .iter()
            .flat_map(|command| command.get_arguments())
            .chain(whole.get_arguments())
            .filter_map(|argument| argument.get_long())
            .collect();
        for &action in Action::ALL {
            let way = way(action);
            assert!(!way.contains("rebone help"), "{} has no way", action.key());
            let mut words = way
                .split(|letter: char| !(letter.is_alphanumeric() || letter == '-'))
                .peekable();
            while let Some(word) = words.next() {
                if let Some(flag) = word.strip_prefix("--") {
                    assert!(flags.contains(&flag), "there is no --{flag}");
                }
                if word == "rebone" {
                    let name = words.peek().copied().unwrap_or_default();
                    assert!(
                        commands.iter().any(|command| command.get_name() == name),
                        "there is no `rebone {name}`"
                    );
                }
            }
        }
    }

    #[test]
    fn a_remedy_without_actions_is_its_text() {
        assert_eq!(worded(&"check the file".into()), "check the file");
        let remedy = Remedy::new("choose one of them", &[Action::ChooseClip]);
        assert_eq!(worded(&remedy), "choose one of them (--clip NAME)");
    }
}
