//! Rules for the hierarchy: ids, children and matrices. Nothing here recurses, however deep the file is.

use super::*;
use crate::nlm::hierarchy::{Link, Links};
use crate::nlm::raw::{Animation, Node};
use crate::rules::matrices::{self, MatrixCodes, MatrixOrder};
use crate::rules::{Tally, scan};
use zerocopy::little_endian::I32;

pub fn check(animation: &Animation<'_>, report: &mut Report) {
    let nodes = &animation.nodes;
    let links = Links::of(nodes);
    let codes =
        MatrixCodes { not_finite: &NODE_NOT_FINITE, not_affine: &NODE_NOT_AFFINE, degenerate: &NODE_DEGENERATE };
    for (index, node) in nodes.iter().enumerate() {
        let id = node.id.get();
        if let Some(first) = links.by_id(id).filter(|&first| first != index) {
            let message = format!("id {id} is also that of {}", path!("animation", "nodes", first));
            report.push(Diagnostic::new(&NODE_ID_DUPLICATE, at(index, "id"), message).expected("each id once"));
        }
        matrices::matrix(report, &codes, at(index, "transformation"), &node.transformation, MatrixOrder::ColumnMajor);
    }
    children(nodes, &links, report);
    paths_from_the_root(nodes, &links, report);
}

fn at(index: usize, field: &'static str) -> Path {
    path!("animation", "nodes", index, field)
}

const NOWHERE: u32 = 1;
const BY_ID: u32 = 2;
const AMBIGUOUS: u32 = 4;

fn children(nodes: &[Node<'_>], links: &Links, report: &mut Report) {
    for (index, node) in nodes.iter().enumerate().filter(|(_, node)| !node.children.is_empty()) {
        let here = at(index, "children");
        let faults = |entry: &I32| link_fault(nodes, links, entry.get());
        scan(report, &node.children, faults, |slot, entry, fault| {
            describe_link(nodes, links, here.join(slot), entry.get(), fault)
        });
    }
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut tally = Tally::default();
    for (index, node) in nodes.iter().enumerate() {
        for (slot, entry) in node.children.iter().enumerate() {
            let target = links.child(entry.get()).target();
            let Some(parent) = target.and_then(|target| parents.get_mut(target)) else { continue };
            let Some(first) = *parent else {
                *parent = Some(index);
                continue;
            };
            tally.hit(report, || {
                let message = format!("node {entry} is already a child of {}", path!("animation", "nodes", first));
                Diagnostic::new(&NODE_TWO_PARENTS, at(index, "children").join(slot), message).expected("one parent")
            });
        }
    }
    tally.finish(report);
}

fn link_fault(nodes: &[Node<'_>], links: &Links, entry: i32) -> u32 {
    match links.child(entry) {
        Link::Nowhere => NOWHERE,
        Link::Id(_) => BY_ID,
        Link::Position(position) if nodes.get(position).is_some_and(|node| node.id.get() == entry) => 0,
        Link::Position(_) => u32::from(links.by_id(entry).is_some()) * AMBIGUOUS,
    }
}

fn describe_link(nodes: &[Node<'_>], links: &Links, at: Path, entry: i32, fault: u32) -> Diagnostic {
    let message = format!("the child is {entry}");
    let by_id = links.by_id(entry).unwrap_or_default();
    match fault {
        NOWHERE => Diagnostic::new(&CHILD_OUT_OF_RANGE, at, message).expected(index_into(nodes.len(), "nodes")),
        BY_ID => {
            let expected = format!("{by_id}, the position of the node with that id");
            Diagnostic::new(&CHILD_BY_ID, at, message).expected(expected)
        }
        _ => {
            let message =
                format!("{message}: the position of one node and the id of {}", path!("animation", "nodes", by_id));
            Diagnostic::new(&CHILD_AMBIGUOUS, at, message).expected("nodes whose ids are their positions")
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    Not,
    /// On the way down from the start to where we are.
    Open,
    Done,
}

/// Walks down from the root, then from whatever that did not reach, with a stack of its own.
fn paths_from_the_root(nodes: &[Node<'_>], links: &Links, report: &mut Report) {
    let mut visits = vec![Visit::Not; nodes.len()];
    let mut stack: Vec<(usize, usize)> = Vec::new();
    let (mut unreachable, mut cycles) = (Tally::default(), Tally::default());
    for start in 0..nodes.len() {
        if visits.get(start) == Some(&Visit::Not) {
            stack.push((start, 0));
        }
        while let Some((index, slot)) = stack.last_mut() {
            let (index, this_slot) = (*index, *slot);
            *slot += 1;
            if this_slot == 0 {
                mark(&mut visits, index, Visit::Open);
                if start > 0 {
                    unreachable.hit(report, || {
                        let at = path!("animation", "nodes", index);
                        Diagnostic::new(&NODE_UNREACHABLE, at, "the root does not lead here")
                            .expected("a node below the first")
                    });
                }
            }
            let Some(entry) = nodes.get(index).and_then(|node| node.children.get(this_slot)) else {
                mark(&mut visits, index, Visit::Done);
                stack.pop();
                continue;
            };
            let Some(target) = links.child(entry.get()).target() else { continue };
            match visits.get(target) {
                Some(Visit::Not) => stack.push((target, 0)),
                Some(Visit::Open) => cycles.hit(report, || {
                    let message = format!("child {entry} is this node or one above it");
                    let finding = Diagnostic::new(&NODE_CYCLE, at(index, "children").join(this_slot), message);
                    finding.expected("children that do not lead back")
                }),
                _ => {}
            }
        }
    }
    unreachable.finish(report);
    cycles.finish(report);
}

fn mark(visits: &mut [Visit], index: usize, visit: Visit) {
    if let Some(place) = visits.get_mut(index) {
        *place = visit;
    }
}
