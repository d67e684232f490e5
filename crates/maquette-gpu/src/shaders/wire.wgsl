// The edges of triangles as lines, three for each, straight from vertices and indices.

struct WirePen {
    colour: vec4f,
    pen: vec4f,
    /// Numbers in a vertex.
    stride: u32,
}

@group(2) @binding(0) var<storage, read> vertices: array<f32>;
@group(2) @binding(1) var<storage, read> indices: array<u32>;
@group(2) @binding(2) var<uniform> wire_pen: WirePen;

fn vertex_place(index: u32) -> vec3f {
    let first = index * wire_pen.stride;
    return vec3f(vertices[first], vertices[first + 1u], vertices[first + 2u]);
}

@vertex
fn place_edge(@builtin(vertex_index) number: u32) -> Drawn {
    let edge = number / 6u;
    let triangle = edge / 3u * 3u;
    let start = indices[edge];
    let end = indices[triangle + (edge - triangle + 1u) % 3u];
    let line = Line(vertex_place(start), vertex_place(end), wire_pen.colour.xyz, wire_pen.pen.xyz);
    return line_corner(line, number % 6u);
}
