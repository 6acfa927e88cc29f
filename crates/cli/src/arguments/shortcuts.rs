//! Flags that say a setting more shortly: `--fps 30` is `--set rate_hz=30`. Their help and their words are the setting's own.

use super::{CHOICES, MOTION, RIGS};
use crate::choices::{Chosen, Typed};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use rebone::setup::recipe::{Setting, settings, toml_key};
use std::sync::OnceLock;

/// A flag.
struct Shortcut {
    flag: &'static str,
    key: &'static str,
    form: Form,
    /// It stays; the others are there for one version more, and say what replaces them.
    stays: bool,
}

/// What stands behind a flag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The value, which the help calls so.
    Value(&'static str),
    /// A name, `=` and the value; several times.
    Named(&'static str),
    /// Nothing: the flag has this value.
    Fixed(&'static str),
    /// The value, or nothing for this one.
    Maybe(&'static str),
}
use Form::{Fixed, Maybe, Named, Value};

const STAYS: bool = true;
const GOES: bool = false;

const SHORTCUTS: [Shortcut; 32] = [
    flag("preset", "preset", Value("PRESET"), STAYS),
    flag("root-scale", "root_scale", Value("SCALE"), STAYS),
    flag("fps", "rate_hz", Value("N"), STAYS),
    flag("mirror", "mirror", Maybe("on"), STAYS),
    flag("in-place", "root_motion", Fixed("in-place"), STAYS),
    flag("profile", "profile", Value("PROFILE"), STAYS),
    flag("up", "source.up", Value("AXIS"), STAYS),
    flag("forward", "source.forward", Value("AXIS"), STAYS),
    flag("floor", "contacts.ground", Value("FLOOR"), STAYS),
    flag("additive", "additive", Value("BASE"), STAYS),
    flag("across-kinds", "across_kinds", Fixed("true"), STAYS),
    flag("method", "method", Value("METHOD"), GOES),
    flag("root-motion", "root_motion", Value("MODE"), GOES),
    flag("root-axes", "root_motion.axes", Value("AXES"), GOES),
    flag(
        "root-smooth",
        "root_motion.smooth_seconds",
        Value("SECONDS"),
        GOES,
    ),
    flag("turn", "source.place.turn_degrees", Value("DEGREES"), GOES),
    flag("shift", "source.place.shift", Value("X,Y,Z"), GOES),
    flag("weight", "target.weights", Named("NAME=WEIGHT"), GOES),
    flag("twins", "target.twins", Named("JOINT=JOINT"), GOES),
    flag("chain", "chain_modes", Named("SLOT=MODE"), GOES),
    flag("translation", "translations", Named("JOINT=MODE"), GOES),
    flag("curve", "curves", Named("TARGET=SOURCE"), GOES),
    flag("twist", "twist", Value("WEIGHT"), GOES),
    flag("feet", "feet.weight", Value("WEIGHT"), GOES),
    flag("foot-lock", "feet.lock", Value("WEIGHT"), GOES),
    flag("hands", "hands.mode", Value("MODE"), GOES),
    flag("ground", "ground", Value("WEIGHT"), GOES),
    flag("own-body", "own_body", Value("WEIGHT"), GOES),
    flag("limits", "limits.use", Value("TABLE"), GOES),
    flag("arm-spacing", "target.spacing.arms", Value("DEGREES"), GOES),
    flag("leg-spacing", "target.spacing.legs", Value("DEGREES"), GOES),
    flag("look-at", "target.look_at.point", Value("X,Y,Z"), GOES),
];

const fn flag(flag: &'static str, key: &'static str, form: Form, stays: bool) -> Shortcut {
    Shortcut {
        flag,
        key,
        form,
        stays,
    }
}

impl Args for Chosen {
    fn augment_args(command: Command) -> Command {
        let set = Arg::new("set")
            .long("set")
            .value_name("KEY=VALUE")
            .help_heading(CHOICES)
            .action(ArgAction::Append)
            .help("Anything that can be chosen, as feet.lock=0.5; may be given several times");
        let all = SHORTCUTS.iter().map(Shortcut::argument);
        all.fold(command.arg(set), Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Chosen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = SHORTCUTS.iter().map(|own| own.typed(matches));
        let mut typed: Vec<Typed> = typed.collect::<Result<Vec<_>, _>>()?.concat();
        let set = matches.get_many::<String>("set").into_iter().flatten();
        typed.extend(set.map(|setting| Typed {
            as_typed: format!("--set {setting}"),
            setting: setting.clone(),
            goes: false,
        }));
        Ok(Self(typed))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Shortcut {
    /// What can be chosen by it.
    fn setting(&self) -> Option<&'static Setting> {
        static ALL: OnceLock<Vec<Setting>> = OnceLock::new();
        let all = ALL.get_or_init(settings);
        let is_named = matches!(self.form, Named(_));
        let is_it = |setting: &&Setting| match setting.key.strip_suffix(".NAME") {
            Some(table) => is_named && table == self.key,
            None => !is_named && setting.key == self.key,
        };
        all.iter().find(is_it)
    }

    /// Under which heading the help has it.
    fn heading(&self) -> &'static str {
        match self.key {
            "preset" => CHOICES,
            "profile" | "source.up" | "source.forward" | "contacts.ground" | "across_kinds" => RIGS,
            _ => MOTION,
        }
    }

    fn argument(&self) -> Arg {
        let setting = self.setting();
        let words = setting.map_or("", |setting| setting.words.as_str());
        let default = setting.map_or("", |setting| setting.default.as_str());
        let mut help = words.trim_end_matches('.').to_owned();
        if !default.is_empty() && !matches!(self.form, Fixed(_)) {
            help.push_str(&format!(" [default: {default}]"));
        }
        let argument = Arg::new(self.flag)
            .long(self.flag)
            .help_heading(self.heading())
            .hide(!self.stays);
        match self.form {
            Fixed(value) => argument
                .action(ArgAction::SetTrue)
                .conflicts_with_all(if value == "in-place" {
                    &["root-motion"][..]
                } else {
                    &[]
                })
                .help(self.fixed_help(value, words))
                .long_help(format!(
                    "{}. The same as --set {}={value}",
                    self.fixed_help(value, words),
                    self.key
                )),
            Value(name) => {
                let argument = match self.words() {
                    Some(words) => argument.value_parser(words),
                    None => argument.long_help(self.long_help(&help)),
                };
                argument
                    .value_name(name)
                    .allow_negative_numbers(true)
                    .allow_hyphen_values(["AXIS", "X,Y,Z"].contains(&name))
                    .help(help)
            }
            Named(name) => argument
                .value_name(name)
                .action(ArgAction::Append)
                .help(format!("{help}; may be given several times")),
            Maybe(usual) => argument
                .value_name("VALUE")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value(usual)
                .help(help),
        }
    }

    /// The help of a flag that has a value of its own: what that means, else the setting's words.
    fn fixed_help<'a>(&self, value: &str, words: &'a str) -> &'a str {
        let meanings = self.setting().map(|setting| &setting.meanings);
        let mut meanings = meanings.into_iter().flatten();
        let meaning = meanings.find(|(word, _)| word == value);
        let help = meaning.map_or(words, |(_, meaning)| meaning.as_str());
        help.trim_end_matches('.')
    }

    /// The help with what each word means, where there are numbers or texts beside them.
    fn long_help(&self, help: &str) -> String {
        let meanings = self.setting().map(|setting| &setting.meanings);
        let words = meanings.into_iter().flatten();
        let words = words.map(|(word, meaning)| format!("\n- {word}: {meaning}"));
        let words: String = words.collect();
        match words.as_str() {
            "" => help.to_owned(),
            words => format!("{help}\n{words}"),
        }
    }

    /// What the values may be, where words with a meaning are all that there is.
    fn words(&self) -> Option<PossibleValuesParser> {
        let setting = self.setting()?;
        let forms = setting.values.split(" | ").count();
        let meanings = setting.meanings.iter();
        let words =
            meanings.map(|(word, help)| PossibleValue::new(word.as_str()).help(help.as_str()));
        (setting.meanings.len() == forms).then(|| PossibleValuesParser::new(words))
    }

    /// What was typed behind it, as settings.
    fn typed(&self, matches: &ArgMatches) -> Result<Vec<Typed>, clap::Error> {
        let one = |value: &str, setting: String| Typed {
            as_typed: format!("--{} {value}", self.flag).trim_end().to_owned(),
            setting,
            goes: !self.stays,
        };
        let key = self.key;
        Ok(match self.form {
            Fixed(value) => {
                let is_there = matches.get_flag(self.flag);
                let setting = is_there.then(|| one("", format!("{key}={value}")));
                setting.into_iter().collect()
            }
            Value(_) | Maybe(_) => {
                let value = matches.get_one::<String>(self.flag);
                let setting = value.map(|value| one(value, format!("{key}={value}")));
                setting.into_iter().collect()
            }
            Named(form) => {
                let values = matches.get_many::<String>(self.flag).into_iter().flatten();
                let settings = values.map(|typed| match typed.split_once('=') {
                    Some((name, value)) if !name.is_empty() => {
                        Ok(one(typed, format!("{key}.{}={value}", toml_key(name))))
                    }
                    _ => Err(clap::Error::raw(
                        ErrorKind::ValueValidation,
                        format!(
                            "invalid value '{typed}' for '--{}': give it as {form}\n",
                            self.flag
                        ),
                    )),
                });
                settings.collect::<Result<_, _>>()?
            }
        })
    }
}
