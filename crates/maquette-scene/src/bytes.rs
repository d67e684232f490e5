//! Bytes of their own, or a part of what a file was read into.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Bytes that may be shared with the file they come from: what is read from a mapped file is not copied before somebody changes it.
///
/// ```
/// use maquette_scene::Bytes;
///
/// let file = Bytes::shared(b"head, picture".to_vec());
/// let picture = file.part(&file[6..]);
/// assert_eq!(&*picture, b"picture");
///
/// let mut changed = picture.clone();
/// changed.to_mut().push(b's');
/// assert_eq!((&*changed, &*picture), (&b"pictures"[..], &b"picture"[..]));
/// ```
#[derive(Clone, Default)]
pub struct Bytes {
    /// Empty where they are shared.
    owned: Vec<u8>,
    shared: Option<(Owner, Range<usize>)>,
}

/// Whatever holds the bytes of a file.
type Owner = Arc<dyn AsRef<[u8]> + Send + Sync>;

impl Bytes {
    /// All bytes of an owner, to take parts of. They stay as long as one of them is there.
    pub fn shared(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Bytes {
        let owner: Owner = Arc::new(owner);
        let all = 0..(*owner).as_ref().len();
        Bytes { owned: Vec::new(), shared: Some((owner, all)) }
    }

    /// Bytes that lie in these, without copying them; and a copy of bytes that do not.
    pub fn part(&self, bytes: &[u8]) -> Bytes {
        match (&self.shared, self.place_of(bytes)) {
            (Some(_), Some(place)) => self.range(place),
            _ => bytes.to_vec().into(),
        }
    }

    /// Where bytes that were borrowed from these lie in them; `None` for bytes from elsewhere.
    pub fn place_of(&self, bytes: &[u8]) -> Option<Range<usize>> {
        // Addresses alone, looked up again as a range: nothing is read that is not there.
        let from = bytes.as_ptr().addr().checked_sub(self.as_ptr().addr())?;
        let place = from..from.checked_add(bytes.len())?;
        self.get(place.clone()).filter(|there| std::ptr::eq(*there, bytes)).map(|_| place)
    }

    /// These of the bytes, without copying them where they are shared; none where they are not as many.
    pub fn range(&self, range: Range<usize>) -> Bytes {
        match &self.shared {
            Some((owner, all)) if range.start <= range.end && range.end <= all.len() => {
                let shared = Some((Arc::clone(owner), all.start + range.start..all.start + range.end));
                Bytes { owned: Vec::new(), shared }
            }
            _ => self.get(range).unwrap_or_default().to_vec().into(),
        }
    }

    /// Whether somebody else may have the same.
    pub fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// The bytes, to change them; copied if they are shared.
    pub fn to_mut(&mut self) -> &mut Vec<u8> {
        if self.shared.is_some() {
            *self = self.to_vec().into();
        }
        &mut self.owned
    }

    /// The bytes alone; copied if they are shared.
    pub fn into_vec(mut self) -> Vec<u8> {
        std::mem::take(self.to_mut())
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.shared {
            None => &self.owned,
            Some((owner, range)) => (**owner).as_ref().get(range.clone()).unwrap_or_default(),
        }
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes { owned: bytes, shared: None }
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        **self == **other
    }
}

impl Eq for Bytes {}

impl Hash for Bytes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_where_it_was() {
        let file = Bytes::shared(vec![1, 2, 3, 4]);
        let part = file.part(&file[1..3]);
        assert!(std::ptr::eq(&*part, &file[1..3]));
        let again = part.part(&part[1..]);
        assert!(std::ptr::eq(&*again, &file[2..3]));
        let (first, last) = (file.part(&file[..0]), file.part(&file[4..]));
        drop(file);
        assert_eq!((&*part, &*again, &*first, &*last), (&[2, 3][..], &[3][..], &[][..], &[][..]), "the owner stays");
    }

    #[test]
    fn what_lies_elsewhere_is_copied() {
        let (file, other) = (Bytes::shared(vec![1, 2, 3]), vec![1, 2, 3]);
        for bytes in [&other[..], &other[..2], &other[3..]] {
            let copy = file.part(bytes);
            assert_eq!(&*copy, bytes);
            assert!(copy.shared.is_none());
        }
        assert_eq!(file.part(&file[1..]).place_of(&file), None, "beyond a part");
        assert!(Bytes::from(other).part(&[1]).shared.is_none(), "nobody shares what it owns alone");
    }
}
