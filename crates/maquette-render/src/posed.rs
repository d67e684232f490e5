//! A scene at a moment: every vertex where it is drawn.

use crate::bounds::Bounds;
use crate::stage::Stage;
use maquette_scene::glam::{Mat4, Vec3};

/// A scene at a moment.
pub struct Posed<'s> {
    stage: &'s Stage<'s>,
    positions: Vec<Vec3>,
    world_from_node: Vec<Mat4>,
}

impl<'s> Posed<'s> {
    pub(crate) fn new(stage: &'s Stage<'s>) -> Posed<'s> {
        Posed { stage, positions: Vec::new(), world_from_node: Vec::new() }
    }

    /// The stage it is a pose of.
    pub fn stage(&self) -> &'s Stage<'s> {
        self.stage
    }

    /// Every drawn vertex, where it is in the scene: nodes parents first, their parts and vertices in order.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// From the space of each node to that of the scene.
    pub fn world_from_node(&self) -> &[Mat4] {
        &self.world_from_node
    }

    /// The box around all that is drawn; `None` where nothing is.
    pub fn bounds(&self) -> Option<Bounds> {
        Bounds::of(self.positions.iter().copied())
    }
}
