//! The example prints what the C program prints.
use std::path::PathBuf;
use std::process::Command;

fn output_of(program: PathBuf) -> String {
    let output = Command::new(&program).arg("60").output().unwrap_or_else(|error| panic!("{program:?}: {error}"));
    assert!(output.status.success(), "{program:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_flag_has_the_hash_of_the_c_program() {
    // Cargo builds the examples beside the tests.
    let test = std::env::current_exe().unwrap();
    let example = test.parent().and_then(|folder| folder.parent()).unwrap().join("examples/flag");
    let program = std::env::var("CLOTHC_FLAG").expect("CLOTHC_FLAG is the path of the C program");
    let of_c = output_of(program.into());
    assert_eq!(output_of(example), of_c);
    assert!(of_c.contains("state hash"), "{of_c}");
}
