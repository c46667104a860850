//! A decoder written by hand for this one document, with switches: one thing can be changed at a time.

use crate::interventions::{Intervention, hide};
use crate::records::{Document, DocumentItem, DocumentMeta};
use crate::subject::{Kind, Subject, decode};
use bincode::error::DecodeError;

/// What the switches change; everything off is the plainest decoder.
#[derive(Clone, Copy)]
struct Switches {
    /// Lengths are u64 (bincode's fixed widths) and not u32 (Speedy).
    long: bool,
    /// Memory for texts is zeroed first.
    zeroed: bool,
    /// Texts are not checked for UTF-8.
    no_utf8_check: bool,
    /// Reading a number or a text is a call, not part of the caller.
    outlined: bool,
    /// Texts are checked in the input, and then copied.
    checked_first: bool,
}

/// Errors to choose from: the crate's own, or one byte.
trait Failure: Sized {
    fn end(additional: usize) -> Self;
    fn utf8(inner: std::str::Utf8Error) -> Self;
}

impl Failure for DecodeError {
    fn end(additional: usize) -> Self {
        Self::UnexpectedEnd { additional }
    }

    fn utf8(inner: std::str::Utf8Error) -> Self {
        Self::Utf8 { inner }
    }
}

/// The one-byte error.
enum Short {
    End,
    Utf8,
}

impl Failure for Short {
    fn end(_: usize) -> Self {
        Self::End
    }

    fn utf8(_: std::str::Utf8Error) -> Self {
        Self::Utf8
    }
}

/// Reads the document; `SWITCHES` is a bit each for long, zeroed, no_utf8_check, outlined,
/// checked_first.
struct Input<'a, const SWITCHES: u8>(&'a [u8]);

impl<const SWITCHES: u8> Input<'_, SWITCHES> {
    const ON: Switches = Switches {
        long: SWITCHES & 1 != 0,
        zeroed: SWITCHES & 2 != 0,
        no_utf8_check: SWITCHES & 4 != 0,
        outlined: SWITCHES & 8 != 0,
        checked_first: SWITCHES & 16 != 0,
    };

    #[inline(always)]
    fn array<const N: usize, E: Failure>(&mut self) -> Result<[u8; N], E> {
        let Some((head, tail)) = self.0.split_first_chunk() else {
            return Err(E::end(N - self.0.len()));
        };
        self.0 = tail;
        Ok(*head)
    }

    #[inline(never)]
    fn array_called<const N: usize, E: Failure>(&mut self) -> Result<[u8; N], E> {
        self.array()
    }

    #[inline(always)]
    fn bytes<const N: usize, E: Failure>(&mut self) -> Result<[u8; N], E> {
        if Self::ON.outlined { self.array_called() } else { self.array() }
    }

    #[inline(always)]
    fn length<E: Failure>(&mut self) -> Result<usize, E> {
        Ok(if Self::ON.long {
            u64::from_le_bytes(self.bytes()?) as usize
        } else {
            u32::from_le_bytes(self.bytes()?) as usize
        })
    }

    #[inline(always)]
    fn text<E: Failure>(&mut self) -> Result<String, E> {
        if Self::ON.outlined { self.text_called() } else { self.text_here() }
    }

    #[inline(never)]
    fn text_called<E: Failure>(&mut self) -> Result<String, E> {
        self.text_here()
    }

    #[inline(always)]
    fn text_here<E: Failure>(&mut self) -> Result<String, E> {
        let length = self.length()?;
        let Some((head, tail)) = self.0.split_at_checked(length) else {
            return Err(E::end(length - self.0.len()));
        };
        self.0 = tail;
        if Self::ON.checked_first {
            return str::from_utf8(head).map(str::to_owned).map_err(E::utf8);
        }
        let bytes = if Self::ON.zeroed {
            let mut bytes = vec![0; length];
            hide(&mut bytes);
            bytes.copy_from_slice(head);
            bytes
        } else {
            head.to_vec()
        };
        if Self::ON.no_utf8_check {
            // Safety: only what was written from a String is read here.
            Ok(unsafe { String::from_utf8_unchecked(bytes) })
        } else {
            String::from_utf8(bytes).map_err(|error| E::utf8(error.utf8_error()))
        }
    }

    #[inline(always)]
    fn i32<E: Failure>(&mut self) -> Result<i32, E> {
        self.bytes().map(i32::from_le_bytes)
    }

    #[inline(always)]
    fn i64<E: Failure>(&mut self) -> Result<i64, E> {
        self.bytes().map(i64::from_le_bytes)
    }

    fn document<E: Failure>(&mut self) -> Result<Document, E> {
        let id = self.text()?;
        let status = self.i32()?;
        let meta = DocumentMeta { region: self.text()?, version: self.i32()? };
        let count = self.length()?;
        // An item takes 16 bytes at least, so what is left bounds the memory asked for.
        let mut items = Vec::with_capacity(count.min(self.0.len() / 16));
        for _ in 0..count {
            let (sku, qty, price_minor) = (self.text()?, self.i32()?, self.i64()?);
            items.push(DocumentItem { sku, qty, price_minor });
        }
        Ok(Document { id, status, meta, items })
    }
}

