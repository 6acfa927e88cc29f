//! Base colours and their images.

use crate::Resources;
use rebone_model::Clamp as _;
use rebone_model::{Character, ImageData, Material, Vec2, Warning};
use std::collections::BTreeMap;
use ufbx::{Matrix, Texture};

/// How PNG and JPEG files begin.
const IMAGE_MAGIC: [&[u8]; 2] = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"];

/// Moves texture coordinates as the texture says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ToTexture {
    x: Vec2,
    y: Vec2,
    origin: Vec2,
}

impl ToTexture {
    fn of(matrix: &Matrix) -> Self {
        let column = |a: f64, b: f64| Vec2::new(a as f32, b as f32);
        Self {
            x: column(matrix.m00, matrix.m10),
            y: column(matrix.m01, matrix.m11),
            origin: column(matrix.m03, matrix.m13),
        }
    }

    pub(super) fn apply(&self, uv: Vec2) -> Vec2 {
        self.x * uv.x + self.y * uv.y + self.origin
    }
}

/// Materials of all characters; each is read once a character.
pub(super) struct Materials<'r> {
    resources: Resources<'r>,
    known: BTreeMap<(usize, u32), (usize, Option<ToTexture>)>,
    known_images: BTreeMap<(usize, u32), Option<usize>>,
}

impl<'r> Materials<'r> {
    pub(super) fn new(resources: Resources<'r>) -> Self {
        Self {
            resources,
            known: BTreeMap::new(),
            known_images: BTreeMap::new(),
        }
    }

    /// The place of a material among those of a character, and what its texture does to coordinates.
    pub(super) fn place(
        &mut self,
        material: &ufbx::Material,
        owner: usize,
        character: &mut Character,
        warnings: &mut Vec<Warning>,
    ) -> (usize, Option<ToTexture>) {
        let key = (owner, material.element.typed_id);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let color = &material.pbr.base_color;
        let texture = color.texture.as_ref().filter(|_| color.texture_enabled);
        let texture = texture.map(AsRef::as_ref);
        let image = texture.and_then(|texture| self.image(texture, owner, character, warnings));
        let value = color.value_vec4;
        let factor = if material.pbr.base_factor.has_value {
            material.pbr.base_factor.value_vec4.x
        } else {
            1.0
        };
        let plain = [value.x * factor, value.y * factor, value.z * factor];
        // A texture takes the place of the colour.
        let plain = if image.is_some() { [1.0; 3] } else { plain };
        let [red, green, blue] = plain.map(|part| {
            let part = part as f32;
            if part.is_finite() {
                part.clamped(0.0, 1.0)
            } else {
                1.0
            }
        });
        let maps = [
            (&material.pbr.normal_map, "normal maps"),
            (&material.fbx.bump, "bump maps"),
            (&material.pbr.emission_color, "emissive maps"),
            (&material.pbr.ambient_occlusion, "occlusion maps"),
            (&material.pbr.metalness, "metal and roughness maps"),
            (&material.pbr.roughness, "metal and roughness maps"),
            (&material.pbr.specular_color, "specular maps"),
            (&material.pbr.opacity, "opacity maps"),
        ];
        let maps = maps.into_iter().filter(|(map, _)| map.texture.is_some());
        character.left_out.extend(maps.map(|(_, name)| name));
        character.materials.push(Material {
            name: material.element.name.to_string(),
            base_color: [red, green, blue, 1.0],
            base_color_image: image,
            alpha_cutoff: None,
            double_sided: true,
        });
        let to_texture = texture
            .filter(|texture| image.is_some() && texture.has_uv_transform)
            .map(|texture| ToTexture::of(&texture.uv_to_texture));
        let place = (character.materials.len() - 1, to_texture);
        self.known.insert(key, place);
        place
    }

    fn image(
        &mut self,
        texture: &Texture,
        owner: usize,
        character: &mut Character,
        warnings: &mut Vec<Warning>,
    ) -> Option<usize> {
        // A layered texture shows its lowest layer.
        let file = texture.file_textures.as_ref().first();
        let texture = file.map_or(texture, AsRef::as_ref);
        let key = (owner, texture.element.typed_id);
        if let Some(&known) = self.known_images.get(&key) {
            return known;
        }
        let place = match self.load(texture) {
            Ok(bytes) => {
                character.images.push(ImageData { bytes });
                Some(character.images.len() - 1)
            }
            Err(reason) => {
                let name = &*texture.element.name;
                warnings.push(Warning::new(
                    "image-missing",
                    format!("the image of texture \"{name}\" is missing: {reason}"),
                    "pictures show the plain base colour; put the image beside the file",
                ));
                None
            }
        };
        self.known_images.insert(key, place);
        place
    }

    fn load(&self, texture: &Texture) -> Result<Vec<u8>, String> {
        let video = texture.video.as_ref();
        let contents = [Some(&texture.content), video.map(|video| &video.content)];
        let held = contents.into_iter().flatten().find(|held| held.size > 0);
        let bytes = match held {
            Some(held) => held.to_vec(),
            None => self.fetch(texture)?,
        };
        if IMAGE_MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
            Ok(bytes)
        } else {
            Err("it is neither PNG nor JPEG".to_owned())
        }
    }

    /// Asks for the file: as the FBX states it relative to itself, then by its bare name.
    fn fetch(&self, texture: &Texture) -> Result<Vec<u8>, String> {
        let stated = [
            &*texture.relative_filename,
            &*texture.filename,
            &*texture.absolute_filename,
        ];
        let relative = stated[0].replace('\\', "/");
        let mut names: Vec<String> = Vec::new();
        if is_below(&relative) {
            names.push(relative);
        }
        for path in stated {
            let bare = path.rsplit(['/', '\\']).next().unwrap_or_default();
            if is_below(bare) && !names.iter().any(|name| name == bare) {
                names.push(bare.to_owned());
            }
        }
        let mut reason = "the file does not name it".to_owned();
        for name in names {
            match (self.resources)(&name) {
                Ok(bytes) => return Ok(bytes),
                Err(error) => reason = format!("\"{name}\" cannot be opened: {error}"),
            }
        }
        Err(reason)
    }
}

/// True for a path that stays beside or below the FBX file.
fn is_below(path: &str) -> bool {
    let parts = path.split('/');
    !path.is_empty()
        && !path.contains(':')
        && parts
            .into_iter()
            .all(|part| !part.is_empty() && part != "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_beside_or_below_are_asked_for() {
        for (path, expected) in [
            ("skin.png", true),
            ("textures/skin.png", true),
            ("", false),
            ("/etc/skin.png", false),
            ("C:/skin.png", false),
            ("../skin.png", false),
            ("textures/../../skin.png", false),
        ] {
            assert_eq!(is_below(path), expected, "{path}");
        }
    }
}
