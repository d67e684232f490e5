// How many triangles cover a sample, as colours.

@vertex
fn cover(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    return whole_picture(vertex);
}

@fragment
fn show_counts(@builtin(position) position: vec4f) -> @location(0) vec4f {
    var sum = vec4f(0.0);
    for (var sample = 0; sample < SAMPLES; sample += 1) {
        let count = count_at(vec2i(position.xy), sample);
        sum += select(frame.background, vec4f(heat((count - 1.0) / 7.0), 1.0), count > 0.5);
    }
    return sum / f32(SAMPLES);
}
