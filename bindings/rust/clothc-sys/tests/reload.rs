//! The library can be unloaded and loaded again, as editors do. This test is a program of its own that uses none of the
//! functions of the crate, so that only dlopen loads the library.
#![cfg(unix)]
use clothc_sys::{clothc_device, clothc_device_desc, clothc_result, CLOTHC_BACKEND_CPU, CLOTHC_STRUCT_DEVICE_DESC};
use std::ffi::CString;
use std::mem::{size_of, transmute_copy, zeroed};
use std::os::raw::{c_char, c_int, c_void};
use std::ptr;

const RTLD_NOW: c_int = 2;

#[link(name = "dl")]
extern "C" {
    fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlclose(library: *mut c_void) -> c_int;
}

/// A function of the library as a pointer of the given type.
unsafe fn function<F>(library: *mut c_void, name: &str) -> F {
    let name = CString::new(name).unwrap();
    let address = dlsym(library, name.as_ptr());
    assert!(!address.is_null(), "{name:?} is exported");
    transmute_copy(&address)
}

fn is_loaded() -> bool {
    std::fs::read_to_string("/proc/self/maps").unwrap().contains("libclothc")
}

#[test]
fn the_library_is_unloaded_and_loaded_again() {
    let path = CString::new(std::env::var("CLOTHC_LIBRARY").expect("CLOTHC_LIBRARY is the library's path")).unwrap();
    for round in 0..20 {
        assert!(!is_loaded(), "before round {round}");
        unsafe {
            let library = dlopen(path.as_ptr(), RTLD_NOW);
            assert!(!library.is_null());
            assert!(is_loaded());
            let init: unsafe extern "C" fn(u32, *mut c_void, usize) -> clothc_result =
                function(library, "clothc_struct_init");
            let create: unsafe extern "C" fn(*const clothc_device_desc, *mut clothc_device) -> clothc_result =
                function(library, "clothc_device_create");
            let destroy: unsafe extern "C" fn(clothc_device) -> clothc_result =
                function(library, "clothc_device_destroy");
            let mut desc: clothc_device_desc = zeroed();
            let address = &mut desc as *mut clothc_device_desc as *mut c_void;
            assert_eq!(init(CLOTHC_STRUCT_DEVICE_DESC, address, size_of::<clothc_device_desc>()), 0);
            desc.backend = CLOTHC_BACKEND_CPU;
            desc.worker_count = 2;
            let mut device = ptr::null_mut();
            assert_eq!(create(&desc, &mut device), 0);
            assert_eq!(destroy(device), 0);
            assert_eq!(dlclose(library), 0);
        }
    }
    assert!(!is_loaded(), "the last dlclose has unloaded the library");
}
