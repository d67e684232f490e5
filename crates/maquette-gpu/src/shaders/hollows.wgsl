// Hollows that light from all around hardly reaches, told from the depth of the picture.

@group(1) @binding(0) var depth_map: texture_depth_2d;
@group(1) @binding(1) var rough_map: texture_2d<f32>;

@vertex
fn cover(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    return whole_picture(vertex);
}

/// The distance of a pixel; negative where there is nothing.
fn distance_at(at: vec2i) -> f32 {
    if any(at < vec2i(0)) || any(at >= vec2i(frame.lens.size)) {
        return -1.0;
    }
    let depth = textureLoad(depth_map, at, 0);
    return select(-1.0, distance_of(frame.lens, depth), depth > 0.0);
}

/// The size of a pixel at a distance.
fn spread(distance: f32) -> f32 {
    return select(1.0, distance, frame.lens.perspective == 1u) / frame.lens.scale;
}

/// Where a pixel is, as the camera has it; before the camera where there is nothing.
fn place_at(at: vec2i) -> vec3f {
    let distance = distance_at(at);
    if distance < 0.0 {
        return vec3f(0.0, 0.0, 1.0);
    }
    let away = (vec2f(at) + vec2f(0.5) - frame.lens.middle) * spread(distance);
    return vec3f(away.x, -away.y, -distance);
}

/// The way along an axis of the picture, by the neighbour that is less far away; none where there are none.
fn way_along(here: vec3f, before: vec3f, after: vec3f) -> vec3f {
    if before.z > 0.0 && after.z > 0.0 {
        return vec3f(0.0);
    }
    if before.z > 0.0 {
        return after - here;
    }
    if after.z > 0.0 || abs(here.z - before.z) < abs(after.z - here.z) {
        return here - before;
    }
    return after - here;
}

@fragment
fn find(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = vec2i(position.xy);
    let here = place_at(at);
    if here.z > 0.0 {
        return vec4f(1.0);
    }
    let right = way_along(here, place_at(at - vec2i(1, 0)), place_at(at + vec2i(1, 0)));
    let down = way_along(here, place_at(at - vec2i(0, 1)), place_at(at + vec2i(0, 1)));
    let pixel = spread(-here.z);
    let pixels = min(HOLLOWS_RADIUS / pixel, HOLLOWS_MOST_PIXELS);
    if all(right == vec3f(0.0)) || all(down == vec3f(0.0)) || pixels < 1.5 {
        return vec4f(1.0);
    }
    let normal = unit_or(cross(down, right), vec3f(0.0, 0.0, 1.0));
    let radius = pixels * pixel;
    let in_square = 1.0 / (radius * radius);
    let bias = 0.01 * radius + 0.6 * pixel;
    let turn = u32(at.y & 3) * 4u + u32(at.x & 3);
    var sum = 0.0;
    for (var tap = 0u; tap < 16u; tap += 1u) {
        let pair = tables.turns[turn * 8u + tap / 2u];
        let step = select(pair.xy, pair.zw, (tap & 1u) == 1u);
        let there = place_at(vec2i(floor(vec2f(at) + vec2f(0.5) + step * pixels)));
        if there.z > 0.0 {
            continue;
        }
        let way = there - here;
        let square = dot(way, way);
        let near = max(1.0 - square * in_square, 0.0);
        let above = max(dot(way, normal) - bias, 0.0);
        sum += near * near * near * above / (square + 1e-6);
    }
    return vec4f(clamp(1.0 - sum * (radius * HOLLOWS_STRENGTH * 2.2 / 16.0), 0.0, 1.0));
}

/// The mean over a square of four by four pixels, of those that lie about as far away.
@fragment
fn even(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = vec2i(position.xy);
    let here = distance_at(at);
    if here < 0.0 {
        return vec4f(1.0);
    }
    var sum = 0.0;
    var count = 0.0;
    for (var y = -2; y < 2; y += 1) {
        for (var x = -2; x < 2; x += 1) {
            let there = distance_at(at + vec2i(x, y));
            if there >= 0.0 && abs(there - here) < HOLLOWS_RADIUS * 0.25 {
                sum += textureLoad(rough_map, at + vec2i(x, y), 0).x;
                count += 1.0;
            }
        }
    }
    return vec4f(select(1.0, sum / count, count > 0.0));
}
