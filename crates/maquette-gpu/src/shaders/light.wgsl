// Light on a surface: the studio, the key light and what they make of a material.

@group(3) @binding(0) var shadow_map: texture_depth_2d;
@group(3) @binding(1) var hollows_map: texture_2d<f32>;
@group(3) @binding(2) var reflected_table: texture_2d<f32>;

const INVERSE_PI: f32 = 0.31830987;

struct Surface {
    base_colour: vec3f,
    opacity: f32,
    normal: vec3f,
    flat_normal: vec3f,
    roughness: f32,
    metallic: f32,
    occlusion: f32,
    emissive: vec3f,
}

fn lobe(cosine: f32, sharpness: f32) -> f32 {
    let wide = 1.0 + sharpness * (1.0 - cosine) * 0.25;
    let square = wide * wide;
    return 1.0 / (square * square);
}

fn radiance(towards: vec3f, alpha: f32) -> vec3f {
    let blur = 0.5 / max(alpha * alpha, 1e-4);
    let soft = 0.06 + 1.1 * alpha;
    let height = towards.y;
    let edge = 0.5 + 0.5 * height / sqrt(height * height + soft * soft);
    let rise = max(height, 0.0);
    let wall = mix(tables.horizon.xyz, tables.sky.xyz, rise * (2.0 - rise));
    var light = mix(tables.ground.xyz, wall, edge);
    for (var lamp = 0u; lamp < 8u; lamp += 2u) {
        let direction = tables.lamps[lamp];
        let sharpness = direction.w * blur / (direction.w + blur);
        light += tables.lamps[lamp + 1u].xyz * (sharpness / direction.w * lobe(dot(towards, direction.xyz), sharpness));
    }
    return light;
}

fn irradiance(normal: vec3f) -> vec3f {
    let height = normal.y;
    let edge = 0.5 + 0.5 * height * (1.25 - 0.25 * height * height);
    let above = (tables.sky.xyz + tables.horizon.xyz) * 0.5;
    var light = mix(tables.ground.xyz, above, edge);
    for (var lamp = 0u; lamp < 8u; lamp += 2u) {
        let direction = tables.lamps[lamp];
        let sharpness = direction.w * 2.13 / (direction.w + 2.13);
        let peak = 2.34 / (direction.w + 2.13);
        light += tables.lamps[lamp + 1u].xyz * (peak * 0.42 * lobe(dot(normal, direction.xyz), sharpness));
    }
    return light;
}

fn facets(cosine: f32, alpha: f32) -> f32 {
    let square = alpha * alpha;
    let bend = cosine * cosine * (square - 1.0) + 1.0;
    return square * INVERSE_PI / max(bend * bend, 1e-9);
}

fn visibility(facing: f32, lit: f32, alpha: f32) -> f32 {
    let square = alpha * alpha;
    let view = lit * sqrt(facing * facing * (1.0 - square) + square);
    let light = facing * sqrt(lit * lit * (1.0 - square) + square);
    return 0.5 / max(view + light, 1e-6);
}

/// Scale and bias of what is reflected.
fn reflected_part(facing: f32, roughness: f32) -> vec2f {
    let last = f32(REFLECTED_SIDE - 1);
    let place = clamp(vec2f(facing, roughness), vec2f(0.0), vec2f(1.0)) * last;
    let first = min(vec2i(place), vec2i(REFLECTED_SIDE - 2));
    let part = place - vec2f(first);
    let a = textureLoad(reflected_table, first, 0).xy;
    let b = textureLoad(reflected_table, first + vec2i(1, 0), 0).xy;
    let c = textureLoad(reflected_table, first + vec2i(0, 1), 0).xy;
    let d = textureLoad(reflected_table, first + vec2i(1, 1), 0).xy;
    return mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
}

fn fifth_below_one(x: f32) -> f32 {
    let rest = clamp(1.0 - x, 0.0, 1.0);
    let square = rest * rest;
    return square * square * rest;
}

fn glimpse(facing: f32, around: f32, alpha: f32) -> f32 {
    let open = (facing + around) * (facing + around) - 1.0 + around;
    let sharp = clamp(open, 0.0, 1.0);
    return sharp + (around - sharp) * clamp(sqrt(alpha), 0.0, 1.0);
}

