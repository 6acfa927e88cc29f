//! Names of morph targets, which tools spell differently.

/// A name as tools spell it differently: without what stands before a dot, without case and joining
/// signs, and with sides in full.
pub(crate) fn plain_name(name: &str) -> String {
    let own = name.rsplit('.').next().unwrap_or(name);
    let lower = own.to_lowercase();
    let full = match lower.as_str() {
        text if text.ends_with("_l") => format!("{}left", &text[..text.len() - 2]),
        text if text.ends_with("_r") => format!("{}right", &text[..text.len() - 2]),
        text => text.to_owned(),
    };
    full.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name() {
        for name in [
            "eyeBlinkLeft",
            "EyeBlink_L",
            "blendShape1.eyeBlink_L",
            "eye_blink_left",
        ] {
            assert_eq!(plain_name(name), "eyeblinkleft", "{name}");
        }
        assert_ne!(plain_name("eyeBlinkLeft"), plain_name("eyeBlinkRight"));
    }
}
