// A picture in a kernel, drawn there and as dark as the notebook round it.

import { element } from "../dom.js";
import { followTheme, paint } from "./dark.js";

/** The face in a kernel. */
export const render = (/** @type {{model: any, el: HTMLElement}} */ { model, el }) => {
  let leave = () => {};
  const show = () => {
    const next = element("div", { innerHTML: model.get("state").html }); // of `markup.py`, which escapes all words
    const [shown, drawn] = [el, next].map((one) => one.querySelector("img"));
    if (shown && drawn) {
      drawn.replaceWith(shown); // until the new one is dark
      shown.alt = drawn.alt;
      paint(shown, drawn.src);
    } else {
      leave();
      leave = drawn ? followTheme(drawn) : () => {};
    }
    el.replaceChildren(...next.childNodes);
  };
  show();
  model.on("change:state", show);
  return () => {
    model.off("change:state", show);
    leave();
  };
};
