// What all of a picture looks at: the camera, the light, and numbers that the software renderer hands over.

struct Lens {
    right: vec3f,
    /// Pixels for a unit, at a distance of one.
    scale: f32,
    up: vec3f,
    near: f32,
    back: vec3f,
    far: f32,
    eye: vec3f,
    perspective: u32,
    middle: vec2f,
    size: vec2f,
}

struct Frame {
    lens: Lens,
    light: Lens,
    towards_key: vec3f,
    /// A pixel of the map of shadows; 0 without one.
    shadow_texel: f32,
    key: vec3f,
    ambient: f32,
    bounds_min: vec3f,
    exposure: f32,
    bounds_max: vec3f,
    /// Pixels of the map of hollows in one of the picture; 0 without one.
    hollows_scale: f32,
    /// Times its opacity.
    background: vec4f,
    mode: u32,
    tone_map: u32,
    encoding: u32,
    samples: u32,
}

struct Tables {
    /// Two places in each.
    disc: array<vec4f, 8>,
    turns: array<vec4f, 128>,
    heat: array<vec4f, 6>,
    /// Direction and sharpness, then colour.
    lamps: array<vec4f, 8>,
    sky: vec4f,
    horizon: vec4f,
    ground: vec4f,
    unknown: vec4f,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> tables: Tables;

/// Pixels from the upper left corner times w, w, and the distance along the direction of the camera.
fn project(lens: Lens, place: vec3f) -> vec4f {
    let away = place - lens.eye;
    let distance = -dot(away, lens.back);
    let w = select(1.0, distance, lens.perspective == 1u);
    let x = dot(away, lens.right) * lens.scale + lens.middle.x * w;
    let y = lens.middle.y * w - dot(away, lens.up) * lens.scale;
    return vec4f(x, y, w, distance);
}

/// As the depth buffer has it: 1 at the near plane, straight across the picture, 0 infinitely far away.
fn depth_of(lens: Lens, distance: f32) -> f32 {
    return select((lens.far - distance) / (lens.far - lens.near), lens.near / distance, lens.perspective == 1u);
}

fn distance_of(lens: Lens, depth: f32) -> f32 {
    return select(lens.far - depth * (lens.far - lens.near), lens.near / depth, lens.perspective == 1u);
}

fn clip(lens: Lens, at: vec4f) -> vec4f {
    let z = select(depth_of(lens, at.w), lens.near, lens.perspective == 1u);
    return vec4f(2.0 * at.x / lens.size.x - at.z, at.z - 2.0 * at.y / lens.size.y, z, at.z);
}

fn unit_or(v: vec3f, otherwise: vec3f) -> vec3f {
    let square = dot(v, v);
    if square > 1e-30 && square < 1e30 {
        return v * inverseSqrt(square);
    }
    let most = max(max(abs(v.x), abs(v.y)), abs(v.z));
    if !(most > 0.0 && most < 1e38) {
        return otherwise;
    }
    let scaled = v / most;
    return scaled * inverseSqrt(dot(scaled, scaled));
}

fn heat(part: f32) -> vec3f {
    let place = clamp(part, 0.0, 1.0) * 5.0;
    let first = min(u32(place), 4u);
    return mix(tables.heat[first].xyz, tables.heat[first + 1u].xyz, place - f32(first));
}

/// A triangle that covers the picture.
fn whole_picture(vertex: u32) -> vec4f {
    let corner = vec2f(f32(vertex & 1u) * 4.0 - 1.0, f32(vertex >> 1u) * 4.0 - 1.0);
    return vec4f(corner, 0.0, 1.0);
}
