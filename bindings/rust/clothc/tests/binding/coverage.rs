//! The safe crate calls every function of the C interface, and has the methods that the comments link to.
use crate::functions::FUNCTIONS;
use std::fs;
use std::path::Path;

/// The functions that clothc-sys calls: clothc_struct_init, in the Default of each struct.
const ELSEWHERE: [&str; 1] = ["clothc_struct_init"];

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sources of the crate, in one text.
fn sources() -> String {
    let files = fs::read_dir(folder().join("src")).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// The names of the functions in the description of the headers, where each stands on a line of its own.
fn described_functions() -> Vec<String> {
    let json = fs::read_to_string(folder().join("../../clothc.json")).unwrap();
    let functions = json.split("\n \"functions\": [").nth(1).unwrap();
    let names = functions.lines().filter_map(|line| line.strip_prefix("   \"name\": \""));
    names.map(|rest| rest.trim_end_matches("\",").to_string()).collect()
}

#[test]
fn every_function_is_called() {
    let (sources, described) = (sources(), described_functions());
    assert!(described.len() > 70, "{} functions are described", described.len());
    let listed: Vec<_> = FUNCTIONS.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(listed, described);
    for name in described.iter().filter(|name| !ELSEWHERE.contains(&name.as_str())) {
        assert!(sources.contains(&format!("sys::{name}(")), "the crate does not call {name}");
    }
}

#[test]
fn every_function_has_a_path_in_the_crate() {
    let sources = sources();
    for (name, path) in FUNCTIONS {
        let last = path.rsplit("::").next().unwrap();
        let forms = [format!("fn {last}("), format!("fn {last}<"), format!("pub struct {last}")];
        assert!(forms.iter().any(|form| sources.contains(form)), "{name} should be {path}");
    }
}
