//! Everything a user can do, in one list: keys, menus and the page of keys are made of it.

use crate::ui::layout::Pane;
use maquette_render::{Mode, ToneMap, View};

/// Something a user can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Asks for a file to open.
    Open,
    /// Asks for a second file, to be shown beside the first.
    OpenBeside,
    /// Shows one file alone again.
    CloseBeside,
    /// Makes the other of two files the one that panels show.
    OtherSide,
    /// Reads the file again.
    Reload,
    /// The next file of the folder.
    NextFile,
    /// The one before.
    PreviousFile,
    /// Asks for clips to put onto the model.
    AddClips,
    /// Asks for a file that maps bones of such clips to those of the model.
    ChooseBoneMap,
    /// Asks where to write the model, in any format.
    Export,
    /// Asks where to save the picture.
    Screenshot,
    /// Ends the program.
    Quit,
    /// Sees all of the model.
    Fit,
    /// Looks at what is selected.
    Focus,
    /// Looks from a side.
    LookFrom(View),
    /// With perspective or without.
    ToggleLens,
    /// A wider angle.
    Wider,
    /// A narrower one.
    Narrower,
    /// Two models by one camera, or each as large as its picture.
    ToggleScale,
    /// Turns the model round and round.
    AutoRotate,
    /// Keys and pointer fly instead of turning.
    Fly,
    /// The next mode.
    NextMode,
    /// The one before.
    PreviousMode,
    /// This mode.
    SetMode(Mode),
    /// The next tone map.
    NextToneMap,
    /// This tone map.
    SetToneMap(ToneMap),
    /// Bones over the model.
    ToggleSkeleton,
    /// A floor of squares.
    ToggleGrid,
    /// The box around the model.
    ToggleBounds,
    /// The axes of the scene.
    ToggleAxes,
    /// The shadow of the key light.
    ToggleShadow,
    /// Dark hollows.
    ToggleHollows,
    /// All surfaces, the opaque ones, the transparent ones.
    NextPasses,
    /// Brighter by a third of a stop.
    Brighter,
    /// Darker by a third of a stop.
    Darker,
    /// Light, background and exposure as usual.
    ResetLook,
    /// Plays or stops.
    Play,
    /// No clip.
    Rest,
    /// Goes over to the next clip.
    NextClip,
    /// To the one before.
    PreviousClip,
    /// One frame on.
    NextFrame,
    /// One frame back.
    PreviousFrame,
    /// To the start of the clip.
    Start,
    /// To its end.
    End,
    /// Begins anew at the end, or stays there.
    ToggleLoop,
    /// Twice as fast.
    Faster,
    /// Half as fast.
    Slower,
    /// At its own speed.
    UsualSpeed,
    /// Selects nothing, closes what is open.
    Escape,
    /// Selects the parent of the node.
    SelectParent,
    /// Selects its first child.
    SelectChild,
    /// Selects the next node.
    SelectNext,
    /// Selects the node before.
    SelectPrevious,
    /// Panels away, or back.
    TogglePanels,
    /// Panels where they were at first.
    ResetPanels,
    /// Brings this panel forward.
    ShowPanel(Pane),
    /// Light or dark.
    ToggleTheme,
    /// The page of keys.
    Help,
}

/// A heading of menus and of the page of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Files.
    File,
    /// Where the model is seen from.
    Camera,
    /// What is shown of it.
    Show,
    /// What plays.
    Play,
    /// What is selected.
    Select,
    /// The window itself.
    Window,
}

impl Section {
    /// All of them, in the order of menus.
    pub const ALL: [Section; 6] =
        [Section::File, Section::Camera, Section::Show, Section::Play, Section::Select, Section::Window];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Section::File => "File",
            Section::Camera => "Camera",
            Section::Show => "Show",
            Section::Play => "Play",
            Section::Select => "Select",
            Section::Window => "Window",
        }
    }
}

