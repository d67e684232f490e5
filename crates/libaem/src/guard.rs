//! The one way in: every function that C sees is made by [`exports!`], which lets no panic out.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What an exported function does; a panic, which is a mistake of ours, is nothing: NULL, 0, or the result that says so.
pub fn guard<T: Default>(act: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_default()
}

/// Declares functions for C under their own names.
macro_rules! exports {
    ($($(#[$about:meta])* fn $name:ident($($argument:ident: $Type:ty),* $(,)?) $(-> $Result:ty)? $body:block)*) => {
        $(
            $(#[$about])*
            // SAFETY: all names begin with `aem_`, which nothing else here does.
            #[allow(unsafe_code, reason = "a name that is not mangled could be that of another function")]
            #[unsafe(no_mangle)]
            pub extern "C" fn $name($($argument: $Type),*) $(-> $Result)? {
                $crate::guard::guard(|| $body)
            }
        )*
    };
}
pub(crate) use exports;

#[cfg(test)]
mod tests {
    use super::guard;

    #[test]
    fn a_panic_is_nothing() {
        let quiet = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        assert_eq!(guard(|| -> u32 { panic!("a mistake") }), 0);
        std::panic::set_hook(quiet);
        assert_eq!(guard(|| 7), 7);
    }
}
