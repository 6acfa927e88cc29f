//! The widest registers of the processor that runs.
//!
//! Programs are made for every processor of their kind, whose registers hold four numbers. Code that is inlined whole into
//! [`Kernel::run`] is made a second time for processors with AVX2, whose registers hold eight. Operations and their order are the same,
//! without fused multiply-adds, so both give the same bits.

#![cfg_attr(target_arch = "x86_64", allow(unsafe_code))]

/// Work for wide registers.
pub(crate) trait Kernel: Sized {
    type Output;

    /// Does it. Whoever implements this marks it `#[inline(always)]`, and all that it calls.
    fn run(self) -> Self::Output;

    /// Does it on the widest registers that the processor has.
    fn run_widest(self) -> Self::Output {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.run_avx2() };
        }
        self.run()
    }

    /// # Safety
    /// The processor must have AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn run_avx2(self) -> Self::Output {
        self.run()
    }
}
