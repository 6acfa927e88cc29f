use super::*;
use crate::samples;
use glam::DVec2;
use rebone_report::{FeetFigures, Moment, MomentKind, PointSeries, Sides, SlotError, SlotSeries};
use rebone_runtime::contact::{ContactPoint, Touch};
use rebone_setup::profile::HUMANOID;

fn point(touch: Touch) -> ContactPoint {
    ContactPoint {
        touch,
        side: 1,
        front: false,
        joint: 1,
        offset: glam::Vec3::ZERO,
    }
}

fn figures() -> Report {
    let slot = HUMANOID.find("leftUpperLeg").unwrap();
    Report {
        frames: 30,
        frames_measured: 20,
        direction: vec![SlotError {
            slot,
            mean_degrees: 12.345,
            max_degrees: 40.0,
        }],
        mean_direction_degrees: 12.345,
        max_direction_degrees: 40.0,
        feet: Some(FeetFigures {
            slide_percent_per_second: Sides {
                source: 0.25,
                target: 123.4,
            },
            slide_ratio: 246.8,
            ..FeetFigures::default()
        }),
        moments: [MomentKind::Direction, MomentKind::Slide]
            .map(|kind| Moment {
                kind,
                seconds: 0.5,
                target_seconds: 0.5,
                value: 3.0,
                slot: (kind == MomentKind::Direction).then_some(slot),
                point: (kind == MomentKind::Slide).then_some(point(Touch::Heel)),
            })
            .to_vec(),
        ..Report::default()
    }
}

fn over_time(frames: usize) -> Series {
    let wave = |size: f64| -> Vec<f64> {
        (0..frames)
            .map(|frame| size * (frame as f64).sin())
            .collect()
    };
    let both = |size: f64| [wave(size), wave(2.0 * size)];
    Series {
        seconds: (0..frames).map(|frame| frame as f32 / 30.0).collect(),
        starts: vec![0, frames / 2],
        points: [Touch::Heel, Touch::Toes]
            .map(|touch| PointSeries {
                point: point(touch),
                height_percent: both(5.0),
                speed_percent_per_second: both(300.0),
                contacts: vec![(0, frames / 3)],
                target_contacts: Vec::new(),
            })
            .to_vec(),
        direction_degrees: vec![f64::NAN; frames],
        knees: vec![SlotSeries {
            slot: HUMANOID.find("leftLowerLeg").unwrap(),
            degrees: both(30.0),
        }],
        paths: both(1.0).map(|line| {
            line.iter()
                .map(|&value| DVec2::new(value, 2.0 * value))
                .collect()
        }),
        hips_height: both(1.0),
    }
}

fn page_of(series: Option<Series>, results: usize) -> String {
    let character = samples::tube();
    let clip = samples::bend(1.0);
    let report = figures();
    let result = PageResult {
        actor: Actor::new(&character, Some(&clip), "<b>target</b>"),
        report: &report,
        series,
        profile: &HUMANOID,
    };
    let page = ReportPage {
        title: "a & b <i>".to_owned(),
        results: vec!["one".to_owned(), "\"two\"".to_owned()][..results].to_vec(),
        clips: (0..3)
            .map(|index| PageClip {
                name: format!("clip <{index}>"),
                seconds: 1.0,
                source: Actor::new(&character, Some(&clip), ""),
                // One that is drawn is enough.
                results: vec![
                    PageResult {
                        series: result.series.clone().filter(|_| index == 0),
                        ..result.clone()
                    };
                    results
                ],
            })
            .collect(),
        remarks: vec!["</ul>".to_owned()],
        json: r#"{"a": "</script><!-- b"}"#.to_owned(),
    };
    report_html(&page).unwrap()
}

/// Every tag that has to be closed is closed in order, and nothing of a name becomes markup.
fn assert_sound(html: &str) {
    let alone = ["!DOCTYPE", "meta", "br", "img", "source"];
    let body =
        html.split("<style>").next().unwrap().to_owned() + html.split("</style>").nth(1).unwrap();
    let body = body.split("<script").next().unwrap().to_owned();
    let mut open: Vec<&str> = Vec::new();
    for tag in body.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "before {tag}");
        } else {
            let name = tag.split_whitespace().next().unwrap();
            if !tag.ends_with('/') && !alone.contains(&name) {
                open.push(name);
            }
        }
    }
    assert_eq!(open, ["html", "body"], "all but what the scripts stand in");
    assert!(
        !body.contains("<i>") && !body.contains("<b>target"),
        "names are no markup"
    );
    // Pictures in base64 may hold any letters.
    let words: String = body
        .split(";base64,")
        .map(|part| part.split_once('"').map_or(part, |(_, rest)| rest))
        .collect();
    assert!(!words.contains("NaN") && !words.contains("inf "));
    assert_eq!(html.matches("</script>").count(), 2);
    assert!(html.contains(r#"{"a": "<\/script><\u0021-- b"}"#));
}

#[test]
fn pages_are_well_formed_and_refer_to_nothing_outside() {
    for results in [1, 2] {
        for series in [
            None,
            Some(Series::default()),
            Some(over_time(2)),
            Some(over_time(5000)),
        ] {
            let drawn = series.is_some();
            let html = page_of(series, results);
            assert_sound(&html);
            for word in ["src=\"", "srcset=\"", "href=\""] {
                for place in html.split(word).skip(1) {
                    assert!(
                        place.starts_with("data:image/") || place.starts_with('#'),
                        "{}",
                        &place[..40]
                    );
                }
            }
            assert!(
                !html.contains("http")
                    || html.matches("http").count()
                        == html.matches("http://www.w3.org/2000/svg").count()
            );
            assert!(!html.contains("@import") && !html.contains("url("));
            assert_eq!(html.contains("<picture"), drawn);
            if results == 1 {
                let again = page_of(if drawn { html_series(&html) } else { None }, results);
                assert!(html == again, "equal bytes");
            }
        }
    }
}

/// The same series again, told by its length on the page.
fn html_series(html: &str) -> Option<Series> {
    if !html.contains("class=\"plot\"") {
        return Some(Series::default());
    }
    Some(over_time(if html.contains("data-t1=\"0.0333\"") {
        2
    } else {
        5000
    }))
}

#[test]
fn numbers_have_the_digits_that_tell_something() {
    for (value, text) in [
        (0.0, "0"),
        (123.4, "123"),
        (12.34, "12.3"),
        (1.5, "1.5"),
        (0.01234, "0.0123"),
        (-0.00001, "0"),
        (100.0, "100"),
    ] {
        assert_eq!(tables::number(value), text);
    }
}
