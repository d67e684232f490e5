//! The `maquette` command. See the library beside it.

fn main() -> std::process::ExitCode {
    maquette_cli::main()
}
