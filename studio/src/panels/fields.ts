// Fields for values of the recipe: words, numbers, three numbers, weights with a switch. What is left at its default is not in the recipe.

import { recipeOf, valueAt, withValue, type RecipeObject } from "../document";
import type { Studio } from "../studio";
import { t, type TextKey } from "../texts";
import { el } from "../ui/dom";
import { type Setting, settingAt } from "./settings";

export type Path = readonly string[];

/** Keys that may be a table or, in short, the value of one of its keys. */
const short: Record<string, string> = { feet: "weight", root_motion: "mode" };

/** The value at a path, however it is written. */
export function valueAsWritten(recipe: RecipeObject, path: Path): unknown {
  const found = valueAt(recipe, path);
  const [table = "", key] = path;
  if (found !== undefined || key === undefined || short[table] !== key) return found;
  const whole = recipe[table];
  return whole !== null && typeof whole === "object" ? undefined : whole;
}

/** A recipe with the value at a path, what was written in short kept. */
export function changed(recipe: RecipeObject, path: Path, value: unknown): RecipeObject {
  const [table = "", key] = path;
  const whole = recipe[table];
  const inner = short[table];
  const isShort = key !== undefined && inner !== undefined && whole !== undefined && (whole === null || typeof whole !== "object");
  return withValue(isShort ? { ...recipe, [table]: { [inner]: typeof whole === "boolean" ? Number(whole) : whole } } : recipe, path, value);
}

const idOf = (path: Path): string => `op-${path.join("-").replaceAll("_", "-")}`;

/** What was typed into a field for a number: none where it is empty. What is no number is taken back. */
export function typedNumber(field: HTMLInputElement, take: (value: number | undefined) => void): void {
  if (field.validity.badInput) field.value = field.defaultValue;
  else take(field.value === "" ? undefined : Number(field.value));
}

export class Fields {
  /** What weights were before they were switched off. */
  private readonly before = new Map<string, unknown>();
  /** Keys of the settings that have a field, since this was last cleared. */
  readonly drawn = new Set<string>();

  constructor(
    private readonly studio: Studio,
    /** Called when a slider was let go: the panel may be made anew. */
    private readonly again: () => void,
  ) {}

  get(path: Path): unknown {
    return valueAsWritten(recipeOf(this.studio.document), path);
  }

  set(path: Path, value: unknown, key: string | null = null): void {
    this.studio.setRecipe(changed(recipeOf(this.studio.document), path, value), key);
  }

  private setting(path: Path): Setting {
    return settingAt(path, this.get(["preset"]));
  }

  /** A word of a list, or a switch. */
  words(text: TextKey | null, path: Path, names: Partial<Record<string, TextKey>> = {}): HTMLElement {
    const id = idOf(path);
    const { words, isSwitch } = this.setting(path);
    const known: readonly (string | boolean)[] = isSwitch ? [true, false] : words;
    const value = this.get(path);
    const name = (own: string | boolean): string => {
      const named = names[String(own)];
      return named ? t(named) : own === true ? t("on") : own === false ? t("off") : own;
    };
    const list = el(
      "select",
      { id, "data-focus": id },
      el("option", { value: "" }, t("standard")),
      known.map((own, index) => el("option", { value: index, selected: own === value }, name(own))),
      value !== undefined && !known.some((own) => own === value) && el("option", { value: "own", selected: true }, JSON.stringify(value)),
    );
    list.addEventListener("change", () => {
      if (list.value !== "own") this.set(path, list.value === "" ? undefined : known[Number(list.value)]);
    });
    return this.row(id, text, path, null, [list]);
  }

  /** A slider with its number; with a switch where 0 means off. */
  slider(text: TextKey | null, path: Path, [from, to]: readonly [number?, number?] = []): HTMLElement {
    const id = idOf(path);
    const setting = this.setting(path);
    const standard = typeof setting.standard === "number" ? setting.standard : 0;
    const [least, most] = [setting.from ?? from ?? 0, setting.to ?? to ?? 1];
    const step = most - least > 5 ? 1 : 0.01;
    const key = path.join(".");
    const value = this.get(path);
    const isSet = value !== undefined;
    const at = typeof value === "number" ? value : value === false ? 0 : value === true ? 1 : standard;
    const attributes = { min: least, max: most, step, value: at };
    const slider = el("input", { id, type: "range", ...attributes, "data-focus": id, class: isSet ? "" : "standard" });
    const typed = el("input", { type: "number", ...attributes, "aria-label": this.label(text, path), "data-focus": `${id}-typed` });
    slider.addEventListener("input", () => {
      typed.value = slider.value;
      this.set(path, Number(slider.value), key);
    });
    slider.addEventListener("change", () => {
      this.studio.history.settle();
      setTimeout(this.again, 0);
    });
    typed.addEventListener("change", () => {
      if (typed.value !== "") this.set(path, Number(typed.value));
    });
    return this.row(id, text, path, setting.from === 0 && setting.to === 1 ? this.switched(this.label(text, path), path, at !== 0) : null, [
      slider,
      typed,
    ]);
  }

