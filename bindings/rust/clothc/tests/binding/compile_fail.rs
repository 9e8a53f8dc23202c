//! Programs that must not compile: each file of tests/compile_fail names the error in its first line and has the misuse
//! in statements under `#[cfg(misuse)]`, without which it must compile.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Compiler {
    program: PathBuf,
    /// Where the metadata of the crates is.
    folder: PathBuf,
}

impl Compiler {
    /// Compiles both crates as far as checking other code against them needs.
    fn new() -> Compiler {
        let beside_cargo = std::env::var("CARGO").map(|cargo| Path::new(&cargo).with_file_name("rustc"));
        let program = beside_cargo.ok().filter(|rustc| rustc.exists()).unwrap_or_else(|| "rustc".into());
        let compiler = Compiler { program, folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_fail") };
        fs::create_dir_all(&compiler.folder).unwrap();
        let manifests = Path::new(env!("CARGO_MANIFEST_DIR"));
        compiler.compile_crate(&manifests.join("../clothc-sys/src/lib.rs"), &["--crate-name=clothc_sys"]);
        compiler.compile_crate(&manifests.join("src/lib.rs"), &["--crate-name=clothc", "--extern=clothc_sys"]);
        compiler
    }

    fn compile_crate(&self, source: &Path, options: &[&str]) {
        let output = self.compile(source, &[&["--crate-type=rlib"], options].concat());
        assert!(output.status.success(), "{source:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn compile(&self, source: &Path, options: &[&str]) -> Output {
        let mut command = Command::new(&self.program);
        command.args(["--edition=2021", "--emit=metadata", "--cap-lints=allow"]);
        command.arg("-L").arg(&self.folder).arg("--out-dir").arg(&self.folder).args(options).arg(source);
        command.output().unwrap_or_else(|error| panic!("{:?}: {error}", self.program))
    }
}

#[test]
fn misuse_does_not_compile() {
    let compiler = Compiler::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compile_fail");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let source = entry.unwrap().path();
        let text = fs::read_to_string(&source).unwrap();
        let code = text.lines().next().and_then(|line| line.strip_prefix("// error: ")).expect("the first line");
        let with_misuse = compiler.compile(&source, &["--extern=clothc", "--cfg=misuse"]);
        let errors = String::from_utf8_lossy(&with_misuse.stderr).into_owned();
        assert!(!with_misuse.status.success(), "{source:?} compiles with its misuse");
        let mut found = errors.lines().filter(|line| line.starts_with("error["));
        assert!(errors.contains("error["), "{source:?}: {errors}");
        assert!(found.all(|line| line.starts_with(&format!("error[{code}]"))), "{source:?}: {errors}");
        let without = compiler.compile(&source, &["--extern=clothc"]);
        assert!(without.status.success(), "{source:?}: {}", String::from_utf8_lossy(&without.stderr));
        count += 1;
    }
    assert!(count >= 10, "{count} programs were compiled");
}
