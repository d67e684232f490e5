//! Rules for the hierarchy: ids, children and matrices. Nothing here recurses, however deep the file is.

use super::*;
use crate::nlm::hierarchy::{Link, Links};
use crate::nlm::raw::{Animation, Node};
use crate::rules::matrices::{self, MatrixCodes, MatrixOrder};

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

fn children(nodes: &[Node<'_>], links: &Links, report: &mut Report) {
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for (slot, entry) in node.children.iter().enumerate() {
            let entry = entry.get();
            let here = || at(index, "children").join(slot);
            let link = links.child(entry);
            report_link(nodes, links, entry, link, here, report);
            let Some(parent) = link.target().and_then(|target| parents.get_mut(target)) else { continue };
            match *parent {
                None => *parent = Some(index),
                Some(first) => {
                    let message = format!("node {entry} is already a child of {}", path!("animation", "nodes", first));
                    report.push(Diagnostic::new(&NODE_TWO_PARENTS, here(), message).expected("one parent"));
                }
            }
        }
    }
}

fn report_link(nodes: &[Node<'_>], links: &Links, entry: i32, link: Link, at: impl Fn() -> Path, report: &mut Report) {
    let message = || format!("the child is {entry}");
    match link {
        Link::Nowhere => {
            let expected = index_into(nodes.len(), "nodes");
            report.push(Diagnostic::new(&CHILD_OUT_OF_RANGE, at(), message()).expected(expected));
        }
        Link::Id(target) => {
            let expected = format!("{target}, the position of the node with that id");
            report.push(Diagnostic::new(&CHILD_BY_ID, at(), message()).expected(expected));
        }
        Link::Position(position) => {
            let own_id = nodes.get(position).is_some_and(|node| node.id.get() == entry);
            if let Some(other) = links.by_id(entry).filter(|_| !own_id) {
                let message = format!("the child is {entry}: the position of one node and the id of nodes[{other}]");
                report.push(
                    Diagnostic::new(&CHILD_AMBIGUOUS, at(), message).expected("nodes whose ids are their positions"),
                );
            }
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
                    let finding = Diagnostic::new(
                        &NODE_UNREACHABLE,
                        path!("animation", "nodes", index),
                        "the root does not lead here",
                    );
                    report.push(finding.expected("a node below the first"));
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
                Some(Visit::Open) => {
                    let message = format!("child {entry} is also an ancestor of this node");
                    let finding = Diagnostic::new(&NODE_CYCLE, at(index, "children").join(this_slot), message);
                    report.push(finding.expected("children that do not lead back"));
                }
                _ => {}
            }
        }
    }
}

fn mark(visits: &mut [Visit], index: usize, visit: Visit) {
    if let Some(place) = visits.get_mut(index) {
        *place = visit;
    }
}
