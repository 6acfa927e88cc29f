//! Recipes as they are read, written and refused.

use super::*;
use crate::align::PoseChoice;
use crate::mapping::map_character;
use crate::root_motion::RootMode;
use rebone_model::Character;

/// What a recipe becomes when it is written and read again.
fn again(recipe: &Recipe) -> (String, Recipe) {
    let character = Character::default();
    let map = map_character(&character);
    let described = Described::new(&character, &map);
    let text = recipe.to_text(described, described).unwrap();
    let read = Recipe::parse(&text);
    let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, read)
}

#[test]
fn reads_every_choice() {
    let recipe = Recipe::parse(
        "version = 1\npreset = \"mixamo\"\nmethod = \"rest-delta\"\nroot_scale = 0.5\nrate_hz = 30\n\
         [source]\npose = 1.5\nembed = false\n[source.slots]\nhips = \"Hips\"\nspine = [\"a\", \"b\"]\n\
         [target]\npose = \"bind\"\n",
    )
    .unwrap();
    assert_eq!(recipe.preset(), Preset::Mixamo);
    assert_eq!(recipe.method, Method::RestDelta);
    assert_eq!(recipe.root_scale, RootScale::Factor(0.5));
    assert_eq!(recipe.source.pose, Some(PoseChoice::Time(1.5)));
    assert!(!recipe.source.embed);
    assert_eq!(recipe.source.slots["hips"], ["Hips"]);
    assert_eq!(recipe.source.slots["spine"], ["a", "b"]);
    assert_eq!(recipe.target.pose, Some(PoseChoice::Bind));
}

