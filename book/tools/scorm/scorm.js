// A packaged page tells the course that plays it what its reader has done, by SCORM 1.2. Where no
// course plays it, it does nothing. It runs before the page's own script, which finds what the
// course has kept.

(() => {
  /** @typedef {Record<string, (...texts: string[]) => unknown>} Course its interface */

  const MOST_LEVELS = 7; // of windows around the page
  const MOST_LETTERS = 4096; // that a course keeps of a page
  const PAUSE = 3000; // milliseconds in which the course is told once, at most
  const LEFT_OUT = 401; // the error of a course that lacks what SCORM lets it lack

  /** @returns {Course | null} */
  const courseAround = (/** @type {any} */ first) => {
    for (let [win, level] = [first, 0]; win && level <= MOST_LEVELS; level++) {
      try {
        if (typeof win.API?.LMSInitialize === "function") return win.API;
      } catch { /* the window of another site */ }
      win = win.parent === win ? null : win.parent;
    }
    return null;
  };
  const course = courseAround(window) ?? courseAround(window.opener ?? window.top?.opener);
  if (!course) return;

  const { storage } = /** @type {HTMLElement} */ (document.querySelector("script[data-storage]")).dataset;
  const forms = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("form.ask")]);
  const exercises = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".try[data-exercise]")]);
  const asked = forms.map((form) => `asked:${location.pathname}:${form.dataset.ask}`);
  const passed = exercises.map((box) => `passed:${location.pathname}:${box.dataset.exercise}`);

  /** @template T @param {() => T} action, which fails where storage is switched off */
  const attempt = (action) => {
    try { return action(); } catch { return null; }
  };
  const get = (/** @type {string} */ name) => attempt(() => localStorage.getItem(`${storage}:${name}`));
  const set = (/** @type {string} */ name, /** @type {string} */ text) =>
    attempt(() => localStorage.setItem(`${storage}:${name}`, text));
  const shortOf = (/** @type {string} */ name) => name.replace(`${location.pathname}:`, "");

  const line = Object.assign(document.createElement("p"), { className: "scorm-wrong", role: "status" });
  line.style.fontSize = "smaller";
  const complain = (/** @type {string} */ words) => {
    line.textContent = `Your course did not accept what this page reports (${words}). `
      + "Your answers stay in this browser.";
    document.querySelector("article h1")?.after(line);
  };

  /** What the course answers; null if it refuses. */
  const call = (/** @type {string} */ name, /** @type {string[]} */ ...texts) => {
    try {
      const answer = String(course[name](...texts));
      const error = Number(course.LMSGetLastError());
      if (answer !== "false" && !error) return answer;
      if (error !== LEFT_OUT) complain(`${[name, texts[0]].join(" ").trim()}: error ${error}`);
    } catch (error) {
      complain(`${name}: ${error}`);
    }
    return null;
  };

  /** Forget what another student has left in this browser. */
  const forgetOthers = () => {
    const folder = location.pathname.replace(/[^/]*$/, "");
    const student = call("LMSGetValue", "cmi.core.student_id");
    if (!student) return; // the course does not say who it is
    if ((get(`student:${folder}`) ?? student) !== student) {
      Object.keys(localStorage).filter((key) => key.startsWith(`${storage}:`) && key.includes(`:${folder}`))
        .forEach((key) => { localStorage.removeItem(key); });
    }
    set(`student:${folder}`, student);
  };

  /** Put what the course has kept where the page looks for it. */
  const restore = () => {
    const kept = attempt(() => JSON.parse(call("LMSGetValue", "cmi.suspend_data") || "{}")) ?? {};
    [...asked, ...passed].forEach((name) => {
      const entry = kept[shortOf(name)];
      if (entry && get(name) === null) set(name, JSON.stringify(entry));
    });
  };

  /** What the page keeps, as plain letters; the longest answers are left out if it is too much. */
  const suspended = () => {
    const kept = [...asked, ...passed].flatMap((name) => {
      const entry = attempt(() => JSON.parse(get(name) ?? "null"));
      return entry ? [`${JSON.stringify(shortOf(name))}:${JSON.stringify(entry)}`] : [];
    }).map((text) => text.replace(/[^ -~]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`));
    kept.sort((one, other) => one.length - other.length);
    while (kept.join().length + 2 > MOST_LETTERS) kept.pop();
    return `{${kept.join()}}`;
  };

  const standing = () => {
    const nRight = forms.filter((form) => form.dataset.state === "right").length;
    const nPassed = exercises.filter((box, i) => box.dataset.state === "passed" || get(passed[i])).length;
    const nAll = forms.length + exercises.length;
    return {
      score: String(Math.round((100 * (nRight + nPassed)) / Math.max(nAll, 1))),
      isDone: forms.every((form) => form.dataset.state !== "open") && (nPassed > 0 || !exercises.length),
      suspended: suspended(),
    };
  };

  /** Hours, minutes and seconds since the page began. */
  const sessionTime = () => {
    const seconds = performance.now() / 1000;
    const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
    const [hours, minutes, rest] = parts.map((part) => String(part).padStart(2, "0"));
    return `${hours.padStart(4, "0")}:${minutes}:${rest}`;
  };

  if (call("LMSInitialize", "") === null) return;
  let isCompleted = ["completed", "passed", "failed"] // which it then stays
    .includes(call("LMSGetValue", "cmi.core.lesson_status") ?? "");
  let told = "";
  /** @type {number | undefined} */
  let timer;

  const report = () => {
    const now = standing();
    told = JSON.stringify(now);
    /** @type {[string, string][]} */
    const values = [["score.min", "0"], ["score.max", "100"], ["score.raw", now.score],
      ["session_time", sessionTime()], ["exit", "suspend"]];
    if (!isCompleted) values.push(["lesson_status", now.isDone ? "completed" : "incomplete"]);
    isCompleted ||= now.isDone;
    values.forEach(([element, value]) => { call("LMSSetValue", `cmi.core.${element}`, value); });
    call("LMSSetValue", "cmi.suspend_data", now.suspended);
    call("LMSCommit", "");
  };
  const reportSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (JSON.stringify(standing()) !== told) report();
    }, PAUSE);
  };

  forgetOthers();
  restore();
  document.addEventListener("DOMContentLoaded", report, { once: true }); // once the page is awake
  document.addEventListener("touchbook:kept", reportSoon);
  window.addEventListener("pagehide", () => {
    clearTimeout(timer);
    report();
    call("LMSFinish", "");
  }, { once: true });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload(); // it comes back after its end
  });
})();
