//! Files written by a small encoder, held against another decoder, and damaged.

mod damage;
mod encoder;
mod judged;
