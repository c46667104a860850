//! The formats: their names, the crates behind them, and what a request may set.

use std::fmt;

/// A format the oracle can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// speedy in its default context, which is little endian on every host.
    Speedy,
    /// bincode 2.
    Bincode(Bincode),
    /// bincode 1.3: the free functions, or `options()` with its defaults.
    Bincode1 { options: bool },
    /// postcard.
    Postcard,
    /// rkyv: `from_bytes`, or `access` alone. The bytes are the same.
    Rkyv { access: bool },
}

/// A configuration of bincode 2 and the traits used: Serde's, or bincode's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bincode {
    pub native: bool,
    pub variable: bool,
    pub big: bool,
}

const fn bincode(native: bool, variable: bool, big: bool) -> Format {
    Format::Bincode(Bincode { native, variable, big })
}

/// Every format by name. `standard` and `legacy` are bincode's names for two configurations.
pub const FORMATS: [(&str, Format); 18] = [
    ("speedy", Format::Speedy),
    ("bincode-standard", bincode(false, true, false)),
    ("bincode-legacy", bincode(false, false, false)),
    ("bincode-variable-little", bincode(false, true, false)),
    ("bincode-variable-big", bincode(false, true, true)),
    ("bincode-fixed-little", bincode(false, false, false)),
    ("bincode-fixed-big", bincode(false, false, true)),
    ("bincode-standard-native", bincode(true, true, false)),
    ("bincode-legacy-native", bincode(true, false, false)),
    ("bincode-variable-little-native", bincode(true, true, false)),
    ("bincode-variable-big-native", bincode(true, true, true)),
    ("bincode-fixed-little-native", bincode(true, false, false)),
    ("bincode-fixed-big-native", bincode(true, false, true)),
    ("bincode1", Format::Bincode1 { options: false }),
    ("bincode1-options", Format::Bincode1 { options: true }),
    ("postcard", Format::Postcard),
    ("rkyv", Format::Rkyv { access: false }),
    ("rkyv-access", Format::Rkyv { access: true }),
];

/// The limits a decode request may ask of bincode 2. A limit is part of the configuration's type,
/// `Limit<N>`, so the choice is made when this program is compiled.
pub const LIMITS: [usize; 32] = [
    0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 15, 16, 17, 20, 24, 31, 32, 33, 48, 64, 65, 100, 128,
    257, 258, 261, 262, 364, 365, 1024,
];

impl Format {
    /// The format with this name.
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    /// The name of the crate.
    pub fn package(self) -> &'static str {
        match self {
            Self::Speedy => "speedy",
            Self::Bincode(_) | Self::Bincode1 { .. } => "bincode",
            Self::Postcard => "postcard",
            Self::Rkyv { .. } => "rkyv",
        }
    }

    /// The version of the crate, as the lock file has it.
    pub fn version(self) -> &'static str {
        let major = if matches!(self, Self::Bincode1 { .. }) { "1." } else { "" };
        locked(self.package())
            .find(|version| match self {
                Self::Bincode(_) => !version.starts_with("1."),
                _ => version.starts_with(major),
            })
            .expect("every crate is in the lock file")
    }
}

/// The versions of a package in this program's lock file.
fn locked(package: &str) -> impl Iterator<Item = &'static str> {
    let mut lines = include_str!("../Cargo.lock").lines();
    let name = format!("name = \"{package}\"");
    std::iter::from_fn(move || {
        lines.find(|line| *line == name)?;
        lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
    })
}

/// What a decode request may set besides the format.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// bincode 2: the limit, one of [`LIMITS`].
    pub limit: Option<usize>,
    /// rkyv: the address of the first byte modulo 16.
    pub offset: usize,
}

/// A value that was decoded.
pub struct Decoded {
    /// The value as JSON.
    pub value: String,
    /// The number of bytes that were used.
    pub used: usize,
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The name of the crate's error variant, or one of this program's own kinds.
    pub kind: String,
    /// The crate's own words.
    pub text: String,
}

impl Failure {
    /// A refusal with this kind and text.
    pub fn new(kind: impl Into<String>, text: impl Into<String>) -> Self {
        Self { kind: kind.into(), text: text.into() }
    }

    /// A request that makes no sense; no crate was asked.
    pub fn bad_request(text: impl Into<String>) -> Self {
        Self::new("BadRequest", text)
    }

    /// A refusal whose kind is the name that the error's `Debug` text starts with.
    pub fn from_debug(error: &impl fmt::Debug) -> Self {
        let text = format!("{error:?}");
        Self::new(leading_name(&text), &text)
    }
}

/// The identifier that a text starts with.
pub fn leading_name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The outcome of asking a crate.
pub type Outcome<T> = Result<T, Failure>;
