// Weights and limits of single slots: those that were set, and a list to set another.

import type { SlotRanges } from "rebone";
import type { Studio } from "../studio";
import { t, type TextKey } from "../texts";
import { el } from "../ui/dom";
import type { Fields } from "./fields";

/** Names that mean many slots; each also of one side. */
const parts = ["arms", "legs", "fingers"] as const;
const groups = [
  ...parts,
  "torso",
  "face",
  ...parts.flatMap((own) => ["left", "right"].map((side) => `${side}${own[0]?.toUpperCase() ?? ""}${own.slice(1)}`)),
];
const ranges: readonly ["bend" | "side" | "twist", TextKey][] = [
  ["bend", "rangeBend"],
  ["side", "rangeSide"],
  ["twist", "rangeTwist"],
];
const WEIGHT = { from: 0, to: 2, step: 0.01, most: 10 };
/** What a slot begins with when it is named. */
const FIRST_WEIGHT = 0.5;
const FIRST_BEND: [number, number] = [-90, 90];

/** A list of what may still be named. */
function adder(
  id: string,
  text: TextKey,
  all: readonly [TextKey, readonly string[]][],
  taken: ReadonlySet<string>,
  add: (name: string) => void,
): HTMLElement {
  const list = el(
    "select",
    { id, "aria-label": t(text), "data-focus": id },
    el("option", { value: "" }, t(text)),
    all.map(([label, names]) =>
      el(
        "optgroup",
        { label: t(label) },
        names.filter((own) => !taken.has(own)).map((own) => el("option", { value: own }, own)),
      ),
    ),
  );
  list.addEventListener("change", () => list.value !== "" && add(list.value));
  return list;
}

const table = (fields: Fields, path: readonly string[]): Record<string, unknown> => {
  const found = fields.get(path);
  return found !== null && typeof found === "object" ? (found as Record<string, unknown>) : {};
};

function slotsOf(studio: Studio): string[] {
  const slots = studio.shown.map?.target.slots ?? {};
  return Object.keys(slots).filter((slot) => (slots[slot]?.joints.length ?? 0) > 0);
}

export function weights(studio: Studio, fields: Fields): HTMLElement {
  const path = ["target", "weights"];
  const set = table(fields, path);
  const row = ([name, value]: [string, unknown]): HTMLElement => {
    const id = `weight-${name}`;
    const at = { min: WEIGHT.from, step: WEIGHT.step, value: Number(value) };
    const slider = el("input", { id, type: "range", ...at, max: WEIGHT.to, "data-focus": id });
    const typed = el("input", {
      type: "number",
      ...at,
      max: WEIGHT.most,
      "aria-label": `${t("weight")}: ${name}`,
      "data-focus": `${id}-typed`,
    });
    slider.addEventListener("input", () => {
      typed.value = slider.value;
      fields.set([...path, name], Number(slider.value), `${id}`);
    });
    slider.addEventListener("change", () => studio.history.settle());
    typed.addEventListener("change", () => typed.value !== "" && fields.set([...path, name], Number(typed.value)));
    return el(
      "div",
      { class: "operation set" },
      el("span"),
      el("label", { for: id }, name),
      slider,
      typed,
      el(
        "button",
        {
          class: "small",
          "aria-label": t("remove", { name }),
          title: t("remove", { name }),
          onclick: () => fields.set([...path, name], undefined),
        },
        "×",
      ),
    );
  };
  return el(
    "div",
    { class: "by-slot" },
    Object.entries(set).map(row),
    adder(
      "weight-add",
      "weightAdd",
      [
        ["parts", groups],
        ["slots", slotsOf(studio)],
      ],
      new Set(Object.keys(set)),
      (name) => fields.set([...path, name], FIRST_WEIGHT),
    ),
  );
}

/** `found` are the ranges that hold with this recipe. */
export function limitsOfSlots(studio: Studio, fields: Fields, found: Readonly<Record<string, SlotRanges>>): HTMLElement {
  const path = ["limits", "slots"];
  const set = table(fields, path);
  const card = ([slot, value]: [string, unknown]): HTMLElement => {
    const isFree = value === "none";
    const own = value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
    const free = el("input", { type: "checkbox", id: `limit-free-${slot}`, checked: isFree, "data-focus": `limit-free-${slot}` });
    free.addEventListener("change", () => fields.set([...path, slot], free.checked ? "none" : { bend: found[slot]?.bend ?? FIRST_BEND }));
    const range = ([key, text]: (typeof ranges)[number]): HTMLElement => {
      const typed = own[key] as [number, number] | undefined;
      const now = found[slot]?.[key];
      const inputs = [0, 1].map((end) =>
        el("input", {
          type: "number",
          step: 1,
          min: -180,
          max: 180,
          value: typed?.[end] ?? "",
          placeholder: now ? Math.round(now[end] ?? 0) : "–",
          "aria-label": `${slot} ${t(text)} ${t(end === 0 ? "least" : "most")}`,
          "data-focus": `limit-${slot}-${key}-${end}`,
        }),
      );
      inputs.forEach((input) =>
        input.addEventListener("change", () => {
          if (inputs.every((field) => field.value === "")) return fields.set([...path, slot, key], undefined);
          const [least = 0, most = 0] = inputs.map((field, end) => Number(field.value === "" ? (now?.[end] ?? 0) : field.value));
          fields.set([...path, slot, key], [Math.min(least, most), Math.max(least, most)]);
        }),
      );
      return el("span", { class: "range" }, el("span", {}, t(text)), inputs);
    };
    return el(
      "fieldset",
      { class: "limit", "data-slot": slot },
      el(
        "legend",
        {},
        slot,
        el(
          "button",
          {
            class: "small",
            "aria-label": t("remove", { name: slot }),
            title: t("remove", { name: slot }),
            onclick: () => fields.set([...path, slot], undefined),
          },
          "×",
        ),
      ),
      el("label", { class: "line-label" }, free, t("limitFree")),
      !isFree && ranges.map(range),
    );
  };
  return el(
    "div",
    { class: "by-slot" },
    Object.entries(set).map(card),
    adder("limit-add", "limitAdd", [["slots", slotsOf(studio)]], new Set(Object.keys(set)), (slot) =>
      fields.set([...path, slot], { bend: (found[slot]?.bend ?? FIRST_BEND).map(Math.round) }),
    ),
  );
}