  private switched(label: string, path: Path, isOn: boolean): HTMLInputElement {
    const key = path.join(".");
    const id = `${idOf(path)}-switch`;
    const own = el("input", {
      type: "checkbox",
      id,
      checked: isOn,
      "aria-label": t("switchOf", { name: label }),
      title: t("switchOf", { name: label }),
      "data-focus": id,
    });
    own.addEventListener("change", () => {
      const isOff = this.setting(path).standard === 0;
      if (own.checked) this.set(path, this.before.get(key) ?? (isOff ? 1 : undefined));
      else {
        this.before.set(key, this.get(path));
        this.set(path, isOff ? undefined : 0);
      }
    });
    return own;
  }

  /** A number that may be left empty. */
  number(text: TextKey | null, path: Path, empty: TextKey, step = 0.01): HTMLElement {
    const id = idOf(path);
    const { from: min, to: max } = this.setting(path);
    const value = this.get(path);
    const typed = el("input", {
      id,
      type: "number",
      step,
      min,
      max,
      value: typeof value === "number" ? value : "",
      placeholder: t(empty),
      "data-focus": id,
      class: "wide",
    });
    typed.addEventListener("change", () => typedNumber(typed, (own) => this.set(path, own)));
    return this.row(id, text, path, null, [typed]);
  }

  /** Three numbers: to the left, up, forwards. */
  three(text: TextKey, path: Path, usual: readonly [number, number, number], step = 0.05): HTMLElement {
    const id = idOf(path);
    const value = this.get(path);
    const now = Array.isArray(value) && value.length === 3 ? (value as number[]) : null;
    return this.row(`${id}-0`, text, path, null, [
      threeNumbers(id, t(text), now ?? usual, step, now !== null, (numbers) => this.set(path, numbers)),
    ]);
  }

  /** Settings below these keys that have no field yet, each as its kind asks for. */
  others(paths: readonly Path[]): HTMLElement[] {
    return paths
      .filter((path) => !this.drawn.has(path.join(".")))
      .map((path) => {
        const { words, isSwitch, from, to, standard } = this.setting(path);
        const isShare = from !== undefined && to !== undefined && to - from <= 2;
        if (isShare && typeof standard === "number") return this.slider(null, path);
        return words.length > 0 || isSwitch ? this.words(null, path) : this.number(null, path, "standard");
      });
  }

  /** The text; without one the first sentence of what the setting says of itself. */
  private label(text: TextKey | null, path: Path): string {
    return text === null ? this.setting(path).says.replace(/[.:?] .*|[.:]$/s, "") : t(text);
  }

  private row(id: string, text: TextKey | null, path: Path, first: HTMLElement | null, own: HTMLElement[]): HTMLElement {
    this.drawn.add(path.join("."));
    const isSet = this.get(path) !== undefined;
    const label = this.label(text, path);
    return el(
      "div",
      { class: `operation ${isSet ? "set" : ""}` },
      el("span", { class: "switch" }, first),
      el("label", { for: id, title: `${path.join(".")}: ${this.setting(path).says}` }, label),
      own,
      isSet
        ? el(
            "button",
            {
              class: "small",
              "aria-label": t("reset", { name: label }),
              title: t("reset", { name: label }),
              onclick: () => this.set(path, undefined),
            },
            "↺",
          )
        : el("span"),
    );
  }
}

/** Three fields for numbers: to the left, up, forwards. */
export function threeNumbers(
  id: string,
  label: string,
  now: readonly number[],
  step: number,
  isSet: boolean,
  take: (numbers: [number, number, number]) => void,
): HTMLElement {
  const round = (value: number): number => Math.round(value * 10_000) / 10_000;
  const fields = [t("toLeft"), t("up"), t("forwards")].map((axis, index) =>
    el("input", {
      id: `${id}-${index}`,
      type: "number",
      step,
      value: round(now[index] ?? 0),
      "aria-label": `${label}: ${axis}`,
      title: axis,
      "data-focus": `${id}-${index}`,
      class: isSet ? "" : "standard",
    }),
  );
  for (const field of fields) {
    field.addEventListener("change", () => {
      const [x = 0, y = 0, z = 0] = fields.map((own) => Number(own.value));
      if (field.value !== "") take([x, y, z]);
    });
  }
  return el("span", { class: "three" }, fields);
}
