//! The declarations have the sizes, offsets and values that the C compiler prints.
use std::process::Command;

macro_rules! add_struct {
    ($lines:ident, $struct:ident) => {
        $lines.push(format!("struct {} {}", stringify!($struct), std::mem::size_of::<$struct>()))
    };
}
macro_rules! add_field {
    ($lines:ident, $struct:ident, $field:ident) => {{
        let whole = std::mem::MaybeUninit::<$struct>::uninit();
        let field = unsafe { std::ptr::addr_of!((*whole.as_ptr()).$field) };
        let offset = field as usize - whole.as_ptr() as usize;
        let name = concat!(stringify!($struct), ".", stringify!($field)).replace("r#", "");
        $lines.push(format!("field {name} {offset} {}", crate::size_of_target(field)));
    }};
}
macro_rules! add_constant {
    ($lines:ident, $name:ident) => {
        $lines.push(format!("constant {} {}", stringify!($name), $name as i64))
    };
}

#[rustfmt::skip]
mod table;

fn size_of_target<T>(_: *const T) -> usize {
    std::mem::size_of::<T>()
}

#[test]
fn declarations_are_those_of_the_c_compiler() {
    let program = std::env::var("CLOTHC_LAYOUT").expect("CLOTHC_LAYOUT must be the path of clothc_layout");
    let output = Command::new(program).output().expect("clothc_layout runs");
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let of_c: Vec<&str> = printed.lines().collect();
    let of_rust = table::lines();
    for (c, rust) in of_c.iter().zip(&of_rust) {
        assert_eq!(c, rust);
    }
    assert_eq!(of_c.len(), of_rust.len());
    assert!(of_c.len() > 600, "only {} lines were compared", of_c.len());
}
