//! The small model that every format's `sample` is made from.
//!
//! A square post, two metres tall, of three joints that sway: textured, rigged and animated, in glTF's
//! conventions (right-handed, +Y up, metres, seconds, quaternions xyzw, column-major matrices, UV origin at
//! the top left). Every number is a constant, so the files made from it are the same on every machine.

/// A vertex with everything any format stores.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    /// In metres.
    pub position: [f32; 3],
    /// Unit length.
    pub normal: [f32; 3],
    /// Unit length, along +U.
    pub tangent: [f32; 3],
    /// Unit length, `normal × tangent`.
    pub bitangent: [f32; 3],
    /// Origin at the top left.
    pub uv: [f32; 2],
    /// The joints that move it, -1 for none.
    pub joints: [i32; 4],
    /// How much each does; they add up to 1.
    pub weights: [f32; 4],
}

/// A joint, parents before children.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// Its name.
    pub name: &'static str,
    /// Its parent, -1 for the root.
    pub parent: i32,
    /// Its rest position from its parent; the rest rotation is none.
    pub translation: [f32; 3],
    /// Its rest position from the model's origin.
    pub position: [f32; 3],
    /// Its rotation at each of [`KEY_TIMES`].
    pub rotations: [[f32; 4]; 5],
}

/// The clip's name.
pub const CLIP: &str = "sway";
/// The clip's length.
pub const DURATION_SECS: f32 = 2.0;
/// When the joints have rotation keys, in seconds.
pub const KEY_TIMES: [f32; 5] = [0.0, 0.5, 1.0, 1.5, 2.0];
/// The name of its one material, for formats that name materials.
pub const MATERIAL: &str = "clay-and-cream";
/// The side of the square texture, in pixels.
pub const TEXTURE_SIZE: usize = 8;
/// The name of the texture, for formats that keep it as a companion file.
pub const TEXTURE_FILE: &str = "maquette-checker.png";

const NO_TURN: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
/// 30 degrees about +Z.
const LEFT: [f32; 4] = [0.0, 0.0, 0.258_819_04, 0.965_925_8];
const RIGHT: [f32; 4] = [0.0, 0.0, -0.258_819_04, 0.965_925_8];

/// The skeleton.
pub const JOINTS: [Joint; 3] = [
    Joint { name: "base", parent: -1, translation: [0.0; 3], position: [0.0; 3], rotations: [NO_TURN; 5] },
    Joint {
        name: "middle",
        parent: 0,
        translation: [0.0, 1.0, 0.0],
        position: [0.0, 1.0, 0.0],
        rotations: [NO_TURN, LEFT, NO_TURN, RIGHT, NO_TURN],
    },
    Joint {
        name: "tip",
        parent: 1,
        translation: [0.0, 1.0, 0.0],
        position: [0.0, 2.0, 0.0],
        rotations: [NO_TURN, RIGHT, NO_TURN, LEFT, NO_TURN],
    },
];

/// The identity with a translation, column by column.
pub fn translation_matrix([x, y, z]: [f32; 3]) -> [f32; 16] {
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
}

/// The same matrix in the other order.
pub fn transposed(m: [f32; 16]) -> [f32; 16] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q] = m;
    [a, e, i, n, b, f, j, o, c, g, k, p, d, h, l, q]
}

impl Joint {
    /// Model space to joint space at rest, column by column.
    pub fn inverse_bind(&self) -> [f32; 16] {
        translation_matrix(self.position.map(|x| 0.0 - x))
    }

    /// Joint space to parent space at rest, column by column.
    pub fn local(&self) -> [f32; 16] {
        translation_matrix(self.translation)
    }
}

/// The post: four sides of two quads each, and a lid.
pub fn geometry() -> (Vec<Vertex>, Vec<u32>) {
    const HALF: f32 = 0.25;
    let rings: [(f32, [i32; 4], [f32; 4]); 3] = [
        (0.0, [0, -1, -1, -1], [1.0, 0.0, 0.0, 0.0]),
        (1.0, [0, 1, -1, -1], [0.5, 0.5, 0.0, 0.0]),
        (2.0, [1, 2, -1, -1], [0.25, 0.75, 0.0, 0.0]),
    ];
    let sides: [([f32; 3], [f32; 3]); 4] = [
        ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
        ([1.0, 0.0, 0.0], [0.0, 0.0, -1.0]),
        ([0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]),
        ([-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
    ];
    let mut vertices = Vec::new();
    let mut indices = Vec::new();
    for (normal, tangent) in sides {
        let first = vertices.len() as u32;
        for (y, joints, weights) in rings {
            for u in [0.0, 1.0] {
                let along = |axis: [f32; 3], far: f32| axis.map(|x| x * far);
                let [[nx, _, nz], [tx, _, tz]] = [along(normal, HALF), along(tangent, HALF * (2.0 * u - 1.0))];
                vertices.push(Vertex {
                    position: [nx + tx, y, nz + tz],
                    normal,
                    tangent,
                    bitangent: [0.0, 1.0, 0.0],
                    uv: [u, 1.0 - y / 2.0],
                    joints,
                    weights,
                });
            }
        }
        for row in [first, first + 2] {
            indices.extend([row, row + 1, row + 3, row, row + 3, row + 2]);
        }
    }
    let lid = vertices.len() as u32;
    for (u, v) in [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)] {
        vertices.push(Vertex {
            position: [HALF * (2.0 * u - 1.0), 2.0, HALF * (2.0 * v - 1.0)],
            normal: [0.0, 1.0, 0.0],
            tangent: [1.0, 0.0, 0.0],
            bitangent: [0.0, 0.0, -1.0],
            uv: [u, v],
            joints: [1, 2, -1, -1],
            weights: [0.25, 0.75, 0.0, 0.0],
        });
    }
    indices.extend([lid, lid + 1, lid + 2, lid, lid + 2, lid + 3]);
    (vertices, indices)
}

/// A checkerboard, `size` pixels square, RGBA, top row first. The colours are sRGB.
pub fn checker(size: usize) -> Vec<u8> {
    const CLAY: [u8; 4] = [200, 90, 50, 255];
    const CREAM: [u8; 4] = [240, 228, 200, 255];
    let field = |at: usize| at * 4 / size.max(4);
    (0..size * size)
        .flat_map(|pixel| if (field(pixel % size) + field(pixel / size)) % 2 == 0 { CLAY } else { CREAM })
        .collect()
}

/// The texture as a PNG file.
#[cfg(feature = "all-formats")]
pub fn checker_png() -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, TEXTURE_SIZE as u32, TEXTURE_SIZE as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    // Writing to memory in a format the encoder offers cannot fail.
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&checker(TEXTURE_SIZE)));
    debug_assert!(written.is_ok());
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_look_outwards_and_frames_are_right_handed() {
        let (vertices, indices) = geometry();
        let sub = |a: [f32; 3], b: [f32; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let cross = |a: [f32; 3], b: [f32; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        for triangle in indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| vertices[triangle[corner] as usize]);
            let face = cross(sub(b.position, a.position), sub(c.position, a.position));
            assert!(dot(face, a.normal) > 0.0);
        }
        for vertex in &vertices {
            assert_eq!(cross(vertex.normal, vertex.tangent), vertex.bitangent);
            assert_eq!(vertex.weights.iter().sum::<f32>(), 1.0);
        }
    }

    #[test]
    fn the_texture_is_a_png() {
        assert_eq!(crate::rules::images::image_kind(&checker_png()), Some("PNG"));
        assert_eq!(checker(8).len(), 256);
        assert_eq!(&checker(1)[..], [200, 90, 50, 255]);
    }
}
