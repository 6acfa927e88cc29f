//! Figures, plots, pages and pictures of what a session has made.

use crate::failure::Failure;
use crate::given;
use crate::json;
use crate::session::{Done, Session, Side};
use crate::shapes;
use rebone::measuring::Comparison;
use rebone::{Clip, doubts, report_json, report_page};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Session {
    /// The figures of a clip that was made, of every frame, with contacts and bad moments.
    #[wasm_bindgen(unchecked_return_type = "Report")]
    pub fn report(&self, clip: &str) -> Result<JsValue, JsValue> {
        let (index, _) = self.made(clip)?;
        let done = self.done()?;
        let report = self.measured(done, index);
        Ok(json::value(&report_json::report(
            &report,
            &self.rig(Side::Target).map,
        ))?)
    }

    /// What the figures of a clip are made of, over time, to be plotted.
    #[wasm_bindgen(unchecked_return_type = "Series")]
    pub fn series(&self, clip: &str) -> Result<JsValue, JsValue> {
        let (index, made) = self.made(clip)?;
        let done = self.done()?;
        let measured = made.measured.as_ref().unwrap_or(&made.clip);
        let source = self.source_clip(done, index);
        let series = self
            .comparison(done)
            .series_noted(source, measured, &made.notes);
        Ok(json::value(&shapes::series(
            &series,
            &self.rig(Side::Target).map,
        ))?)
    }

    /// The report as one page without scripts from elsewhere: plots, pictures, figures.
    #[wasm_bindgen(js_name = reportPage)]
    pub fn report_page(&self) -> Result<String, JsValue> {
        Ok(self.page()?)
    }

    /// A GIF of the source beside the result. Characters have their meshes where they were opened with them.
    pub fn gif(
        &self,
        clip: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "GifOptions")] options: &JsValue,
    ) -> Result<Vec<u8>, JsValue> {
        Ok(self.playback(clip, options)?)
    }
}

impl Session {
    fn source_clip(&self, done: &Done, index: usize) -> &Clip {
        &self.rig(Side::Source).character.clips[done.from[index]]
    }

    /// Measures in every frame: who asks for figures wants them all.
    fn comparison<'a>(&'a self, done: &'a Done) -> Comparison<'a> {
        let mut comparison = Comparison::new(
            self.rig(Side::Source),
            self.rig(Side::Target),
            &done.compiled,
            &done.target_map,
            &self.recipe,
        );
        comparison.options.frames = Some(usize::MAX);
        comparison
    }

    fn measured(&self, done: &Done, index: usize) -> rebone::report::Report {
        let made = &done.made[index];
        if made.report.frames_measured == made.report.frames {
            return made.report.clone();
        }
        let measured = made.measured.as_ref().unwrap_or(&made.clip);
        self.comparison(done)
            .report_noted(self.source_clip(done, index), measured, &made.notes)
    }

    fn page(&self) -> Result<String, Failure> {
        let done = self.done()?;
        let comparison = self.comparison(done);
        let reports: Vec<_> = (0..done.clips.len())
            .map(|index| self.measured(done, index))
            .collect();
        let [mut all, of_target, of_pair] = doubts::of_pair(
            [self.rig(Side::Source), self.rig(Side::Target)],
            &done.compiled,
            &done.warnings,
        );
        all.extend(of_target);
        all.extend(of_pair);
        all.extend(self.doubts.iter().cloned());
        let rows: Vec<report_page::Row<'_>> = done
            .made
            .iter()
            .zip(&reports)
            .enumerate()
            .map(|(index, (made, report))| report_page::Row {
                source: self.rig(Side::Source),
                source_name: self.source.file.stem().to_owned(),
                clip: self.source_clip(done, index),
                results: vec![report_page::Column {
                    target: self.rig(Side::Target),
                    name: self.target.file.stem().to_owned(),
                    made: made.measured.as_ref().unwrap_or(&made.clip),
                    comparison: &comparison,
                    report,
                    notes: Some(&made.notes),
                }],
            })
            .collect();
        let figures: Vec<_> = reports
            .iter()
            .map(|report| report_json::report(report, &self.rig(Side::Target).map))
            .collect();
        let words = report_page::Words {
            title: format!("{} onto {}", self.source.name, self.target.name),
            results: vec![self.target.name.clone()],
            failed: &[],
            warnings: &doubts::distinct(&all),
            json: serde_json::to_string(&figures)?,
        };
        Ok(report_page::html(&rows, words)?)
    }

    fn playback(&self, clip: &str, options: &JsValue) -> Result<Vec<u8>, Failure> {
        let (index, made) = self.made(clip)?;
        let done = self.done()?;
        let own = rebone::view::GifOptions::default();
        let view = match given::text(options, "view")?.as_deref() {
            None => own.look.view,
            Some("front") => rebone::view::Camera::Front,
            Some("side") => rebone::view::Camera::Side,
            Some("three-quarter") => rebone::view::Camera::ThreeQuarter,
            Some(other) => {
                return Err(Failure::request(
                    format!("\"{other}\" is no view"),
                    "use front, side or three-quarter",
                ));
            }
        };
        let height = given::number(options, "height")?;
        let rate = given::number(options, "rate")?;
        let seconds = given::number(options, "seconds")?;
        let gif = rebone::view::GifOptions {
            look: rebone::view::Look {
                view,
                panel_height: height.map_or(own.look.panel_height, |pixels| pixels.max(0.0) as u32),
                ..own.look
            },
            rate_hz: rate.map_or(own.rate_hz, |rate| rate as f32),
            seconds: seconds.map(|seconds| seconds as f32).or(own.seconds),
            ..own
        };
        let actors = [
            report_page::actor(
                self.rig(Side::Source),
                Some(self.source_clip(done, index)),
                self.source.file.stem(),
            ),
            report_page::actor(
                self.rig(Side::Target),
                Some(&made.clip),
                self.target.file.stem(),
            ),
        ];
        Ok(rebone::view::playback_gif(&actors, &gif)?)
    }
}
