// Predictions in the built book: held against the reader, kept in this browser and nowhere else.
(() => {
  "use strict";

  const make = (tag, className, text = "") => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.textContent = text;
    return element;
  };

  // A browser may refuse to store anything; then answers last until the page is left.
  const storage = {
    name: (ask) => `gameai-ask ${location.pathname} ${ask}`,
    read(ask) {
      try { return JSON.parse(localStorage.getItem(this.name(ask))); } catch { return null; }
    },
    write(ask, value) {
      try { localStorage.setItem(this.name(ask), JSON.stringify(value)); } catch { /* see above */ }
    },
    forget(ask) {
      try { localStorage.removeItem(this.name(ask)); } catch { /* see above */ }
    },
  };

  // Each kind: read() gives what the reader says or throws words for the reader, holds(said)
  // judges it, words(said) shows it, show(said) sets the field. gameai_lib/touch/ask/kinds.py does
  // the same in a kernel.
  const choice = (form, data) => {
    const inputs = [...form.querySelectorAll("input[type=radio]")];
    return {
      focus: inputs[0],
      read() {
        const said = inputs.findIndex((input) => input.checked);
        if (said < 0) throw new Error("Choose one of the answers first.");
        return said;
      },
      holds: (said) => said === data.answer,
      words: (said) => inputs[said].nextElementSibling.cloneNode(true),
      show(said) {
        inputs.forEach((input, i) => {
          input.checked = i === said;
          input.parentElement.classList.toggle("ask-said", i === said);
        });
      },
    };
  };

  const DECIMAL = "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,3})?";
  const NUMBER = new RegExp(`^(${DECIMAL})(?:\\s*/\\s*(${DECIMAL}))?\\s*(%?)$`);

  // 0.25, 0,25, 1/4 and 25 % are one number; 1,5 has one meaning, 1,500 has two.
  const parsed = (value, unit) => {
    let text = value.trim().replaceAll("−", "-");
    if (unit && text.endsWith(unit)) text = text.slice(0, -unit.length).trim();
    const parts = text.replace(/,(?!\d{3}(?!\d))/g, ".").match(NUMBER);
    const number = parts
      ? Number(parts[1]) / Number(parts[2] ?? 1) / (parts[3] ? 100 : 1)
      : NaN;
    return Number.isFinite(number) ? number : NaN;
  };

  const number = (form, data) => {
    const input = form.querySelector("input");
    return {
      focus: input,
      read() {
        const text = input.value.trim();
        if (!text) throw new Error("Write a number first.");
        if (Number.isNaN(parsed(text, data.unit))) {
          throw new Error(`“${text}” is no number; write it like 1234.5 or 3/4.`);
        }
        return text;
      },
      holds: (said) => Math.abs(parsed(said, data.unit) - data.answer) <= data.reach,
      words: (said) => make("span", "", data.unit && !said.endsWith(data.unit) && !said.endsWith("%")
        ? `${said} ${data.unit}` : said),
      show(said) { input.value = said ?? ""; },
    };
  };

  const STEP = 0.01; // of an axis, for each press of an arrow key; with Shift ten of them
  const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowDown: [1, -1], ArrowUp: [1, 1] };

  const point = (form, data) => {
    const picture = form.querySelector(".ask-picture");
    const target = make("div", "ask-point");
    const cross = make("span", "ask-cross");
    const ring = make("span", "ask-ring");
    const HOW = "Tap the picture, or focus it and move the cross with the arrow keys.";
    const hint = make("p", "ask-hint", HOW);
    let at = null;
    cross.hidden = true;
    ring.hidden = true;
    Object.entries({
      role: "slider", tabindex: "0", "aria-label": "Your point on the picture",
      "aria-roledescription": "point, moved with four arrow keys",
      "aria-valuemin": Math.min(...data.axes[0].limits),
      "aria-valuemax": Math.max(...data.axes[0].limits),
    }).forEach(([key, value]) => target.setAttribute(key, value));
    target.append(cross, ring);
    picture.append(target);
    picture.after(hint);

    const share = (axis, value) => {
      const { limits: [low, high], at: [start, end] } = axis;
      return start + (value - low) / (high - low) * (end - start);
    };
    const percent = (value) => `${100 * value}%`;
    const clamped = (axis, value) =>
      Math.min(Math.max(value, Math.min(...axis.limits)), Math.max(...axis.limits));
    // Where the ticks of an axis are words, a point lies on one of them.
    const nearest = (i, value) => data.axes[i].names.reduce((best, name) =>
      (Math.abs(name[0] - value) < Math.abs(best[0] - value) ? name : best));
    const isNamed = (i) => data.axes[i].names.length > 0;
    const rounded = (i, value) =>
      (isNamed(i) ? nearest(i, value)[0] : Number(value.toFixed(data.decimals[i])));
    const word = (i, value) =>
      (isNamed(i) ? nearest(i, value)[1] : String(value).replace("-", "−"));
    const text = (said) => {
      const words = said.map((v, i) => word(i, v));
      if (!said.every((v, i) => isNamed(i))) return `(${words.join(", ")})`;
      return words.join(words.every((one) => one.length < 3) ? "" : ", "); // l12, as on a board
    };
    const place = (said) => {
      at = said;
      cross.hidden = at === null;
      const named = at?.map((v, i) =>
        (isNamed(i) ? word(i, v) : `${data.axes[i].label}: ${word(i, v)}`)).join(", ");
      target.setAttribute("aria-valuenow", at?.[0] ?? clamped(data.axes[0], 0));
      target.setAttribute("aria-valuetext", named ?? "not set");
      if (at === null) return;
      cross.style.left = percent(share(data.axes[0], at[0]));
      cross.style.top = percent(share(data.axes[1], at[1]));
      hint.textContent = `Your point: ${named}.`;
    };
    const move = (said) => place(said.map((v, i) => rounded(i, clamped(data.axes[i], v))));
    const isDone = () => target.getAttribute("aria-disabled") === "true";
    target.addEventListener("click", (event) => {
      if (isDone()) return;
      const box = target.getBoundingClientRect();
      const shares = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
      move(data.axes.map(({ limits: [low, high], at: [start, end] }, i) =>
        low + (shares[i] - start) / (end - start) * (high - low)));
    });
    target.addEventListener("keydown", (event) => {
      const arrow = ARROWS[event.key];
      if (!arrow || isDone()) return;
      event.preventDefault();
      if (at === null) return move(data.axes.map(({ limits: [low, high] }) => (low + high) / 2));
      const [i, sign] = arrow;
      const [low, high] = data.axes[i].limits;
      const { names } = data.axes[i];
      // Less, and rounding would take the step back.
      const least = names.length > 1 ? Math.abs(names[1][0] - names[0][0]) : 10 ** -data.decimals[i];
      const step = Math.max(Math.abs(high - low) * STEP * (event.shiftKey ? 10 : 1), least);
      const forward = Math.sign((high - low) * (data.axes[i].at[1] - data.axes[i].at[0]));
      // On a picture, up is a smaller share from the top.
      move(at.map((v, j) => (j === i ? v + sign * step * forward * (i ? -1 : 1) : v)));
    });

    const [[left, right], [top, bottom]] = data.axes.map((axis, i) => [
      share(axis, data.answer[i] - data.tolerance[i]),
      share(axis, data.answer[i] + data.tolerance[i]),
    ].sort((a, b) => a - b));
    Object.assign(ring.style, {
      left: percent(left), top: percent(top), width: percent(right - left), height: percent(bottom - top),
    });
    return {
      focus: target,
      read() {
        if (at === null) throw new Error("Set your point on the picture first.");
        return at;
      },
      holds: (said) => said.reduce(
        (sum, v, i) => sum + ((v - data.answer[i]) / data.tolerance[i]) ** 2, 0) <= 1 + 1e-9,
      words: (said) => make("span", "", text(said)),
      show(said, isOver) {
        place(said ?? null);
        hint.textContent = isOver ? "The ring is around the truth." : HOW;
        ring.hidden = !isOver;
        target.setAttribute("aria-disabled", String(isOver));
      },
    };
  };

  const KINDS = { choice, number, point };

  class Ask {
    constructor(form, onChange) {
      this.form = form;
      this.name = form.dataset.ask;
      this.data = JSON.parse(form.dataset.truth);
      this.kind = KINDS[this.data.kind](form, this.data);
      this.onChange = onChange;
      this.question = form.querySelector("legend");
      this.fields = form.querySelector("fieldset");
      this.buttons = form.querySelector(".ask-buttons");
      this.message = make("p", "ask-message");
      this.message.setAttribute("role", "alert");
      this.buttons.before(this.message);
      // The fold becomes a place that screen readers watch.
      const fold = form.querySelector("details.ask-answer");
      this.truth = fold.querySelector(".ask-truth");
      this.verdict = make("p", "ask-verdict");
      this.answer = make("div", "ask-answer");
      this.answer.setAttribute("aria-live", "polite");
      this.answer.tabIndex = -1;
      this.answer.append(this.verdict, this.truth);
      fold.replaceWith(this.answer);
      form.querySelector("[data-action=commit]").disabled = false;
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.commit();
      });
      form.querySelector("[data-action=skip]").addEventListener("click", () => {
        this.pass();
        this.answer.focus({ preventScroll: true });
      });
      this.restore();
    }

    get isOpen() { return this.state === "open"; }

    restore() {
      const stored = storage.read(this.name);
      this.said = undefined;
      this.state = "open";
      // Under another key stands what was said to another form of the question.
      if (stored?.key === this.data.key) {
        if (stored.passed) this.state = "passed";
        else {
          try { this.judge(stored.said); } catch { storage.forget(this.name); }
        }
      }
      this.show();
    }

    judge(said) {
      this.kind.words(said); // throws if it is nothing that could have been said
      this.said = said;
      this.state = this.kind.holds(said) ? "right" : "wrong";
    }

    commit() {
      if (!this.isOpen) return;
      try {
        this.judge(this.kind.read());
      } catch (error) {
        this.message.textContent = error.message;
        this.kind.focus.focus();
        return;
      }
      storage.write(this.name, { key: this.data.key, said: this.said });
      this.show();
      this.onChange();
      this.answer.focus({ preventScroll: true });
    }

    pass() {
      if (!this.isOpen) return;
      this.state = "passed";
      storage.write(this.name, { key: this.data.key, passed: true });
      this.show();
      this.onChange();
    }

    startOver() {
      storage.forget(this.name);
      this.restore();
    }

    show() {
      const isOver = !this.isOpen;
      this.form.dataset.state = this.state;
      this.message.textContent = "";
      this.fields.disabled = isOver;
      this.buttons.hidden = isOver;
      this.truth.hidden = !isOver;
      this.verdict.hidden = !isOver;
      this.verdict.replaceChildren();
      this.kind.show(this.said, isOver);
      if (!isOver) return;
      const word = { right: "✓ Right.", wrong: "✗ Wrong.", passed: "You passed." }[this.state];
      this.verdict.append(make("strong", "", word));
      if (this.state === "passed") return;
      const said = this.kind.words(this.said);
      this.verdict.append(" You said: ", said, /[.?!]$/.test(said.textContent) ? "" : ".");
    }
  }

  const linkTo = (ask) => {
    const link = make("a");
    link.href = `#${ask.form.id}`;
    link.append(...[...ask.question.childNodes].map((node) => node.cloneNode(true)));
    return link;
  };

  // A figure that would spoil predictions, and the panel over it as long as one is open.
  class Cover {
    constructor(figure, asks) {
      this.figure = figure;
      this.asks = asks;
      this.panel = make("div", "explorable-cover");
      this.words = make("p");
      const button = make("button", "", "Look anyway");
      button.type = "button";
      button.dataset.action = "look";
      button.addEventListener("click", () => {
        this.open.forEach((ask) => ask.pass());
        this.figure.tabIndex = -1;
        this.figure.focus({ preventScroll: true });
      });
      this.panel.append(this.words, button);
    }

    get open() { return this.asks.filter((ask) => ask.isOpen); }

    show() {
      const open = this.open;
      // The style hides what is covered from eyes, keyboard and screen readers; its room stays.
      this.figure.toggleAttribute("data-covered", open.length > 0);
      if (open.length === 0) return this.panel.remove();
      this.words.replaceChildren(make("strong", "", "Predict first: "), ...open.map(linkTo));
      this.figure.append(this.panel);
    }
  }

  // What stands below a question tells the answer: text and printed results are veiled until it
  // is given, from the question to the text below its figures. What can be pressed is not.
  const holds = (part, selector) => part.matches(selector) || part.querySelector(selector) !== null;
  const MOST_VEILED = 2; // paragraphs and lists below the last figure
  class Veil {
    constructor(ask, isCovered) {
      this.ask = ask;
      const below = [];
      let part = ask.form.closest(".cell") ?? ask.form;
      while ((part = part.nextElementSibling) && !part.matches("section") && !holds(part, "form.ask, .ask-score")) {
        below.push(part);
      }
      const figures = ask.data.covers.map((name) => document.getElementById(`fig-${name}`));
      let end = 1 + below.findLastIndex((one) => figures.some((figure) => figure && one.contains(figure)));
      const first = end;
      while (end < below.length && !holds(below[end], ".try, figure")) end += 1;
      if (below[end]?.matches(".try")) end += 1; // its output
      this.parts = below.slice(0, end).flatMap((one, i) => {
        if (isCovered(one)) return [];
        if (one.matches(".try, .cell")) return [...one.querySelectorAll(".cell_output")];
        // The words before a cell to change say what to change.
        const isFar = i >= first + MOST_VEILED || below[i + 1]?.matches(".try");
        return isFar || one.matches("script") ? [] : [one];
      });
    }

    show() {
      this.parts.forEach((one) => {
        one.inert = this.ask.isOpen;
        one.classList.toggle("ask-veiled", this.ask.isOpen);
      });
    }
  }

  class Score {
    constructor(words, asks, onAgain) {
      this.words = words;
      this.asks = asks;
      this.list = make("ul", "ask-open");
      this.button = make("button", "", "Start over");
      this.button.type = "button";
      this.button.dataset.action = "again";
      this.button.addEventListener("click", () => {
        onAgain();
        this.words.focus({ preventScroll: true });
      });
      words.tabIndex = -1;
      words.after(this.list, this.button);
    }

    show() {
      const count = (state) => this.asks.filter((ask) => ask.state === state).length;
      this.words.textContent = `You predicted ${count("right")} of ${this.asks.length} right `
        + `(${count("passed")} passed, ${count("open")} still open).`;
      this.list.replaceChildren(...this.asks.filter((ask) => ask.isOpen).map((ask) => {
        const item = make("li");
        item.append(linkTo(ask));
        return item;
      }));
      this.list.hidden = count("open") === 0;
      this.button.hidden = count("open") === this.asks.length;
    }
  }

  const start = () => {
    const shown = [];
    const refresh = () => shown.forEach((part) => part.show());
    const asks = [...document.querySelectorAll("form.ask")].map((form) => new Ask(form, refresh));
    const covers = new Map();
    asks.forEach((ask) => ask.data.covers.forEach((name) => {
      covers.set(name, [...(covers.get(name) ?? []), ask]);
    }));
    covers.forEach((those, name) => {
      const figure = document.getElementById(`fig-${name}`);
      if (figure) shown.push(new Cover(figure, those));
    });
    const isCovered = (part) => [...covers.keys()].some((name) => holds(part, `#fig-${name}`));
    asks.forEach((ask) => shown.push(new Veil(ask, isCovered)));
    document.querySelectorAll("p.ask-score").forEach((words) => {
      shown.push(new Score(words, asks, () => {
        asks.forEach((ask) => ask.startOver());
        refresh();
      }));
    });
    refresh();
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