/// The light that leaves a surface towards the viewer.
fn shine(surface: Surface, view: vec3f, key_reach: f32, around_reach: f32) -> vec3f {
    let normal = surface.normal;
    let facing = clamp(abs(dot(normal, view)), 1e-3, 1.0);
    let roughness = max(surface.roughness, 0.045);
    let alpha = roughness * roughness;
    let diffuse = surface.base_colour * (1.0 - surface.metallic);
    let at_normal = mix(vec3f(0.04), surface.base_colour, surface.metallic);

    let split = reflected_part(facing, roughness);
    let once = at_normal * split.x + vec3f(split.y);
    let albedo = clamp(split.x + split.y, 0.05, 1.0);
    let reflected = once * (vec3f(1.0) + at_normal * (1.0 / albedo - 1.0));

    let around = min(around_reach, surface.occlusion);
    let mirrored = normal * (2.0 * dot(normal, view)) - view;
    let towards = unit_or(mix(mirrored, normal, alpha * alpha * 0.5), normal);
    let horizon = clamp(1.0 + 1.3 * dot(towards, surface.flat_normal), 0.0, 1.0);
    let glimpsed = glimpse(facing, around, alpha) * horizon * horizon;
    let ambient = diffuse * (vec3f(1.0) - reflected) * irradiance(normal) * around
        + reflected * radiance(towards, alpha) * glimpsed;

    var light = ambient * frame.ambient + surface.emissive;
    let lit = dot(normal, frame.towards_key);
    if lit > 0.0 && key_reach > 0.0 {
        let half_way = unit_or(frame.towards_key + view, normal);
        let facing_half = clamp(dot(normal, half_way), 0.0, 1.0);
        let view_half = clamp(dot(view, half_way), 0.0, 1.0);
        let fresnel = at_normal + (vec3f(1.0) - at_normal) * fifth_below_one(view_half);
        let wide = max(alpha, 0.02);
        let specular = fresnel * (facets(facing_half, wide) * visibility(facing, lit, wide));
        let body = diffuse * (vec3f(1.0) - fresnel) * INVERSE_PI;
        light += (body + specular) * frame.key * (lit * key_reach);
    }
    return light;
}

/// How near the map of shadows is at one of its pixels; beyond its edge as at its edge.
fn shadow_at(at: vec2i) -> f32 {
    let last = vec2i(frame.light.size) - vec2i(1);
    return -distance_of(frame.light, textureLoad(shadow_map, clamp(at, vec2i(0), last), 0));
}

fn lit_at(at: vec2f, depth: f32) -> f32 {
    let place = at - vec2f(0.5);
    let first = floor(place);
    let part = place - first;
    let corner = vec2i(first);
    let a = select(1.0, 0.0, shadow_at(corner) > depth);
    let b = select(1.0, 0.0, shadow_at(corner + vec2i(1, 0)) > depth);
    let c = select(1.0, 0.0, shadow_at(corner + vec2i(0, 1)) > depth);
    let d = select(1.0, 0.0, shadow_at(corner + vec2i(1, 1)) > depth);
    return mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
}

/// How much of the key light reaches a place.
fn key_reach(surface_place: vec3f, flat_normal: vec3f) -> f32 {
    let texel = frame.shadow_texel;
    let place = surface_place + flat_normal * (texel * 1.5);
    let at = project(frame.light, place);
    let depth = -at.w + texel * 0.5;
    let steep = max(dot(flat_normal, frame.towards_key), 0.15);
    let slope_right = clamp(-dot(flat_normal, frame.light.right) / steep, -4.0, 4.0) * texel;
    let slope_up = clamp(-dot(flat_normal, frame.light.up) / steep, -4.0, 4.0) * texel;
    let slopes = vec2f(slope_right, -slope_up);
    let widest = SHADOW_WIDEST / texel;
    var blockers = 0.0;
    var sum = 0.0;
    for (var tap = 0u; tap < 8u; tap += 1u) {
        let way = tables.disc[tap].xy * widest;
        let there = shadow_at(vec2i(at.xy + way));
        if there > depth + max(dot(way, slopes), 0.0) + texel * 0.5 {
            blockers += 1.0;
            sum += there - depth;
        }
    }
    if blockers == 0.0 {
        return 1.0;
    }
    let radius = clamp(sum / blockers * SHADOW_SPREAD, texel, SHADOW_WIDEST) / texel;
    var reached = 0.0;
    for (var tap = 0u; tap < 8u; tap += 1u) {
        let pair = tables.disc[tap] * radius;
        reached += lit_at(at.xy + pair.xy, depth + max(dot(pair.xy, slopes), 0.0));
        reached += lit_at(at.xy + pair.zw, depth + max(dot(pair.zw, slopes), 0.0));
    }
    return reached / 16.0;
}

fn hollow_at(at: vec2i) -> f32 {
    let last = vec2i(textureDimensions(hollows_map, 0)) - vec2i(1);
    return textureLoad(hollows_map, clamp(at, vec2i(0), last), 0).x;
}

/// How much of the light from all around reaches a pixel.
fn around_reach(at: vec2f) -> f32 {
    if frame.hollows_scale == 1.0 {
        return hollow_at(vec2i(at));
    }
    let place = at * frame.hollows_scale - vec2f(0.5);
    let first = floor(place);
    let part = place - first;
    let corner = vec2i(first);
    let upper = mix(hollow_at(corner), hollow_at(corner + vec2i(1, 0)), part.x);
    let lower = mix(hollow_at(corner + vec2i(0, 1)), hollow_at(corner + vec2i(1, 1)), part.x);
    return mix(upper, lower, part.y);
}
