// What a place on a triangle looks like, in each mode.

/// What a pixel sees of a triangle.
struct Place {
    at: Coordinates,
    place: vec3f,
    /// To the right and down.
    place_dx: vec3f,
    place_dy: vec3f,
    normal: vec3f,
    tangent: vec4f,
    colour: vec4f,
    influences: vec3f,
    /// Whether corners go around counter-clockwise in the picture.
    counter_clockwise: bool,
    pixel: vec2f,
}

struct Axes {
    normal: vec3f,
    tangent: vec3f,
    bitangent: vec3f,
}

fn place_of(seen: Seen, counter_clockwise: bool) -> Place {
    let at = Coordinates(seen.uvs, dpdxFine(seen.uvs), dpdyFine(seen.uvs));
    return Place(
        at,
        seen.place,
        dpdxFine(seen.place_middle),
        dpdyFine(seen.place_middle),
        seen.normal,
        seen.tangent,
        seen.colour,
        seen.influences,
        counter_clockwise,
        seen.position.xy,
    );
}

fn is_front(place: Place) -> bool {
    return place.counter_clockwise == (part.mirrored == 0u);
}

/// Of the triangle itself, towards the viewer's side.
fn flat_normal(place: Place) -> vec3f {
    return unit_or(cross(place.place_dy, place.place_dx), frame.lens.back);
}

fn turned(place: Place) -> f32 {
    return select(-1.0, 1.0, is_front(place));
}

fn axes_of(place: Place, slot: u32) -> Axes {
    let front = flat_normal(place) * turned(place);
    var normal = front;
    if part.normals == 1u {
        normal = unit_or(place.normal, front);
    }
    var direction = vec3f(0.0);
    var sign = 1.0;
    if part.tangents == 1u {
        direction = place.tangent.xyz;
        sign = select(1.0, -1.0, place.tangent.w < 0.0);
    } else if ((part.sets >> slot) & 1u) == 1u {
        let dx = of_slot(place.at.dx, slot);
        let dy = of_slot(place.at.dy, slot);
        let area = dx.x * dy.y - dy.x * dx.y;
        // What rounding makes of coordinates that are the same everywhere is no direction.
        if abs(area) > 1e-13 {
            direction = (place.place_dx * dy.y - place.place_dy * dx.y) * select(1.0, -1.0, area < 0.0);
            let clockwise_on_texture = (area < 0.0) != place.counter_clockwise;
            sign = select(1.0, -1.0, clockwise_on_texture == (part.mirrored == 1u));
        }
    }
    let across = select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), abs(normal.x) < 0.9);
    let otherwise = unit_or(across - normal * dot(normal, across), vec3f(1.0, 0.0, 0.0));
    let tangent = unit_or(direction - normal * dot(normal, direction), otherwise);
    return Axes(normal, tangent, cross(normal, tangent) * sign);
}

fn surface_of(place: Place, colour: vec4f, axes: Axes) -> Surface {
    var normal = axes.normal;
    if material.uses[2].present == 1u {
        let texel = look(normal_texture, normal_sampler, material.uses[2], place.at).xyz * (255.0 / 127.5) - vec3f(1.0);
        let z = select(texel.z, sqrt(max(1.0 - dot(texel.xy, texel.xy), 0.0)), material.two_channels == 1u);
        let xy = texel.xy * material.normal_scale;
        normal = unit_or(axes.tangent * xy.x + axes.bitangent * xy.y + axes.normal * z, axes.normal);
    }
    var emissive = material.emissive;
    var roughness = material.roughness;
    var metallic = material.metallic;
    var occlusion = 1.0;
    if material.uses[1].present == 1u {
        let texel = look(metallic_roughness_texture, metallic_roughness_sampler, material.uses[1], place.at);
        roughness *= texel.y;
        metallic *= texel.z;
    }
    if material.uses[3].present == 1u {
        let texel = look(occlusion_texture, occlusion_sampler, material.uses[3], place.at);
        occlusion = mix(1.0, texel.x, material.occlusion_strength);
    }
    if material.uses[4].present == 1u {
        emissive *= look(emissive_texture, emissive_sampler, material.uses[4], place.at).xyz;
    }
    if material.uses[5].present == 1u {
        let texel = look(packed_texture, packed_sampler, material.uses[5], place.at);
        roughness = texel.x;
        occlusion = texel.y;
        metallic = texel.z;
        emissive = colour.xyz * texel.w;
    }
    return Surface(
        colour.xyz,
        clamp(colour.w, 0.0, 1.0),
        normal * turned(place),
        flat_normal(place),
        clamp(roughness, 0.0, 1.0),
        clamp(metallic, 0.0, 1.0),
        clamp(occlusion, 0.0, 1.0),
        emissive,
    );
}

