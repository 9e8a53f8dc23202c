//! Owns Fabric, the constraints of a piece of cloth.
use crate::call;
use crate::callbacks;
use crate::constants::FabricArray;
use crate::device::Device;
use crate::element::Element;
use crate::error::Result;
use crate::fabric_arrays::FabricArrays;
use crate::mesh::{Index, Mesh};
use crate::records::{Diagnostic, FabricInfo};
use clothc_sys as sys;
use std::os::raw::c_void;
use std::ptr;

/// The cooked, immutable constraints of a piece of cloth, shared by any number of cloths. Cloths keep what they need when
/// it is dropped.
#[derive(Debug)]
pub struct Fabric {
    handle: sys::clothc_fabric,
    device: Device,
}

// Calls on fabrics may come from any thread.
unsafe impl Send for Fabric {}
unsafe impl Sync for Fabric {}

impl Fabric {
    /// Cooks a mesh: welds vertices, and makes the stretch, shear and bend constraints and the tethers. Degenerate faces
    /// are left out; [`Fabric::diagnostics`] names them.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT naming the vertex or face; OUT_OF_MEMORY.
    pub fn cook<I: Index>(device: &Device, mesh: &Mesh<'_, I>) -> Result<Fabric> {
        let desc = mesh.describe()?;
        Fabric::create(device, |handle| unsafe { sys::clothc_fabric_cook(device.handle(), &desc, handle) })
    }

    /// Makes a fabric of flat arrays and keeps the order of the constraints.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT naming the element; OUT_OF_MEMORY.
    pub fn from_arrays(device: &Device, arrays: &FabricArrays<'_>) -> Result<Fabric> {
        arrays.describe(|desc| {
            Fabric::create(device, |handle| unsafe { sys::clothc_fabric_create(device.handle(), desc, handle) })
        })
    }

    /// Makes a fabric of what [`Fabric::save`] wrote, on any machine.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if the bytes are truncated, foreign, damaged or from a newer version; OUT_OF_MEMORY.
    pub fn load(device: &Device, blob: &[u8]) -> Result<Fabric> {
        let (data, size) = (blob.as_ptr() as *const c_void, blob.len() as u64);
        Fabric::create(device, |handle| unsafe { sys::clothc_fabric_load(device.handle(), data, size, handle) })
    }

    fn create(device: &Device, call: impl FnOnce(*mut sys::clothc_fabric) -> sys::clothc_result) -> Result<Fabric> {
        Ok(Fabric { handle: call::output(ptr::null_mut(), call)?, device: device.clone() })
    }

    pub(crate) fn handle(&self) -> sys::clothc_fabric {
        self.handle
    }

    /// The device that the fabric was made from.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Writes the fabric in a form that [`Fabric::load`] reads on any machine.
    pub fn save(&self) -> Result<Vec<u8>> {
        call::bytes(0, |data, size| unsafe { sys::clothc_fabric_save(self.handle, data, size) })
    }

    /// Copies one array, such as `read::<[u32; 3]>(FabricArray::TRIANGLES)`. It is empty if the fabric has none.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if the array is unknown, or if elements of the type do not divide it.
    pub fn read<T: Element + Default>(&self, array: FabricArray) -> Result<Vec<T>> {
        call::bytes(T::default(), |data, size| unsafe { sys::clothc_fabric_read(self.handle, array.0, data, size) })
    }

    /// What the fabric holds, and what the cooker found in its mesh.
    pub fn info(&self) -> Result<FabricInfo> {
        call::filled(|info| unsafe { sys::clothc_fabric_get_info(self.handle, info) })
    }

    /// What the cooker found in the mesh, such as a face that it left out.
    pub fn diagnostics(&self) -> Result<Vec<Diagnostic>> {
        let read = |index| {
            call::filled(|diagnostic| unsafe { sys::clothc_fabric_get_diagnostic(self.handle, index, diagnostic) })
        };
        (0..self.info()?.diagnostic_count).map(read).collect()
    }
}

impl Drop for Fabric {
    fn drop(&mut self) {
        unsafe { sys::clothc_fabric_destroy(self.handle) };
        callbacks::resume_panic();
    }
}
