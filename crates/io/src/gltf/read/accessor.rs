//! Accessors: typed arrays in buffers, dense or sparse, as floats or quantised.

use super::decompress::Decompressed;
use super::packed::{Component, Strided, decode, decode_floats};
use crate::gltf::buffers::Buffers;
use crate::gltf::json::{Accessor, BufferView, Sparse};
use crate::gltf::{DECOMPRESS, EXPORT_AGAIN};
use crate::{Error, Limits};
use std::cell::Cell;
use std::fmt::Arguments;

/// Everything needed to read accessors.
pub(super) struct Accessors<'a> {
    pub accessors: &'a [Accessor],
    pub views: &'a [BufferView],
    pub buffers: &'a Buffers<'a>,
    /// Views that are compressed, as they are decoded.
    pub decompressed: &'a Decompressed,
    pub limits: Limits,
    /// Numbers that accessors without data may still claim.
    pub zeros_left: Cell<usize>,
}

impl<'a> Accessors<'a> {
    /// The accessor's description.
    pub(super) fn describe(
        &self,
        accessor: usize,
        place: Arguments<'_>,
    ) -> Result<&'a Accessor, Error> {
        self.accessors
            .get(accessor)
            .ok_or_else(|| malformed(format!("accessor {accessor} does not exist"), place))
    }

    /// Reads elements of `N` floats each. Quantised numbers become floats: normalised ones where
    /// the accessor says so or `always_normalized` does.
    pub(super) fn floats<T: Copy, const N: usize>(
        &self,
        accessor: usize,
        place: Arguments<'_>,
        always_normalized: bool,
        make: impl Fn([f32; N]) -> T + Copy,
    ) -> Result<Vec<T>, Error> {
        let description = self.describe(accessor, place)?;
        let normalized = description.normalized || always_normalized;
        self.elements(
            accessor,
            description,
            N,
            place,
            |component, data| match component {
                Component::F32 => decode_floats(data, make),
                Component::I8 if normalized => decode(
                    data,
                    |[a]: [u8; 1]| (f32::from(a as i8) / 127.0).max(-1.0),
                    make,
                ),
                Component::U8 if normalized => {
                    decode(data, |[a]: [u8; 1]| f32::from(a) / 255.0, make)
                }
                Component::I16 if normalized => decode(
                    data,
                    |a| (f32::from(i16::from_le_bytes(a)) / 32767.0).max(-1.0),
                    make,
                ),
                Component::U16 if normalized => {
                    decode(data, |a| f32::from(u16::from_le_bytes(a)) / 65535.0, make)
                }
                Component::I8 => decode(data, |[a]: [u8; 1]| f32::from(a as i8), make),
                Component::U8 => decode(data, |[a]: [u8; 1]| f32::from(a), make),
                Component::I16 => decode(data, |a| f32::from(i16::from_le_bytes(a)), make),
                Component::U16 => decode(data, |a| f32::from(u16::from_le_bytes(a)), make),
                Component::U32 => decode(data, |a| u32::from_le_bytes(a) as f32, make),
            },
            make([0.0; N]),
        )
    }

    /// Reads elements of any shape as one list of numbers, as [`Self::floats`] does.
    pub(super) fn numbers(
        &self,
        accessor: usize,
        place: Arguments<'_>,
        always_normalized: bool,
    ) -> Result<Vec<f32>, Error> {
        let (n, always) = (accessor, always_normalized);
        Ok(match self.describe(accessor, place)?.shape.width() {
            2 => self
                .floats(n, place, always, |v: [f32; 2]| v)?
                .into_flattened(),
            3 => self
                .floats(n, place, always, |v: [f32; 3]| v)?
                .into_flattened(),
            4 => self
                .floats(n, place, always, |v: [f32; 4]| v)?
                .into_flattened(),
            9 => self
                .floats(n, place, always, |v: [f32; 9]| v)?
                .into_flattened(),
            16 => self
                .floats(n, place, always, |v: [f32; 16]| v)?
                .into_flattened(),
            _ => self
                .floats(n, place, always, |v: [f32; 1]| v)?
                .into_flattened(),
        })
    }

    /// Reads elements of `N` unsigned whole numbers each.
    pub(super) fn integers<const N: usize>(
        &self,
        accessor: usize,
        place: Arguments<'_>,
    ) -> Result<Vec<[u32; N]>, Error> {
        let description = self.describe(accessor, place)?;
        let same = |values: [u32; N]| values;
        let code = Component::from_code(description.component_type);
        if !matches!(code, Some(Component::U8 | Component::U16 | Component::U32)) {
            return Err(malformed(
                format!("accessor {accessor} should hold unsigned whole numbers"),
                place,
            ));
        }
        self.elements(
            accessor,
            description,
            N,
            place,
            |component, data| match component {
                Component::U8 => decode(data, |[a]: [u8; 1]| u32::from(a), same),
                Component::U16 => decode(data, |a| u32::from(u16::from_le_bytes(a)), same),
                _ => decode(data, u32::from_le_bytes, same),
            },
            [0; N],
        )
    }

    fn elements<T: Copy>(
        &self,
        accessor: usize,
        description: &Accessor,
        width: usize,
        place: Arguments<'_>,
        decode: impl Fn(Component, Strided<'_>) -> Vec<T>,
        zero: T,
    ) -> Result<Vec<T>, Error> {
        if description.shape.width() != width {
            return Err(malformed(
                format!(
                    "accessor {accessor} has {} numbers an element instead of {width}",
                    description.shape.width()
                ),
                place,
            ));
        }
        let component = Component::from_code(description.component_type).ok_or_else(|| {
            malformed(
                format!(
                    "accessor {accessor} has the unknown component type {}",
                    description.component_type
                ),
                place,
            )
        })?;
        let element_bytes = component.bytes() * width;
        let mut values = match description.buffer_view {
            Some(view) => {
                let stride = self.views.get(view).and_then(|view| view.byte_stride);
                let layout = Layout {
                    view,
                    offset: description.byte_offset,
                    stride: stride.filter(|&stride| stride > 0),
                    element_bytes,
                    count: description.count,
                };
                decode(component, self.strided(&layout, place)?)
            }
            None => {
                self.claim_zeros(accessor, description, place)?;
                vec![zero; description.count]
            }
        };
        if let Some(sparse) = &description.sparse {
            let (indices, replacements) =
                self.sparse(sparse, component, element_bytes, place, decode)?;
            for (index, value) in indices.into_iter().zip(replacements) {
                let slot = usize::try_from(index)
                    .ok()
                    .and_then(|index| values.get_mut(index))
                    .ok_or_else(|| {
                        malformed(
                            format!("sparse index {index} of accessor {accessor} is out of range"),
                            place,
                        )
                    })?;
                *slot = value;
            }
        }
        Ok(values)
    }

    /// Counts the numbers of an accessor without data against those that are left.
    fn claim_zeros(
        &self,
        accessor: usize,
        description: &Accessor,
        place: Arguments<'_>,
    ) -> Result<(), Error> {
        let numbers = description.count.checked_mul(description.shape.width());
        let left = numbers.and_then(|numbers| self.zeros_left.get().checked_sub(numbers));
        self.zeros_left.set(left.ok_or_else(|| {
            Error::limit(
                format!(
                    "accessor {accessor} claims {} elements without data, which with those of others is too much",
                    description.count
                ),
                place.to_string(),
                "give the accessor a buffer view, or raise the limit",
            )
        })?);
        Ok(())
    }

    fn sparse<T: Copy>(
        &self,
        sparse: &Sparse,
        component: Component,
        element_bytes: usize,
        place: Arguments<'_>,
        decode_values: impl Fn(Component, Strided<'_>) -> Vec<T>,
    ) -> Result<(Vec<u32>, Vec<T>), Error> {
        let index_component = Component::from_code(sparse.indices.component_type);
        let index_bytes = index_component.map_or(4, Component::bytes);
        let indices = self.strided(
            &Layout {
                view: sparse.indices.buffer_view,
                offset: sparse.indices.byte_offset,
                stride: None,
                element_bytes: index_bytes,
                count: sparse.count,
            },
            place,
        )?;
        let one = |[value]: [u32; 1]| value;
        let indices = match index_component {
            Some(Component::U8) => decode(indices, |[a]: [u8; 1]| u32::from(a), one),
            Some(Component::U16) => decode(indices, |a| u32::from(u16::from_le_bytes(a)), one),
            Some(Component::U32) => decode(indices, u32::from_le_bytes, one),
            _ => return Err(malformed("sparse indices must be unsigned", place)),
        };
        let values = self.strided(
            &Layout {
                view: sparse.values.buffer_view,
                offset: sparse.values.byte_offset,
                stride: None,
                element_bytes,
                count: sparse.count,
            },
            place,
        )?;
        Ok((indices, decode_values(component, values)))
    }

    /// The bytes of a buffer view.
    pub(super) fn view_bytes(&self, view: usize, place: Arguments<'_>) -> Result<&'a [u8], Error> {
        let Some(description) = self.views.get(view) else {
            return Err(malformed(
                format!("buffer view {view} does not exist"),
                place,
            ));
        };
        let decoded = self
            .decompressed
            .get(view, description, self.buffers, &self.limits);
        if let Some(decoded) = decoded {
            let decoded = decoded?;
            return Ok(&decoded[..decoded.len().min(description.byte_length)]);
        }
        if description.extensions.present() && !self.buffers.has_data(description.buffer) {
            return Err(Error::unsupported(
                "the data is compressed with meshopt",
                place.to_string(),
                DECOMPRESS,
            ));
        }
        let buffer = self.buffers.get(description.buffer)?;
        description
            .byte_offset
            .checked_add(description.byte_length)
            .and_then(|end| buffer.get(description.byte_offset..end))
            .ok_or_else(|| {
                malformed(
                    format!(
                        "buffer view {view} reaches beyond the {} bytes of buffer {}",
                        buffer.len(),
                        description.buffer
                    ),
                    place,
                )
            })
    }

    fn strided(&self, layout: &Layout, place: Arguments<'_>) -> Result<Strided<'a>, Error> {
        let bytes = self.view_bytes(layout.view, place)?;
        let stride = layout.stride.unwrap_or(layout.element_bytes);
        if stride < layout.element_bytes {
            return Err(malformed(
                format!(
                    "buffer view {} has a stride below the element's size",
                    layout.view
                ),
                place,
            ));
        }
        let needed = match layout.count {
            0 => Some(0),
            count => (count - 1)
                .checked_mul(stride)
                .and_then(|bytes| bytes.checked_add(layout.element_bytes)),
        };
        let bytes = needed
            .and_then(|needed| layout.offset.checked_add(needed))
            .and_then(|end| bytes.get(layout.offset..end))
            .ok_or_else(|| {
                malformed(
                    format!(
                        "{} elements do not fit into buffer view {}",
                        layout.count, layout.view
                    ),
                    place,
                )
            })?;
        Ok(Strided {
            bytes,
            stride,
            count: layout.count,
        })
    }
}

/// Where elements lie.
struct Layout {
    view: usize,
    offset: usize,
    stride: Option<usize>,
    element_bytes: usize,
    count: usize,
}

fn malformed(what: impl Into<String>, place: Arguments<'_>) -> Error {
    Error::malformed(what, place.to_string(), EXPORT_AGAIN)
}
