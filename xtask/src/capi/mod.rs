//! The libraries for C, built and installed: headers, shared and static library, and what pkg-config and CMake need to find them.

mod check;

use crate::{Outcome, cargo, root};
use std::path::{Path, PathBuf};

/// A library for C.
struct Library {
    /// The crate it is made of, in a folder of the same name; its headers are in `include` there.
    package: &'static str,
    /// As cargo calls what it builds.
    built: &'static str,
    /// As it is linked: `-laem` for `libaem`.
    name: &'static str,
    about: &'static str,
    /// A program that uses it.
    example: &'static str,
    /// More bytes than the shared library may have.
    most_bytes: u64,
}

const LIBRARIES: &[Library] = &[
    Library {
        package: "libaem",
        built: "aem",
        name: "aem",
        about: "AEM models, loaded, checked and played",
        example: "examples/c/fade.c",
        most_bytes: 1_000_000,
    },
    Library {
        package: "maquette-capi",
        built: "maquette_c",
        name: "maquette",
        about: "Game models and animations of every format, loaded, checked, converted and played",
        example: "examples/c/model.c",
        most_bytes: 12_000_000,
    },
];

/// What a program needs besides that is linked with a static library of ours.
const STATIC_NEEDS: &[&str] = if cfg!(target_os = "linux") { &["pthread", "dl", "m"] } else { &[] };

/// Builds all libraries and installs them under a folder, or looks whether that works.
pub fn capi(words: &[&str]) -> Outcome {
    match words {
        ["--prefix", prefix] => install_all(&std::path::absolute(prefix).map_err(told(Path::new(prefix)))?),
        ["--check"] => check::check(),
        _ => Err("usage: cargo xtask capi --prefix DIR | --check".into()),
    }
}

fn install_all(prefix: &Path) -> Outcome {
    LIBRARIES.iter().try_for_each(|library| library.install(prefix))
}

impl Library {
    fn install(&self, prefix: &Path) -> Outcome {
        self.build()?;
        let source = root().join("crates").join(self.package).join("include");
        let headers = prefix.join("include");
        copy_folder(&source, &headers)?;
        let libraries = prefix.join("lib");
        let built = target().join("c");
        copy(&built.join(static_file(self.built)), &libraries.join(self.static_file()))?;
        self.install_shared(&built, &libraries)?;
        write(&libraries.join("pkgconfig").join(format!("{}.pc", self.name)), &self.pkg_config())?;
        let cmake = libraries.join("cmake").join(self.name);
        write(&cmake.join(format!("{}Config.cmake", self.name)), &self.cmake())?;
        write(&cmake.join(format!("{}ConfigVersion.cmake", self.name)), CMAKE_VERSION)
    }

    /// As a library for C alone: where it is one for Rust as well, cargo does not optimise it as a whole.
    fn build(&self) -> Outcome {
        let mut words = vec!["rustc", "--package", self.package, "--lib", "--profile", "c"];
        words.extend(["--crate-type", "cdylib,staticlib"]);
        let name = match () {
            () if cfg!(target_os = "linux") => Some(format!("link-arg=-Wl,-soname,{}", self.versioned_file())),
            () if cfg!(target_os = "macos") => {
                Some(format!("link-arg=-Wl,-install_name,@rpath/{}", self.versioned_file()))
            }
            () => None,
        };
        if let Some(name) = &name {
            words.extend(["--", "-C", name]);
        }
        cargo(&words, &[])
    }

    /// The shared library under its full name, and links to it: one for the loader, one for the linker.
    fn install_shared(&self, built: &Path, libraries: &Path) -> Outcome {
        let shared = self.shared_file();
        if cfg!(not(unix)) {
            let made = shared_file(self.built);
            copy(&built.join(format!("{made}.lib")), &libraries.join(format!("{shared}.lib"))).ok();
            return copy(&built.join(made), &libraries.join(shared));
        }
        let full = format!("{}.{}", self.versioned_file(), minor_and_patch());
        copy(&built.join(shared_file(self.built)), &libraries.join(&full))?;
        link(&full, &libraries.join(self.versioned_file()))?;
        link(&self.versioned_file(), &libraries.join(shared))
    }

    fn shared_file(&self) -> String {
        shared_file(self.name)
    }

    /// What the loader looks for: it counts up with the version, when programs must be linked anew.
    fn versioned_file(&self) -> String {
        format!("{}.{}", self.shared_file(), env!("CARGO_PKG_VERSION_MAJOR"))
    }

