//! From clips to files.

use crate::error::Error;
use crate::rig::Rig;
use rebone_io::bvh::WriteOptions;
use rebone_io::gltf::Container;
use rebone_io::{Format, Resources};
use rebone_model::{Character, Clip, Warning, axes};

/// Bytes with what could not be kept.
#[derive(Clone, Debug)]
pub struct Output {
    /// The file.
    pub bytes: Vec<u8>,
    /// What the format cannot hold.
    pub warnings: Vec<Warning>,
}

/// Writes clips of a target into a file of the wanted format.
///
/// `target` is the target's own file, from which `rig` was made: where the formats are of one family
/// everything else in it is kept to the byte. A BVH holds one clip, so it takes exactly one.
pub fn write(
    target: &[u8],
    resources: Resources<'_>,
    rig: &Rig,
    clips: &[Clip],
    format: Format,
) -> Result<Output, Error> {
    match (rig.format, format) {
        (Format::Bvh, Format::Bvh) => {
            let clip = only_clip(clips)?;
            let output = rebone_io::bvh::write_clip_into(
                target,
                &rig.character,
                clip,
                &WriteOptions::default(),
            )?;
            Ok(Output {
                bytes: output.bytes,
                warnings: output.warnings,
            })
        }
        (Format::Bvh, _) | (_, Format::Bvh | Format::Vrma) => {
            let mut character = rig.character.clone();
            character.clips = clips.to_vec();
            write_motion(rig, character, format)
        }
        (_, Format::Glb | Format::Vrm | Format::Gltf) => {
            let bytes = rebone_io::gltf::write_clips_into(
                target,
                resources,
                &rig.character,
                clips,
                container(format),
            )?;
            Ok(Output {
                bytes,
                warnings: Vec::new(),
            })
        }
    }
}

/// Writes a character with its clips as a new file, in the axes and the unit of the format.
pub fn write_motion(rig: &Rig, mut character: Character, format: Format) -> Result<Output, Error> {
    if !rig.space.unit_is_stated {
        // A BVH becomes metres, +Y up, +Z forward; the other way round its axes stay those of glTF.
        if format != Format::Bvh {
            let turn = rig.canonical_from_file().as_quat();
            let scale = rig.space.meters_per_unit as f32;
            axes::change_axes(&mut character.skeleton, &mut character.clips, turn, scale);
        }
    }
    if format == Format::Bvh {
        let clip = only_clip(&character.clips)?;
        let output =
            rebone_io::bvh::write_character(&character, Some(clip), &WriteOptions::default())?;
        return Ok(Output {
            bytes: output.bytes,
            warnings: output.warnings,
        });
    }
    Ok(Output {
        bytes: rebone_io::gltf::write_character(&character, container(format))?,
        warnings: Vec::new(),
    })
}

/// The frame rate of a clip: stated, or from the median distance of its keys.
pub fn resample_rate(clip: &Clip) -> Option<f64> {
    if clip.rate_hz.is_some() {
        return clip.rate_hz;
    }
    let times = clip.key_times();
    let mut steps: Vec<f32> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_by(f32::total_cmp);
    let step = *steps.get(steps.len() / 2)?;
    (step > 0.0).then(|| 1.0 / f64::from(step))
}

fn only_clip(clips: &[Clip]) -> Result<&Clip, Error> {
    match clips {
        [clip] => Ok(clip),
        [] => Err(Error::request(
            "there is no clip to write",
            "choose a source with a clip",
        )),
        several => Err(Error::request(
            format!("a BVH holds one clip, but there are {}", several.len()),
            "choose one with --clip NAME",
        )),
    }
}

fn container(format: Format) -> Container {
    if format == Format::Gltf {
        Container::Gltf
    } else {
        Container::Glb
    }
}
