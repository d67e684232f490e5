//! The window: takes what the user did and what threads have done, and draws.

use crate::actions::{Action, Effect};
use crate::dialogs::{Asked, Dialogs};
use crate::settings::{self, Settings};
use crate::state::document::{Context, Document};
use crate::state::saved::Saved;
use crate::state::session::{NoticeKind, Session};
use crate::tour::Tour;
use crate::ui::arrangement::Arrangement;
use crate::ui::layout::{self, Pane};
use crate::ui::menu::{self, Chosen};
use crate::ui::picture::{Gpu, Pictures};
use crate::ui::{Desk, fitting, help, keys, notices, picture};
use crate::work::Fitting;
use eframe::egui::{self, CentralPanel, Panel, ViewportCommand, Visuals};
use eframe::egui_wgpu::WgpuConfiguration;
use egui_tiles::Tree;
use maquette::overwrite::Overwrite;
use maquette_gpu::Renderer;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The window.
pub struct App {
    session: Session,
    panels: Tree<Pane>,
    pictures: Pictures,
    dialogs: Dialogs,
    tour: Option<Tour>,
    /// What the bar of the window says.
    title: String,
    remembered: Option<Remembered>,
    /// When the session was last brought up to date.
    updated: Instant,
}

/// The file of settings, and what is in it by now.
struct Remembered {
    path: PathBuf,
    settings: Settings,
    written: Instant,
}

/// So often what has changed is written.
const REMEMBER: Duration = Duration::from_secs(30);

const NAME: &str = "maquette";

/// So often files are looked at for changes while nothing else happens.
const LOOK: Duration = Duration::from_millis(500);

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
        let unread = settings::path().and_then(|path| app.recall(&creation.egui_ctx, path).err());
        let mut files = files.into_iter();
        files.next().into_iter().for_each(|file| app.session.open(file));
        files.next().into_iter().for_each(|file| app.session.open_beside(file));
        app.session.active = 0;
        unread.into_iter().for_each(|why| app.session.say(why, NoticeKind::Wrong));
        Some(app)
    }

    /// Shows what was remembered, and remembers from here on. The error says why nothing was.
    pub fn recall(&mut self, context: &egui::Context, path: PathBuf) -> Result<(), String> {
        let read = settings::read(&path);
        let settings = read.clone().unwrap_or_default();
        settings.session.restore(&mut self.session);
        if let Some(size) = self.session.window {
            context.send_viewport_cmd(ViewportCommand::InnerSize(size.into()));
        }
        if let Some(panels) = settings.panels.as_ref().and_then(Arrangement::tiles) {
            self.panels = panels;
        }
        self.remembered = Some(Remembered { path, settings, written: Instant::now() });
        read.map(|_| ())
    }

    /// Writes what has changed since. The error is a sentence.
    pub fn remember(&mut self) -> Result<(), String> {
        let Some(remembered) = &mut self.remembered else { return Ok(()) };
        remembered.written = Instant::now();
        let now = Settings { session: Saved::of(&self.session), panels: Arrangement::of(&self.panels) };
        if remembered.settings != now {
            settings::write(&remembered.path, &now)?;
            remembered.settings = now;
        }
        Ok(())
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
            remembered: None,
            updated: Instant::now(),
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
        self.updated = Instant::now();
        if self.remembered.as_ref().is_some_and(|remembered| remembered.written.elapsed() > REMEMBER)
            && let Err(why) = self.remember()
        {
            self.session.say(why, NoticeKind::Wrong);
        }
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
        fitting::show(&context, &mut Desk { session: &mut self.session, done: &mut done });
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
            context.request_repaint_after(LOOK);
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
            Some(Effect::ShowPanel(pane)) => layout::raise(context, pane),
            Some(Effect::AskOpen) => self.dialogs.ask(Asked::Open, &self.session, context),
            Some(Effect::AskOpenBeside) => self.dialogs.ask(Asked::OpenBeside, &self.session, context),
            Some(Effect::AskClips) => self.dialogs.ask(Asked::Clips, &self.session, context),
            Some(Effect::AskBoneMap) => self.dialogs.ask(Asked::BoneMap, &self.session, context),
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
                    if let Some(document) = self.session.document_mut() {
                        document.add_clips(path);
                    }
                }
                Asked::BoneMap => {
                    if let Some(document) = self.session.document_mut() {
                        document.fit_clips(Fitting { bone_map: Some(path), ..document.fitting.clone() });
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

    /// Called even while the window is covered and shows nothing: what is not drawing goes on.
    fn logic(&mut self, context: &egui::Context, _: &mut eframe::Frame) {
        if context.input(|input| input.viewport().visible()) == Some(false) {
            self.session.update(self.updated.elapsed().as_secs_f32().min(0.5));
            self.updated = Instant::now();
            context.request_repaint_after(LOOK);
        }
        if self.tour.is_some() {
            // Pictures are what it is for.
            context.send_viewport_cmd(ViewportCommand::RequestPaintWhileHidden);
        }
    }

    fn on_exit(&mut self) {
        // There is no window left to say it in.
        _ = self.remember();
    }
}
