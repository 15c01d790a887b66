// A board to play: it draws what Python answers, and asks Python what a touch does. In a kernel
// anywidget calls `render`; in a page board.js calls `mount`. No rule of any game is in here.

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const middle = (target) => {
  const box = target.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

// The target that an arrow leads to: beside, the next in the same row; up and down, the nearest
// place of the next row, also where that row is shorter.
const towards = (targets, from, [dx, dy]) => {
  const [x, y] = middle(from);
  const { width, height } = from.getBoundingClientRect();
  const [along, across] = dx ? [width / 2, height / 2] : [height / 2, width / 2];
  const ahead = targets.filter((target) => target !== from).map((target) => {
    const [tx, ty] = middle(target);
    return {
      target, ahead: (tx - x) * dx + (ty - y) * dy,
      aside: Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx),
    };
  }).filter((other) => other.ahead > Math.max(1, along / 4));
  const least = (others, key) => others.reduce((best, other) => (best && key(best) <= key(other) ? best : other), null);
  if (dx) {
    const row = ahead.filter((other) => other.aside < across);
    return least(row.length ? row : ahead, (other) => other.ahead + (row.length ? 0 : 3 * other.aside))?.target;
  }
  const first = least(ahead, (other) => other.ahead)?.ahead;
  return least(ahead.filter((other) => other.ahead <= first + along), (other) => other.aside)?.target;
};

const nearest = (targets, [x, y]) => targets.reduce((best, target) => {
  const [tx, ty] = middle(target);
  const distance = Math.hypot(tx - x, ty - y);
  return best && best.distance <= distance ? best : { target, distance };
}, null)?.target;

/**
 * Make a figure playable.
 *
 * setup: {name, title, rules}. ask(request) promises the answer of `Session.answer`. asleep: what
 * the button says that wakes Python, or nothing if it is awake. Returns {draw, say}.
 */
