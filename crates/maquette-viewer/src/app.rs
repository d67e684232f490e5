//! The window: takes what the user did and what threads have done, and draws.

use crate::actions::{Action, Effect};
use crate::dialogs::{Asked, Dialogs};
use crate::state::document::{Context, Document};
use crate::state::saved::Saved;
use crate::state::session::{NoticeKind, Session};
use crate::tour::Tour;
use crate::ui::layout::{self, Pane};
use crate::ui::menu::{self, Chosen};
use crate::ui::picture::{Gpu, Pictures};
use crate::ui::{Desk, help, keys, notices, picture};
use eframe::egui::{self, CentralPanel, Panel, ViewportCommand, Visuals};
use eframe::egui_wgpu::WgpuConfiguration;
use egui_tiles::Tree;
use maquette::overwrite::Overwrite;
use maquette_gpu::Renderer;
use std::path::PathBuf;
use std::sync::Arc;

/// The window.
pub struct App {
    session: Session,
    panels: Tree<Pane>,
    pictures: Pictures,
    dialogs: Dialogs,
    tour: Option<Tour>,
    /// What the bar of the window says.
    title: String,
}

const NAME: &str = "maquette";

/// What the window is opened for.
pub enum Purpose {
    /// To show a file, or two side by side.
    Show(Vec<PathBuf>),
    /// To save a picture of each file in a folder, and to close.
    Tour(Tour),
}

/// Opens the window, until it is closed. The error is a sentence.
pub fn run(purpose: Purpose) -> Result<(), String> {
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title(NAME)
            .with_app_id("maquette-viewer")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([480.0, 320.0])
            .with_drag_and_drop(true),
        wgpu_options: gpu_options(),
        renderer: eframe::Renderer::Wgpu,
        // What is remembered is checked, which what eframe remembers is not.
        persist_window: false,
        ..eframe::NativeOptions::default()
    };
    let start = move |creation: &eframe::CreationContext<'_>| {
        let app = App::new(creation, purpose).ok_or("no graphics processor can be used")?;
        Ok(Box::new(app) as Box<dyn eframe::App>)
    };
    eframe::run_native("maquette-viewer", options, Box::new(start)).map_err(|error| no_window(&error))
}

/// One sentence for each way in which there is no window.
fn no_window(error: &eframe::Error) -> String {
    let instead = "`maquette render` makes pictures without one";
    // Before that come places in the source of libraries.
    let error_text = error.to_string();
    let why = error_text.rsplit(": ").next().unwrap_or(&error_text).trim_end_matches('.');
    match error {
        eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_) => {
            format!("no window can be opened here ({why}); {instead}")
        }
        _ => format!("no graphics processor can be used ({error}); {instead}"),
    }
}

fn gpu_options() -> WgpuConfiguration {
    let mut options = WgpuConfiguration::default();
    if let eframe::egui_wgpu::WgpuSetup::CreateNew(setup) = &mut options.wgpu_setup {
        setup.device_descriptor = Arc::new(maquette_gpu::device_descriptor);
    }
    options
}

impl App {
    fn new(creation: &eframe::CreationContext<'_>, purpose: Purpose) -> Option<App> {
        let state = creation.wgpu_render_state.clone()?;
        let renderer = Arc::new(Renderer::new(&state.device, &state.queue));
        let pictures = Pictures::on(Gpu { state, renderer: Arc::clone(&renderer) });
        let mut app = App::with(&creation.egui_ctx, Some(renderer), pictures);
        let files = match purpose {
            Purpose::Show(files) => files,
            Purpose::Tour(tour) => {
                // As at first, so that pictures are those that `maquette render` makes.
                app.tour = Some(tour);
                return Some(app);
            }
        };
        if let Some(storage) = creation.storage {
            if let Some(saved) = eframe::get_value::<Saved>(storage, "session") {
                saved.restore(&mut app.session);
            }
            if let Some(size) = app.session.window {
                creation.egui_ctx.send_viewport_cmd(ViewportCommand::InnerSize(size.into()));
            }
            if let Some(panels) = eframe::get_value(storage, "panels") {
                app.panels = panels;
            }
        }
        let mut files = files.into_iter();
        files.next().into_iter().for_each(|file| app.session.open(file));
        files.next().into_iter().for_each(|file| app.session.open_beside(file));
        Some(app)
    }

    /// Without a graphics processor, for tests.
    pub fn headless(context: &egui::Context) -> App {
        App { dialogs: Dialogs::in_window(), ..App::with(context, None, Pictures::default()) }
    }

