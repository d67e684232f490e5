//! Images as the first generation of programs knows them: every pixel without compression has four bytes, and sizes have 32 bits.
//!
//! A texture with two bytes a pixel, which such a program would read past the end of, is made one with four: blue is 0 and alpha full, as a GPU shows two channels.

use crate::layout::{FirstTexture, Texture};
use crate::lent::Lent;
use maquette_formats::aem::mips::Chain;
use std::collections::{HashMap, TryReserveError};

pub struct FirstImages {
    pub textures: Lent<FirstTexture>,
    /// Where it is not that of the file.
    pub buffer: Option<Lent<u8>>,
}

impl FirstImages {
    /// `None` where there is no way to tell such a program.
    pub fn new(
        textures: &[Texture],
        chains: &[Option<Chain>],
        buffer: &[u8],
    ) -> Result<Option<FirstImages>, TryReserveError> {
        let is_narrow = |texture: &Texture| texture.compression == 0 && texture.channel_count == 2;
        if !textures.iter().any(is_narrow) {
            let listed = || textures.iter().map(|texture| first(texture, texture.offset as u32)).collect();
            let is_small = u32::try_from(buffer.len()).is_ok();
            return Ok(is_small.then(|| FirstImages { textures: Lent::new(listed()), buffer: None }));
        }
        let most = buffer.len().saturating_mul(4).min(u32::MAX as usize);
        let mut wide: Vec<u8> = Vec::new();
        let mut places: HashMap<(u64, u128, bool), u32> = HashMap::new();
        let mut listed = Vec::with_capacity(textures.len());
        for (texture, chain) in textures.iter().zip(chains) {
            let Some(chain) = *chain else { return Ok(None) };
            let is_narrow = is_narrow(texture);
            let offset = match places.get(&(chain.offset, chain.bytes, is_narrow)) {
                Some(&place) => place,
                None => {
                    let ends = usize::try_from(chain.offset).ok().zip(usize::try_from(chain.end()).ok());
                    let Some(pixels) = ends.and_then(|(from, to)| buffer.get(from..to)) else { return Ok(None) };
                    let place = wide.len();
                    // Textures that share bytes could ask for more than there is memory.
                    if place.saturating_add(pixels.len().saturating_mul(2)) > most {
                        return Ok(None);
                    }
                    wide.try_reserve(pixels.len().saturating_mul(2))?;
                    match is_narrow {
                        true => wide.extend(pixels.as_chunks().0.iter().flat_map(|&[red, green]| [red, green, 0, 255])),
                        false => wide.extend_from_slice(pixels),
                    }
                    places.insert((chain.offset, chain.bytes, is_narrow), place as u32);
                    place as u32
                }
            };
            listed.push(first(texture, offset));
        }
        Ok(Some(FirstImages { textures: Lent::new(listed), buffer: Some(Lent::new(wide)) }))
    }
}

fn first(texture: &Texture, offset: u32) -> FirstTexture {
    let Texture { width, height, wrap_mode, compression, .. } = *texture;
    FirstTexture { offset, width, height, wrap_mode, compression }
}