export const mount = (figure, setup, ask, { asleep = "", memory = null } = {}) => {
  const picture = figure.querySelector(".board-picture");
  let state = null;
  let thinking = false;
  let last = Promise.resolve();

  const button = (action, text, press) => {
    const made = element("button", { type: "button", textContent: text });
    made.dataset.action = action;
    // A button that were disabled would lose the keyboard's focus.
    made.addEventListener("click", () => made.getAttribute("aria-disabled") !== "true" && press());
    return made;
  };
  const touchButton = (name, text, pressed) => {
    const made = element("button", { type: "button", textContent: text });
    made.dataset.touch = name;
    if (pressed !== undefined) made.setAttribute("aria-pressed", pressed);
    made.addEventListener("click", () => touch(name));
    return made;
  };

  // One request at a time; those that come meanwhile wait.
  const request = (what) => {
    last = last.then(async () => {
      figure.dataset.busy = "true";
      try {
        draw(await ask(what));
      } catch (error) {
        thinking = false;
        show(String(error.message ?? error));
      }
      delete figure.dataset.busy;
    });
    return last;
  };

  const touch = (name) => {
    if (!name.startsWith("show-")) thinking = false;
    if (!state && asleep) return show(`Press “${asleep}” first.`);
    return request({ do: "touch", name });
  };

  const think = async () => {
    thinking = true;
    buttons.stop.hidden = false;
    buttons.stop.focus();
    while (thinking) {
      await request({ do: "think" });
      thinking = thinking && state.thinking;
    }
    mark();
  };

  const act = (what) => { thinking = false; return request(what); };

  const buttons = {
    play: button("play", asleep || "Play", () => act({ do: "look" })),
    undo: button("undo", "Undo", () => act({ do: "undo" })),
    new: button("new", "New game", () => act({ do: "new" })),
    think: button("think", "Think", think),
    stop: button("stop", "Stop", () => act({ do: "stop" })),
  };
  const bar = element("progress", { max: 1, hidden: true });
  bar.setAttribute("aria-label", "Progress");
  const more = element("div", { className: "board-more" });
  const tools = element("div", { className: "board-tools" },
    buttons.play, buttons.undo, buttons.new, buttons.think, buttons.stop, bar);
  const views = element("div", { className: "board-views" });
  const wrong = element("p", { className: "board-wrong" });
  wrong.setAttribute("role", "alert");
  const title = figure.querySelector(".board-title");
  const say = figure.querySelector(".board-say");
  say.setAttribute("aria-live", "polite");
  const text = element("textarea", { rows: 4, spellcheck: false });
  text.setAttribute("aria-label", "The game as text");
  const kept = element("span", { className: "board-kept" });
  kept.setAttribute("role", "status");
  const seed = element("span", { className: "board-seed" });
  const save = button("save", "Save", async () => {
    text.value = state.text;
    text.select();
    let words = "The game is in the field: copy it from there.";
    try {
      await navigator.clipboard.writeText(state.text);
      words = "The game is in the field, and copied.";
    } catch { /* the browser allows no copying here; the field is there */ }
    kept.textContent = words;
  });
  const load = button("load", "Load", async () => {
    await act({ do: "load", text: text.value });
    kept.textContent = state.wrong ? "" : "Loaded.";
  });
  const keep = element("details", { className: "board-keep" },
    element("summary", { textContent: "Save, load, link" }), text,
    element("div", { className: "board-tools" }, save, load, kept), seed);
  // Drawn over the picture: an outline of a shape would be hidden by the shapes after it.
  const ring = element("div", { className: "board-focus", hidden: true });
  wrong.hidden = true;
  picture.after(more, tools, views, wrong);
  figure.append(keep);

  const show = (words) => { wrong.textContent = words; wrong.hidden = !words; };

  // What the buttons can do now.
  const mark = () => {
    const able = (name, yes) => buttons[name].setAttribute("aria-disabled", !yes);
    for (const made of [buttons.new, more, views, keep]) made.hidden = !state;
    buttons.undo.hidden = !state?.undoes;
    buttons.think.hidden = !state?.thinks || thinking;
    if (!thinking && document.activeElement === buttons.stop) (buttons.think.hidden ? buttons.new : buttons.think).focus();
    buttons.stop.hidden = !thinking;
    bar.hidden = !thinking;
    able("undo", state?.can_undo);
    figure.dataset.state = thinking ? "thinking" : state ? "ready" : "asleep";
  };

  const targets = () => [...picture.querySelectorAll("[data-touch]")];
  // One of the targets is in the order of the Tab key; arrows lead to the others.
  const enter = (target) => {
    picture.querySelector('[data-touch][tabindex="0"]')?.setAttribute("tabindex", "-1");
    target?.setAttribute("tabindex", "0");
    return target;
  };

  const circle = () => {
    const target = document.activeElement;
    ring.hidden = !(picture.contains(target) && target.matches("[data-touch]:focus-visible"));
    if (ring.hidden) return;
    const [inner, outer] = [target.getBoundingClientRect(), picture.getBoundingClientRect()];
    Object.assign(ring.style, {
      left: `${inner.x - outer.x - picture.clientLeft + picture.scrollLeft}px`,
      top: `${inner.y - outer.y - picture.clientTop}px`,
      width: `${inner.width}px`, height: `${inner.height}px`,
    });
    picture.append(ring);
  };
  for (const event of ["focusin", "focusout"]) picture.addEventListener(event, () => requestAnimationFrame(circle));
  new ResizeObserver(circle).observe(picture);

  const draw = (answer) => {
    const focused = document.activeElement;
    const inside = picture.contains(focused) && focused.dataset.touch;
    const old = picture.querySelector('[data-touch][tabindex="0"]');
    const [name, place] = [old?.dataset.touch, old && middle(old)];
    const button = more.contains(focused) || views.contains(focused) ? focused.dataset.touch : null;
    if (state?.svg !== answer.svg) {
      const { scrollLeft } = picture;
      picture.innerHTML = answer.svg; // made by gameai_lib.touch.board.svg, which escapes all words
      picture.scrollLeft = scrollLeft;
      const all = targets();
      const target = all.find((other) => other.dataset.touch === name)
        ?? (place ? nearest(all, place) : all[0]);
      if (enter(target) && inside) target.focus({ preventScroll: true });
      circle();
    }
    const first = !state;
    state = answer;
    title.textContent = answer.title;
    if (say.textContent !== answer.say) say.textContent = answer.say;
    show(answer.wrong);
    buttons.new.textContent = answer.begins;
    buttons.think.textContent = answer.thinks;
    more.replaceChildren(
      ...answer.buttons.map(([touched, words]) => touchButton(touched, words)),
      ...answer.selects.map(([words, choices, current]) => {
        const select = element("select", {}, ...choices.map(([value, name]) =>
          element("option", { value, textContent: name, selected: value === current })));
        select.addEventListener("change", () => touch(select.value));
        select.dataset.touch = words;
        return element("label", {}, `${words} `, select);
      }));
    views.replaceChildren(...answer.views.map(([touched, words, on]) => touchButton(touched, words, on)));
    if (button) {
      const same = [...figure.querySelectorAll("button[data-touch], select[data-touch]")]
        .find((other) => other.dataset.touch === button);
      (same ?? picture.querySelector('[tabindex="0"]'))?.focus({ preventScroll: true });
    }
    if (answer.done === null) bar.removeAttribute("value");
    else bar.value = answer.done;
    seed.replaceChildren(`Seed ${answer.seed}. `, ...(memory ? [element("a", {
      href: `#board-${setup.name}?seed=${answer.seed}`, textContent: "Link to this game’s start" })] : []));
    memory?.set(answer.text);
    const had = document.activeElement === buttons.play;
    if (first) {
      buttons.play.hidden = true;
      if (had || document.activeElement === document.body) picture.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
    }
    mark();
  };

  picture.addEventListener("click", (event) => {
    const target = event.target.closest?.("[data-touch]");
    if (!target) return;
    enter(target).focus({ preventScroll: true });
    touch(target.dataset.touch);
  });
  picture.addEventListener("keydown", (event) => {
    const target = event.target.closest?.("[data-touch]");
    if (!target || event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const next = towards(targets(), target, arrow);
      if (next) enter(next).focus();
    } else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) touch(target.dataset.touch);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  // The page's and the notebook's own shortcuts are not for what is typed here.
  text.addEventListener("keydown", (event) => event.stopPropagation());
  enter(targets()[0]);
  picture.scrollLeft = (picture.scrollWidth - picture.clientWidth) / 2; // where it is too wide
  mark();
  return { draw, show, request, tools, buttons };
};

// The face in a kernel.
const render = ({ model, el }) => {
  const setup = model.get("setup");
  el.innerHTML = setup.html; // of gameai_lib.touch.board.play, which escapes all words
  const figure = el.querySelector("figure.board");
  const waiting = new Map();
  let count = 0;
  const hear = ({ id, answer, fault }) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (fault) asked?.reject(new Error(fault));
    else if (asked) asked.resolve(answer);
    else if (answer) board.draw(answer); // asked for by another view of this board
  };
  const ask = (request) => new Promise((resolve, reject) => {
    const id = `${Math.random()}-${(count += 1)}`;
    const slow = setTimeout(() => board.show("The kernel has not answered yet: is it busy with a cell, or gone?"), 5000);
    const after = (then) => (value) => { clearTimeout(slow); then(value); };
    waiting.set(id, { resolve: after(resolve), reject: after(reject) });
    model.send({ id, request });
  });
  figure.dataset.lmSuppressShortcuts = "true"; // of JupyterLab: "dd" in a field deletes no cell
  const board = mount(figure, setup, ask);
  board.buttons.play.hidden = true;
  model.on("msg:custom", hear);
  board.request({ do: "look" });
  return () => model.off("msg:custom", hear);
};

export default { render };