    fn with(context: &egui::Context, renderer: Option<Arc<Renderer>>, pictures: Pictures) -> App {
        let waked = context.clone();
        let wake = Arc::new(move || waked.request_repaint());
        let session = Session::new(Context { renderer, wake });
        App {
            session,
            panels: layout::usual(),
            pictures,
            dialogs: Dialogs::default(),
            tour: None,
            title: String::new(),
        }
    }

    /// What is shown.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// One picture of the window.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        let context = ui.ctx().clone();
        context.set_visuals(if self.session.is_dark { Visuals::dark() } else { Visuals::light() });
        let delta_secs = context.input(|input| input.stable_dt).min(0.1);
        let mut done = keys::pressed(&context, &self.session);
        keys::held(&context, &mut self.session, delta_secs);
        self.session.update(delta_secs);
        self.take_dropped(&context);
        self.say_what_is_open(&context);
        let inner = context.input(|input| input.viewport().inner_rect);
        self.session.window = inner.map(|rect| rect.size().into()).or(self.session.window);
        let mut desk = Desk { session: &mut self.session, done: &mut done };
        let mut chosen = None;
        Panel::top("menu").show(ui, |ui| chosen = menu::show(ui, &mut desk));
        CentralPanel::default().frame(egui::Frame::NONE).show(ui, |ui| {
            if desk.session.shows_panels {
                layout::show(ui, &mut self.panels, desk, &mut self.pictures);
            } else {
                picture::show(ui, &mut desk, &mut self.pictures);
            }
        });
        help::show(&context, &mut self.session);
        notices::show(&context, &mut self.session);
        if let Some(Chosen::Recent(path)) = chosen {
            self.session.open(path);
        }
        for action in done {
            self.act(&context, action);
        }
        for (asked, paths) in self.dialogs.answers(&context, &mut self.session) {
            self.take_answer(asked, paths);
        }
        if let Some(tour) = &mut self.tour {
            tour.step(&mut self.session, &self.pictures, &context);
        }
        if self.session.is_moving() {
            context.request_repaint();
        } else {
            // Files are looked at for changes.
            context.request_repaint_after(std::time::Duration::from_millis(500));
        }
    }

    fn say_what_is_open(&mut self, context: &egui::Context) {
        let names: Vec<String> = self.session.documents.iter().map(Document::name).collect();
        let title = if names.is_empty() { NAME.to_owned() } else { format!("{} - {NAME}", names.join(", ")) };
        if title != self.title {
            context.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    fn take_dropped(&mut self, context: &egui::Context) {
        let dropped: Vec<PathBuf> =
            context.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_path_buf()).collect());
        if !dropped.is_empty() {
            self.session.drop_files(dropped);
        }
    }

    fn act(&mut self, context: &egui::Context, action: Action) {
        match self.session.act(action) {
            None => {}
            Some(Effect::Quit) => context.send_viewport_cmd(ViewportCommand::Close),
            Some(Effect::ResetPanels) => self.panels = layout::usual(),
            Some(Effect::AskOpen) => self.dialogs.ask(Asked::Open, &self.session, context),
            Some(Effect::AskOpenBeside) => self.dialogs.ask(Asked::OpenBeside, &self.session, context),
            Some(Effect::AskClips) => self.dialogs.ask(Asked::Clips, &self.session, context),
            Some(Effect::AskExport) => self.dialogs.ask(Asked::Export, &self.session, context),
            Some(Effect::AskScreenshot) => self.dialogs.ask(Asked::Screenshot, &self.session, context),
        }
    }

    fn take_answer(&mut self, asked: Asked, paths: Vec<PathBuf>) {
        for path in paths {
            match asked {
                Asked::Open => self.session.open(path),
                Asked::OpenBeside => self.session.open_beside(path),
                Asked::Clips => {
                    if let Some(document) = self.session.document() {
                        document.add_clips(path);
                    }
                }
                Asked::Export => self.session.export(path, Overwrite::Own),
                Asked::Screenshot => self.save_picture(&path),
            }
        }
    }

    fn save_picture(&mut self, path: &std::path::Path) {
        let saved = self.pictures.save(self.session.active, path);
        match saved {
            Ok(()) => self.session.say(format!("saved {}", path.display()), NoticeKind::Done),
            Err(why) => self.session.say(why, NoticeKind::Wrong),
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.show(ui);
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        if self.tour.is_some() {
            return;
        }
        eframe::set_value(storage, "session", &Saved::of(&self.session));
        eframe::set_value(storage, "panels", &self.panels);
    }
}
