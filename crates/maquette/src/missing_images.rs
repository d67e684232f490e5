//! Images that a file names and that could not be had: told once, with what to do about it.
//!
//! A scene can point at them, and formats that hold names of files keep that. Whoever reads says why they are missing; what becomes of them in
//! the target is no news after that.

use maquette_formats::format::Source;
use maquette_scene::Scene;
use maquette_scene::image::ImageData;
use maquette_scene::loss::{Loss, LossReport, Lost, subject};

/// Names every image that was not read, and why.
pub(crate) fn report(scene: &Scene, source: &Source<'_>, losses: &mut LossReport) {
    for (handle, image) in scene.images.entries() {
        if let ImageData::External(path) = &*image.data {
            losses.dropped(Lost::Images, subject("image", handle.index(), &image.name), why(path, source), 1);
        }
    }
}

fn why(path: &str, source: &Source<'_>) -> String {
    // Paths from other systems have backslashes.
    let name = path.replace('\\', "/");
    match source.resources.obstacle(&name) {
        Some(why) => format!("the file {path:?} cannot be read: {why}"),
        None if name.contains("://") => {
            format!("{path:?} is not fetched; save the image beside the model and name that")
        }
        None if source.resources.contains(&name) => format!("the file {path:?} is no image of a kind that is known"),
        None => format!("the file {path:?} is not there; put it where the model looks for it"),
    }
}

/// The images that reading a scene has reported.
pub(crate) struct MissingImages(Vec<Missing>);

struct Missing {
    /// What losses call it; none where that may be another image as well.
    subject: Option<String>,
    /// Its file, as losses quote it.
    file: String,
}

impl MissingImages {
    pub fn of(scene: &Scene) -> MissingImages {
        let named = |name: &str| scene.images.iter().filter(|image| image.name == name).count();
        let missing = scene.images.entries().filter_map(|(handle, image)| {
            let ImageData::External(file) = &*image.data else { return None };
            let is_told_apart = !image.name.is_empty() && named(&image.name) == 1;
            let subject = is_told_apart.then(|| subject("image", handle.index(), &image.name));
            Some(Missing { subject, file: format!("{file:?}") })
        });
        MissingImages(missing.collect())
    }

    /// Takes out of a report what says of these images once more that they are missing.
    pub fn forget_repeats(&self, losses: &mut LossReport) {
        losses.retain(|loss| !self.0.iter().any(|image| image.is_told_again_by(loss)));
    }
}

impl Missing {
    fn is_told_again_by(&self, loss: &Loss) -> bool {
        match loss.what {
            Lost::Images | Lost::ImageNames => self.subject.as_ref() == Some(&loss.subject),
            Lost::Textures => loss.detail.contains(&self.file),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::image::Image;

    fn missing(name: &str, file: &str) -> Image {
        Image::new(name, ImageData::External(file.to_owned()))
    }

    /// What is left of two losses of a picture and one of a texture.
    fn left(images: Vec<Image>) -> Vec<Lost> {
        let scene = Scene { images: images.into_iter().collect(), ..Scene::default() };
        let mut losses = LossReport::default();
        losses.dropped(Lost::ImageNames, "image \"fur\"", "packed textures have none", 1);
        losses.dropped(Lost::Images, "image \"fur\"", "no place for it", 1);
        losses.dropped(Lost::Textures, "material 0", "the file \"fur.png\" was not there to be read", 1);
        MissingImages::of(&scene).forget_repeats(&mut losses);
        losses.iter().map(|loss| loss.what).collect()
    }

    #[test]
    fn only_what_says_the_same_again_is_forgotten() {
        let all = [Lost::ImageNames, Lost::Images, Lost::Textures];
        assert_eq!(left(Vec::new()), all);
        assert_eq!(left(vec![missing("fur", "fur.png")]), []);
        assert_eq!(left(vec![missing("fur", "other.png")]), [Lost::Textures]);
        assert_eq!(left(vec![missing("eyes", "eyes.png")]), all);
        let there = Image::new("fur", ImageData::Encoded { mime: "image/png".into(), bytes: Vec::new().into() });
        assert_eq!(left(vec![missing("fur", "fur.png"), there]), all[..2], "the losses may be the other's");
    }

    #[test]
    fn addresses_are_not_said_to_be_missing_files() {
        let told = why("https://example.org/fur.png", &Source::BARE);
        assert!(told.contains("is not fetched"), "{told}");
    }
}
