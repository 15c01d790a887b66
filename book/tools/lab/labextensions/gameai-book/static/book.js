// What JupyterLab's MyST leaves raw in this book: citations, solutions that go over several
// cells, and links to a setting of a figure. JupyterLab and Notebook 7 load it as it stands.
(() => {
  // biome-ignore lint/suspicious/noRedundantUseStrict: a script, although nothing says so
  "use strict";

  // "Foerster, Jakob N. and Song, Francis" of a BibTeX entry -> "Foerster and Song".
  const names = (authors) => {
    const last = authors.split(/\s+and\s+/).map((a) => a.split(",")[0].replace(/[{}]/g, ""));
    return last.length > 2 ? `${last[0]} et al.` : last.join(" and ");
  };

  const parseBibtex = (text) => new Map(
    text.split(/^@/m).slice(1).map((entry) => {
      const field = (name) => entry.match(new RegExp(`^\\s*${name}\\s*=\\s*\\{(.*)\\},?$`, "m"))?.[1] ?? "";
      const arxiv = field("note").match(/arXiv:([\d.]+)/)?.[1];
      return [entry.match(/\{([^,]+),/)[1], {
        who: names(field("author")), year: field("year"), title: field("title").replace(/[{}]/g, ""),
        url: field("url") || (arxiv && `https://arxiv.org/abs/${arxiv}`),
      }];
    }));

  const cite = (references) => {
    document.querySelectorAll('.cite-group [title="Citation Not Found"]').forEach((span) => {
      const found = references.get(span.textContent.trim());
      if (!found) return;
      const isNarrative = span.closest(".cite-group").classList.contains("narrative");
      const label = document.createElement(found.url ? "a" : "span");
      label.textContent = isNarrative ? `${found.who} (${found.year})` : `${found.who}, ${found.year}`;
      label.title = found.title;
      if (found.url) Object.assign(label, { href: found.url, target: "_blank", rel: "noreferrer" });
      // The old node stays, out of sight: it belongs to the renderer.
      span.title = "";
      span.hidden = true;
      span.after(label);
    });
  };

  const startsSolution = (block) => {
    const title = block.querySelector(".myst-exercise-title");
    if (title?.textContent.startsWith("Start of Solution")) {
      title.childNodes.forEach((node) => {
        if (node.nodeType === Node.TEXT_NODE) node.data = node.data.replace(/Start of\s*/, "");
      });
      block.dataset.solution = "start";
    }
    return block.dataset.solution === "start";
  };
  const endsSolution = (block) => block.matches("aside.myst-exercise") && !block.textContent.trim();

  // A solution starts in one cell and ends in another: what lies between follows its fold.
  const fold = (notebook) => {
    let solution = null;
    const hide = (part) => part.classList.toggle("gameai-folded", solution !== null && !solution.open);
    notebook.querySelectorAll(".jp-Cell").forEach((cell) => {
      if (cell.classList.contains("jp-CodeCell")) {
        hide(cell);
        return;
      }
      [...(cell.querySelector(".myst")?.children ?? [])].forEach((block) => {
        if (startsSolution(block)) {
          solution = block;
        } else if (endsSolution(block)) {
          solution = null;
          block.hidden = true;
        } else {
          hide(block);
        }
      });
    });
  };

  const follow = (app, event) => {
    const link = event.target.closest?.('.jp-Notebook a[href*="#fig-"]');
    if (!link) return;
    event.preventDefault();
    event.stopPropagation();
    const address = link.getAttribute("href").split("#")[1]; // the library reads what is after "?"
    const figure = document.getElementById(decodeURIComponent(address.split("?")[0]));
    figure?.closest(".jp-Cell").scrollIntoView({ block: "center" });
    const kernel = app.shell.currentWidget?.sessionContext?.session?.kernel;
    const code = `from touchbook.widgets import follow as _follow\n_follow(${JSON.stringify(address)})\ndel _follow`;
    kernel?.requestExecute({ code, silent: true, store_history: false });
  };

  const ROLE = /\{(\w+)\}`([^`<]*?)\s*(?:<([^`>]*)>)?`/g;

  // What a link of MyST without a target means: the role in the source of its cell that has its text.
  const meant = (notebook, link) => {
    const cell = notebook.widgets.find((one) => one.node.contains(link));
    const roles = [...(cell?.model.sharedModel.getSource().matchAll(ROLE) ?? [])];
    const [, role, text, label] = roles.find((one) => one[2].trim() === link.textContent.trim()) ?? [];
    return { isTerm: role === "term", label: label ?? text };
  };

  // MyST knows one notebook only: a lesson's links to its workshop, and terms, lead on from here.
  const leave = async (app, event) => {
    const link = event.target.closest?.('.jp-Notebook .myst a.hover-link[href="#"]');
    if (!link) return;
    event.preventDefault();
    event.stopPropagation();
    const { content, context } = app.shell.currentWidget;
    const { isTerm, label } = meant(content, link);
    const other = context.path.includes("_workshop.")
      ? context.path.replace("_workshop.", ".") : context.path.replace(".ipynb", "_workshop.ipynb");
    const path = isTerm ? other.replace(/[^/]*$/, "glossary.md") : other;
    const opened = await app.commands.execute("docmanager:open", { path });
    await opened?.context.ready;
    const marks = [`(${label})=`, `:label: ${label}\n`, `:name: ${label}\n`];
    const cell = opened?.content.widgets?.find((one) =>
      marks.some((mark) => one.model.sharedModel.getSource().includes(mark)));
    if (cell) await opened.content.scrollToCell(cell, "start");
  };

  const activate = async (app) => {
    const style = document.createElement("style");
    style.textContent = ".gameai-folded { display: none !important; }";
    document.head.append(style);
    document.addEventListener("click", (event) => follow(app, event), true);
    document.addEventListener("click", (event) => leave(app, event), true);

    let references = new Map();
    let isWaiting = false;
    const mend = () => {
      isWaiting = false;
      cite(references);
      document.querySelectorAll(".jp-Notebook").forEach(fold);
      // The notebook's shortcuts would take the arrow keys from what has the focus.
      document.querySelectorAll(
        ".explorable-live-face :is(.noUi-handle, select, input, button):not([data-lm-suppress-shortcuts])"
      ).forEach((control) => { control.dataset.lmSuppressShortcuts = "true"; });
    };
    const soon = () => {
      if (!isWaiting) requestAnimationFrame(mend);
      isWaiting = true;
    };
    new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
    document.addEventListener("toggle", soon, true);
    for (const path of ["references.bib", "book/references.bib"]) {
      try {
        references = parseBibtex((await app.serviceManager.contents.get(path)).content);
        break;
      } catch { /* the server was started in another folder */ }
    }
    soon();
  };

  const plugin = { id: "gameai-book:plugin", autoStart: true, activate };
  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["gameai-book"] = {
    init: () => {},
    get: () => Promise.resolve(() => ({ __esModule: true, default: plugin })),
  };
})();
