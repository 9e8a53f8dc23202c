//! Finds libclothc: in the folder CLOTHC_LIB_DIR, else beside the file CLOTHC_LIBRARY, else where pkg-config says, else
//! where the linker looks by itself.
use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    for variable in ["CLOTHC_LIB_DIR", "CLOTHC_LIBRARY", "PKG_CONFIG", "PKG_CONFIG_PATH"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-lib=dylib=clothc");
    for folder in folder_of_environment().map(|folder| vec![folder]).unwrap_or_else(folders_of_pkg_config) {
        println!("cargo:rustc-link-search=native={folder}");
    }
}

fn folder_of_environment() -> Option<String> {
    let given = |variable| env::var(variable).ok().filter(|value| !value.is_empty());
    given("CLOTHC_LIB_DIR").or_else(|| {
        let library = given("CLOTHC_LIBRARY")?;
        Some(Path::new(&library).parent()?.to_str()?.to_string())
    })
}

/// The folders that pkg-config prints, which are none if it is absent, does not know clothc or finds it in a folder of
/// the system.
fn folders_of_pkg_config() -> Vec<String> {
    let program = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".to_string());
    let output = Command::new(program).args(["--libs-only-L", "clothc"]).output();
    let printed = match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => return Vec::new(),
    };
    printed.split_whitespace().filter_map(|word| word.strip_prefix("-L")).map(str::to_string).collect()
}
