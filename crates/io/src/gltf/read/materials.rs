//! Base colours and their images.

use super::accessor::Accessors;
use crate::Error;
use crate::gltf::json::{TopLevel, element, index, whole};
use rebone_model::elementary::Elementary as _;
use rebone_model::{Character, ImageData, Material, Vec2, Warning};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

const DEFAULT_CUTOFF: f32 = 0.5;

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct JsonMaterial {
    name: String,
    pbr_metallic_roughness: Pbr,
    alpha_mode: String,
    alpha_cutoff: Option<f32>,
    double_sided: bool,
    normal_texture: Option<IgnoredAny>,
    occlusion_texture: Option<IgnoredAny>,
    emissive_texture: Option<IgnoredAny>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Pbr {
    base_color_factor: Option<[f32; 4]>,
    base_color_texture: Option<TextureReference>,
    metallic_roughness_texture: Option<IgnoredAny>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TextureReference {
    #[serde(deserialize_with = "index")]
    index: Option<usize>,
    #[serde(deserialize_with = "whole")]
    tex_coord: usize,
    extensions: TextureExtensions,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TextureExtensions {
    #[serde(rename = "KHR_texture_transform")]
    transform: Option<TextureTransform>,
}

#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TextureTransform {
    offset: [f32; 2],
    rotation: f32,
    scale: [f32; 2],
    #[serde(deserialize_with = "index")]
    tex_coord: Option<usize>,
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self {
            offset: [0.0; 2],
            rotation: 0.0,
            scale: [1.0; 2],
            tex_coord: None,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Texture {
    #[serde(deserialize_with = "index")]
    source: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Image {
    uri: Option<String>,
    #[serde(deserialize_with = "index")]
    buffer_view: Option<usize>,
}

/// Which texture coordinates a material uses, and how it changes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextureSpace {
    /// The N of `TEXCOORD_N`.
    pub set: usize,
    offset: Vec2,
    scale: Vec2,
    rotation: f32,
}

impl TextureSpace {
    /// Coordinates in the image from coordinates of the mesh.
    pub(super) fn apply(&self, uv: Vec2) -> Vec2 {
        let scaled = uv * self.scale;
        let (sine, cosine) = self.rotation.sine_cosine();
        let turned = Vec2::new(
            cosine * scaled.x + sine * scaled.y,
            cosine * scaled.y - sine * scaled.x,
        );
        turned + self.offset
    }

    /// True where coordinates stay as they are.
    pub(super) fn is_identity(&self) -> bool {
        self.offset == Vec2::ZERO && self.scale == Vec2::ONE && self.rotation == 0.0
    }
}

/// Reads the materials and images that meshes use, each once a character.
pub(super) struct Materials<'a> {
    accessors: &'a Accessors<'a>,
    materials: Vec<&'a str>,
    textures: Vec<Texture>,
    images: Vec<&'a str>,
    known: BTreeMap<(usize, usize), (usize, TextureSpace)>,
    known_images: BTreeMap<(usize, usize), Option<usize>>,
}

impl<'a> Materials<'a> {
    /// Reads nothing yet.
    pub(super) fn new(top: &TopLevel<'a>, accessors: &'a Accessors<'a>) -> Result<Self, Error> {
        Ok(Self {
            accessors,
            materials: top.elements("materials")?,
            textures: top.array("textures")?,
            images: top.elements("images")?,
            known: BTreeMap::new(),
            known_images: BTreeMap::new(),
        })
    }

    /// The place of a material in a character; `None` where the file has no such material.
    pub(super) fn place(
        &mut self,
        material: usize,
        character: (usize, &mut Character),
        warnings: &mut Vec<Warning>,
    ) -> Option<(usize, TextureSpace)> {
        let (owner, character) = character;
        if let Some(&known) = self.known.get(&(owner, material)) {
            return Some(known);
        }
        let text = self.materials.get(material)?;
        let json: JsonMaterial = element(text).unwrap_or_else(|error| {
            warnings.push(Warning::new(
                "material-unreadable",
                format!("material {material} cannot be read: {error}"),
                "it is drawn white; export the file again",
            ));
            JsonMaterial::default()
        });
        let reference = json.pbr_metallic_roughness.base_color_texture;
        let reference = reference.unwrap_or_default();
        let image = reference
            .index
            .and_then(|texture| self.image(texture, owner, character, warnings));
        let transform = reference.extensions.transform.unwrap_or_default();
        let space = TextureSpace {
            set: transform.tex_coord.unwrap_or(reference.tex_coord),
            offset: Vec2::from_array(transform.offset),
            scale: Vec2::from_array(transform.scale),
            rotation: transform.rotation,
        };
        let maps = [
            (&json.normal_texture, "normal maps"),
            (&json.occlusion_texture, "occlusion maps"),
            (&json.emissive_texture, "emissive maps"),
            (
                &json.pbr_metallic_roughness.metallic_roughness_texture,
                "metal and roughness maps",
            ),
        ];
        let maps = maps.into_iter().filter(|(map, _)| map.is_some());
        character.left_out.extend(maps.map(|(_, name)| name));
        character.materials.push(Material {
            name: json.name,
            base_color: json
                .pbr_metallic_roughness
                .base_color_factor
                .unwrap_or([1.0; 4]),
            base_color_image: image,
            alpha_cutoff: (json.alpha_mode == "MASK")
                .then(|| json.alpha_cutoff.unwrap_or(DEFAULT_CUTOFF)),
            double_sided: json.double_sided,
        });
        let place = (character.materials.len() - 1, space);
        self.known.insert((owner, material), place);
        Some(place)
    }

    fn image(
        &mut self,
        texture: usize,
        owner: usize,
        character: &mut Character,
        warnings: &mut Vec<Warning>,
    ) -> Option<usize> {
        let source = self
            .textures
            .get(texture)
            .and_then(|texture| texture.source);
        let key = source.unwrap_or(usize::MAX);
        if let Some(&known) = self.known_images.get(&(owner, key)) {
            return known;
        }
        let place = match self.load(source) {
            Ok(bytes) => {
                character.images.push(ImageData { bytes });
                Some(character.images.len() - 1)
            }
            Err(reason) => {
                warnings.push(Warning::new(
                    "image-missing",
                    format!("the image of texture {texture} is missing: {reason}"),
                    "pictures show the plain base colour; put the image beside the file",
                ));
                None
            }
        };
        self.known_images.insert((owner, key), place);
        place
    }

    fn load(&self, source: Option<usize>) -> Result<Vec<u8>, String> {
        let Some(source) = source else {
            return Err("it is neither PNG nor JPEG".to_owned());
        };
        let text = self.images.get(source).ok_or("it does not exist")?;
        let image: Image = element(text).map_err(|error| error.to_string())?;
        let bytes = match (image.buffer_view, image.uri) {
            (Some(view), _) => self
                .accessors
                .view_bytes(view, format_args!("images[{source}].bufferView"))
                .map(<[u8]>::to_vec),
            (None, Some(uri)) => self
                .accessors
                .buffers
                .fetch(&uri, &format!("images[{source}]")),
            (None, None) => return Err("it has no data".to_owned()),
        };
        bytes.map_err(|error| error.to_string())
    }
}
