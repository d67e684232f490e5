//! Companion files: files of their own that belong to a model and whose names come from it, images above all.
//!
//! Names in files and scenes are any text. A file of such a name must stay in the folder of the model, on any system, and
//! two must not share one; and whoever reads the model again must find it, so the same text always makes the same name.

use crate::format::{Source, WriteOptions};
use crate::rules::images::image_kind;
use crate::summary::shown;
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::material::{Pbr, Surface};
use maquette_scene::{Arena, Handle};
use std::collections::{HashMap, HashSet};

/// The longest name made here, without its extension: file systems take 255 bytes.
const LONGEST_STEM_BYTES: usize = 200;

/// The longest name of a model, and of what a companion file of it is for.
const LONGEST_HALF_BYTES: usize = LONGEST_STEM_BYTES / 2;

/// What is kept of a name that is given a number, so that the number does not fall off its end.
const LONGEST_NUMBERED_BYTES: usize = LONGEST_HALF_BYTES - 20;

/// A name from a file as a name of the scene; what is not UTF-8 in it is replaced, and reported.
pub fn scene_name(bytes: &[u8], what: Lost, subject: &str, losses: &mut LossReport) -> String {
    let name = shown(bytes);
    if std::str::from_utf8(bytes).is_err() {
        losses.push(LossKind::Renamed, what, subject, format!("its name is not UTF-8; it is read as {name:?}"), 1);
    }
    name
}

/// The surface of formats that know nothing of metal: as rough as can be.
pub fn matt() -> Surface {
    Pbr { metallic: 0.0, ..Pbr::default() }.into()
}

/// A file name without its extension.
pub fn stem_of(file_name: &str) -> &str {
    match file_name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file_name,
    }
}

/// The name of something that engines find by its name; where it has none, that of its file.
#[cfg(feature = "all-formats")]
pub(crate) fn own_or_file_name<'n>(
    name: &'n str,
    what: Lost,
    subject: &str,
    options: &WriteOptions<'n>,
    losses: &mut LossReport,
) -> &'n str {
    if !name.is_empty() {
        return name;
    }
    let name = stem_of(options.name);
    let detail = format!("it becomes {name:?}, to be found by name");
    losses.push(LossKind::Renamed, what, subject, detail, u64::from(!name.is_empty()));
    name
}

/// The companion file of a model for something of this name: `fox.glb` and `fur` make `fox.fur.png`.
///
/// It begins with the name of the model, so that two models in one folder never share a companion file. Dots in the name become
/// underscores: which model a companion file belongs to can be told from it.
pub fn companion_file(model: &str, name: &str, extension: &str) -> String {
    let name = file_stem(name).replace('.', "_");
    let name = shortened(&name, LONGEST_HALF_BYTES);
    match model_stem(model) {
        "" => format!("{name}.{extension}"),
        model => format!("{model}.{name}.{extension}"),
    }
}

/// What the companion files of a model begin with.
fn model_stem(model: &str) -> &str {
    shortened(stem_of(model), LONGEST_HALF_BYTES)
}

/// A name, told apart from others by a number from the second turn on.
pub fn numbered(name: &str, turn: u32) -> String {
    match turn {
        1 => name.to_owned(),
        _ => format!("{}-{turn}", shortened(name, LONGEST_NUMBERED_BYTES)),
    }
}

