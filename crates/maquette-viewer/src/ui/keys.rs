//! Which key does what. Nothing is done while a text is being typed.

use super::layout::Pane;
use crate::actions::Action;
use crate::state::session::Session;
use eframe::egui::{Context, Key, KeyboardShortcut, Modifiers, Popup};
use maquette_render::View;

const PLAIN: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const COMMAND: Modifiers = Modifiers::COMMAND;
const COMMAND_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// The key of each action. Longer combinations come first, so that a shorter one does not take their key.
pub const KEYS: &[(Modifiers, Key, Action)] = &[
    (COMMAND_SHIFT, Key::O, Action::OpenBeside),
    (COMMAND_SHIFT, Key::S, Action::Screenshot),
    (COMMAND_SHIFT, Key::W, Action::CloseBeside),
    (COMMAND, Key::O, Action::Open),
    (COMMAND, Key::S, Action::Export),
    (COMMAND, Key::L, Action::AddClips),
    (COMMAND, Key::R, Action::Reload),
    (COMMAND, Key::Q, Action::Quit),
    (COMMAND, Key::D, Action::ToggleTheme),
    (COMMAND, Key::Backspace, Action::ResetPanels),
    (SHIFT, Key::M, Action::PreviousMode),
    (SHIFT, Key::C, Action::PreviousClip),
    (Modifiers::ALT, Key::Num1, Action::ShowPanel(Pane::Picture)),
    (Modifiers::ALT, Key::Num2, Action::ShowPanel(Pane::Tree)),
    (Modifiers::ALT, Key::Num3, Action::ShowPanel(Pane::Inspector)),
    (Modifiers::ALT, Key::Num4, Action::ShowPanel(Pane::Look)),
    (Modifiers::ALT, Key::Num5, Action::ShowPanel(Pane::Timeline)),
    (Modifiers::ALT, Key::Num6, Action::ShowPanel(Pane::Mixer)),
    (Modifiers::ALT, Key::Num7, Action::ShowPanel(Pane::Curves)),
    (Modifiers::ALT, Key::Num8, Action::ShowPanel(Pane::Findings)),
    (Modifiers::ALT, Key::Num9, Action::ShowPanel(Pane::Bytes)),
    (Modifiers::ALT, Key::Num0, Action::ShowPanel(Pane::Conversion)),
    (PLAIN, Key::F5, Action::Reload),
    (PLAIN, Key::PageDown, Action::NextFile),
    (PLAIN, Key::PageUp, Action::PreviousFile),
    (PLAIN, Key::Backtick, Action::OtherSide),
    (PLAIN, Key::F, Action::Fit),
    (PLAIN, Key::Z, Action::Focus),
    (PLAIN, Key::Num1, Action::LookFrom(View::Front)),
    (PLAIN, Key::Num2, Action::LookFrom(View::Back)),
    (PLAIN, Key::Num3, Action::LookFrom(View::Left)),
    (PLAIN, Key::Num4, Action::LookFrom(View::Right)),
    (PLAIN, Key::Num5, Action::LookFrom(View::Top)),
    (PLAIN, Key::Num6, Action::LookFrom(View::Iso)),
    (PLAIN, Key::O, Action::ToggleLens),
    (PLAIN, Key::OpenBracket, Action::Narrower),
    (PLAIN, Key::CloseBracket, Action::Wider),
    (PLAIN, Key::Y, Action::ToggleScale),
    (PLAIN, Key::R, Action::AutoRotate),
    (PLAIN, Key::V, Action::Fly),
    (PLAIN, Key::M, Action::NextMode),
    (PLAIN, Key::T, Action::NextToneMap),
    (PLAIN, Key::K, Action::ToggleSkeleton),
    (PLAIN, Key::G, Action::ToggleGrid),
    (PLAIN, Key::B, Action::ToggleBounds),
    (PLAIN, Key::X, Action::ToggleAxes),
    (PLAIN, Key::H, Action::ToggleShadow),
    (PLAIN, Key::J, Action::ToggleHollows),
    (PLAIN, Key::P, Action::NextPasses),
    (PLAIN, Key::Period, Action::NextFrame),
    (PLAIN, Key::Comma, Action::PreviousFrame),
    (PLAIN, Key::I, Action::Brighter),
    (PLAIN, Key::U, Action::Darker),
    (PLAIN, Key::Num0, Action::ResetLook),
    (PLAIN, Key::Space, Action::Play),
    (PLAIN, Key::Backspace, Action::Rest),
    (PLAIN, Key::C, Action::NextClip),
    (PLAIN, Key::Home, Action::Start),
    (PLAIN, Key::End, Action::End),
    (PLAIN, Key::L, Action::ToggleLoop),
    (PLAIN, Key::Num9, Action::Faster),
    (PLAIN, Key::Num8, Action::Slower),
    (PLAIN, Key::Num7, Action::UsualSpeed),
    (PLAIN, Key::Escape, Action::Escape),
    (Modifiers::ALT, Key::ArrowUp, Action::SelectParent),
    (Modifiers::ALT, Key::ArrowDown, Action::SelectChild),
    (Modifiers::ALT, Key::ArrowRight, Action::SelectNext),
    (Modifiers::ALT, Key::ArrowLeft, Action::SelectPrevious),
    (PLAIN, Key::F11, Action::TogglePanels),
    (PLAIN, Key::F1, Action::Help),
];