impl Action {
    /// Every action that has a line of its own in menus, with its heading.
    pub const LISTED: &[(Section, Action)] = &[
        (Section::File, Action::Open),
        (Section::File, Action::OpenBeside),
        (Section::File, Action::CloseBeside),
        (Section::File, Action::OtherSide),
        (Section::File, Action::AddClips),
        (Section::File, Action::Reload),
        (Section::File, Action::NextFile),
        (Section::File, Action::PreviousFile),
        (Section::File, Action::Export),
        (Section::File, Action::Screenshot),
        (Section::File, Action::Quit),
        (Section::Camera, Action::Fit),
        (Section::Camera, Action::Focus),
        (Section::Camera, Action::LookFrom(View::Front)),
        (Section::Camera, Action::LookFrom(View::Back)),
        (Section::Camera, Action::LookFrom(View::Left)),
        (Section::Camera, Action::LookFrom(View::Right)),
        (Section::Camera, Action::LookFrom(View::Top)),
        (Section::Camera, Action::LookFrom(View::Iso)),
        (Section::Camera, Action::ToggleLens),
        (Section::Camera, Action::Wider),
        (Section::Camera, Action::Narrower),
        (Section::Camera, Action::ToggleScale),
        (Section::Camera, Action::AutoRotate),
        (Section::Camera, Action::Fly),
        (Section::Show, Action::NextMode),
        (Section::Show, Action::PreviousMode),
        (Section::Show, Action::NextToneMap),
        (Section::Show, Action::ToggleSkeleton),
        (Section::Show, Action::ToggleGrid),
        (Section::Show, Action::ToggleBounds),
        (Section::Show, Action::ToggleAxes),
        (Section::Show, Action::ToggleShadow),
        (Section::Show, Action::ToggleHollows),
        (Section::Show, Action::NextPasses),
        (Section::Show, Action::Brighter),
        (Section::Show, Action::Darker),
        (Section::Show, Action::ResetLook),
        (Section::Play, Action::Play),
        (Section::Play, Action::Rest),
        (Section::Play, Action::NextClip),
        (Section::Play, Action::PreviousClip),
        (Section::Play, Action::NextFrame),
        (Section::Play, Action::PreviousFrame),
        (Section::Play, Action::Start),
        (Section::Play, Action::End),
        (Section::Play, Action::ToggleLoop),
        (Section::Play, Action::Faster),
        (Section::Play, Action::Slower),
        (Section::Play, Action::UsualSpeed),
        (Section::Select, Action::SelectParent),
        (Section::Select, Action::SelectChild),
        (Section::Select, Action::SelectNext),
        (Section::Select, Action::SelectPrevious),
        (Section::Select, Action::Escape),
        (Section::Window, Action::TogglePanels),
        (Section::Window, Action::ResetPanels),
        (Section::Window, Action::ToggleTheme),
        (Section::Window, Action::ShowPanel(Pane::Picture)),
        (Section::Window, Action::ShowPanel(Pane::Tree)),
        (Section::Window, Action::ShowPanel(Pane::Inspector)),
        (Section::Window, Action::ShowPanel(Pane::Look)),
        (Section::Window, Action::ShowPanel(Pane::Timeline)),
        (Section::Window, Action::ShowPanel(Pane::Mixer)),
        (Section::Window, Action::ShowPanel(Pane::Curves)),
        (Section::Window, Action::ShowPanel(Pane::Findings)),
        (Section::Window, Action::ShowPanel(Pane::Bytes)),
        (Section::Window, Action::ShowPanel(Pane::Conversion)),
        (Section::Window, Action::Help),
    ];

    /// What it is called.
    pub fn label(self) -> &'static str {
        match self {
            Action::Open => "Open…",
            Action::OpenBeside => "Open beside…",
            Action::CloseBeside => "Close the file beside",
            Action::OtherSide => "Other side",
            Action::Reload => "Reload",
            Action::NextFile => "Next file of the folder",
            Action::PreviousFile => "Previous file of the folder",
            Action::AddClips => "Put clips onto the model…",
            Action::ChooseBoneMap => "Choose a bone map…",
            Action::Export => "Export…",
            Action::Screenshot => "Save picture…",
            Action::Quit => "Quit",
            Action::Fit => "Fit all",
            Action::Focus => "Focus on the selection",
            Action::LookFrom(View::Front) => "From the front",
            Action::LookFrom(View::Back) => "From behind",
            Action::LookFrom(View::Left) => "From its left",
            Action::LookFrom(View::Right) => "From its right",
            Action::LookFrom(View::Top) => "From above",
            Action::LookFrom(View::Iso) => "Isometric",
            Action::LookFrom(View::Orbit { .. }) => "From there",
            Action::ToggleLens => "Perspective or orthographic",
            Action::Wider => "Wider field of view",
            Action::Narrower => "Narrower field of view",
            Action::ToggleScale => "Two files at the same scale",
            Action::AutoRotate => "Auto-rotate",
            Action::Fly => "Fly",
            Action::NextMode => "Next mode",
            Action::PreviousMode => "Previous mode",
            Action::SetMode(mode) => mode.word(),
            Action::NextToneMap => "Next tone map",
            Action::SetToneMap(tone_map) => tone_map.word(),
            Action::ToggleSkeleton => "Skeleton",
            Action::ToggleGrid => "Grid",
            Action::ToggleBounds => "Bounds",
            Action::ToggleAxes => "Axes",
            Action::ToggleShadow => "Shadow",
            Action::ToggleHollows => "Ambient occlusion",
            Action::NextPasses => "Opaque, transparent or both",
            Action::Brighter => "Brighter",
            Action::Darker => "Darker",
            Action::ResetLook => "Light as usual",
            Action::Play => "Play or pause",
            Action::Rest => "Rest pose",
            Action::NextClip => "Next clip",
            Action::PreviousClip => "Previous clip",
            Action::NextFrame => "Next frame",
            Action::PreviousFrame => "Previous frame",
            Action::Start => "To the start",
            Action::End => "To the end",
            Action::ToggleLoop => "Loop",
            Action::Faster => "Twice as fast",
            Action::Slower => "Half as fast",
            Action::UsualSpeed => "Usual speed",
            Action::Escape => "Nothing selected",
            Action::SelectParent => "Parent",
            Action::SelectChild => "First child",
            Action::SelectNext => "Next node",
            Action::SelectPrevious => "Previous node",
            Action::TogglePanels => "Panels",
            Action::ResetPanels => "Panels as at first",
            Action::ShowPanel(pane) => pane.title(),
            Action::ToggleTheme => "Light or dark",
            Action::Help => "Keys",
        }
    }
}

/// What the window must do for an action, because it takes a dialog or a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Asks for a file to open.
    AskOpen,
    /// Asks for a file to open beside.
    AskOpenBeside,
    /// Asks for files with clips.
    AskClips,
    /// Asks for a file that maps bones.
    AskBoneMap,
    /// Asks where to export to.
    AskExport,
    /// Asks where the picture is to go.
    AskScreenshot,
    /// Ends the program.
    Quit,
    /// Puts panels where they were at first.
    ResetPanels,
    /// Brings a panel forward.
    ShowPanel(Pane),
}
