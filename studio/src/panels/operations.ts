// The recipe's operations in their order, each with what may be chosen. What is left at its default is not in the recipe.

import { recipeOf, valueAt } from "../document";
import type { Studio } from "../studio";
import { t, type TextKey } from "../texts";
import { el, fill } from "../ui/dom";

interface Control {
  text: TextKey;
  path: readonly string[];
  /** Words to choose from, or a range of numbers. `standard` is where a slider stands that nobody moved. */
  choice: { words: readonly (string | boolean)[] } | { from: number; to: number; step: number; standard: number };
}

const weight = { from: 0, to: 1, step: 0.01, standard: 1 };

/** In the order in which they act. */
const controls: readonly Control[] = [
  { text: "preset", path: ["preset"], choice: { words: ["faithful", "humanik", "mixamo", "match-source"] } },
  { text: "method", path: ["method"], choice: { words: ["model-delta", "rest-delta", "channels", "parent-delta"] } },
  { text: "acrossKinds", path: ["across_kinds"], choice: { words: [true, false] } },
  { text: "twist", path: ["twist"], choice: weight },
  { text: "rootScale", path: ["root_scale"], choice: { words: ["auto", "legs", "hips", "stature", "legs-stature", "none"] } },
  { text: "rootMotion", path: ["root_motion"], choice: { words: ["as-source", "hips", "extract", "project", "in-place"] } },
  { text: "armSpacing", path: ["target", "spacing", "arms"], choice: { from: -45, to: 45, step: 0.5, standard: 0 } },
  { text: "legSpacing", path: ["target", "spacing", "legs"], choice: { from: -30, to: 30, step: 0.5, standard: 0 } },
  { text: "limits", path: ["limits", "use"], choice: { words: ["none", "human", "profile", "learnt"] } },
  { text: "hands", path: ["hands", "mode"], choice: { words: ["off", "auto", "always"] } },
  { text: "ground", path: ["ground"], choice: weight },
  { text: "feet", path: ["feet", "weight"], choice: weight },
  { text: "lock", path: ["feet", "lock"], choice: weight },
  { text: "mirror", path: ["mirror"], choice: { words: [true, false] } },
];

const word = (value: string | boolean): string => (value === true ? t("on") : value === false ? t("off") : value);

function field(studio: Studio, { text, path, choice }: Control, again: () => void): HTMLElement {
  const key = path.join(".");
  const id = `op-${key.replaceAll(".", "-")}`;
  const value = valueAt(recipeOf(studio.document), path);
  const isSet = value !== undefined;
  let own: HTMLElement[];
  if ("words" in choice) {
    const list = el("select", { id, "data-focus": id },
      el("option", { value: "" }, t("standard")),
      choice.words.map((known, index) => el("option", { value: index, selected: known === value }, word(known))),
      isSet && !choice.words.some((known) => known === value) && el("option", { value: "own", selected: true }, JSON.stringify(value)),
    );
    list.addEventListener("change", () => {
      if (list.value !== "own") studio.setValue(path, list.value === "" ? undefined : choice.words[Number(list.value)]);
    });
    own = [list];
  } else {
    const at = typeof value === "number" ? value : value === false ? 0 : value === true ? 1 : choice.standard;
    const attributes = { min: choice.from, max: choice.to, step: choice.step, value: at };
    const slider = el("input", { id, type: "range", ...attributes, "data-focus": id, class: isSet ? "" : "standard" });
    const typed = el("input", { type: "number", ...attributes, "aria-label": t(text), "data-focus": `${id}-typed` });
    slider.addEventListener("input", () => {
      typed.value = slider.value;
      studio.setValue(path, Number(slider.value), key);
    });
    slider.addEventListener("change", () => {
      studio.history.settle();
      setTimeout(again, 0);
    });
    typed.addEventListener("change", () => {
      if (typed.value !== "") studio.setValue(path, Number(typed.value));
    });
    own = [slider, typed];
  }
  return el("div", { class: `operation ${isSet ? "set" : ""}` },
    el("label", { for: id }, t(text)),
    own,
    isSet ? el("button", { class: "small", "aria-label": t("reset", { name: t(text) }), title: t("reset", { name: t(text) }), onclick: () => studio.setValue(path, undefined) }, "↺") : el("span"),
  );
}

export function operationsPanel(studio: Studio): (place: HTMLElement) => void {
  const render = (place: HTMLElement): void => {
    if (studio.document.target === null) return fill(place);
    // A slider in somebody's hand is not taken away.
    const held = document.activeElement;
    if (held instanceof HTMLInputElement && held.type === "range" && place.contains(held) && held.matches(":active")) return;
    const focused = place.contains(held) ? (held as HTMLElement).dataset["focus"] : undefined;
    fill(place, controls.map((control) => field(studio, control, () => place.querySelector(".operation") && render(place))));
    if (focused !== undefined) place.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  };
  return render;
}