/// Keys that do something while they are held, for the page of keys.
pub const HELD: &[(&str, &str)] = &[
    ("arrows", "turn around the model"),
    ("Shift + arrows", "pan"),
    ("+ and -", "closer and away"),
    ("Ctrl + arrows", "turn the key light"),
    ("W A S D Q E", "fly, after V or with the right button"),
];

/// What the pointer does, for the page of keys.
pub const POINTER: &[(&str, &str)] = &[
    ("drag", "turn around the model"),
    ("Shift + drag", "turn the key light"),
    ("Ctrl + drag", "pan; so does the middle button"),
    ("right drag", "look around"),
    ("wheel", "closer and away"),
    ("click", "select a joint while bones are shown, else a node"),
    ("double click", "look at what is there"),
];

/// The key of an action, as it is written on this machine.
pub fn shown(context: &Context, action: Action) -> Option<String> {
    let (modifiers, key, _) = KEYS.iter().find(|(_, _, there)| *there == action)?;
    let written = context.format_shortcut(&KeyboardShortcut::new(*modifiers, *key));
    Some(SIGNS.iter().fold(written, |written, (name, sign)| written.replace(name, sign)))
}

/// Keys that people know by their sign.
const SIGNS: &[(&str, &str)] = &[
    ("OpenBracket", "["),
    ("CloseBracket", "]"),
    ("Backtick", "`"),
    ("Period", "."),
    ("Comma", ","),
    ("PageUp", "Page Up"),
    ("PageDown", "Page Down"),
];

/// What was asked for by keys since the last picture.
pub fn pressed(context: &Context, session: &Session) -> Vec<Action> {
    if context.text_edit_focused() {
        return Vec::new();
    }
    let flies = session.is_flying;
    let is_focused = has_focus(context);
    let is_choosing = Popup::is_any_open(context);
    context.input_mut(|input| {
        let mut done = Vec::new();
        for (modifiers, key, action) in KEYS {
            // Letters move while flying.
            if flies && *modifiers == PLAIN && FLYING.contains(key) {
                continue;
            }
            // A menu or a list that is open is closed first.
            if is_choosing && *key == Key::Escape {
                continue;
            }
            if is_focused && OF_WIDGETS.contains(key) {
                continue;
            }
            if input.consume_key(*modifiers, *key) {
                done.push(*action);
            }
        }
        done
    })
}

/// Whether a widget of a panel has the keyboard: its own keys are then left to it.
fn has_focus(context: &Context) -> bool {
    context.memory(|memory| memory.focused().is_some())
}

/// Keys that widgets have for themselves.
const OF_WIDGETS: &[Key] = &[Key::Space];

const FLYING: &[Key] = &[Key::W, Key::A, Key::S, Key::D, Key::Q, Key::E];

/// Moves the camera and the key light by keys that are held.
pub fn held(context: &Context, session: &mut Session, delta_secs: f32) {
    if context.text_edit_focused() || has_focus(context) {
        return;
    }
    let (modifiers, down, by_button) = context.input(|input| {
        (input.modifiers, input.keys_down.clone(), input.pointer.button_down(eframe::egui::PointerButton::Secondary))
    });
    let axis =
        |more: Key, less: Key| f32::from(u8::from(down.contains(&more))) - f32::from(u8::from(down.contains(&less)));
    let turn = [axis(Key::ArrowRight, Key::ArrowLeft), axis(Key::ArrowUp, Key::ArrowDown)].map(|way| way * delta_secs);
    let orbit = &mut session.orbit;
    if turn != [0.0; 2] && !modifiers.alt {
        let [x, y] = turn;
        if modifiers.command {
            session.look.key_yaw += x * 2.0;
            session.look.key_pitch = (session.look.key_pitch + y * 2.0).clamp(-1.5, 1.5);
        } else if modifiers.shift {
            orbit.pan(x, y);
        } else if session.is_flying {
            orbit.look_around(-x * 1.5, -y * 1.5);
        } else {
            orbit.turn(x * 2.0, y * 2.0);
        }
        context.request_repaint();
    }
    let closer = axis(Key::Plus, Key::Minus) + f32::from(u8::from(down.contains(&Key::Equals)));
    if closer != 0.0 {
        orbit.zoom(closer * delta_secs * 2.0);
        context.request_repaint();
    }
    if (session.is_flying || by_button) && !modifiers.command {
        let step = orbit.distance * delta_secs * if modifiers.shift { 4.0 } else { 1.0 };
        let ways = [axis(Key::D, Key::A), axis(Key::E, Key::Q), axis(Key::W, Key::S)].map(|way| way * step);
        if ways != [0.0; 3] {
            orbit.fly(ways[0], ways[1], ways[2]);
            context.request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_action_has_a_key_and_no_key_has_two() {
        for (_, action) in Action::LISTED {
            assert!(KEYS.iter().any(|(_, _, there)| there == action), "{action:?} has no key");
        }
        for (place, (modifiers, key, action)) in KEYS.iter().enumerate() {
            let again = KEYS.iter().skip(place + 1).find(|(m, k, _)| m == modifiers && k == key);
            assert!(again.is_none(), "{action:?} and {again:?}");
        }
    }
}
