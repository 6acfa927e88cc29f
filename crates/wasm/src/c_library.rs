//! What C code inside the module wants of a C library: memory, and functions of numbers and bytes.
//!
//! The target has none. The reader of FBX (ufbx, built with `UFBX_NO_LIBC`) names these functions with a prefix of its own. Each
//! does what its namesake in the C standard does, within what that reader asks for.
#![allow(
    unsafe_code,
    reason = "functions that C calls take pointers; there is no other way to give C its memory"
)]

use std::alloc::{Layout, alloc, dealloc, realloc};

/// What the C standard promises of any allocation.
const ALIGNMENT: usize = 16;

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.max(1), ALIGNMENT).ok()
}

/// Memory of a size, null where there is none.
#[unsafe(no_mangle)]
extern "C" fn ufbx_malloc(size: usize) -> *mut u8 {
    match layout(size) {
        // SAFETY: the layout is never empty.
        Some(layout) => unsafe { alloc(layout) },
        None => std::ptr::null_mut(),
    }
}

/// Memory of another size with the same beginning.
///
/// # Safety
///
/// `pointer` is null or from [`ufbx_malloc`] or this function, with `old_size`, and not given back.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_realloc(pointer: *mut u8, old_size: usize, new_size: usize) -> *mut u8 {
    if pointer.is_null() {
        return ufbx_malloc(new_size);
    }
    match (layout(old_size), layout(new_size)) {
        // SAFETY: the old layout is the one that it was made with; the new size is not 0 and fits a layout.
        (Some(old), Some(new)) => unsafe { realloc(pointer, old, new.size()) },
        _ => std::ptr::null_mut(),
    }
}

/// Gives memory back.
///
/// # Safety
///
/// As of [`ufbx_realloc`].
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_free(pointer: *mut u8, old_size: usize) {
    if let Some(layout) = layout(old_size)
        && !pointer.is_null()
    {
        // SAFETY: the layout is the one that it was made with.
        unsafe { dealloc(pointer, layout) };
    }
}

/// Bytes before the first 0.
///
/// # Safety
///
/// `text` ends with a 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_strlen(text: *const u8) -> usize {
    let mut length = 0;
    // SAFETY: all bytes up to the 0 belong to the text.
    while unsafe { *text.add(length) } != 0 {
        length += 1;
    }
    length
}

/// # Safety
///
/// Both are `count` bytes long and lie apart.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: as promised by the caller. Bytes of unlike places may overlap here, which costs nothing.
    unsafe { std::ptr::copy(from, to, count) };
    to
}

/// # Safety
///
/// Both are `count` bytes long.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: as promised by the caller.
    unsafe { std::ptr::copy(from, to, count) };
    to
}

/// # Safety
///
/// `to` is `count` bytes long.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memset(to: *mut u8, value: i32, count: usize) -> *mut u8 {
    // SAFETY: as promised by the caller.
    unsafe { std::ptr::write_bytes(to, value as u8, count) };
    to
}

/// Where a byte is first, null where it is not.
///
/// # Safety
///
/// `from` is `count` bytes long.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memchr(from: *const u8, value: i32, count: usize) -> *const u8 {
    for place in 0..count {
        // SAFETY: within the bytes that the caller promised.
        let here = unsafe { from.add(place) };
        // SAFETY: the same.
        if unsafe { *here } == value as u8 {
            return here;
        }
    }
    std::ptr::null()
}

/// # Safety
///
/// Both are `count` bytes long.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memcmp(first: *const u8, second: *const u8, count: usize) -> i32 {
    for place in 0..count {
        // SAFETY: within the bytes that the caller promised.
        let (one, other) = unsafe { (*first.add(place), *second.add(place)) };
        if one != other {
            return i32::from(one) - i32::from(other);
        }
    }
    0
}

/// # Safety
///
/// Both end with a 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_strcmp(first: *const u8, second: *const u8) -> i32 {
    // SAFETY: no count ends before the 0.
    unsafe { ufbx_strncmp(first, second, usize::MAX) }
}

/// # Safety
///
/// Both end with a 0 or are `count` bytes long.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_strncmp(first: *const u8, second: *const u8, count: usize) -> i32 {
    for place in 0..count {
        // SAFETY: neither had a 0 before.
        let (one, other) = unsafe { (*first.add(place), *second.add(place)) };
        if one != other || one == 0 {
            return i32::from(one) - i32::from(other);
        }
    }
    0
}

/// A function of one number, under the name that C calls.
macro_rules! of_one {
    ($($name:ident = $function:expr;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(x: f64) -> f64 {
            $function(x)
        }
    )*};
}

/// A function of two numbers.
macro_rules! of_two {
    ($($name:ident = $function:expr;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(x: f64, y: f64) -> f64 {
            $function(x, y)
        }
    )*};
}

of_one! {
    ufbx_sqrt = f64::sqrt;
    ufbx_fabs = f64::abs;
    ufbx_rint = f64::round_ties_even;
    ufbx_floor = f64::floor;
    ufbx_ceil = f64::ceil;
    ufbx_sin = libm::sin;
    ufbx_cos = libm::cos;
    ufbx_tan = libm::tan;
    ufbx_asin = libm::asin;
    ufbx_acos = libm::acos;
    ufbx_atan = libm::atan;
}

of_two! {
    ufbx_atan2 = libm::atan2;
    ufbx_pow = libm::pow;
    ufbx_fmin = f64::min;
    ufbx_fmax = f64::max;
    ufbx_copysign = f64::copysign;
    ufbx_nextafter = libm::nextafter;
}

/// Not 0 of what is no number.
#[unsafe(no_mangle)]
extern "C" fn ufbx_isnan(x: f64) -> i32 {
    i32::from(x.is_nan())
}