fn shaded(place: Place, surface: Surface) -> vec4f {
    if material.unlit == 1u {
        return vec4f(clamp(surface.base_colour, vec3f(0.0), vec3f(1.0)), surface.opacity);
    }
    var key = 1.0;
    if frame.shadow_texel > 0.0 && dot(surface.normal, frame.towards_key) > 0.0 {
        key = key_reach(place.place, surface.flat_normal);
    }
    var around = 1.0;
    if frame.hollows_scale > 0.0 {
        around = around_reach(place.pixel);
    }
    var view = frame.lens.back;
    if frame.lens.perspective == 1u {
        view = unit_or(frame.lens.eye - place.place, frame.lens.back);
    }
    return vec4f(tone_mapped(shine(surface, view, key, around) * frame.exposure), surface.opacity);
}

fn checker(place: Place) -> vec3f {
    if (part.sets & 1u) == 0u {
        return vec3f(0.5);
    }
    let within = fract(place.at.here.xy);
    let field = vec2i(within * 8.0);
    let light = select(0.62, 1.0, (field.x + field.y) % 2 == 0);
    return vec3f(mix(0.25, 1.0, within.x), mix(0.25, 1.0, within.y), mix(1.0, 0.35, max(within.x, within.y))) * light;
}

fn density(place: Place) -> vec3f {
    let slot = material.uses[0].slot;
    if !(material.texels > 0.0) || ((part.sets >> slot) & 1u) == 0u {
        return tables.unknown.xyz;
    }
    let dx = of_slot(place.at.dx, slot);
    let dy = of_slot(place.at.dy, slot);
    let area = length(cross(place.place_dx, place.place_dy));
    let texels = abs(dx.x * dy.y - dy.x * dx.y) * material.texels;
    if !(area > 0.0 && texels > 0.0) {
        return tables.unknown.xyz;
    }
    return heat((log2(sqrt(texels / area) * 2.0) - 5.0) / 10.0);
}

fn within_bounds(place: vec3f) -> vec3f {
    let reach = frame.bounds_max - frame.bounds_min;
    let part = clamp((place - frame.bounds_min) / max(reach, vec3f(1e-30)), vec3f(0.0), vec3f(1.0));
    return select(vec3f(0.5), part, reach > vec3f(0.0));
}

fn direction(v: vec3f) -> vec4f {
    return vec4f(v * 0.5 + vec3f(0.5), 1.0);
}