fn subject<const SWITCHES: u8, E: Failure + 'static>(how: &'static str, data: &[u8]) -> Subject {
    let widths = if SWITCHES & 1 == 0 { "fixed-u32" } else { "fixed" };
    let kind = Kind { library: "hand", road: "own", widths, record: "document" };
    decode(kind, how, "suite", data.to_vec(), |data| Input::<SWITCHES>(data).document::<E>())
}

/// The decoder with every switch off, and on one by one.
pub fn subjects(speedy: &[u8], fixed: &[u8]) -> Vec<Subject> {
    vec![
        subject::<0, Short>("plain", speedy),
        subject::<1, Short>("plain", fixed),
        subject::<3, Short>("zeroed", fixed),
        subject::<5, Short>("no-utf8-check", fixed),
        subject::<9, Short>("outlined", fixed),
        subject::<17, Short>("checked-first", fixed),
        subject::<1, DecodeError>("large-error", fixed),
        subject::<9, DecodeError>("outlined-large-error", fixed),
        subject::<11, DecodeError>("outlined-large-error-zeroed", fixed),
    ]
}

/// What each switch is there to show.
pub fn interventions() -> Vec<Intervention> {
    let id = |widths: &str, how: &str| format!("decode/hand/own/{widths}/document/{how}/suite");
    let pair = |suspect, change, before: &str, after: &str| Intervention {
        suspect,
        change,
        before: id("fixed", before),
        after: id("fixed", after),
    };
    vec![
        Intervention {
            suspect: "lengths",
            change: "lengths of eight bytes instead of four",
            before: id("fixed-u32", "plain"),
            after: id("fixed", "plain"),
        },
        pair("zeroing", "texts in memory zeroed first", "plain", "zeroed"),
        pair("utf8", "no UTF-8 check", "plain", "no-utf8-check"),
        pair(
            "check-order",
            "UTF-8 checked in the input before the copy, not in the copy",
            "plain",
            "checked-first",
        ),
        pair("inlining", "numbers and texts read by calls", "plain", "outlined"),
        pair("error-type", "bincode's error instead of one byte", "plain", "large-error"),
        pair(
            "error-type",
            "bincode's error instead of one byte, with calls",
            "outlined",
            "outlined-large-error",
        ),
        pair(
            "zeroing",
            "texts in memory zeroed first, with calls and bincode's error",
            "outlined-large-error",
            "outlined-large-error-zeroed",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::written;
    use speedy::Writable;

    fn agrees<const SWITCHES: u8>(data: &[u8]) {
        let document = crate::document();
        let read = Input::<SWITCHES>(data).document::<DecodeError>();
        assert_eq!(written(&read.expect("it was written as it is read")), written(&document));
        for length in 0..data.len() {
            assert!(Input::<SWITCHES>(&data[..length]).document::<Short>().is_err());
        }
    }

    /// Whatever the switches, the decoder reads what the crates write and refuses what is cut short.
    #[test]
    fn every_decoder_reads_the_document() {
        let document = crate::document();
        agrees::<0>(&document.write_to_vec().unwrap());
        let config = bincode::config::standard().with_fixed_int_encoding();
        let fixed = bincode::encode_to_vec(&document, config).unwrap();
        agrees::<1>(&fixed);
        agrees::<3>(&fixed);
        agrees::<5>(&fixed);
        agrees::<9>(&fixed);
        agrees::<11>(&fixed);
        agrees::<17>(&fixed);
    }
}
