//! What a panel keeps from one picture to the next, in the memory of the window.

use eframe::egui::mutex::Mutex;
use eframe::egui::{Context, Id};
use maquette::Scene;
use std::sync::{Arc, Weak};

/// What is kept under an id; at first, what is there by default.
pub fn kept<T: Default + Send + 'static>(context: &Context, id: Id) -> Arc<Mutex<T>> {
    context.data_mut(|data| Arc::clone(data.get_temp_mut_or_default::<Arc<Mutex<T>>>(id)))
}

/// Whether something was made of this very scene. It holds the scene's place alone, not the scene: what is closed goes.
#[derive(Clone, Debug, Default)]
pub struct Of(Weak<Scene>);

impl Of {
    /// Of this scene.
    pub fn scene(scene: &Arc<Scene>) -> Of {
        Of(Arc::downgrade(scene))
    }

    /// Whether it is of this scene.
    pub fn is(&self, scene: &Arc<Scene>) -> bool {
        std::ptr::eq(self.0.as_ptr(), Arc::as_ptr(scene))
    }
}
