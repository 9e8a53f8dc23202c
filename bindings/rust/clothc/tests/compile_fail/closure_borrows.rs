// error: E0597
//! A closure for messages that borrows what the device outlives.
use clothc::{Device, DeviceDesc, Result};
use std::sync::Mutex;

fn main() {}

pub fn make() -> Result<Device> {
    #[allow(unused_mut)]
    let mut desc = DeviceDesc::default();
    let messages = Mutex::new(Vec::new());
    #[cfg(misuse)]
    {
        desc.message = Some(Box::new(|_, text| messages.lock().unwrap().push(text.to_string())));
    }
    messages.lock().unwrap().push(String::new());
    Device::new(desc)
}