/// As much of a text as fits so many bytes.
fn shortened(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// This text as the name of a file without its extension: no folders, nothing that some system forbids. May be empty.
pub fn file_stem(text: &str) -> String {
    let allowed = |letter: char| !letter.is_control() && !r#"/\:*?"<>|"#.contains(letter);
    let mut stem: String = text.chars().map(|letter| if allowed(letter) { letter } else { '_' }).collect();
    while stem.len() > LONGEST_STEM_BYTES {
        stem.pop();
    }
    stem.trim_matches(['.', ' ']).to_owned()
}

/// Names already given, without regard to case: some file systems have none.
#[derive(Default)]
pub struct Taken {
    names: HashSet<String>,
    /// For a name that was wanted more than once, the turn after the last that was given: those before it are not free.
    turns: HashMap<String, u32>,
    /// Beginnings of the names of other models' companion files.
    others: Vec<String>,
}

impl Taken {
    /// None, but for what may belong to other files of the folder.
    pub fn by_neighbours(options: &WriteOptions<'_>) -> Taken {
        let own = format!("{}.", model_stem(options.name).to_lowercase());
        let others = options.others.iter().map(|stem| format!("{}.", stem.to_lowercase()));
        // Where every name of this model could be one of another's, there is no name to turn to.
        Taken { others: others.filter(|other| !own.starts_with(other)).collect(), ..Taken::default() }
    }

    /// Takes this name; `false` if it is taken already.
    pub fn insert(&mut self, name: &str) -> bool {
        let name = name.to_lowercase();
        !self.others.iter().any(|other| name.starts_with(other)) && self.names.insert(name)
    }

    /// The first of `make(1)`, `make(2)`, .. that is free, which it is no longer then. `make` numbers its names: see [`numbered`].
    pub fn first_free(&mut self, make: impl Fn(u32) -> String) -> String {
        make(self.free_turn(&make))
    }

    /// The turn of the first that is free.
    pub fn free_turn(&mut self, make: impl Fn(u32) -> String) -> u32 {
        let wanted = make(1);
        if self.insert(&wanted) {
            return 1;
        }
        let wanted = wanted.to_lowercase();
        let from = self.turns.get(&wanted).copied().unwrap_or(2);
        let turn = (from..).find(|&turn| self.insert(&make(turn))).unwrap_or(u32::MAX);
        self.turns.insert(wanted, turn.saturating_add(1));
        turn
    }
}

/// Media types of images, the kinds they are of, and the extensions of their files, the one to write first.
const MEDIA_TYPES: &[(&str, &str, &[&str])] = &[
    ("image/png", "PNG", &["png"]),
    ("image/jpeg", "JPEG", &["jpg", "jpeg", "jpe"]),
    ("image/vnd-ms.dds", "DDS", &["dds"]),
    ("image/ktx2", "KTX", &["ktx2"]),
    ("image/ktx", "KTX", &["ktx"]),
    ("image/gif", "GIF", &["gif"]),
    ("image/webp", "WebP", &["webp"]),
    ("image/tiff", "TIFF", &["tif", "tiff"]),
    ("image/vnd.radiance", "HDR", &["hdr", "pic"]),
    ("image/vnd.adobe.photoshop", "PSD", &["psd"]),
    ("image/bmp", "BMP", &["bmp"]),
    ("image/x-tga", "TGA", &["tga"]),
];

/// The media type of an image file, from its first bytes.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let kind = image_kind(bytes)?;
    if bytes.starts_with(b"\xabKTX 11") {
        return Some("image/ktx");
    }
    MEDIA_TYPES.iter().find(|(_, known, _)| *known == kind).map(|(media_type, ..)| *media_type)
}

/// Whether a path leads nowhere but into the folder it starts from.
fn stays_inside(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':');
    !drive
        && !path.starts_with(['/', '\\'])
        && !path.contains('\0')
        && path.split(['/', '\\']).all(|segment| segment != "..")
}

/// The image at a path that a file names: itself if there is such a companion file, else the path.
pub fn image(path: &str, source: &Source<'_>) -> Image {
    // Paths from other systems have backslashes.
    let found = if stays_inside(path) { source.resources.get(&path.replace('\\', "/")) } else { None };
    let encoded = found.and_then(|bytes| {
        let mime = media_type(&bytes)?.to_owned();
        Some(ImageData::Encoded { mime, bytes: bytes.into_owned().into() })
    });
    match encoded {
        Some(data) => Image::new(own_name(path, source.name), data),
        None => Image::new(path, ImageData::External(path.to_owned())),
    }
}

/// The name of a companion file without that of the model that it begins with.
pub fn own_name<'p>(path: &'p str, model: &str) -> &'p str {
    let own = path.strip_prefix(model_stem(model)).and_then(|rest| rest.strip_prefix('.'));
    // `fox.png` is the whole name of a picture, and not one of the kind `png`.
    own.filter(|own| !model.is_empty() && own.contains('.')).unwrap_or(path)
}

/// The file of each image that is `wanted`: the path of one that lies elsewhere, a companion file of the model for an encoded one,
/// none for pixels. An image that will be called otherwise when it is read is reported as renamed.
pub fn image_files(
    images: &Arena<Image>,
    wanted: impl Fn(Handle<Image>) -> bool,
    options: &WriteOptions<'_>,
    losses: &mut LossReport,
) -> Vec<Option<String>> {
    let mut taken = Taken::by_neighbours(options);
    for image in images {
        if let ImageData::External(path) = &*image.data {
            taken.insert(path);
        }
    }
    let name = |(handle, image): (Handle<Image>, &Image)| {
        let file = match &*image.data {
            _ if !wanted(handle) => return None,
            ImageData::Pixels { .. } => return None,
            ImageData::External(path) => path.clone(),
            ImageData::Encoded { mime, .. } => encoded_file(image, mime, options, &mut taken),
        };
        let read_as = match &*image.data {
            ImageData::External(path) => path,
            _ => own_name(&file, options.name),
        };
        if read_as != image.name {
            let subject = subject("image", handle.index(), &image.name);
            losses.push(
                LossKind::Renamed,
                Lost::ImageNames,
                subject,
                format!("it is named after its file, {file:?}"),
                1,
            );
        }
        Some(file)
    };
    images.entries().map(name).collect()
}

