"""What was lost, found or done, as a panel in the sidebar and a pop-up, for people who see no console.

The lines of the last operation are kept with the window manager: they are saved in no file, and undoing leaves them.
"""

import bpy
import maquette

ICONS = {"ERROR": "ERROR", "WARNING": "INFO", "INFO": "DOT"}
SHOWN_IN_A_POP_UP = 12


class MaquetteLine(bpy.types.PropertyGroup):
    level: bpy.props.StringProperty()
    file: bpy.props.StringProperty()
    text: bpy.props.StringProperty()


class Report:
    """Gathers lines while an operator works."""

    def __init__(self):
        self.lines = []
        self.done = 0
        self.failed = 0

    def add(self, level, file, text):
        self.lines.append((level, file, text))

    def note(self, file, text):
        self.add("INFO", file, text)

    def warn(self, file, text):
        self.add("WARNING", file, text)

    def fail(self, file, problem):
        self.failed += 1
        self.add("ERROR", file, str(problem))

    def losses(self, file, losses):
        for loss in losses:
            count = f" ×{loss.count}" if loss.count > 1 else ""
            self.warn(file, f"{loss.kind} {loss.what}{count} of {loss.subject}: {loss.detail}")

    def findings(self, file, findings):
        for finding in findings:
            level = {"error": "ERROR", "warning": "WARNING"}.get(finding.severity, "INFO")
            self.add(level, file, f"{finding.code} {finding.path}: {finding.message}")

    def finish(self, operator, context, done):
        """Shows the lines; what the operator returns. `done` is a sentence for the status bar."""
        lines = context.window_manager.maquette_report
        lines.clear()
        for level, file, text in self.lines:
            line = lines.add()
            line.level, line.file, line.text = level, file, text
        errors = [f"{file}: {text}" if file else text for level, file, text in self.lines if level == "ERROR"]
        if self.failed and not self.done:
            operator.report({"ERROR"}, "\n".join(errors))
            return {"CANCELLED"}
        if self.failed:
            operator.report({"WARNING"}, "\n".join(errors))
        elif not bpy.app.background:
            operator.report({"INFO"}, done)
        if not bpy.app.background and context.window is not None and any(level != "INFO" for level, _, _ in self.lines):
            context.window_manager.popup_menu(lambda menu, _: draw_lines(menu.layout, lines, SHOWN_IN_A_POP_UP), title=done, icon="INFO")
        return {"FINISHED"}


def words(error):
    """What an exception of the package says, for people."""
    if isinstance(error, maquette.Error) or isinstance(error, OSError):
        return str(error)
    return f"{type(error).__name__}: {error}"


def draw_lines(layout, lines, most=None):
    column = layout.column(align=True)
    file = None
    for line in lines[:most]:
        if line.file != file:
            file = line.file
            column.label(text=file, icon="FILE")
        for row, text in enumerate(_wrapped(line.text, 90)):
            column.label(text=text, icon=ICONS.get(line.level, "DOT") if row == 0 else "BLANK1")
    if most is not None and len(lines) > most:
        column.label(text=f"and {len(lines) - most} more: see the sidebar, Maquette")


def _wrapped(text, width):
    rows = []
    for paragraph in text.splitlines() or [""]:
        row = ""
        for word in paragraph.split(" "):
            if row and len(row) + 1 + len(word) > width:
                rows.append(row)
                row = word
            else:
                row = f"{row} {word}" if row else word
        rows.append(row)
    return rows


class VIEW3D_PT_maquette_report(bpy.types.Panel):
    """What the last import or export lost, found and did"""

    bl_label = "Last import or export"
    bl_category = "Maquette"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context):
        lines = context.window_manager.maquette_report
        if not len(lines):
            self.layout.label(text="Nothing was lost and nothing found")
            return
        draw_lines(self.layout, lines)
        self.layout.operator("wm.maquette_copy_report", icon="COPYDOWN")


class WM_OT_maquette_copy_report(bpy.types.Operator):
    """Put the lines onto the clipboard"""

    bl_idname = "wm.maquette_copy_report"
    bl_label = "Copy"

    def execute(self, context):
        lines = context.window_manager.maquette_report
        context.window_manager.clipboard = "\n".join(f"{line.level.lower()}: {line.file}: {line.text}" for line in lines)
        return {"FINISHED"}


CLASSES = (MaquetteLine, VIEW3D_PT_maquette_report, WM_OT_maquette_copy_report)


def register():
    for kind in CLASSES:
        bpy.utils.register_class(kind)
    bpy.types.WindowManager.maquette_report = bpy.props.CollectionProperty(type=MaquetteLine)


def unregister():
    del bpy.types.WindowManager.maquette_report
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
