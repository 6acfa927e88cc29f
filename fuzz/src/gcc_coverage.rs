//! Coverage of C code that GCC compiled.
//!
//! GCC calls `__sanitizer_cov_trace_pc` in every block, which libFuzzer's own version ignores. `fuzz/run` makes the
//! linker send the calls here (`--wrap`), and they count in libFuzzer's extra counters.

use std::arch::naked_asm;
use std::cell::UnsafeCell;

/// A counter for every block, by the low bits of its address.
#[repr(align(16))]
struct Counters(#[allow(dead_code)] UnsafeCell<[u8; 1 << 16]>);

// SAFETY: libFuzzer reads the counters while no target runs; a lost count between threads does no harm.
unsafe impl Sync for Counters {}

#[unsafe(link_section = "__libfuzzer_extra_counters")]
static COUNTERS: Counters = Counters(UnsafeCell::new([0; 1 << 16]));

/// Counts the block from which it is called. The distance to the counters, unlike the address, is the same in every run.
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap___sanitizer_cov_trace_pc() {
    naked_asm!(
        "mov rax, [rsp]",
        "lea rcx, [rip + {counters}]",
        "sub rax, rcx",
        "movzx eax, ax",
        "inc byte ptr [rcx + rax]",
        "ret",
        counters = sym COUNTERS,
    )
}

/// GCC reports comparisons of floats, too, which libFuzzer does not know.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_cmpf(_: f32, _: f32) {}

/// The same for doubles.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_cmpd(_: f64, _: f64) {}
