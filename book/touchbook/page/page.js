// What a built page does: its figures, questions, boards and cells come to life. The script is
// deferred: the document is there.

import { wakeCells } from "../cell/cell.js";
import { storage } from "../store.js";
import { wakeAsks } from "./asks.js";
import { wakeBoard, wakeBoards } from "./boards.js";
import { wakeFigures } from "./figures.js";
import { nameFolds, passContents, wakeCode } from "./head.js";
import { followToWorkshop } from "./link.js";
import { showProgress, watchPlace } from "./progress.js";
import { pagePython, tellCost } from "./python.js";
import { wakeReview } from "./review.js";

const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const here = new URL(".", script.src);
storage.name = script.dataset.storage ?? storage.name;

followToWorkshop();
wakeFigures();
wakeAsks();
wakeCode();
nameFolds();
passContents();
wakeReview();
watchPlace();
showProgress(here);
const python = pagePython(here);
if (python) {
  wakeBoards(python);
  wakeCells(python, here, (figure) => wakeBoard(figure, python));
  tellCost(python);
}