#[test]
fn choices_survive_being_written_and_read() {
    for text in [
        "",
        "preset = \"match-source\"\nground = true",
        "feet = false",
        "feet = 0.5",
        "[feet]\nanchor = \"sole\"\npull = 0.3\nsigned_pull = true\nfloor = \"as-source\"\nlock = 0.5\n\
         swing = [0.2, 0.5]\nbend = \"switch\"\nreach = \"hard\"\nstanding = \"leg-and-ankle\"\nweight = 0.25\n",
        "[hands]\nmode = \"always\"\nweight = 0.5\nnear = 0.1\nfar = 0.2\nassist = 0\nprops = [\"a \\\"b\\\"\"]",
        "[hands]\nnear = 0.3",
        "additive = \"first\"\nroot_scale = [1.0, 0.5, 0.0]\n\
         root_motion = { mode = \"in-place\", axes = \"z turn\", smooth_seconds = 0.1 }\n\
         [source]\nroot = \"a \\\"b\\\"\"\n[source.place]\nturn_degrees = 90.0\nshift = [0.0, 1.0, -2.5]\n\
         [target]\nroot = \"\"\n[target.weights]\narms = 0.5\n\"J 1\" = 2.0\n",
        "root_motion = \"extract\"",
        "[contacts]\nfound = false",
        "[contacts]\nground = \"lowest\"",
        "[contacts]\nspeed = 0.3\nspeed_release = 1.5\nheight = 0.05\nheight_release = 2\nshortest = 0.1\ngap = 0\n\
         ground = -0.25\nin_place = \"never\"\n[contacts.points]\nleftHeel = [[0.1, 0.5], [0.9, 1.3, 0.2]]\nseat = []\n\
         rightToes = { add = [[1, 2]], remove = [[3, 4.5]] }\n[contacts.clips.\"a \\\"b\\\"\"]\nrightHand = [[0, 1]]\n\
         [contacts.clips.walk]\n",
        "[[pins]]\nend = \"leftHand\"\npoint = [0.3, 1.2, -0.4]\nfrom = 1.5\nuntil = 2.5\nblend_in = 0\n\
         [[pins]]\nend = \"a \\\"b\\\"\"\njoint = \"c\\nd\"\noffset = [0, 0.1, 0]\nweight = 0.5\nblend_out = 1\n\
         [[pins]]\nend = \"leftFoot\"\nscale = [1, 1, 1.3]\n\
         [[pins]]\nend = \"hips\"\nto = \"source\"\n",
        "[limits]\nuse = \"human\"\n[limits.slots]\n\
         leftLowerLeg = { hinge = true, bend = [0, 140.5], soft = 0 }\n\
         head = { from = [1, 2], side = [-1e-3, 3], twist = [-180, 180] }\nneck = \"none\"\n",
        "[target.spacing]\narms = 5\nlegs = -2.5\n[target.look_at]\npoint = [0, 1.5, 2e-3]\nyaw = 60\n",
        "[target.look_at]\nweight = 0.5\nneck = 0.3\npitch = [20, 30]\neyes = 0\n",
        "[target.look_at]\n",
        "[target.calibration]\nleftUpperArm = { local = [0, 1.5, -10] }\n\
         head = { world = [1e-3, 0, 3], replace = true }\n",
        "mirror = true\n[target.twins]\n\"a \\\"b\\\"\" = \"Tail\"\nPouch = \"\"\n",
        "mirror = \"ready\"",
        "twist = 0.25\n[twist_shares]\n\"arm \\\"1\\\"\" = 0.3\nb = 1\n",
        "[chain_modes]\nspine = \"end-exact\"\ntail = \"one-to-one-reversed\"\n[translations]\n\"joint 1\" = \"orient-and-scale\"\n",
        "[curves]\n\"expression:aa\" = \"jawOpen\"\n\"a \\\"b\\\"\\n\" = \"\\\\\"\ngone = \"\"\n",
        "[links]\ntail = \"尾.001\"\n\"a \\\"b\\\" \\\\ c\" = \"\"\n\"two\\nlines\" = [\"a\", \"\"]\nnone = []\n",
        "[source]\nup = \"z\"\nforward = \"-Y\"\n",
    ] {
        let recipe = Recipe::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (written, read) = again(&recipe);
        assert_eq!(read, recipe, "{written}");
    }
    for pose in [
        "\"rest\"",
        "\"bind\"",
        "\"stored\"",
        "\"first\"",
        "\"given\"",
        "0.1",
        "2.0",
        "\"frame 12\"",
    ] {
        let recipe = Recipe::parse(&format!("[source]\npose = {pose}\n")).unwrap();
        let (written, read) = again(&recipe);
        assert!(recipe.source.pose.is_some() && read == recipe, "{written}");
        assert!(written.contains(&format!("pose = {pose}\n")), "{written}");
    }
}

#[test]
fn where_nothing_is_chosen_a_few_lines_are_written() {
    let (text, _) = again(&Recipe::default());
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<&str> = lines.collect();
    assert_eq!(
        lines,
        [
            "version = 1",
            "preset = \"faithful\"",
            "[source.slots]",
            "[target.slots]"
        ]
    );
}

#[test]
fn presets_lie_below_what_is_chosen() {
    let chosen = Recipe::parse("preset = \"humanik\"\n[feet]\nlock = 0.5").unwrap();
    assert_eq!((chosen.feet.lock, chosen.feet.swing), (0.5, None));
    assert_eq!((chosen.align, chosen.ground), (Correction::None, 0.0));
    let other = chosen.with_preset(Preset::Mixamo).unwrap();
    assert_eq!((other.feet.lock, other.feet.pull), (0.5, 0.42));
    assert_eq!(other.align, Correction::Arms);
    let steps = Recipe::of(Preset::MatchSource);
    assert_eq!(steps.root_scale, RootScale::None);
    assert_eq!(
        (steps.feet, steps.hands.mode),
        (FeetChoice::default(), HandsMode::Auto)
    );
    for preset in Preset::ALL {
        assert_eq!(Recipe::of(preset).preset(), preset);
        assert_eq!(again(&Recipe::of(preset)).1, Recipe::of(preset));
        assert!(
            !["feet", "hands", "ground", "own_body"]
                .iter()
                .any(|feature| Recipe::of(preset).asks_for(feature))
        );
    }
    // What is said although it is so anyway is still asked for.
    let said = Recipe::parse("ground = true").unwrap();
    assert!(said.asks_for("ground") && !said.asks_for("feet"));
    assert!(again(&said).1.asks_for("ground"));
    // And stays, whatever preset is put below it.
    let other = said.with_preset(Preset::Mixamo).unwrap();
    assert_eq!((other.ground, other.own_body), (1.0, 0.0));
    let (text, read) = again(&Recipe::parse("feet.lock = 1.0").unwrap());
    assert!(
        read.asks_for("feet") && text.contains("[feet]\nlock = 1.0\n\n#"),
        "{text}"
    );
    let mut made = Recipe::default();
    made.feet.weight = 0.5;
    assert!(made.asks_for("feet") && again(&made).1.feet == made.feet);
}

