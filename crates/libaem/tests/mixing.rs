//! The mixer, by a script: palettes against poses mixed in double precision, times and weights against the rules.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod support;

use maquette_formats::aem::{Dialect, File};
use std::io::Write;
use std::process::{Command, Stdio};
use support::reference::{Trs, assert_close, mix, model_from_joints, palette, pose};
use support::{Link, build, figure, source, succeeded, values};

/// What the program prints for a script; `None` where there is no compiler.
fn play(file: &File<'_>, channels: u32, script: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let program = build(folder.path(), "later", &[source("later.c")], Link::Static)?;
    let path = folder.path().join("model.aem");
    std::fs::write(&path, file.encode()).unwrap();
    let mut command = Command::new(program);
    command.arg(path).arg(channels.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    succeeded(&output);
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The rule, from four poses and their weights.
fn mixed(poses: [Vec<Trs>; 4], [a, b, c, d]: [f64; 4]) -> Vec<Trs> {
    let part = |of: f64, sum: f64| if sum > 0.0 { of / sum } else { 0.0 };
    let first = mix(&poses[0], &poses[1], part(b, a + b));
    let second = mix(&poses[2], &poses[3], part(d, c + d));
    mix(&first, &second, part(c + d, a + b + c + d))
}

/// Times and weights of the channels after each update.
fn channels(text: &str, count: usize) -> Vec<Vec<[f64; 2]>> {
    let told: Vec<[f64; 2]> =
        values(text, "channel").iter().map(|words| [words[1].parse().unwrap(), words[2].parse().unwrap()]).collect();
    told.chunks(count).map(<[_]>::to_vec).collect()
}

#[test]
fn four_channels_are_mixed_in_pairs_in_every_layout() {
    let moments = [(0, 0.3), (1, 0.5), (0, 1.7), (1, 0.1)];
    let weights: [[f64; 4]; 8] = [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
        [0.25, 0.75, 0.0, 0.0],
        [0.0, 0.0, 3.0, 1.0],
        [0.2, 0.3, 0.4, 0.1],
        [1.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 0.0],
        [5.0, 2.0, 0.0, 9.0],
    ];
    for dialect in Dialect::ALL {
        let file = figure::figure(*dialect);
        let mut script = String::from("enable 1\n");
        for weights in weights {
            for (channel, ((animation, time), weight)) in moments.into_iter().zip(weights).enumerate() {
                script += &format!("set {channel} {animation} 0 1 {time} 1 {weight}\n");
            }
            script += "update 0.5\njoint 1\n";
        }
        let Some(text) = play(&file, 4, &script) else { return };
        let (palettes, joints) = (values(&text, "palette"), values(&text, "joint"));
        assert_eq!(palettes.len(), weights.len());
        for (at, weights) in weights.into_iter().enumerate() {
            let pose = mixed(moments.map(|(animation, time)| pose(&file, animation, f64::from(time as f32))), weights);
            assert_close(&palettes[at], &palette(&file, &pose), &format!("{weights:?}"));
            assert_close(&joints[at], &model_from_joints(&file, &pose)[1].to_cols_array(), "the joint");
        }
    }
}

#[test]
fn a_new_mixer_is_disabled_and_shows_where_things_were_bound() {
    let file = figure::figure(Dialect::Wide);
    let Some(text) = play(&file, 4, "joint 2\nupdate 0.4\nenable 1\njoint 2\nupdate 0\nenable 0\njoint 2\nupdate 1\n")
    else {
        return;
    };
    assert_eq!(values(&text, "mixer"), [["0", "1", "1"]]);
    let palettes = values(&text, "palette");
    let identity: Vec<f64> = (0..file.joints.len() * 16).map(|at| f64::from(u8::from(at % 16 % 5 == 0))).collect();
    assert_close(&palettes[0], &identity, "disabled");
    assert_close(&palettes[1], &palette(&file, &pose(&file, 0, 0.0)), "the first channel of all");
    assert_close(&palettes[2], &identity, "disabled again");
    let inverse = file.joints[2].inverse_bind_matrix.map(|number| f64::from(number.get()));
    let bound = glam::DMat4::from_cols_array(&inverse).inverse().to_cols_array();
    for told in values(&text, "joint") {
        assert_close(&told, &bound, "bound");
    }
    assert_eq!(channels(&text, 4)[0], [[0.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]);
}

#[test]
fn time_goes_on_loops_by_subtraction_and_stays_at_the_end() {
    let file = figure::figure(Dialect::Wide);
    // Clip 0 takes 2 s, clip 1 0.75 s, clip 2 none.
    let script = "enable 1
set 0 0 1 1 1.5 1 1
set 1 0 1 0 1.5 2 1
set 2 1 1 1 0.5 -1 1
set 3 2 1 1 0 1 1
set 4 7 1 1 0.5 1 1
set 5 0 0 1 5.5 1 1
update 0.5
update 0.25
update 100
update nan
update inf
update 1e38
update -200
set 0 0 1 1 nan 1 1
set 1 0 1 0 inf 1 1
update 0.25
";
    let Some(text) = play(&file, 6, script) else { return };
    let told = channels(&text, 6);
    let times: Vec<Vec<f64>> = told.iter().map(|channels| channels.iter().map(|[time, _]| *time).collect()).collect();
    assert_eq!(times[0], [2.0, 2.0, 0.0, 0.0, 0.5, 5.5], "the end is still the end; no animation, no time");
    assert_eq!(times[1], [0.25, 2.0, 0.5, 0.0, 0.5, 5.5], "before its beginning it comes back from its end");
    assert_eq!(times[2], [0.25, 2.0, 0.25, 0.0, 0.5, 5.5]);
    assert_eq!(times[3], times[2], "no number moves nothing");
    assert_eq!(times[4], times[2]);
    let [looped, ended, ..] = times[5][..] else { unreachable!() };
    assert!((0.0..=2.0).contains(&looped) && ended == 2.0, "{times:?}");
    assert!(times[6].iter().all(|time| time.is_finite()), "{times:?}");
    assert_eq!(times[7][..2], [0.25, 0.25]);
    let palettes = values(&text, "palette");
    assert!(palettes.iter().flatten().all(|number| number.parse::<f64>().unwrap().is_finite()));
}

/// A clip that does not loop stays where it begins when it runs backwards; a time before that is a delay.
#[test]
fn backwards_it_stays_at_the_beginning() {
    let file = figure::figure(Dialect::Wide);
    let script = "enable 1\nset 0 0 1 0 0.5 -1 1\nset 1 0 1 0 -1 1 1\nset 2 0 1 0 -1 -1 1\nupdate 0.25\nupdate 5\n";
    let Some(text) = play(&file, 3, script) else { return };
    let told = channels(&text, 3);
    let times: Vec<Vec<f64>> = told.iter().map(|channels| channels.iter().map(|[time, _]| *time).collect()).collect();
    assert_eq!(times, [[0.25, -0.75, -1.0], [0.0, 2.0, -1.0]]);
}

#[test]
fn a_blend_to_what_has_all_weight_lowers_the_others_little_by_little() {
    let file = figure::figure(Dialect::Wide);
    let script =
        "enable 1\nmode 0\nset 0 0 0 1 0 1 1\nset 1 1 0 1 0 1 0.5\nblend 0\nupdate 0.25\nupdate 0.5\nupdate 1\n";
    let Some(text) = play(&file, 2, script) else { return };
    let weights: Vec<Vec<f64>> =
        channels(&text, 2).iter().map(|told| told.iter().map(|[_, weight]| *weight).collect()).collect();
    assert_eq!(weights, [[1.0, 0.375], [1.0, 0.125], [1.0, 0.0]]);
}

#[test]
fn a_blend_raises_one_and_lowers_the_others_by_the_easing() {
    let file = figure::figure(Dialect::Wide);
    let eases: [fn(f64) -> f64; 4] =
        [|t| t, |t| t * t * (3.0 - 2.0 * t), |t| t * t * t * (t * (t * 6.0 - 15.0) + 10.0), |t| t];
    for (mode, ease) in eases.into_iter().enumerate() {
        let begin = format!(
            "enable 1\nmode {mode}\nspeed 2\nset 0 0 0 1 0 1 0.7\nset 1 1 0 1 0 1 0.2\nset 2 0 0 1 0 1 0.1\nblend 1\n"
        );
        let Some(text) = play(&file, 4, &(begin + &"update 0.1\n".repeat(6))) else { return };
        let mut others = [0.7, 0.1];
        for (step, told) in channels(&text, 4).into_iter().enumerate() {
            let [before, now] = [step, step + 1].map(|step| ease((0.2 * step as f64).min(1.0)));
            let left = (1.0 - now) / (1.0 - before).max(1e-6);
            others = others.map(|weight| weight * left);
            let expected = [others[0], 0.2 + 0.8 * now, others[1], 0.0];
            for ([_, weight], expected) in told.into_iter().zip(expected) {
                assert!((weight - expected).abs() < 1e-6, "mode {mode}, step {step}: {weight}, not {expected}");
            }
        }
        assert_eq!(channels(&text, 4)[5].iter().map(|[_, weight]| *weight).collect::<Vec<_>>(), [0.0, 1.0, 0.0, 0.0]);
    }
}

#[test]
fn a_cut_takes_no_time_and_ends_a_blend() {
    let file = figure::figure(Dialect::Wide);
    let script = "enable 1\nblend 2\nupdate 0.5\ncut 1\nupdate 0\nupdate 0.5\nblend 9\ncut 9\nupdate 0\n";
    let Some(text) = play(&file, 4, script) else { return };
    let weights: Vec<Vec<f64>> =
        channels(&text, 4).iter().map(|told| told.iter().map(|[_, weight]| *weight).collect()).collect();
    assert_eq!(weights[0], [0.5, 0.0, 0.5, 0.0]);
    assert_eq!(weights[1..4], vec![vec![0.0, 1.0, 0.0, 0.0]; 3]);
}
