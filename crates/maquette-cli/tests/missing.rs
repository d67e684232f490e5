//! Companion files that are not there, or are there and cannot be read: said once, with the real reason and the name of the file.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;
use serde_json::Value;

const PICTURE: &str = "post.checker.png";

/// A glTF file with a buffer and a picture beside it.
fn with_picture() -> Folder {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    folder.fine(&["convert", "post.glb", "post.gltf"]);
    folder
}

fn remove(folder: &Folder, name: &str) {
    std::fs::remove_file(folder.0.path().join(name)).unwrap();
}

/// Puts a folder where a file was.
fn replace_by_folder(folder: &Folder, name: &str) {
    remove(folder, name);
    std::fs::create_dir(folder.0.path().join(name)).unwrap();
}

fn losses(folder: &Folder, words: &[&str]) -> Vec<String> {
    let report = folder.fine(words).json_lines().remove(0);
    let text = |loss: &Value, key: &str| loss[key].as_str().unwrap().to_owned();
    let told = |loss: &Value| format!("{} of {}: {}", text(loss, "what"), text(loss, "subject"), text(loss, "detail"));
    report["losses"].as_array().unwrap().iter().map(told).collect()
}

/// The losses that have to do with pictures.
fn of_pictures(folder: &Folder, output: &str) -> Vec<String> {
    let mut losses = losses(folder, &["convert", "post.gltf", output, "--json"]);
    losses.retain(|loss| ["images", "image names", "textures"].iter().any(|what| loss.starts_with(what)));
    losses
}

#[test]
fn a_picture_that_is_not_there_is_told_once_and_with_the_remedy() {
    let folder = with_picture();
    remove(&folder, PICTURE);
    let told = "images of image \"checker\": the file \"post.checker.png\" is not there; \
                put it where the model looks for it";
    for output in ["a.aem", "a.nlm", "a.pmdl", "a.bmw", "a.glb", "a.pmat"] {
        assert_eq!(of_pictures(&folder, output), [told], "{output}");
    }
    // glTF has no place for files of this kind, nor for their names.
    let text = String::from_utf8(folder.read("post.gltf")).unwrap();
    folder.write("post.gltf", text.replace(PICTURE, "post.checker.tga").as_bytes());
    assert_eq!(of_pictures(&folder, "a.glb"), [told.replace("png", "tga")]);
}

#[test]
fn one_picture_that_is_not_there_hides_nothing_of_another() {
    let folder = with_picture();
    let mut document: Value = serde_json::from_slice(&folder.read("post.gltf")).unwrap();
    let images = document["images"].as_array_mut().unwrap();
    images.push(serde_json::json!({ "name": "dents", "uri": "gone.png" }));
    document["textures"].as_array_mut().unwrap().push(serde_json::json!({ "source": 1 }));
    document["materials"][0]["normalTexture"] = serde_json::json!({ "index": 1 });
    folder.write("post.gltf", document.to_string().as_bytes());
    let found = of_pictures(&folder, "a.aem");
    let [gone, name] = &found[..] else { panic!("{found:?}") };
    assert!(gone.contains("dents") && gone.contains("gone.png"), "{gone}");
    assert_eq!(name, "image names of image \"checker\": packed textures have none");
}

#[test]
fn a_picture_that_cannot_be_read_is_not_said_to_be_missing() {
    let folder = with_picture();
    replace_by_folder(&folder, PICTURE);
    for output in ["a.aem", "a.glb", "a.bmw"] {
        let found = of_pictures(&folder, output);
        let said = "images of image \"checker\": the file \"post.checker.png\" cannot be read: it is a folder";
        assert_eq!(found, [said], "{output}");
    }
    let copied = losses(&folder, &["convert", "post.gltf", "other/a.gltf", "--json"]);
    assert_eq!(copied, ["companion files of \"post.checker.png\": the file cannot be read: it is a folder"]);
    let check = folder.run(&["check", "post.gltf"]);
    assert!(check.out.contains("\"post.checker.png\" cannot be read: it is a folder"), "{}", check.out);
}

