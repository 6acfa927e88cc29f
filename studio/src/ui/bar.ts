// The bar above everything: files, undo, language, dark or light.

import type { Side } from "rebone";
import { read } from "../files/drop";
import type { Studio } from "../studio";
import { language, languages, setLanguage, t, type Language } from "../texts";
import { byId, el, fill } from "./dom";
import { trouble } from "./notices";
import { remember, remembered } from "./remembered";

const THEME = "rebone-theme";

/** Sets dark or light as it was chosen; else the system's wish counts. */
export function applyTheme(): void {
  const stored = remembered(THEME);
  const wish = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  document.documentElement.dataset["theme"] = stored ?? wish;
}

export function bar(
  studio: Studio,
  samples: readonly { name: string; role: Side }[],
  onLanguage: () => void,
  onTheme: () => void,
  outcome: HTMLElement,
): () => void {
  const picker = el("input", { type: "file", multiple: true, hidden: true, id: "pick" });
  picker.addEventListener("change", () => {
    void read(picker.files ?? [], null).then((files) => studio.add(files));
    picker.value = "";
  });
  return () => {
    const { history } = studio;
    const sample = el(
      "select",
      { id: "samples", "aria-label": t("samples") },
      el("option", { value: "" }, t("samples")),
      (["source", "target"] as const).map((role) =>
        el(
          "optgroup",
          { label: t(role === "source" ? "motion" : "characters") },
          samples.filter((own) => own.role === role).map((own) => el("option", { value: own.name }, own.name)),
        ),
      ),
    );
    sample.addEventListener("change", () => {
      const own = samples.find(({ name }) => name === sample.value);
      sample.value = "";
      if (own) studio.addSample(own.name, own.role).catch((error: unknown) => trouble(t("fileRefused", { name: own.name }), error));
    });
    const tongue = el(
      "select",
      { id: "language", "aria-label": t("language") },
      (Object.keys(languages) as Language[]).map((own) =>
        el("option", { value: own, selected: own === language(), lang: own }, languages[own]),
      ),
    );
    tongue.addEventListener("change", () => {
      setLanguage(tongue.value as Language);
      onLanguage();
    });
    const theme = (): void => {
      remember(THEME, document.documentElement.dataset["theme"] === "dark" ? "light" : "dark");
      applyTheme();
      onTheme();
    };
    fill(
      byId("bar"),
      el("h1", {}, t("title")),
      picker,
      el("button", { id: "open", class: "primary", onclick: () => picker.click() }, t("open")),
      sample,
      el("button", { id: "undo", disabled: !history.canUndo, title: `${t("undo")} (Ctrl+Z)`, onclick: () => history.undo() }, t("undo")),
      el(
        "button",
        { id: "redo", disabled: !history.canRedo, title: `${t("redo")} (Ctrl+Shift+Z)`, onclick: () => history.redo() },
        t("redo"),
      ),
      el("span", { class: "gap" }),
      outcome,
      tongue,
      el("button", { id: "theme", "aria-label": t("theme"), title: t("theme"), onclick: theme }, "◐"),
    );
  };
}
