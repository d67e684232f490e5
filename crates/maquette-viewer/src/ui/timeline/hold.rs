//! The playhead in the hand: the clip waits while it is dragged, and goes on afterwards if it went before.

use crate::state::player::Player;

/// Whether the playhead is held.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hold(Option<Held>);

#[derive(Clone, Copy, Debug)]
struct Held {
    channel: usize,
    was_playing: bool,
}

/// What became of the grip just now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// It was taken.
    Taken,
    /// It is as it was.
    Same,
    /// It was given up.
    Left,
}

impl Hold {
    /// Drags the playhead to a time of the clip, or lets go of it.
    pub fn drag(&mut self, player: &mut Player, to_secs: Option<f64>) -> Grip {
        let Some(secs) = to_secs else {
            let Some(held) = self.0.take() else { return Grip::Same };
            if let Some(channel) = player.channels_mut().get_mut(held.channel).filter(|_| held.was_playing) {
                channel.is_playing = true;
            }
            return Grip::Left;
        };
        let channel = player.channel;
        let grip = if self.0.is_none() { Grip::Taken } else { Grip::Same };
        if let Some(here) = player.channels_mut().get_mut(channel) {
            self.0.get_or_insert(Held { channel, was_playing: here.is_playing });
            here.is_playing = false;
        }
        player.seek(secs.clamp(0.0, f64::from(f32::MAX)) as f32);
        grip
    }
}
