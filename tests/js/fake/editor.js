// Stands for the bundled editor, which needs a browser that draws.

export const createEditor = ({ parent, text, label, onChange, onRun }) => {
  const field = document.createElement("textarea");
  field.setAttribute("aria-label", label);
  field.value = text;
  field.addEventListener("input", () => onChange(field.value));
  field.addEventListener("keydown", (event) => event.key === "Enter" && event.shiftKey && onRun());
  parent.append(field);
  return {
    get text() { return field.value; },
    // As the true one, it tells of every change, whoever made it.
    set text(now) {
      field.value = now;
      onChange(now);
    },
    focus: () => field.focus(),
  };
};
