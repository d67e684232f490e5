//! The window: shows models and animations of every format, on a graphics processor.
//!
//! ```text
//!  work/    threads: files read, checked, posed and converted; nothing of the window
//!  state/   what is open, looked at, selected and playing; neither threads nor a window, so tests need none
//!  ui/      one panel a file: state in, widgets out, actions back
//!  settings.rs  what is remembered from one start to the next
//!  app.rs   the window itself: takes what threads have done, what the user did, and draws
//! ```
//!
//! Everything a user can do is an [`actions::Action`]: keys, menus, buttons and the page of keys all come from that one list.

pub mod actions;
pub mod app;
mod dialogs;
pub mod settings;
pub mod state;
pub mod tour;
pub mod ui;
pub mod work;
