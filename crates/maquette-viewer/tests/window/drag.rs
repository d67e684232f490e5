//! A file dragged onto a window by another program: the other side of the XDND protocol.

use crate::desktop::Desktop;
use std::path::Path;
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode, SELECTION_NOTIFY_EVENT,
    SelectionNotifyEvent, SelectionRequestEvent, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// The newest version of the protocol.
const VERSION: u32 = 5;

struct Drag<'d> {
    connection: &'d RustConnection,
    target: u32,
    text: Vec<u8>,
}

impl Desktop {
    /// Drops a file onto a window, at a place of the display. Whether the window took it.
    pub fn drop_file(&self, target: u32, file: &Path, [x, y]: [i16; 2]) -> bool {
        let connection = self.connection();
        let source = connection.generate_id().unwrap();
        let nothing = CreateWindowAux::new();
        let class = WindowClass::INPUT_ONLY;
        connection.create_window(0, source, self.root(), 0, 0, 1, 1, 0, class, 0, &nothing).unwrap();
        let text = format!("file://{}\r\n", file.display()).into_bytes();
        let drag = Drag { connection, target, text };
        let [selection, uris, copy] = ["XdndSelection", "text/uri-list", "XdndActionCopy"].map(|name| drag.atom(name));
        connection.set_selection_owner(source, selection, 0_u32).unwrap();
        drag.say("XdndEnter", [source, VERSION << 24, uris, 0, 0]);
        drag.say("XdndPosition", [source, 0, (x as u32) << 16 | y as u32, 0, copy]);
        let [_, is_taken, ..] = drag.hear("XdndStatus");
        if is_taken & 1 == 0 {
            return false;
        }
        drag.say("XdndDrop", [source, 0, 0, 0, 0]);
        let [_, is_taken, ..] = drag.hear("XdndFinished");
        is_taken & 1 == 1
    }
}

impl Drag<'_> {
    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    fn say(&self, what: &str, data: [u32; 5]) {
        let message = ClientMessageEvent::new(32, self.target, self.atom(what), data);
        self.connection.send_event(false, self.target, EventMask::NO_EVENT, message).unwrap();
        self.connection.flush().unwrap();
    }

    /// What the window answers; meanwhile it may ask what is dragged.
    fn hear(&self, what: &str) -> [u32; 5] {
        let (what, start) = (self.atom(what), Instant::now());
        loop {
            match self.connection.poll_for_event().unwrap() {
                Some(Event::ClientMessage(message)) if message.type_ == what => return message.data.as_data32(),
                Some(Event::SelectionRequest(request)) => self.hand_over(&request),
                Some(_) => {}
                None => {
                    assert!(start.elapsed() < Duration::from_secs(30), "the window answers nothing");
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
        }
    }

    fn hand_over(&self, request: &SelectionRequestEvent) {
        let (window, property) = (request.requestor, request.property);
        self.connection.change_property8(PropMode::REPLACE, window, property, request.target, &self.text).unwrap();
        let done = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: window,
            selection: request.selection,
            target: request.target,
            property,
        };
        self.connection.send_event(false, window, EventMask::NO_EVENT, done).unwrap();
        self.connection.flush().unwrap();
    }
}

impl Desktop {
    /// What the bar of a window says.
    pub fn title(&self, window: u32) -> String {
        let atom = |name: &str| self.connection().intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        let name = self.connection().get_property(false, window, atom("_NET_WM_NAME"), AtomEnum::ANY, 0, 1024);
        String::from_utf8_lossy(&name.unwrap().reply().unwrap().value).into_owned()
    }
}