    fn static_file(&self) -> String {
        static_file(self.name)
    }

    fn pkg_config(&self) -> String {
        let needs: String = STATIC_NEEDS.iter().map(|need| format!(" -l{need}")).collect();
        format!(
            "prefix=${{pcfiledir}}/../..\n\
             libdir=${{prefix}}/lib\n\
             includedir=${{prefix}}/include\n\n\
             Name: {name}\n\
             Description: {about}\n\
             Version: {version}\n\
             Libs: -L${{libdir}} -l{name}\n\
             Libs.private:{needs}\n\
             Cflags: -I${{includedir}}\n",
            name = self.name,
            about = self.about,
            version = env!("CARGO_PKG_VERSION"),
        )
    }

    /// Two targets, `aem::aem` and `aem::aem_static`, wherever the folder was moved to.
    fn cmake(&self) -> String {
        let name = self.name;
        let imports = match cfg!(windows) {
            true => format!("IMPORTED_IMPLIB \"${{_{name}_prefix}}/lib/{}.lib\"\n    ", self.shared_file()),
            false => String::new(),
        };
        let (shared, archive, needs) = (self.shared_file(), self.static_file(), STATIC_NEEDS.join(";"));
        format!(
            "get_filename_component(_{name}_prefix \"${{CMAKE_CURRENT_LIST_DIR}}/../../..\" ABSOLUTE)\n\
             if(NOT TARGET {name}::{name})\n  \
               add_library({name}::{name} SHARED IMPORTED)\n  \
               set_target_properties({name}::{name} PROPERTIES\n    \
                 IMPORTED_LOCATION \"${{_{name}_prefix}}/lib/{shared}\"\n    \
                 {imports}INTERFACE_INCLUDE_DIRECTORIES \"${{_{name}_prefix}}/include\")\n  \
               add_library({name}::{name}_static STATIC IMPORTED)\n  \
               set_target_properties({name}::{name}_static PROPERTIES\n    \
                 IMPORTED_LOCATION \"${{_{name}_prefix}}/lib/{archive}\"\n    \
                 INTERFACE_LINK_LIBRARIES \"{needs}\"\n    \
                 INTERFACE_INCLUDE_DIRECTORIES \"${{_{name}_prefix}}/include\")\n\
             endif()\n\
             unset(_{name}_prefix)\n"
        )
    }
}

fn shared_file(name: &str) -> String {
    format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

fn static_file(name: &str) -> String {
    if cfg!(target_env = "msvc") { format!("{name}.lib") } else { format!("lib{name}.a") }
}

const CMAKE_VERSION: &str = concat!(
    "set(PACKAGE_VERSION \"",
    env!("CARGO_PKG_VERSION"),
    "\")\n",
    "if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)\n",
    "  set(PACKAGE_VERSION_COMPATIBLE FALSE)\n",
    "else()\n",
    "  set(PACKAGE_VERSION_COMPATIBLE TRUE)\n",
    "endif()\n",
    "if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)\n",
    "  set(PACKAGE_VERSION_EXACT TRUE)\n",
    "endif()\n",
);

fn minor_and_patch() -> String {
    format!("{}.{}", env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH"))
}

/// Where cargo builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn told(path: &Path) -> impl Fn(std::io::Error) -> String {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}

fn write(path: &Path, text: &str) -> Outcome {
    make_folder_of(path)?;
    std::fs::write(path, text).map_err(told(path))
}

/// Puts a copy in the place of what is there, so that programs that run keep theirs.
fn copy(from: &Path, to: &Path) -> Outcome {
    make_folder_of(to)?;
    std::fs::remove_file(to).ok();
    std::fs::copy(from, to).map(drop).map_err(told(from))
}

fn copy_folder(from: &Path, to: &Path) -> Outcome {
    for entry in std::fs::read_dir(from).map_err(told(from))? {
        let path = entry.map_err(told(from))?.path();
        let Some(name) = path.file_name() else { continue };
        if path.is_dir() {
            copy_folder(&path, &to.join(name))?;
        } else {
            copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(to: &str, at: &Path) -> Outcome {
    std::fs::remove_file(at).ok();
    std::os::unix::fs::symlink(to, at).map_err(told(at))
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> Outcome {
    Ok(())
}

fn make_folder_of(path: &Path) -> Outcome {
    path.parent().map_or(Ok(()), |folder| std::fs::create_dir_all(folder).map_err(told(folder)))
}
