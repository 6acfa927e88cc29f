//! Warnings that differ in one name, told as one.
//!
//! Only for people: JSON keeps every warning apart.

use crate::advice::worded;
use crate::table::some_of;
use rebone::Warning;

/// Names that one line lists.
const LISTED: usize = 6;

/// Lines of text, in the order of each group's first warning.
pub(crate) fn lines(warnings: &[Warning]) -> Vec<String> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for warning in warnings {
        if !groups.iter_mut().any(|group| group.takes(warning)) {
            groups.push(Group {
                first: warning,
                names: Vec::new(),
            });
        }
    }
    groups.iter().map(Group::line).collect()
}

/// Warnings that say the same of several joints, or of several things named last.
struct Group<'a> {
    first: &'a Warning,
    /// What they are about, the first included; empty while there is only one.
    names: Vec<&'a str>,
}

impl<'a> Group<'a> {
    /// Takes a warning in if it says the same of another name.
    fn takes(&mut self, other: &'a Warning) -> bool {
        let first = self.first;
        if first.code != other.code || first.remedy != other.remedy {
            return false;
        }
        let pair = match (&first.joint, &other.joint) {
            (Some(one), Some(two)) if first.message == other.message => {
                Some((one.as_str(), two.as_str()))
            }
            (None, None) => last_words(&first.message, &other.message),
            _ => None,
        };
        let Some((own, its)) = pair else {
            return false;
        };
        if self.names.is_empty() {
            self.names.push(own);
        }
        self.names.push(its);
        true
    }

    fn line(&self) -> String {
        let first = self.first;
        let quoted = |name: &&str| format!("\"{name}\"");
        let about = if self.names.is_empty() {
            let joint = first.joint.as_ref();
            let joint = joint.map_or_else(String::new, |joint| format!(" (joint \"{joint}\")"));
            format!("{}{joint}", first.message)
        } else if first.joint.is_some() {
            let names: Vec<String> = self.names.iter().map(quoted).collect();
            format!("{} (joints {})", first.message, some_of(&names, LISTED))
        } else {
            let names: Vec<String> = self.names.iter().map(|&name| name.to_owned()).collect();
            let before = split_last(&first.message).map_or("", |(before, _)| before);
            format!("{before} {}", some_of(&names, LISTED))
        };
        format!("{about}; {} [{}]", worded(&first.remedy), first.code)
    }
}

/// The last words of two sentences that differ only there.
fn last_words<'a>(one: &'a str, two: &'a str) -> Option<(&'a str, &'a str)> {
    let ((start, own), (same_start, its)) = (split_last(one)?, split_last(two)?);
    (start == same_start && own != its).then_some((own, its))
}

fn split_last(sentence: &str) -> Option<(&str, &str)> {
    sentence.rsplit_once(' ')
}

#[cfg(test)]
mod tests {
    use super::lines;
    use rebone::Warning;

    #[test]
    fn one_line_tells_of_all_joints_and_of_all_last_words() {
        let missing =
            |slot: &str| Warning::new("slot-missing", format!("no joint for {slot}"), "name it");
        let scaled =
            |joint: &str| Warning::new("scale-lost", "the scale is lost", "see").at_joint(joint);
        let found = lines(&[
            missing("leftFoot"),
            scaled("a"),
            missing("rightFoot"),
            scaled("b"),
            Warning::new("scale-lost", "the scale is lost", "see something else"),
        ]);
        assert_eq!(
            found,
            [
                "no joint for leftFoot, rightFoot; name it [slot-missing]",
                "the scale is lost (joints \"a\", \"b\"); see [scale-lost]",
                "the scale is lost; see something else [scale-lost]",
            ]
        );
    }

    #[test]
    fn a_long_list_is_cut_and_a_single_warning_is_left_alone() {
        let all: Vec<Warning> = (0..9)
            .map(|joint| Warning::new("code", "it is odd", "look").at_joint(format!("j{joint}")))
            .collect();
        assert_eq!(
            lines(&all),
            [
                "it is odd (joints \"j0\", \"j1\", \"j2\", \"j3\", \"j4\", \"j5\" and 3 more); look [code]"
            ]
        );
        assert_eq!(lines(&all[..1]), [all[0].to_string()]);
    }
}
