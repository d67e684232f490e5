// Lines over the picture: smooth, faint where something is in front of them.

struct Line {
    @location(0) start: vec3f,
    @location(1) end: vec3f,
    @location(2) colour: vec3f,
    /// Opacity in front, behind something, and the width in pixels.
    @location(3) pen: vec3f,
}

struct Drawn {
    @builtin(position) position: vec4f,
    @location(0) @interpolate(flat) ends: vec4f,
    @location(1) @interpolate(flat) depths: vec2f,
    @location(2) @interpolate(flat) colour: vec3f,
    @location(3) @interpolate(flat) pen: vec3f,
}

/// At least 0 inside.
fn side(at: vec4f, plane: u32) -> f32 {
    let away = at.xy - frame.lens.middle * at.z;
    switch plane {
        case 0u: { return at.w - frame.lens.near; }
        case 1u: { return GUARD * at.z - away.x; }
        case 2u: { return GUARD * at.z + away.x; }
        case 3u: { return GUARD * at.z - away.y; }
        default: { return GUARD * at.z + away.y; }
    }
}

fn line_corner(line: Line, corner: u32) -> Drawn {
    var drawn: Drawn;
    // Behind everything: what is not drawn.
    drawn.position = vec4f(2.0, 2.0, 2.0, 1.0);
    drawn.colour = line.colour;
    drawn.pen = line.pen;
    var start = project(frame.lens, line.start);
    var end = project(frame.lens, line.end);
    for (var plane = 0u; plane < 5u; plane += 1u) {
        let a = side(start, plane);
        let b = side(end, plane);
        if a < 0.0 && b < 0.0 {
            return drawn;
        }
        if b < 0.0 {
            end = mix(start, end, a / (a - b));
        } else if a < 0.0 {
            start = mix(end, start, b / (b - a));
        }
    }
    let first = start.xy / start.z;
    let last = end.xy / end.z;
    let most = max(abs(first), abs(last));
    if !(max(most.x, most.y) < FURTHEST_LINE) {
        return drawn;
    }
    drawn.ends = vec4f(first, last);
    drawn.depths = vec2f(depth_of(frame.lens, start.w), depth_of(frame.lens, end.w));
    let reach = line.pen.z * 0.5 + 1.0;
    let way = last - first;
    let long = length(way);
    let along = select(vec2f(1.0, 0.0), way / max(long, 1e-12), long > 1e-6) * reach;
    let across = vec2f(-along.y, along.x);
    var order = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u);
    let index = order[corner];
    let far_end = (index & 1u) == 1u;
    let sideways = select(-1.0, 1.0, index >= 2u);
    let at = select(first - along, last + along, far_end) + across * sideways;
    drawn.position = vec4f(2.0 * at.x / frame.lens.size.x - 1.0, 1.0 - 2.0 * at.y / frame.lens.size.y, 0.0, 1.0);
    return drawn;
}

@vertex
fn place_line(line: Line, @builtin(vertex_index) corner: u32) -> Drawn {
    return line_corner(line, corner);
}

/// How opaque a line is at a pixel.
fn opacity_of(drawn: Drawn) -> f32 {
    let way = drawn.ends.zw - drawn.ends.xy;
    let square = dot(way, way);
    let away = drawn.position.xy - drawn.ends.xy;
    let along = select(0.0, clamp(dot(away, way) / square, 0.0, 1.0), square > 1e-12);
    let covered = clamp(drawn.pen.z * 0.5 + 0.5 - length(away - way * along), 0.0, 1.0);
    let straight = mix(drawn.depths.x, drawn.depths.y, along);
    let raised = straight + NEARER_BY / (frame.lens.far - frame.lens.near);
    let depth = select(raised, straight * NEARER_TIMES, frame.lens.perspective == 1u);
    var seen = 0.0;
    for (var sample = 0; sample < SAMPLES; sample += 1) {
        let there = there_at(vec2i(drawn.position.xy), sample);
        seen += select(0.0, 1.0, there == 0.0 || depth >= there);
    }
    return covered * mix(drawn.pen.y, drawn.pen.x, seen / f32(SAMPLES));
}

@fragment
fn draw_line(drawn: Drawn) -> @location(0) vec4f {
    let opacity = opacity_of(drawn);
    return vec4f(drawn.colour * opacity, opacity);
}

/// Of lines that meet, the one that covers most counts.
@fragment
fn draw_most(drawn: Drawn) -> @location(0) vec4f {
    return vec4f(opacity_of(drawn));
}
