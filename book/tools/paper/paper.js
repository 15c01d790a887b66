// Turns a built page into what paper shows; `python -m book.tools.paper` runs it in the page.
// It returns the title and the sections, for the table of contents. A link into another printed page
// leads to `inside` followed by its name and an id, which `__main__.py` turns into one of the PDF.
/** @typedef {{address: string, codes: Record<string, string>, inside: string, names: string[],
 *   wanted: string[]}} Order */
(/** @type {Order} */ { address, codes, inside, names, wanted }) => {
  const article = /** @type {HTMLElement} */ (document.querySelector("article.bd-article"));
  document.body.replaceChildren(article);
  document.documentElement.dataset.theme = "light";

  const make = (/** @type {string} */ tag, /** @type {string} */ className, content = "") => {
    const made = document.createElement(tag);
    made.className = className;
    made.innerHTML = content;
    return made;
  };
  const all = (/** @type {string} */ selector) =>
    /** @type {HTMLElement[]} */ ([...article.querySelectorAll(selector)]);
  /** What stands in an element, which is there. */
  const the = (/** @type {Element} */ within, /** @type {string} */ selector) =>
    /** @type {HTMLElement} */ (within.querySelector(selector));
  const words = (/** @type {Element} */ one) => one.textContent.replace(/\s+/g, " ").trim();

  // Where a board is played: an address to type, and one to photograph.
  for (const board of all("figure.board")) {
    const where = `${address}#${board.id}`;
    board.append(make("p", "paper-link", `${codes[board.id] ?? ""}<span>Played at<br>${where}</span>`));
  }

  // Questions stay, their answers stand at the end; so do the solutions of exercises.
  const answers = make("ol", "paper-answers");
  for (const [i, form] of all("form.ask").entries()) {
    const question = make("div", "paper-question", `<strong>Question ${i + 1}.</strong> `);
    question.append(...the(form, "legend").childNodes);
    const choices = [...form.querySelectorAll("fieldset > label:has([type=radio]) > span")];
    const list = make("ul", "");
    list.append(...choices.map((choice) => make("li", "", choice.innerHTML)));
    if (choices.length) question.append(list);
    const picture = form.querySelector("img");
    if (picture) question.append(picture);
    answers.append(make("li", "", the(form, ".ask-truth").innerHTML));
    form.replaceWith(question);
  }
  const solutions = all("div.solution");
  const last = (/** @type {string} */ id, /** @type {string} */ title, /** @type {Element[]} */ what) => {
    if (!what.length) return;
    const head = make("h2", "", title);
    head.id = id;
    article.append(head, ...what);
  };
  last("paper-solutions", "Solutions of the exercises", solutions);
  last("paper-answers", "Answers to the questions", answers.childElementCount ? [answers] : []);

  const gone = [
    "script", "button", ".headerlink", ".page-switches", ".page-cost", ".ask-score-box",
    ".explorable-controls", ".explorable-cover", ".board-tools", ".board-more", ".board-views",
    ".board-keep", ".board-rules", ".try-editor", ".try-tools", ".try-output", ".try-board",
    ".tag_hide-input details.hide",
  ];
  for (const one of all(gone.join())) one.remove();
  for (const code of all("div.try .cell_input")) code.hidden = false;
  for (const fold of all("details")) fold.setAttribute("open", "");
  for (const note of all(".toggle-hidden")) note.classList.remove("toggle-hidden");
  for (const covered of all("[data-covered]")) covered.removeAttribute("data-covered");
  // Links to pages that are not printed become words, or addresses on the net.
  for (const one of all("a[href]:not([href^='http'])")) {
    const to = one.getAttribute("href") ?? "";
    const there = new URL(to, location.href);
    const id = decodeURIComponent(there.hash.slice(1)).split("?")[0]; // a setting is lost on paper
    const name = there.pathname.replace(/^.*\/|\.html$/g, "");
    if (to.startsWith("#")) one.setAttribute("href", `#${id}`);
    else if (names.includes(name)) one.setAttribute("href", `${inside}${name}#${id}`);
    else if (address.startsWith("http")) one.setAttribute("href", new URL(to, address).href);
    else one.removeAttribute("href");
  }
  // A heading that goes to the next sheet takes with it what links lead to.
  for (const head of all("section > :is(h2, h3, h4)")) {
    const section = /** @type {HTMLElement} */ (head.parentElement);
    head.prepend(...section.querySelectorAll(":scope > span[id]:empty"));
    if (section.id) [head.id, section.id] = [section.id, ""];
  }
  const sections = all("h2").map((head) => [head.id, words(head)]);
  // A PDF knows those places alone to which its own page has a link.
  const known = make("div", "");
  known.hidden = true;
  for (const id of new Set([...wanted, ...sections.map(([id]) => id)])) {
    const link = make("a", "");
    link.setAttribute("href", `#${id}`);
    known.append(link);
  }
  article.append(known);
  return [words(the(article, "h1")), sections];
}