#[test]
fn short_forms_mean_the_same() {
    for (short, long) in [
        ("feet = false", "feet.weight = 0"),
        ("feet = true", "feet.weight = 1.0"),
        ("twist = true", ""),
        (
            "root_motion = \"extract\"",
            "root_motion.mode = \"extract\"",
        ),
        ("root_scale = \"0.5\"", "root_scale = 0.5"),
        (
            "limits.slots.neck = \"none\"",
            "limits.slots.neck.free = true",
        ),
        (
            "contacts.points.seat = [[1, 2]]",
            "contacts.points.seat.only = [[1, 2]]",
        ),
        ("contacts.ground = \"file\"", "contacts.ground = 0.0"),
        (
            "pins = [{ end = \"hips\", point = [0, 0, 0] }]",
            "pins = [{ end = \"hips\", to = \"point\", point = [0, 0, 0] }]",
        ),
        ("source.slots.spine = \"a\"", "source.slots.spine = [\"a\"]"),
    ] {
        let [short, long] = [short, long].map(|text| Recipe::parse(text).unwrap());
        assert_eq!(short, long, "{long:?}");
    }
}

#[test]
fn choices_are_in_force_where_they_can_be() {
    let ground = |text: &str| Recipe::parse(text).unwrap().ground();
    assert_eq!(ground(""), 1.0);
    assert_eq!(ground("preset = \"mixamo\""), 0.0);
    assert_eq!(ground("preset = \"match-source\""), 0.0);
    assert_eq!(ground("method = \"channels\""), 0.0);
    assert_eq!(ground("preset = \"humanik\"\nground = true"), 1.0);
    assert_eq!(ground("ground = 0.25"), 0.25);
    assert_eq!(ground("feet = false"), 1.0);
    let own_body = |text: &str| Recipe::parse(text).unwrap().own_body();
    assert_eq!(own_body(""), 1.0);
    assert_eq!(own_body("preset = \"mixamo\""), 0.0);
    assert_eq!(own_body("own_body = 0.5"), 0.5);
    assert_eq!(own_body("method = \"channels\"\nown_body = true"), 0.0);
    let hands = |text: &str| Recipe::parse(text).unwrap().hands();
    assert_eq!(hands(""), Some(HandsChoice::default()));
    assert_eq!(hands("preset = \"mixamo\""), None);
    let wide = hands("preset = \"humanik\"\n[hands]\nmode = \"auto\"\nnear = 0.36").unwrap();
    assert!((wide.far() - 0.36 * 0.35 / 0.22).abs() < 1e-12);
    let short = Recipe::parse("root_motion = \"extract\"")
        .unwrap()
        .root_motion;
    assert_eq!(short.mode, RootMode::Extract);
    assert!(short.axes().turn && short.smooth_seconds() == 0.25);
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_what_to_do() {
    let mut unlike = Vec::new();
    for (text, expected) in [
        ("a b = 3", "(at line 1)"),
        ("\n\n[feet", "(at line 3)"),
        (
            "method = \"magic\"",
            "there is no method \"magic\" (at method); use model-delta | rest-delta",
        ),
        ("speed = 3", "there is no key \"speed\" (at speed); "),
        ("ratehz = 3", "did you mean \"rate_hz\"?"),
        ("rate_Hz = 3", "did you mean \"rate_hz\"?"),
        ("rate_hz = 0", "use 0.01 to 1000"),
        ("version = 9", "up to 1 (at version)"),
        ("root_scale = -1.0", "(at root_scale); use auto | legs-hips"),
        (
            "root_scale = [1, 2]",
            "2 values do not fit here (at root_scale)",
        ),
        ("root_scale = [1, -2, 1]", "(at root_scale"),
        (
            "root_scale = \"1,2\"",
            "\"1,2\" is no root scale (at root_scale)",
        ),
        (
            "[source]\npose = \"bend\"",
            "\"bend\" is no pose (at source.pose)",
        ),
        (
            "[source]\npose = \"frame x\"",
            "\"frame x\" is no pose (at source.pose)",
        ),
        (
            "[target]\npose = nan",
            "nan does not fit here (at target.pose)",
        ),
        ("source.pose = true", "(at source.pose); use auto | rest"),
        ("[source]\nup = \"w\"", "\"w\" is no axis (at source.up)"),
        (
            "[source]\nup = \"y\"\nforward = \"-y\"",
            "nobody faces -Y where +Y is up (at source.forward)",
        ),
        ("feet = 2.0", "(at feet.weight); use true | false | 0 to 1"),
        ("[feet]\nlock = -1", "(at feet.lock); use 0 to 1"),
        (
            "[feet]\nanchor = \"knee\"",
            "there is no anchor \"knee\" (at feet.anchor); use sole | ball",
        ),
        (
            "[feet]\nswing = [0.5, 0.2]",
            "(at feet.swing); give two shares",
        ),
        ("[feet]\nbend = \"blend\"", "use switch | steady"),
        ("ground = 2.0", "(at ground); use true | false | 0 to 1"),
        ("ground = \"a\"", "there is no ground \"a\""),
        ("own_body = -1.0", "(at own_body)"),
        ("twist = nan", "(at twist)"),
        ("twist_shares.a = -1.0", "(at twist_shares.a)"),
        (
            "mirror = \"maybe\"",
            "there is no mirror \"maybe\" (at mirror); use true | false | off | on | ready",
        ),
        ("[hands]\nmode = \"both\"", "use off | auto | always"),
        ("[hands]\nweight = 2", "(at hands.weight)"),
        ("[hands]\nnear = -0.1", "use 0 to 2"),
        (
            "root_motion = \"fly\"",
            "there is no mode \"fly\" (at root_motion.mode)",
        ),
        (
            "root_motion = { moed = \"hips\" }",
            "there is no key \"moed\" (at root_motion.moed); did you mean \"mode\"?",
        ),
        (
            "root_motion = { mode = \"hips\", axes = \"q\" }",
            "\"q\" is no choice of axes",
        ),
        (
            "root_motion = { mode = \"hips\", smooth_seconds = -1 }",
            "use 0 to 60",
        ),
        ("[target.weights]\narms = -0.5", "target.weights.arms"),
        ("[target]\nweigths.arms = 1", "did you mean \"weights\"?"),
        (
            "[source.place]\nshift = [0, nan, 0]",
            "(at source.place.shift[1])",
        ),
        (
            "[source.place]\nshift = [1, 2, 3, 4]",
            "4 values do not fit here (at source.place.shift); use [a number, a number, a number]",
        ),
        (
            "[source.place]\nturn = 90",
            "did you mean \"turn_degrees\"?",
        ),
        ("[source.place]\nscale = -1", "use a number from 0"),
        (
            "[source.weights]\narms = 0.5",
            "only the target has weights",
        ),
        ("[source.twins]\na = \"b\"", "only the target has twins"),
        (
            "[source.spacing]\narms = 1",
            "put it below [target.spacing]",
        ),
        ("[target.place]\nscale = 2", "only the source"),
        ("[target.spacing]\narms = 90", "use -60 to 60"),
        ("[target.spacing]\nfoo = 90", "use some of arms, legs"),
        ("[target.look_at]\nweight = 2", "(at target.look_at.weight)"),
        (
            "[target.look_at]\npoint = [0, inf, 0]",
            "(at target.look_at.point[1])",
        ),
        (
            "[source.calibration]\nhead = { }",
            "needs angles (at source.calibration.head)",
        ),
        (
            "[source.calibration]\nhead = { local = [0, 0, nan] }",
            "(at source.calibration.head.local[2])",
        ),
        (
            "[source.calibration]\nhead = { local = [0, 0, 1], world = [0, 0, 1] }",
            "not both",
        ),
        (
            "[source.calibration]\nhead = { local = [0, 0] }",
            "2 values do not fit here",
        ),
        (
            "[source.calibration]\nhead = { lokal = [0, 0, 1] }",
            "did you mean \"local\"?",
        ),
        (
            "limits.use = \"tight\"",
            "use none | human | profile | learnt",
        ),
        (
            "limits.slots.head = { bend = [3, 1] }",
            "bend = [3, 1] is no range (at limits.slots.head)",
        ),
        (
            "limits.slots.head = { twist = [-200, 1] }",
            "(at limits.slots.head.twist[0]); use -180 to 180",
        ),
        ("limits.slots.head = { soft = -1 }", "use 0 to 90"),
        (
            "limits.slots.head = { bent = [0, 1] }",
            "did you mean \"bend\"?",
        ),
        (
            "limits.slots.head = \"few\"",
            "(at limits.slots.head); use none | {",
        ),
        (
            "links.tail = 3",
            "(at links.tail); use \"text\" | [\"text\", ...]",
        ),
        ("[contacts]\nspeed = 0", "(at contacts.speed)"),
        (
            "[contacts]\nground = \"highest\"",
            "use a number | file | lowest",
        ),
        ("[contacts]\nin_place = \"maybe\"", "use auto | never"),
        (
            "[contacts.points]\nleftHeal = []",
            "did you mean \"leftHeel\"?",
        ),
        (
            "[contacts.points]\nleftHeel = [[2, 1]]",
            "this is no span of time",
        ),
        (
            "[contacts.points]\nleftHeel = [[2]]",
            "(at contacts.points.leftHeel.only[0])",
        ),
        ("[[pins]]\nto = \"own\"", "\"end\" is missing (at pins[0])"),
        ("[[pins]]\nend = \"\"", "pins[0].end"),
        (
            "[[pins]]\nend = \"a\"\nto = \"moon\"",
            "there is no to \"moon\" (at pins[0].to); use own | source",
        ),
        (
            "[[pins]]\nend = \"a\"\nto = \"point\"",
            "does not go with its goal",
        ),
        (
            "[[pins]]\nend = \"a\"\nto = \"own\"\njoint = \"b\"",
            "does not go with its goal",
        ),
        (
            "[[pins]]\nend = \"a\"\npoint = [0, 0, 0]\njoint = \"b\"",
            "does not go with its goal",
        ),
        (
            "[[pins]]\nend = \"a\"\nfrom = 2\nuntil = 1",
            "before it begins",
        ),
        (
            "[[pins]]\nend = \"a\"\nscale = [1, -1, 1]",
            "(at pins[0].scale[1])",
        ),
        (
            "[chain_modes]\nspine = \"bendy\"",
            "there is no spine \"bendy\" (at chain_modes.spine); use auto | overlap",
        ),
        ("[translations]\nall = \"far\"", "(at translations.all)"),
    ] {
        let said =
            Recipe::parse(text).map_or_else(|error| error.to_string(), |_| "nothing".to_owned());
        if !said.contains(expected) {
            unlike.push(format!("{text}: {said}, and not {expected}"));
        }
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}
