// error: E0597
//! A mesh whose positions were dropped.
use clothc::{Device, Fabric, Mesh, Result};

fn main() {}

pub fn cook(device: &Device, triangles: &[[u32; 3]]) -> Result<Fabric> {
    #[allow(unused_mut)]
    let mut mesh = Mesh { triangles: triangles.into(), ..Mesh::default() };
    {
        let positions = vec![[0.0; 3]; 3];
        #[cfg(misuse)]
        {
            mesh.positions = (&positions).into();
        }
        drop(&positions);
    }
    Fabric::cook(device, &mesh)
}
