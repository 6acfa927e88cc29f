// The engine's doubts and errors in the language of the page, with its own words behind them.

import { meaningOf, namesIn } from "../engine-texts";
import { language, t } from "../texts";
import { el } from "./dom";

interface Said {
  code: string;
  message: string;
  remedy: string;
}

/** What the engine says. In English that is its own text; in others what the code means, which names it is about, and its text to open. */
export function engineWords({ code, message, remedy }: Said): HTMLElement[] {
  const meaning = language() === "en" ? null : meaningOf(code);
  if (meaning === null) {
    const own = el("span", { class: "message" }, message);
    return remedy === "" ? [own] : [own, el("span", { class: "hint" }, ` ${remedy}`)];
  }
  const names = namesIn(message);
  return [
    el("span", { class: "message" }, meaning),
    ...(names.length > 0 ? [el("span", { class: "about" }, ` (${names.join(", ")})`)] : []),
    el(
      "details",
      { class: "engine" },
      el("summary", {}, t("details")),
      el("p", { lang: "en" }, `${message}${remedy === "" ? "" : `. ${remedy}`}`),
    ),
  ];
}