#[test]
fn a_buffer_that_cannot_be_read_is_refused_with_the_reason() {
    let folder = with_picture();
    replace_by_folder(&folder, "post.bin");
    let run = folder.run(&["convert", "post.gltf", "a.aem"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("the file \"post.bin\" cannot be read: it is a folder"), "{}", run.err);
    remove_folder(&folder, "post.bin");
    let run = folder.run(&["convert", "post.gltf", "a.aem"]);
    assert!(run.code == 2 && run.err.contains("there is no file \"post.bin\""), "{}", run.err);
}

fn remove_folder(folder: &Folder, name: &str) {
    std::fs::remove_dir(folder.0.path().join(name)).unwrap();
}

#[test]
fn a_file_beside_the_folder_is_said_to_be_out_of_bounds() {
    let folder = with_picture();
    let text = String::from_utf8(folder.read("post.gltf")).unwrap();
    std::fs::create_dir(folder.0.path().join("below")).unwrap();
    folder.write("below/post.gltf", text.replace(PICTURE, "../post.checker.png").as_bytes());
    std::fs::copy(folder.0.path().join("post.bin"), folder.0.path().join("below/post.bin")).unwrap();
    let told = losses(&folder, &["convert", "below/post.gltf", "a.glb", "--json"]).join("\n");
    assert!(told.contains("only files in the folder of the model, or below it, are read"), "{told}");
}

#[test]
fn companions_by_name_that_cannot_be_read_are_lost_aloud() {
    let folder = Folder::new();
    let blocked = |sample: &str, companion: &str| {
        folder.fine(&["sample", sample]);
        let path = folder.0.path().join(companion);
        if path.is_file() {
            remove(&folder, companion);
        }
        std::fs::create_dir(path).unwrap();
        losses(&folder, &["convert", sample, "made.glb", "--json"])
    };
    for (sample, companion) in [("a.pmdl", "a.pmat"), ("b.pmdl", "b.pani"), ("c.bmw", "c.json"), ("d.pani", "d.pmdl")] {
        let told = blocked(sample, companion);
        let said = format!("companion files of {companion:?}: it cannot be read: it is a folder");
        assert!(told.contains(&said), "{sample}: {told:?}");
    }
    for (model, companion) in [("a.pmdl", "a.pmat"), ("c.bmw", "c.json")] {
        let check = folder.run(&["check", model]);
        let said = format!("{companion} cannot be read: it is a folder");
        assert!(check.code == 1 && check.out.contains(&said), "{}", check.out);
        let info = folder.fine(&["info", model, "--json"]).json_lines().remove(0);
        assert!(info["missing_companions"].as_array().unwrap().contains(&Value::from(companion)), "{info}");
        let unreadable = serde_json::json!({ "name": companion, "why": "it is a folder" });
        assert!(info["unreadable_companions"].as_array().unwrap().contains(&unreadable), "{info}");
        let text = folder.fine(&["info", model]).out;
        assert!(text.contains(&format!("unreadable  {companion}: it is a folder")), "{text}");
    }
    folder.fine(&["sample", "sound.pmdl"]);
    let info = folder.fine(&["info", "sound.pmdl", "--json"]).json_lines().remove(0);
    assert!(info.get("unreadable_companions").is_none(), "{info}");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_in_circles_is_told_as_the_system_tells_it() {
    let folder = with_picture();
    remove(&folder, PICTURE);
    std::os::unix::fs::symlink(PICTURE, folder.0.path().join(PICTURE)).unwrap();
    let found = of_pictures(&folder, "a.aem");
    assert!(found.len() == 1 && found[0].contains("cannot be read: ") && found[0].contains("os error"), "{found:?}");
}

/// Whoever may read anything, as root may, cannot be kept from it.
#[cfg(unix)]
#[test]
fn a_picture_that_may_not_be_read_is_told_so() {
    use std::os::unix::fs::PermissionsExt;
    let folder = with_picture();
    let path = folder.0.path().join(PICTURE);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(&path).is_ok() {
        return;
    }
    let found = of_pictures(&folder, "a.aem");
    assert!(found.len() == 1 && found[0].contains("cannot be read: Permission denied"), "{found:?}");
}
