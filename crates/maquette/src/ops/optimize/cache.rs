//! Triangles that share vertices one after another, so that a vertex is still at hand when it is needed again.
//!
//! The method of Sander, Nehab and Barczak (*Fast Triangle Reordering for Vertex Locality and Reduced Overdraw*, 2007): all triangles around
//! one vertex, then those around a neighbour that will not have left the cache by then. It looks at every corner once, while
//! methods that score all neighbours take the square of the number of triangles for a fan of them.

use super::measure::Cache;

/// Vertices that are taken to stay at hand.
pub const CACHE: u32 = 16;

/// Triangles in a new order.
pub struct Order {
    /// Three for each triangle, of the same vertices as before.
    pub indices: Vec<u32>,
    /// The triangles before which nothing useful is at hand.
    pub cold: Vec<usize>,
}

/// Orders triangles, unless the order they have is better. All indices are below `vertices`.
pub fn order(indices: &[u32], vertices: usize) -> Order {
    let found = reorder(indices, vertices);
    let as_it_was = Order { indices: indices.to_vec(), cold: Vec::new() };
    let loads = |order: &Order| {
        let mut cache = Cache::new(vertices);
        order.indices.as_chunks().0.iter().map(|&triangle| u64::from(cache.load(triangle))).sum::<u64>()
    };
    if loads(&found) < loads(&as_it_was) { found } else { Order { cold: cold(indices, vertices), ..as_it_was } }
}

/// The triangles of which no corner is at hand.
fn cold(indices: &[u32], vertices: usize) -> Vec<usize> {
    let mut cache = Cache::new(vertices);
    let loads = indices.as_chunks().0.iter().map(|&triangle| cache.load(triangle));
    loads.enumerate().filter(|&(at, loads)| at == 0 || loads == 3).map(|(at, _)| at).collect()
}

fn reorder(indices: &[u32], vertices: usize) -> Order {
    let mut walk = Walk::new(indices, vertices);
    let mut centre = walk.anywhere();
    while let Some(vertex) = centre {
        let nearby = walk.emit_around(vertex);
        centre = walk.next(&nearby).or_else(|| walk.back()).or_else(|| walk.anywhere());
    }
    walk.order
}

struct Walk<'i> {
    triangles: &'i [[u32; 3]],
    fans: Fans,
    /// Triangles of each vertex that are not emitted.
    live: Vec<u32>,
    /// When each vertex was last loaded.
    loaded: Vec<u32>,
    now: u32,
    emitted: Vec<bool>,
    /// Corners of emitted triangles, to go back to.
    visited: Vec<u32>,
    cursor: u32,
    order: Order,
}

impl<'i> Walk<'i> {
    fn new(indices: &'i [u32], vertices: usize) -> Self {
        let triangles = indices.as_chunks().0;
        let fans = Fans::new(triangles, vertices);
        Walk {
            triangles,
            live: (0..vertices).map(|vertex| fans.of(vertex as u32).len() as u32).collect(),
            fans,
            loaded: vec![0; vertices],
            now: CACHE + 1,
            emitted: vec![false; triangles.len()],
            visited: Vec::new(),
            cursor: 0,
            order: Order { indices: Vec::with_capacity(indices.len()), cold: Vec::new() },
        }
    }

    fn live(&self, vertex: u32) -> u32 {
        self.live.get(vertex as usize).copied().unwrap_or(0)
    }

    /// How long ago a vertex was loaded, in loads.
    fn age(&self, vertex: u32) -> u32 {
        self.now - self.loaded.get(vertex as usize).copied().unwrap_or(0)
    }

    /// Emits all triangles around a vertex that are left; their corners.
    fn emit_around(&mut self, vertex: u32) -> Vec<u32> {
        let mut corners = Vec::new();
        for &triangle in self.fans.of(vertex) {
            let Some(emitted @ false) = self.emitted.get_mut(triangle as usize) else { continue };
            *emitted = true;
            corners.extend(self.triangles.get(triangle as usize).into_iter().flatten());
        }
        for &corner in &corners {
            if self.age(corner) > CACHE {
                self.loaded.get_mut(corner as usize).into_iter().for_each(|loaded| *loaded = self.now);
                self.now += 1;
            }
            self.live.get_mut(corner as usize).into_iter().for_each(|live| *live -= 1);
        }
        self.order.indices.extend_from_slice(&corners);
        self.visited.extend_from_slice(&corners);
        corners
    }

    /// The neighbour that was loaded longest ago and will still be there when its triangles are drawn; any with triangles, else.
    fn next(&self, nearby: &[u32]) -> Option<u32> {
        let stays = |&vertex: &u32| match self.age(vertex) {
            age if age + 2 * self.live(vertex) <= CACHE => age,
            _ => 0,
        };
        // The first of equals, as `max_by_key` gives the last.
        nearby.iter().copied().filter(|&vertex| self.live(vertex) > 0).rev().max_by_key(stays)
    }

    /// The last vertex on the way here that has triangles.
    fn back(&mut self) -> Option<u32> {
        while let Some(vertex) = self.visited.pop() {
            if self.live(vertex) > 0 {
                return Some(vertex);
            }
        }
        None
    }

    /// The next vertex in the order of the file that has triangles.
    fn anywhere(&mut self) -> Option<u32> {
        while self.live(self.cursor) == 0 {
            if self.cursor as usize >= self.live.len() {
                return None;
            }
            self.cursor += 1;
        }
        self.order.cold.push(self.order.indices.len() / 3);
        Some(self.cursor)
    }
}

/// The triangles around each vertex.
struct Fans {
    /// Where those of each vertex end.
    ends: Vec<u32>,
    triangles: Vec<u32>,
}

impl Fans {
    fn new(triangles: &[[u32; 3]], vertices: usize) -> Fans {
        let mut ends = vec![0; vertices];
        for &corner in triangles.iter().flatten() {
            ends.get_mut(corner as usize).into_iter().for_each(|count: &mut u32| *count += 1);
        }
        let mut sum = 0;
        for end in &mut ends {
            // Where its triangles start; filling them in makes it the end.
            (*end, sum) = (sum, sum + *end);
        }
        let mut fans = Fans { ends, triangles: vec![0; triangles.len() * 3] };
        for (index, triangle) in triangles.iter().enumerate() {
            for &corner in triangle {
                let Some(end) = fans.ends.get_mut(corner as usize) else { continue };
                fans.triangles.get_mut(*end as usize).into_iter().for_each(|place| *place = index as u32);
                *end += 1;
            }
        }
        fans
    }

    fn of(&self, vertex: u32) -> &[u32] {
        let end = |vertex: u32| self.ends.get(vertex as usize).map_or(0, |&end| end as usize);
        let start = if vertex == 0 { 0 } else { end(vertex - 1) };
        self.triangles.get(start..end(vertex)).unwrap_or_default()
    }
}
