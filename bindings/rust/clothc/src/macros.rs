//! Macros for the generated files constants.rs and records.rs.

/// A type for the constants of one kind. It can hold values that this version does not know, since a newer library may
/// return them.
macro_rules! enumeration {
    ($(#[$doc:meta])* $name:ident: $kind:ty { $($(#[$value_doc:meta])* $value:ident = $number:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(pub $kind);

        impl $name {
            $($(#[$value_doc])* pub const $value: $name = $name($number);)*
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match *self {
                    $($name::$value => formatter.write_str(stringify!($value)),)*
                    $name(other) => write!(formatter, concat!(stringify!($name), "({})"), other),
                }
            }
        }
    };
}

/// A type for a set of bits.
macro_rules! flags {
    ($(#[$doc:meta])* $name:ident: $kind:ty { $($(#[$value_doc:meta])* $value:ident = $number:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[repr(transparent)]
        pub struct $name(pub $kind);

        impl $name {
            /// No bit is set.
            pub const NONE: $name = $name(0);
            $($(#[$value_doc])* pub const $value: $name = $name($number);)*

            /// Says whether all bits of the other set are set in this one.
            pub const fn contains(self, other: $name) -> bool {
                self.0 & other.0 == other.0
            }
        }

        impl std::ops::BitOr for $name {
            type Output = $name;
            fn bitor(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }
        }

        impl std::ops::BitOrAssign for $name {
            fn bitor_assign(&mut self, other: $name) {
                self.0 |= other.0;
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut names = Vec::new();
                let mut rest = *self;
                $(if self.contains($name::$value) {
                    names.push(stringify!($value).to_string());
                    rest.0 &= !$name::$value.0;
                })*
                if rest != $name::NONE || names.is_empty() {
                    names.push(format!("{:#x}", rest.0));
                }
                formatter.write_str(&names.join(" | "))
            }
        }
    };
}

/// A type for the ids of one kind. The library checks them, so that any number may be tried.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[repr(transparent)]
        pub struct $name(pub u32);
    };
}

/// Asserts that a struct has the size and alignment of the one in C.
macro_rules! plain {
    ($name:ident, $raw:ty) => {
        const _: () = assert!(std::mem::size_of::<$name>() == std::mem::size_of::<$raw>());
        const _: () = assert!(std::mem::align_of::<$name>() == std::mem::align_of::<$raw>());
    };
}

/// Makes a struct that begins with its size one that calls take and fill in.
macro_rules! record {
    ($name:ident, $raw:ty) => {
        crate::macros::plain!($name, $raw);

        unsafe impl crate::call::Record for $name {
            type Raw = $raw;
        }

        impl Default for $name {
            /// The library's defaults.
            fn default() -> Self {
                unsafe { std::mem::transmute::<$raw, $name>(<$raw>::default()) }
            }
        }
    };
}

pub(crate) use {enumeration, flags, id, plain, record};
