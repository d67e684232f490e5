// Light, which has no upper end, to what a screen can show.

fn aces(light: vec3f) -> vec3f {
    let into = mat3x3f(
        vec3f(0.59719, 0.07600, 0.02840),
        vec3f(0.35458, 0.90834, 0.13383),
        vec3f(0.04823, 0.01566, 0.83777),
    );
    let out = mat3x3f(
        vec3f(1.60475, -0.10208, -0.00327),
        vec3f(-0.53108, 1.10813, -0.07276),
        vec3f(-0.07367, -0.00605, 1.07602),
    );
    let v = into * (light / 0.72);
    let curved = (v * (v + vec3f(0.0245786)) - vec3f(0.000090537)) / (v * (v * 0.983729 + vec3f(0.432951)) + vec3f(0.238081));
    return clamp(out * curved, vec3f(0.0), vec3f(1.0));
}

fn filmic(v: vec3f) -> vec3f {
    return (v * (v * 0.15 + vec3f(0.05)) + vec3f(0.004)) / (v * (v * 0.15 + vec3f(0.5)) + vec3f(0.06)) - vec3f(0.02 / 0.3);
}

fn tone_mapped(unbounded: vec3f) -> vec3f {
    let light = clamp(unbounded, vec3f(0.0), vec3f(1e6));
    switch frame.tone_map {
        case TONE_REINHARD: {
            return light / (vec3f(1.0) + light);
        }
        case TONE_REINHARD_EXTENDED: {
            return min(light * (vec3f(1.0) + light / 16.0) / (vec3f(1.0) + light), vec3f(1.0));
        }
        case TONE_ACES: {
            return aces(light);
        }
        case TONE_FILMIC: {
            return min(filmic(light * 2.0) / filmic(vec3f(11.2)), vec3f(1.0));
        }
        default: {
            return min(light, vec3f(1.0));
        }
    }
}
