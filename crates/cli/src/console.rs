//! The two streams, and how much is said on them.
//!
//! Data goes to standard output, remarks to standard error. A reader that goes away (`rebone inspect ... | head`) is no
//! error. Where standard output takes a file (`-o -`), what else would go there goes to standard error.

use crate::failure::Failure;
use crate::grouping;
use clap::builder::styling::{AnsiColor, Style};
use rebone::Warning;
use rebone::json::Document;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much is said, and whether in colour. Set once, before anything is said.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// Only errors, and data that was asked for.
    pub(crate) quiet: bool,
    /// Also what is done, with times.
    pub(crate) verbose: bool,
    /// `Some`: the user's word. `None`: in colour where a terminal shows it.
    pub(crate) color: Option<bool>,
}

static MANNER: OnceLock<Manner> = OnceLock::new();

/// True once an output is standard output itself.
static STANDARD_OUTPUT_TAKES_A_FILE: AtomicBool = AtomicBool::new(false);

/// Says how much is to be said. Only the first call has an effect.
pub(crate) fn set_manner(manner: Manner) {
    let _ = MANNER.set(manner);
}

fn manner() -> Manner {
    MANNER.get().copied().unwrap_or_default()
}

/// True where `--json` asks for one document on standard output, also for errors.
pub(crate) fn wants_json() -> bool {
    // Also known if the arguments themselves are wrong.
    std::env::args_os()
        .skip(1)
        .take_while(|argument| argument != "--")
        .any(|argument| argument == "--json")
}

/// Keeps standard output free for the content of a file.
pub(crate) fn reserve_standard_output() -> Result<(), Failure> {
    let path = std::path::Path::new("-");
    if wants_json() {
        return Err(Failure::at(
            path,
            "standard output cannot take both a file and the document of --json",
            "name a file with -o, or leave --json out",
        ));
    }
    if std::io::stdout().is_terminal() {
        return Err(Failure::at(
            path,
            "the output would be shown on this terminal",
            "send it to a file or a program, as in `-o - > hero.glb`",
        ));
    }
    if STANDARD_OUTPUT_TAKES_A_FILE.swap(true, Ordering::Relaxed) {
        return Err(Failure::at(
            path,
            "two outputs are to go there",
            "name a file for one of them",
        ));
    }
    Ok(())
}

/// Writes data to standard output.
pub(crate) fn data(text: &str) -> Result<(), Failure> {
    if STANDARD_OUTPUT_TAKES_A_FILE.load(Ordering::Relaxed) {
        note(text.trim_end());
        return Ok(());
    }
    raw(harmless(text).as_bytes())
}

/// Text without power over the terminal: control characters are written out (`\u{1b}`), as are those that turn the
/// direction of writing around. Names in files come from strangers, and could move the cursor, set the title of the window or
/// paste into the clipboard. Line feeds, tabs and the colours of [`painted`] stay.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    const COLORS: [&str; 5] = [
        "\u{1b}[0m",
        "\u{1b}[1m",
        "\u{1b}[31m",
        "\u{1b}[32m",
        "\u{1b}[33m",
    ];
    let turns = |letter| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_odd =
        |letter: char| (letter.is_control() && !matches!(letter, '\n' | '\t')) || turns(letter);
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let color = COLORS.into_iter().find(|color| rest.starts_with(color));
        let length = color.map_or(letter.len_utf8(), str::len);
        if color.is_none() && is_odd(letter) {
            result.extend(letter.escape_unicode());
        } else {
            result.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    Cow::Owned(result)
}

/// Writes bytes to standard output.
pub(crate) fn raw(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::new(
            format_args!("standard output cannot be written: {error}"),
            "send it elsewhere",
        )),
        _ => Ok(()),
    }
}

/// Writes what a command did, which `--quiet` leaves out.
pub(crate) fn summary(text: &str) -> Result<(), Failure> {
    if manner().quiet { Ok(()) } else { data(text) }
}

/// Says what a command did: to a script its document, to a person the text and the warnings.
pub(crate) fn answer(
    document: &impl Serialize,
    text: &str,
    warnings: &[Warning],
) -> Result<(), Failure> {
    if wants_json() {
        return self::document(document);
    }
    summary(text)?;
    self::warnings("", warnings);
    Ok(())
}

