// What is done to whole pictures: edges of triangles laid over, counts shown as colours, numbers made bytes.

@group(1) @binding(0) var picture: texture_2d<f32>;

struct Ink {
    colour: vec4f,
}
@group(1) @binding(1) var<uniform> ink: Ink;

@vertex
fn cover(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    return whole_picture(vertex);
}

/// One colour, as opaque as a picture says.
@fragment
fn lay_over(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let opacity = textureLoad(picture, vec2i(position.xy), 0).x;
    return vec4f(ink.colour.xyz * opacity, opacity);
}

fn srgb(light: f32) -> f32 {
    return select(1.055 * pow(light, 1.0 / 2.4) - 0.055, light * 12.92, light <= 0.0031308);
}

/// Colours times their opacity to bytes with straight opacity.
@fragment
fn encode(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let colour = textureLoad(picture, vec2i(position.xy), 0);
    if colour.w <= 0.0 {
        return vec4f(0.0);
    }
    let straight = clamp(colour.xyz / colour.w, vec3f(0.0), vec3f(1.0));
    let opacity = clamp(colour.w, 0.0, 1.0);
    if frame.encoding == ENCODING_PLAIN {
        return vec4f(straight, opacity);
    }
    return vec4f(srgb(straight.x), srgb(straight.y), srgb(straight.z), opacity);
}
