// Messages at the edge of the page: troubles with their remedy stay until they are closed, good news goes by itself.

import { EngineError, Stale } from "../engine/client";
import { language, t } from "../texts";
import { byId, el } from "./dom";
import { engineWords } from "./engine_words";

/** Good news stays so long, and longer the more there is to read or to choose. */
const GOOD_NEWS_MS = 4000;
const LETTER_MS = 60;
const CHOICE_MS = 8000;

/** What mends a trouble, or does otherwise than was done, at a click. */
export interface Choice {
  text: string;
  act: () => void;
}

export function note(text: string, other: Choice | null = null): void {
  const own = el(
    "div",
    { class: "notice good" },
    el("button", { class: "close", "aria-label": t("close"), title: t("close"), onclick: () => own.remove() }, "×"),
    el("p", {}, text),
    other &&
      el(
        "button",
        {
          class: "remedy",
          onclick: () => {
            own.remove();
            other.act();
          },
        },
        other.text,
      ),
  );
  byId("notices").append(own);
  const leave = (): void => {
    // Who is at it is not interrupted.
    if (own.matches(":hover, :focus-within")) setTimeout(leave, GOOD_NEWS_MS);
    else own.remove();
  };
  setTimeout(leave, GOOD_NEWS_MS + text.length * LETTER_MS + (other ? CHOICE_MS : 0));
}

/** Says what went wrong, what to do about it, and that nothing is lost. Stale requests are no trouble. */
export function trouble(title: string, error: unknown, key = title, choice: Choice | null = null): void {
  if (error instanceof Stale) return;
  clearTrouble(key);
  const message = error instanceof Error ? error.message : String(error);
  const isEngine = error instanceof EngineError;
  const isTranslated = isEngine && language() !== "en";
  const remedy = isEngine && !isTranslated ? error.remedy : "";
  const own = el(
    "div",
    { class: "notice bad", role: "alert", "data-key": key, "data-code": isEngine ? error.code : "page" },
    el("button", { class: "close", "aria-label": t("close"), title: t("close"), onclick: () => own.remove() }, "×"),
    el("h2", {}, title),
    isTranslated ? el("div", {}, engineWords(error)) : el("p", { class: "message" }, message),
    remedy !== "" && el("p", { class: "hint" }, remedy),
    choice && el("button", { class: "remedy primary", onclick: choice.act }, choice.text),
    el("p", { class: "kept" }, t("kept")),
  );
  byId("notices").append(own);
}

/** Takes troubles away that are over. */
export function clearTrouble(key: string): void {
  byId("notices")
    .querySelectorAll<HTMLElement>("[data-key]")
    .forEach((own) => {
      if (own.dataset["key"] === key) own.remove();
    });
}

/** What is done within this time needs no words, milliseconds. */
const SOON_MS = 400;
let running = 0;
let soon: ReturnType<typeof setTimeout> | undefined;

/** Says what is being done while it is. */
export async function during<T>(text: string, work: Promise<T>): Promise<T> {
  const place = byId("busy");
  running++;
  place.textContent = text;
  soon ??= setTimeout(() => (place.hidden = false), SOON_MS);
  try {
    return await work;
  } finally {
    if (--running === 0) {
      clearTimeout(soon);
      soon = undefined;
      place.hidden = true;
    }
  }
}