/// Colour and opacity, the colour not yet times the opacity. Everything is worked out in one place, since compilers copy what is called into each.
fn appearance(place: Place) -> vec4f {
    let of_vertices = frame.mode == MODE_VERTEX_NORMAL || frame.mode == MODE_VERTEX_TANGENT || frame.mode == MODE_VERTEX_BITANGENT;
    let axes = axes_of(place, select(material.uses[2].slot, 0u, of_vertices));
    switch frame.mode {
        case MODE_VERTEX_POSITION: {
            return vec4f(within_bounds(place.place), 1.0);
        }
        case MODE_VERTEX_NORMAL: {
            return direction(axes.normal);
        }
        case MODE_VERTEX_TANGENT: {
            return direction(axes.tangent);
        }
        case MODE_VERTEX_BITANGENT: {
            return direction(axes.bitangent);
        }
        case MODE_UV_CHECKER: {
            return vec4f(checker(place), 1.0);
        }
        case MODE_WEIGHTS, MODE_INFLUENCE_COUNT: {
            return vec4f(place.influences, 1.0);
        }
        case MODE_TEXEL_DENSITY: {
            return vec4f(density(place), 1.0);
        }
        default: {}
    }
    let colour = base(place.at, place.colour);
    let opacity = clamp(colour.w, 0.0, 1.0);
    if frame.mode == MODE_BASE_COLOUR {
        return vec4f(colour.xyz, opacity);
    }
    if frame.mode == MODE_OPACITY {
        return vec4f(vec3f(select(opacity, 1.0, material.least_opacity < 0.0)), 1.0);
    }
    let surface = surface_of(place, colour, axes);
    switch frame.mode {
        case MODE_NORMAL_MAP: {
            return direction(surface.normal);
        }
        case MODE_ROUGHNESS: {
            return vec4f(vec3f(surface.roughness), 1.0);
        }
        case MODE_OCCLUSION: {
            return vec4f(vec3f(surface.occlusion), 1.0);
        }
        case MODE_METALNESS: {
            return vec4f(vec3f(surface.metallic), 1.0);
        }
        case MODE_EMISSIVE: {
            return vec4f(surface.emissive, 1.0);
        }
        default: {
            return shaded(place, surface);
        }
    }
}

fn tinted(colour: vec4f) -> vec4f {
    return vec4f(mix(colour.xyz, part.tint.xyz, part.tint.w), colour.w);
}

@fragment
fn shade_solid(seen: Seen, @builtin(front_facing) counter_clockwise: bool) -> @location(0) vec4f {
    let place = place_of(seen, counter_clockwise);
    return vec4f(tinted(appearance(place)).xyz, 1.0);
}

/// Mixed with what is behind it.
@fragment
fn shade_blend(seen: Seen, @builtin(front_facing) counter_clockwise: bool) -> @location(0) vec4f {
    let place = place_of(seen, counter_clockwise);
    let colour = tinted(appearance(place));
    return vec4f(colour.xyz * colour.w, colour.w);
}

struct Masked {
    @location(0) colour: vec4f,
    @builtin(sample_mask) samples: u32,
}

/// Where samples are, from the middle of the pixel: the pattern that graphics processors have in common.
fn sample_place(sample: u32) -> vec2f {
    if frame.samples == 1u {
        return vec2f(0.0);
    }
    switch sample {
        case 0u: { return vec2f(-0.125, -0.375); }
        case 1u: { return vec2f(0.375, -0.125); }
        case 2u: { return vec2f(-0.375, 0.125); }
        default: { return vec2f(0.125, 0.375); }
    }
}

/// There only at those samples where it is opaque.
@fragment
fn shade_mask(seen: Seen, @builtin(front_facing) counter_clockwise: bool) -> Masked {
    let place = place_of(seen, counter_clockwise);
    let colour_dx = dpdxFine(seen.colour);
    let colour_dy = dpdyFine(seen.colour);
    var samples = 0u;
    for (var sample = 0u; sample < frame.samples; sample += 1u) {
        let way = sample_place(sample);
        var at = place.at;
        at.here = seen.uvs + at.dx * way.x + at.dy * way.y;
        let opacity = base(at, seen.colour + colour_dx * way.x + colour_dy * way.y).w;
        samples |= select(0u, 1u << sample, opacity >= material.least_opacity);
    }
    if samples == 0u {
        discard;
    }
    return Masked(vec4f(tinted(appearance(place)).xyz, 1.0), samples);
}
