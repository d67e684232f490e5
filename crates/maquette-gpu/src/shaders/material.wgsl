// Materials and what a pixel sees of their textures.

struct Use {
    /// `u' = x·u + y·v + z`.
    u: vec4f,
    v: vec4f,
    /// Which of the two sets of coordinates of a vertex.
    slot: u32,
    present: u32,
    squares: u32,
    room: u32,
}

struct Material {
    base_colour: vec4f,
    emissive: vec3f,
    normal_scale: f32,
    metallic: f32,
    roughness: f32,
    occlusion_strength: f32,
    /// Below 0 where alpha does not count.
    least_opacity: f32,
    /// Texels of the base colour; 0 without one.
    texels: f32,
    unlit: u32,
    two_channels: u32,
    room: u32,
    uses: array<Use, 6>,
}

struct Part {
    /// A colour as the picture has them before they are encoded, and how much of it there is.
    tint: vec4f,
    mirrored: u32,
    normals: u32,
    tangents: u32,
    /// A bit for each of the two sets of coordinates.
    sets: u32,
}

@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var base_texture: texture_2d<f32>;
@group(1) @binding(2) var base_sampler: sampler;
@group(1) @binding(3) var metallic_roughness_texture: texture_2d<f32>;
@group(1) @binding(4) var metallic_roughness_sampler: sampler;
@group(1) @binding(5) var normal_texture: texture_2d<f32>;
@group(1) @binding(6) var normal_sampler: sampler;
@group(1) @binding(7) var occlusion_texture: texture_2d<f32>;
@group(1) @binding(8) var occlusion_sampler: sampler;
@group(1) @binding(9) var emissive_texture: texture_2d<f32>;
@group(1) @binding(10) var emissive_sampler: sampler;
@group(1) @binding(11) var packed_texture: texture_2d<f32>;
@group(1) @binding(12) var packed_sampler: sampler;

@group(2) @binding(0) var<uniform> part: Part;

/// Two sets of coordinates, and how they move to the right and down.
struct Coordinates {
    here: vec4f,
    dx: vec4f,
    dy: vec4f,
}

fn of_slot(both: vec4f, slot: u32) -> vec2f {
    return select(both.xy, both.zw, slot == 1u);
}

/// As many places along the longer side of what a pixel covers as the shorter one goes into it.
fn look(image: texture_2d<f32>, how: sampler, lies: Use, at: Coordinates) -> vec4f {
    let raw = of_slot(at.here, lies.slot);
    let raw_dx = of_slot(at.dx, lies.slot);
    let raw_dy = of_slot(at.dy, lies.slot);
    let uv = vec2f(dot(lies.u.xy, raw) + lies.u.z, dot(lies.v.xy, raw) + lies.v.z);
    let dx = vec2f(dot(lies.u.xy, raw_dx), dot(lies.v.xy, raw_dx));
    let dy = vec2f(dot(lies.u.xy, raw_dy), dot(lies.v.xy, raw_dy));
    let size = vec2f(textureDimensions(image, 0));
    let across = dot(dx * size, dx * size);
    let down = dot(dy * size, dy * size);
    let longest = max(across, down);
    // Texels larger than a pixel are looked up once.
    var way = vec2f(0.0);
    var taps = 1.0;
    var level = 0.0;
    if longest > 1.0 && longest < 1e30 {
        way = select(dy, dx, across >= down);
        let longer = sqrt(longest);
        let shorter = max(sqrt(min(across, down)), 1.0);
        taps = floor(clamp(longer / shorter + 0.4, 1.0, MOST_TEXTURE_TAPS));
        // Squares are for texels larger than a pixel alone, and devices draw them at level 0.
        level = max(log2(longer / taps), f32(lies.squares) / 128.0);
    }
    var sum = vec4f(0.0);
    for (var tap = 0.0; tap < taps; tap += 1.0) {
        sum += textureSampleLevel(image, how, uv + way * ((tap + 0.5) / taps - 0.5), level);
    }
    return sum / taps;
}

/// Base colour and opacity.
fn base(at: Coordinates, vertex_colour: vec4f) -> vec4f {
    var colour = material.base_colour * vertex_colour;
    if material.uses[0].present == 1u {
        colour *= look(base_texture, base_sampler, material.uses[0], at);
    }
    return colour;
}
