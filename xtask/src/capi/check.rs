//! Whether what is installed can be used as a stranger would: by pkg-config, by CMake, and without a symbol or a megabyte too many.

use super::{LIBRARIES, Library, install_all};
use crate::{Outcome, needs, root};
use std::path::Path;
use std::process::Command;

/// Installs everything into a folder of the build and uses it.
pub fn check() -> Outcome {
    let prefix = super::target().join("capi");
    std::fs::remove_dir_all(&prefix).ok();
    install_all(&prefix)?;
    LIBRARIES.iter().try_for_each(|library| {
        library.check_symbols(&prefix)?;
        library.check_size(&prefix)?;
        library.check_pkg_config(&prefix)?;
        library.check_cmake(&prefix)
    })
}

impl Library {
    /// Nothing but functions of its own name.
    fn check_symbols(&self, prefix: &Path) -> Outcome {
        if !cfg!(target_os = "linux") || !is_there("nm")? {
            return Ok(());
        }
        let shared = prefix.join("lib").join(self.shared_file());
        let symbols = run(Command::new("nm").args(["-D", "--defined-only"]).arg(shared))?;
        let names: Vec<&str> = symbols.lines().filter_map(|line| line.split_whitespace().last()).collect();
        let own = format!("{}_", self.name);
        match names.iter().find(|name| !name.starts_with(&own)) {
            _ if names.is_empty() => Err(format!("{} exports nothing", self.name)),
            Some(foreign) => Err(format!("{} exports {foreign}", self.name)),
            None => Ok(()),
        }
    }

    fn check_size(&self, prefix: &Path) -> Outcome {
        let shared = prefix.join("lib").join(self.shared_file());
        let bytes = std::fs::metadata(&shared).map_err(super::told(&shared))?.len();
        if bytes < self.most_bytes { Ok(()) } else { Err(format!("{} has {bytes} bytes", shared.display())) }
    }

    /// The example, with the shared library and with the static one.
    fn check_pkg_config(&self, prefix: &Path) -> Outcome {
        if !is_there("pkg-config")? || !is_there("gcc")? {
            return Ok(());
        }
        let libraries = prefix.join("lib");
        let mut pkg_config = Command::new("pkg-config");
        pkg_config.args(["--cflags", "--libs", "--static", self.name]);
        let words = run(pkg_config.env("PKG_CONFIG_PATH", libraries.join("pkgconfig")))?;
        let (shared, archive) = (format!("-l{}", self.name), format!("-l:{}", self.static_file()));
        for library in [&shared, &archive] {
            let program = prefix.join("example");
            let words = words.split_whitespace().map(|word| if word == shared { library.as_str() } else { word });
            run(Command::new("gcc").arg(root().join(self.example)).arg("-o").arg(&program).args(words))?;
            self.run_example(&program, &libraries)?;
        }
        Ok(())
    }

    fn check_cmake(&self, prefix: &Path) -> Outcome {
        if !is_there("cmake")? {
            return Ok(());
        }
        let folder = prefix.join("cmake-example");
        let (name, example) = (self.name, root().join(self.example));
        let lists = format!(
            "cmake_minimum_required(VERSION 3.10)\nproject(example C)\nfind_package({name} 0.1 REQUIRED)\n\
             foreach(kind {name} {name}_static)\n  add_executable(with_${{kind}} \"{}\")\n  \
             target_link_libraries(with_${{kind}} {name}::${{kind}})\nendforeach()\n",
            example.display()
        );
        super::write(&folder.join("CMakeLists.txt"), &lists)?;
        let build = folder.join("build");
        let prefix_path = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
        run(Command::new("cmake").arg("-S").arg(&folder).arg("-B").arg(&build).arg(prefix_path))?;
        run(Command::new("cmake").arg("--build").arg(&build))?;
        [format!("with_{name}"), format!("with_{name}_static")]
            .iter()
            .try_for_each(|program| self.run_example(&build.join(program), &prefix.join("lib")))
    }

    fn run_example(&self, program: &Path, libraries: &Path) -> Outcome {
        let mut command = Command::new(program);
        run(command.arg(root().join("examples/post.aem")).env("LD_LIBRARY_PATH", libraries)).map(drop)
    }
}

/// Whether a program is there; an error where it must be.
fn is_there(program: &str) -> Result<bool, String> {
    if needs::runs(program) { Ok(true) } else { needs::lacking(&format!("there is no {program}")).map(|()| false) }
}

/// What a program prints, if it succeeds.
fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{command:?}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}