/// Writes one JSON document to standard output.
pub(crate) fn document(value: &impl Serialize) -> Result<(), Failure> {
    // JSON writes control characters out itself.
    raw(json_text(value)?.as_bytes())
}

/// The text of a JSON document, with its schema number and a line feed at the end.
pub(crate) fn json_text(value: &impl Serialize) -> Result<String, Failure> {
    let document = Document::new(value);
    let mut text = serde_json::to_string(&document).map_err(|error| {
        Failure::new(
            format_args!("the result cannot be put into JSON: {error}"),
            "please report this",
        )
    })?;
    text.push('\n');
    Ok(text)
}

/// Writes a line to standard error.
pub(crate) fn note(text: &str) {
    // There is nowhere left to complain to.
    let _ = writeln!(std::io::stderr().lock(), "{}", harmless(text));
}

/// Writes a remark to standard error, which `--quiet` leaves out.
pub(crate) fn remark(text: &str) {
    if !manner().quiet {
        note(text);
    }
}

/// Writes what is being done to standard error, where `--verbose` asks for it.
pub(crate) fn detail(text: impl FnOnce() -> String) {
    if manner().verbose {
        note(&text());
    }
}

/// Says why a command failed: to a person, and with `--json` to a script too.
pub(crate) fn failure(failure: &Failure) {
    let label = painted(Stream::Error, AnsiColor::Red, "error:");
    note(&format!("{label} {failure}"));
    if wants_json() {
        // The exit code says it as well.
        let _ = document(&failure.document());
    }
}

/// Writes warnings to standard error, each after the name of what it is about (may be empty); those that differ in one
/// name are one line.
pub(crate) fn warnings(about: &str, warnings: &[Warning]) {
    let separator = if about.is_empty() { "" } else { ": " };
    let label = painted(Stream::Error, AnsiColor::Yellow, "warning:");
    for line in grouping::lines(warnings) {
        remark(&format!("{label} {about}{separator}{line}"));
    }
}

/// One of the two streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// A text in a colour, if the stream shows colours.
pub(crate) fn painted(stream: Stream, color: AnsiColor, text: &str) -> String {
    let unwanted = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = || std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    let shows = || match stream {
        Stream::Output => std::io::stdout().is_terminal(),
        Stream::Error => std::io::stderr().is_terminal(),
    };
    let is_colored = manner()
        .color
        .unwrap_or_else(|| !unwanted("NO_COLOR") && !is_dumb() && shows());
    if !is_colored {
        return text.to_owned();
    }
    let style = Style::new().bold().fg_color(Some(color.into()));
    format!("{style}{text}{style:#}")
}

/// True where a person watches standard error.
pub(crate) fn is_watched() -> bool {
    std::io::stderr().is_terminal() && !manner().quiet
}

/// True where a person can be asked.
pub(crate) fn is_interactive() -> bool {
    std::io::stderr().is_terminal() && std::io::stdin().is_terminal() && !wants_json()
}

/// Asks a person; anything but yes is no.
pub(crate) fn ask(question: &str) -> bool {
    let mut answer = String::new();
    let _ = write!(std::io::stderr().lock(), "{} [y/N] ", harmless(question));
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_power_over_the_terminal() {
        for (name, shown) in [
            ("左手 hand.L\tü\n", "左手 hand.L\tü\n"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\u{1b}[2J\u{1b}[8mx", "\\u{1b}[2J\\u{1b}[8mx"),
            ("\u{9b}31mred", "\\u{9b}31mred"),
            ("good\rbad\u{8}\u{7f}\0", "good\\u{d}bad\\u{8}\\u{7f}\\u{0}"),
            ("a\u{202e}fbx.exe", "a\\u{202e}fbx.exe"),
            ("\u{1b}", "\\u{1b}"),
        ] {
            assert_eq!(harmless(name), shown);
        }
        for color in [AnsiColor::Red, AnsiColor::Yellow, AnsiColor::Green] {
            let style = Style::new().bold().fg_color(Some(color.into()));
            let painted = format!("{style}pass{style:#}");
            assert_eq!(harmless(&painted), painted);
        }
    }
}
