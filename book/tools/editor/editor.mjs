// The editor of the page's cells: CodeMirror 6 with what a few lines of Python need.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/* An editor in `parent` that holds `text`. Tab leaves it, as it leaves any field; Enter indents.
   `onChange(text)` hears what is typed, `onRun()` Shift+Enter and Ctrl+Enter. */
export function createEditor({ parent, text, label, onChange, onRun }) {
  const run = () => { onRun(); return true; };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        python(),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        EditorView.lineWrapping,
        syntaxHighlighting(classHighlighter),
        keymap.of([
          { key: "Shift-Enter", run },
          { key: "Mod-Enter", run },
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    get text() { return view.state.doc.toString(); },
    set text(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    focus() { view.focus(); },
  };
}