/// A companion file for an image, named after it.
pub fn encoded_file(image: &Image, mime: &str, options: &WriteOptions<'_>, taken: &mut Taken) -> String {
    let known =
        MEDIA_TYPES.iter().find(|(known, ..)| *known == mime).map_or(&["bin"][..], |(.., extensions)| extensions);
    let last = own_name(&image.name, options.name).rsplit(['/', '\\']).next().unwrap_or_default();
    let (stem, extension) = match last.rsplit_once('.') {
        Some((stem, extension)) if known.iter().any(|known| known.eq_ignore_ascii_case(extension)) => (stem, extension),
        _ => (last, known.first().copied().unwrap_or_default()),
    };
    let stem = match file_stem(stem) {
        stem if stem.is_empty() => "texture".to_owned(),
        stem => stem,
    };
    taken.first_free(|turn| companion_file(options.name, &numbered(&stem, turn), extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOX: WriteOptions<'_> = WriteOptions { dialect: "", name: "fox.bmw", others: &[] };

    /// The files of these images, and how many of them will be called otherwise when they are read.
    fn companions_of(options: &WriteOptions<'_>, images: &[(&str, ImageData)]) -> (Vec<Option<String>>, u64) {
        let images = images.iter().map(|(name, data)| Image::new(*name, data.clone())).collect();
        let mut losses = LossReport::default();
        let files = image_files(&images, |_| true, options, &mut losses);
        (files, losses.losses().iter().map(|loss| loss.count).sum())
    }

    fn files(images: &[(&str, ImageData)]) -> (Vec<Option<String>>, u64) {
        companions_of(&FOX, images)
    }

    fn png() -> ImageData {
        ImageData::Encoded { mime: "image/png".into(), bytes: Vec::new().into() }
    }

    #[test]
    fn companion_files_begin_with_the_name_of_their_model() {
        assert_eq!(companion_file("fox.bmw", "fur", "png"), "fox.fur.png");
        assert_eq!(companion_file("fox.red.bmw", "fur", "png"), "fox.red.fur.png");
        assert_eq!(companion_file("fox", "fur", "png"), "fox.fur.png");
        assert_eq!(companion_file("", "fur", "png"), "fur.png");
        assert_eq!(companion_file("fox.bmw", "v1.2", "png"), "fox.v1_2.png", "dots part names");
        assert_eq!(companion_file("fox.bmw", "../a/b:c", "png"), "fox._a_b_c.png");
        let long = companion_file(&"é".repeat(300), &"é".repeat(300), "jpeg");
        assert_eq!(long, format!("{0}.{0}.jpeg", "é".repeat(50)));
    }

    #[test]
    fn names_lose_the_model_they_belong_to() {
        assert_eq!(own_name("fox.fur.png", "fox.bmw"), "fur.png");
        assert_eq!(own_name("fox.red.fur.png", "fox.red.bmw"), "fur.png");
        assert_eq!(own_name("fox.png", "fox.bmw"), "fox.png", "an extension is no name");
        assert_eq!(own_name("foxy.fur.png", "fox.bmw"), "foxy.fur.png");
        assert_eq!(own_name("wolf.fur.png", "fox.bmw"), "wolf.fur.png");
        assert_eq!(own_name("textures/fox.fur.png", "fox.bmw"), "textures/fox.fur.png");
        assert_eq!(own_name("a.b.png", ""), "a.b.png");
        for model in ["fox.bmw", "fox.red.glb", "fox", &format!("{}.bmw", "long".repeat(60))] {
            assert_eq!(own_name(&companion_file(model, "fur", "png"), model), "fur.png", "{model}");
        }
    }

    #[test]
    fn image_files_stay_in_the_folder_and_apart() {
        let external = ImageData::External("fox.brick-2.png".into());
        let names = ["brick.png", "BRICK.png", "../../etc/brick", "c:\\x.PNG", "", "model.pmdl", "fox.fur.png"];
        let mut images: Vec<_> = names.iter().map(|name| (*name, png())).collect();
        images.push(("fox.brick-2.png", external));
        let (found, renamed) = files(&images);
        let found: Vec<_> = found.into_iter().flatten().collect();
        let wanted = [
            "fox.brick.png",
            "fox.BRICK-3.png",
            "fox.brick-4.png",
            "fox.x.PNG",
            "fox.texture.png",
            "fox.model_pmdl.png",
            "fox.fur.png",
            "fox.brick-2.png",
        ];
        assert_eq!(found, wanted);
        assert_eq!(renamed, 6, "all but the first and the last");
    }

    #[test]
    fn names_of_any_length_are_told_apart() {
        for letter in ["x", "é", "狐", "🦊"] {
            let name = letter.repeat(300);
            let (found, _) = files(&[(&name, png()), (&name, png()), (&name, png())]);
            let apart: HashSet<_> = found.iter().flatten().collect();
            assert_eq!(apart.len(), 3, "{found:?}");
            assert!(apart.iter().all(|file| file.len() < 255));
        }
    }

    #[test]
    fn names_of_other_models_companions_are_left_to_them() {
        let others = ["fox.Red".to_owned(), "wolf".to_owned()];
        let options = WriteOptions { others: &others, ..FOX };
        let mut taken = Taken::by_neighbours(&options);
        assert!(!taken.insert("fox.red.png"), "whatever fox.red has of the kind png");
        assert!(!taken.insert("FOX.RED.fur.png"));
        assert!(taken.insert("fox.redder.png"));
        assert!(!taken.insert("Fox.Redder.PNG"), "taken already");
        let (found, renamed) = companions_of(&options, &[("red.png", png()), ("reddish.png", png())]);
        assert_eq!(found, [Some("fox.red-2.png".into()), Some("fox.reddish.png".into())]);
        assert_eq!(renamed, 1);
    }

    #[test]
    fn models_that_a_name_cannot_be_told_from_do_not_stand_in_its_way() {
        let others = ["fox".to_owned(), "FOX.red".to_owned()];
        for name in ["fox.red.bmw", "fox.RED.pmdl"] {
            let options = WriteOptions { name, others: &others, ..FOX };
            let (found, renamed) = companions_of(&options, &[("fur.png", png())]);
            assert_eq!((found, renamed), (vec![Some(companion_file(name, "fur", "png"))], 0));
        }
    }

    #[test]
    fn stems_have_no_folders_and_no_forbidden_letters() {
        assert_eq!(file_stem("../a/b:c?"), "_a_b_c_");
        assert_eq!(file_stem(" . "), "");
        assert_eq!(file_stem(&"é".repeat(300)).len(), 200);
    }

    #[test]
    fn images_are_looked_for_in_the_folder_only() {
        struct All;
        impl crate::format::Resources for All {
            fn get(&self, name: &str) -> Option<std::borrow::Cow<'_, [u8]>> {
                assert_eq!(name, "a/b.png");
                Some(b"\x89PNG\r\n\x1a\n"[..].into())
            }
        }
        let source = Source { name: "", resources: &All, ..Source::BARE };
        assert!(matches!(&*image("a/b.png", &source).data, ImageData::Encoded { mime, .. } if mime == "image/png"));
        assert!(matches!(&*image("a\\b.png", &source).data, ImageData::Encoded { .. }), "paths of other systems");
        for path in ["/b.png", "../b.png", "a/../../b.png", "C:\\b.png", "\\b.png", "a\0b"] {
            assert_eq!(image(path, &source), Image::new(path, ImageData::External(path.into())));
        }
    }

    #[test]
    fn an_image_that_is_there_goes_by_its_own_name() {
        struct One;
        impl crate::format::Resources for One {
            fn get(&self, name: &str) -> Option<std::borrow::Cow<'_, [u8]>> {
                (name == "fox.fur.png").then(|| b"\x89PNG\r\n\x1a\n"[..].into())
            }
        }
        let source = Source { name: "fox.bmw", resources: &One, ..Source::BARE };
        assert_eq!(image("fox.fur.png", &source).name, "fur.png");
        assert_eq!(image("fox.tail.png", &source).name, "fox.tail.png", "a path that leads nowhere is kept whole");
    }

    #[test]
    fn media_types_follow_the_bytes() {
        assert_eq!(media_type(b"\x89PNG\r\n\x1a\n"), Some("image/png"));
        assert_eq!(media_type(b"\xabKTX 11\xbb"), Some("image/ktx"));
        assert_eq!(media_type(b"\xabKTX 20\xbb"), Some("image/ktx2"));
        assert_eq!(media_type(b"text"), None);
    }
}
