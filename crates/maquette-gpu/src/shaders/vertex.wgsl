// Vertices of parts, for pictures and for maps of depth.

struct Vertex {
    @location(0) place: vec3f,
    @location(1) normal: vec4f,
    @location(2) tangent: vec4f,
    @location(3) uvs: vec4f,
    @location(4) colour: vec4f,
    @location(5) weights: vec4f,
    @location(6) counts: vec4f,
}

/// What is seen at a pixel. Coordinates of textures are those at its middle, also where that is outside of the triangle: so triangles of one surface that share a pixel show the same texels,
/// as in the software renderer, which shades them as one. All else is inside the triangle, since it may turn fast outside; `place_middle` is for what changes from pixel to pixel.
struct Seen {
    @invariant @builtin(position) position: vec4f,
    @location(0) place_middle: vec3f,
    @location(1) uvs: vec4f,
    @location(2) @interpolate(perspective, centroid) place: vec3f,
    @location(3) @interpolate(perspective, centroid) influences: vec3f,
    @location(4) @interpolate(perspective, centroid) normal: vec3f,
    @location(5) @interpolate(perspective, centroid) tangent: vec4f,
    @location(6) @interpolate(perspective, centroid) colour: vec4f,
}

@vertex
fn place_vertex(vertex: Vertex) -> Seen {
    var seen: Seen;
    seen.position = clip(frame.lens, project(frame.lens, vertex.place));
    seen.place_middle = vertex.place;
    seen.place = vertex.place;
    seen.uvs = vertex.uvs;
    seen.normal = vertex.normal.xyz;
    seen.tangent = vertex.tangent;
    seen.colour = vertex.colour;
    seen.influences = select(vertex.counts.xyz, vertex.weights.xyz, frame.mode == MODE_WEIGHTS);
    return seen;
}

/// Opacity and what it is looked up with, for what is there only where it is opaque.
struct Cut {
    @invariant @builtin(position) position: vec4f,
    @location(0) uvs: vec4f,
    @location(1) colour: vec4f,
}

@vertex
fn place_cut(vertex: Vertex) -> Cut {
    return Cut(clip(frame.lens, project(frame.lens, vertex.place)), vertex.uvs, vertex.colour);
}

@vertex
fn place_depth(@location(0) place: vec3f) -> @invariant @builtin(position) vec4f {
    return clip(frame.lens, project(frame.lens, place));
}

@fragment
fn cut_depth(cut: Cut) {
    let at = Coordinates(cut.uvs, dpdxFine(cut.uvs), dpdyFine(cut.uvs));
    if base(at, cut.colour).a < material.least_opacity {
        discard;
    }
}

/// Counts what covers a sample.
@fragment
fn count_one() -> @location(0) vec4f {
    return vec4f(1.0, 0.0, 0.0, 1.0);
}
