//! A display without a screen, with fingers: keys, the pointer, and photographs of what is on it.

use maquette_render::Picture;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{self, ConnectionExt as _, ImageFormat, InputFocus, MapState};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// The size of the display.
pub const SIZE: [u16; 2] = [1280, 800];

/// A display without a screen.
pub struct Desktop {
    server: Child,
    pub display: String,
    connection: RustConnection,
    root: u32,
    /// What the keys make, from the first code on.
    first_code: u8,
    symbols: Vec<Vec<u32>>,
}

impl Drop for Desktop {
    fn drop(&mut self) {
        _ = self.server.kill();
        _ = self.server.wait();
    }
}

impl Desktop {
    /// Starts a display; `None` where there is no program for it.
    pub fn start() -> Option<Desktop> {
        let screen = format!("{}x{}x24", SIZE[0], SIZE[1]);
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut number = String::new();
        BufReader::new(server.stdout.take().expect("it is piped"))
            .read_line(&mut number)
            .expect("Xvfb tells its display");
        let display = format!(":{}", number.trim());
        let (connection, screen) = x11rb::connect(Some(&display)).expect("the display is there");
        let setup = connection.setup();
        let (root, first_code) = (setup.roots[screen].root, setup.min_keycode);
        let count = setup.max_keycode - first_code + 1;
        let mapping = connection.get_keyboard_mapping(first_code, count).unwrap().reply().unwrap();
        let per_code = usize::from(mapping.keysyms_per_keycode);
        let symbols = mapping.keysyms.chunks(per_code).map(<[u32]>::to_vec).collect();
        Some(Desktop { server, display, connection, root, first_code, symbols })
    }

    /// The window of a program, once it is shown; it gets the keyboard.
    pub fn window(&self) -> u32 {
        let start = Instant::now();
        loop {
            let tree = self.connection.query_tree(self.root).unwrap().reply().unwrap();
            for window in tree.children {
                let attributes = self.connection.get_window_attributes(window).unwrap().reply();
                let geometry = self.connection.get_geometry(window).unwrap().reply();
                let is_shown = attributes.is_ok_and(|attributes| attributes.map_state == MapState::VIEWABLE);
                if is_shown && geometry.is_ok_and(|geometry| geometry.width > 200) {
                    self.connection.set_input_focus(InputFocus::PARENT, window, 0_u32).unwrap();
                    self.connection.flush().unwrap();
                    return window;
                }
            }
            assert!(start.elapsed() < Duration::from_secs(90), "no window was opened");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn connection(&self) -> &RustConnection {
        &self.connection
    }

    pub fn root(&self) -> u32 {
        self.root
    }

    /// Lays a window over everything else.
    pub fn cover(&self) {
        let window = self.connection.generate_id().unwrap();
        let plain = xproto::CreateWindowAux::new().override_redirect(1).background_pixel(0);
        let [width, height] = SIZE;
        let class = xproto::WindowClass::INPUT_OUTPUT;
        self.connection.create_window(0, window, self.root, 0, 0, width, height, 0, class, 0, &plain).unwrap();
        self.connection.map_window(window).unwrap();
        self.connection.flush().unwrap();
    }

    fn fake(&self, kind: u8, detail: u8, at: [i16; 2]) {
        self.connection.xtest_fake_input(kind, detail, 0, self.root, at[0], at[1], 0).unwrap();
        self.connection.flush().unwrap();
        // A frame or so.
        std::thread::sleep(Duration::from_millis(60));
    }

    /// Which key makes this symbol, by itself or with Shift.
    fn code(&self, symbol: u32) -> u8 {
        let place = self.symbols.iter().position(|symbols| symbols.iter().take(2).any(|there| *there == symbol));
        self.first_code + place.unwrap_or_else(|| panic!("no key makes {symbol:#x}")) as u8
    }

    /// Presses keys together and lets go of them.
    pub fn press(&self, symbols: &[u32]) {
        let codes: Vec<u8> = symbols.iter().map(|symbol| self.code(*symbol)).collect();
        codes.iter().for_each(|code| self.fake(xproto::KEY_PRESS_EVENT, *code, [0, 0]));
        codes.iter().rev().for_each(|code| self.fake(xproto::KEY_RELEASE_EVENT, *code, [0, 0]));
    }

    /// Moves the pointer.
    pub fn point(&self, at: [i16; 2]) {
        self.fake(xproto::MOTION_NOTIFY_EVENT, 0, at);
    }

    /// Clicks where the pointer is to be.
    pub fn click(&self, at: [i16; 2]) {
        self.point(at);
        self.fake(xproto::BUTTON_PRESS_EVENT, 1, at);
        self.fake(xproto::BUTTON_RELEASE_EVENT, 1, at);
    }

    /// Drags from one place to another with a button.
    pub fn drag(&self, button: u8, from: [i16; 2], to: [i16; 2]) {
        self.point(from);
        self.fake(xproto::BUTTON_PRESS_EVENT, button, from);
        // Slowly: a drag that begins and ends between two pictures of the window is none.
        for step in 1..=6_i16 {
            let part = |axis: usize| from[axis] + (to[axis] - from[axis]) * step / 6;
            self.point([part(0), part(1)]);
            std::thread::sleep(Duration::from_millis(150));
        }
        self.fake(xproto::BUTTON_RELEASE_EVENT, button, to);
    }

    /// What is on the display.
    pub fn photograph(&self) -> Picture {
        let [width, height] = SIZE;
        let image = self.connection.get_image(ImageFormat::Z_PIXMAP, self.root, 0, 0, width, height, !0);
        let data = image.unwrap().reply().unwrap().data;
        let pixels = data.chunks(4).map(|bgrx| [bgrx[2], bgrx[1], bgrx[0], 255]).collect();
        Picture::new(u32::from(width), u32::from(height), pixels).expect("four bytes a pixel")
    }

    /// A photograph once nothing moves any more.
    #[track_caller]
    pub fn settled(&self) -> Picture {
        let start = Instant::now();
        let (mut before, mut same) = (self.photograph(), 0);
        loop {
            std::thread::sleep(Duration::from_millis(350));
            let now = self.photograph();
            same = if now.pixels() == before.pixels() { same + 1 } else { 0 };
            // A picture may take longer than a look.
            if same == 4 {
                return now;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "something goes on moving");
            before = now;
        }
    }

    /// A photograph once it shows what it should, or fails.
    #[track_caller]
    pub fn wait(&self, what: &str, is_so: impl Fn(&Picture) -> bool) -> Picture {
        let start = Instant::now();
        loop {
            let picture = self.photograph();
            if is_so(&picture) {
                return picture;
            }
            if start.elapsed() > Duration::from_secs(60) {
                let path = std::env::temp_dir().join("maquette-viewer-failed.png");
                save(&picture, &path);
                panic!("{what}: the display shows {}", path.display());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Writes a photograph, to be looked at.
pub fn save(picture: &Picture, path: &Path) {
    let png =
        maquette_texture::png::encode(picture.width(), picture.height(), picture.pixels()).expect("not too large");
    std::fs::write(path, png).expect("it can be written");
}

/// Symbols of keys that are no letters.
pub mod keys {
    pub const SHIFT: u32 = 0xffe1;
    pub const CONTROL: u32 = 0xffe3;
    pub const RETURN: u32 = 0xff0d;
    pub const ESCAPE: u32 = 0xff1b;
    pub const SPACE: u32 = 0x20;
    pub const F1: u32 = 0xffbe;
    pub const F11: u32 = 0xffc8;
    pub const PAGE_DOWN: u32 = 0xff56;
}
