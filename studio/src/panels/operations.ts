// The recipe's operations in the order in which they act, each with what may be chosen. The order is the engine's and cannot be changed.

import type { SlotRanges } from "rebone";
import { recipeOf } from "../document";
import type { Studio } from "../studio";
import { t, type TextKey } from "../texts";
import { el, fill } from "../ui/dom";
import { Stale } from "../engine/client";
import { Fields, type Path, typedNumber } from "./fields";
import { simplePaths } from "./settings";
import { limitsOfSlots, weights } from "./slots";
import { nothingYet } from "./empty";

const lookAt = ["target", "look_at"];
/** Where somebody looks at first: ahead, at the height of a grown person's eyes. */
const AHEAD = [0, 1.5, 3];

interface Section {
  text: TextKey;
  /** Keys of the recipe that it is about. */
  keys: readonly string[];
  fields: () => (HTMLElement | null)[];
  /** Is all of it shown only where it is switched on? */
  isSwitched?: boolean;
}

/** What other panels show, and what the schema has on both sides but only one may say. */
const ELSEWHERE = [
  "version",
  "profile",
  "source.pose",
  "source.up",
  "source.forward",
  "target.pose",
  "target.up",
  "target.forward",
  "source.look_at",
  "source.spacing",
  "target.place",
];

export function operationsPanel(studio: Studio, toPins: () => void): (place: HTMLElement) => void {
  let shownIn: HTMLElement | null = null;
  let ranges: { of: unknown; found: Readonly<Record<string, SlotRanges>> } = { of: null, found: {} };
  const again = (): void => {
    if (shownIn?.querySelector(".operation")) render(shownIn);
  };
  const fields = new Fields(studio, again);
  const closed = new Set<TextKey>(["opMore"]);

  /** Asks for the ranges that hold; the panel is made anew when they come. */
  const askRanges = (): void => {
    const of = JSON.stringify([fields.get(["limits"]), studio.shown.target?.file.id]);
    if (ranges.of === of || !studio.shown.map || fields.get(["limits"]) === undefined) return;
    ranges = { of, found: ranges.found };
    studio
      .pair()
      .then((pair) => studio.engine.call("slot_limits", pair, "limits"))
      .then((found) => {
        ranges = { of, found };
        again();
      })
      .catch((error: unknown) => {
        // What is wrong with a recipe is said where it is used.
        ranges = { of: error instanceof Stale ? null : of, found: {} };
      });
  };

  const gaze = (): (HTMLElement | null)[] => {
    const isOn = fields.get(lookAt) !== undefined;
    const own = el("input", { type: "checkbox", id: "op-gaze", checked: isOn, "data-focus": "op-gaze" });
    own.addEventListener("change", () => fields.set(lookAt, own.checked ? { point: AHEAD } : undefined));
    const row = el(
      "div",
      { class: `operation ${isOn ? "set" : ""}` },
      el("span", { class: "switch" }, own),
      el("label", { for: "op-gaze" }, t("lookAtOn")),
    );
    if (!isOn) return [row];
    return [
      row,
      fields.three("lookAtPoint", [...lookAt, "point"], [0, 0, 0]),
      fields.slider("weight", [...lookAt, "weight"]),
      fields.slider("lookAtYaw", [...lookAt, "yaw"]),
      fields.slider("lookAtEyes", [...lookAt, "eyes"]),
      fields.slider("lookAtNeck", [...lookAt, "neck"]),
    ];
  };

  const scale = (): (HTMLElement | null)[] => {
    const value = fields.get(["root_scale"]);
    const found = studio.shown.result?.root_scale;
    const id = "op-root-scale-number";
    const typed = el("input", {
      id,
      type: "number",
      min: 0,
      step: 0.01,
      value: typeof value === "number" ? value : "",
      placeholder: found ? found.horizontal.toFixed(3) : "",
      "data-focus": id,
      class: "wide",
    });
    typed.addEventListener("change", () =>
      typedNumber(typed, (own) => fields.set(["root_scale"], own === undefined ? undefined : Math.max(0, own))),
    );
    const usual =
      typeof value === "number" ? [value, value, value] : [found?.horizontal ?? 1, found?.vertical ?? 1, found?.horizontal ?? 1];
    return [
      fields.words("rootScale", ["root_scale"]),
      el("div", { class: "operation" }, el("span"), el("label", { for: id }, t("rootScaleNumber")), typed),
      fields.three("rootScaleThree", ["root_scale"], usual as [number, number, number], 0.01),
    ];
  };

  const sections: readonly Section[] = [
    {
      text: "opWhole",
      keys: ["preset", "method", "across_kinds", "rate_hz", "additive"],
      fields: () => [
        fields.words("preset", ["preset"]),
        fields.words("method", ["method"]),
        fields.words("acrossKinds", ["across_kinds"]),
        fields.number("rateHz", ["rate_hz"], "rateOwn", 1),
        fields.words("additive", ["additive"], { rest: "additiveRest", first: "additiveFirst" }),
      ],
    },
    {
      text: "opTravel",
      keys: ["root_scale", "source.place"],
      fields: () => [
        ...scale(),
        fields.slider("placeTurn", ["source", "place", "turn_degrees"], [-180, 180]),
        fields.three("placeShift", ["source", "place", "shift"], [0, 0, 0]),
        fields.number("placeScale", ["source", "place", "scale"], "one"),
      ],
    },
    {
      text: "feet",
      keys: ["feet"],
      fields: () => [
        fields.slider("feet", ["feet", "weight"]),
        fields.slider("lock", ["feet", "lock"]),
        fields.words("anchor", ["feet", "anchor"], { ball: "anchorBall", sole: "anchorSole" }),
        fields.words("feetFloor", ["feet", "floor"], { soles: "floorSoles", "as-source": "floorSource", off: "off" }),
        fields.slider("pull", ["feet", "pull"]),
        fields.words("standingOf", ["feet", "standing"]),
      ],
    },
    {
      text: "hands",
      keys: ["hands"],
      fields: () => [
        fields.words("hands", ["hands", "mode"]),
        fields.slider("weight", ["hands", "weight"]),
        fields.slider("assist", ["hands", "assist"]),
        fields.slider("lift", ["hands", "lift"]),
      ],
    },
    { text: "ground", keys: ["ground"], fields: () => [fields.slider("ground", ["ground"])] },
    { text: "ownBody", keys: ["own_body"], fields: () => [fields.slider("ownBody", ["own_body"])] },
    { text: "mirror", keys: ["mirror"], fields: () => [fields.words("mirror", ["mirror"])] },
    { text: "opWeights", keys: ["target.weights"], fields: () => [weights(studio, fields)] },
    {
      text: "opSpacing",
      keys: ["target.spacing"],
      fields: () => [
        fields.slider("armSpacing", ["target", "spacing", "arms"]),
        fields.slider("legSpacing", ["target", "spacing", "legs"]),
      ],
    },
    {
      text: "pins",
      keys: ["pins"],
      fields: () => {
        const count = (fields.get(["pins"]) as unknown[] | undefined)?.length ?? 0;
        return [
          el(
            "div",
            { class: "operation" },
            el("span"),
            el("label", {}, t("pinCount", { count })),
            el("button", { id: "op-pins", "data-focus": "op-pins", onclick: toPins }, t("pinEdit")),
          ),
        ];
      },
    },
    { text: "opGaze", keys: ["target.look_at"], fields: gaze, isSwitched: true },
    {
      text: "limits",
      keys: ["limits"],
      fields: () => [fields.words("limits", ["limits", "use"]), limitsOfSlots(studio, fields, ranges.found)],
    },
    { text: "twist", keys: ["twist"], fields: () => [fields.slider("twist", ["twist"])] },
    {
      text: "rootMotion",
      keys: ["root_motion"],
      fields: () => [
        fields.words("rootMotion", ["root_motion", "mode"]),
        fields.number("smoothSeconds", ["root_motion", "smooth_seconds"], "none"),
      ],
    },
    { text: "opMore", keys: [], fields: () => fields.others(unplaced) },
  ];
  const isBelow = (path: Path, keys: readonly string[]): boolean => keys.some((key) => `${path.join(".")}.`.startsWith(`${key}.`));
  const simple = simplePaths();
  const unplaced = simple.filter((path) => !isBelow(path, [...ELSEWHERE, ...sections.flatMap(({ keys }) => keys)]));
  /** The fields of a section, and behind them what else can be said below its keys. */
  const fieldsOf = ({ keys, fields: own, isSwitched }: Section): (HTMLElement | null)[] => {
    const first = own();
    return isSwitched ? first : [...first, ...fields.others(simple.filter((path) => isBelow(path, keys)))];
  };

  // Made once, so that what was typed stays.
  let wanted = "";
  const finder = el("input", { id: "op-find", type: "search", class: "find", "data-focus": "op-find" });
  const nothingFound = el("p", { class: "hint", role: "status" });
  /** Leaves what was looked for in sight, by the names of sections, fields and choices. */
  const sift = (): void => {
    finder.placeholder = t("findOption");
    finder.setAttribute("aria-label", t("findOption"));
    const words = wanted
      .toLocaleLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    const holds = (text: string | null): boolean => words.every((word) => (text ?? "").toLocaleLowerCase().includes(word));
    let count = 0;
    shownIn?.querySelectorAll<HTMLElement>(".section").forEach((section) => {
      const ofSection = holds(section.querySelector("summary")?.textContent ?? "");
      const fields = [...section.querySelectorAll<HTMLElement>(".operation")];
      fields.forEach((own) => (own.hidden = !ofSection && !holds(own.textContent)));
      section.hidden = !ofSection && !holds(section.textContent);
      if (words.length > 0) (section as HTMLDetailsElement).open = true;
      if (!section.hidden) count++;
    });
    nothingFound.textContent = count === 0 ? t("findNothing") : "";
    nothingFound.hidden = count > 0;
  };
  finder.addEventListener("input", () => {
    wanted = finder.value;
    sift();
  });

  const render = (place: HTMLElement): void => {
    shownIn = place;
    if (studio.document.target === null) {
      fill(place, nothingYet(studio));
      return;
    }
    // A slider in somebody's hand is not taken away.
    const held = document.activeElement;
    if (held instanceof HTMLInputElement && held.type === "range" && place.contains(held) && held.matches(":active")) return;
    const focused = place.contains(held) ? (held as HTMLElement).dataset["focus"] : undefined;
    askRanges();
    const recipe = recipeOf(studio.document);
    const scroll = place.scrollTop;
    fields.drawn.clear();
    fill(
      place,
      el("p", { class: "hint" }, t("operationsNote")),
      finder,
      nothingFound,
      sections.map((section, index) => {
        const { text, keys } = section;
        const own = fieldsOf(section);
        const isSet = keys.some((key) => fields.get(key.split(".")) !== undefined);
        const shown = el(
          "details",
          { class: `section ${isSet ? "set" : ""}`, open: !closed.has(text), "data-section": text },
          el("summary", { "data-focus": `section-${text}` }, el("span", { class: "order" }, String(index + 1)), t(text)),
          own,
        );
        shown.addEventListener("toggle", () => (shown.open ? closed.delete(text) : closed.add(text)));
        return shown;
      }),
      "chain_modes" in recipe || "translations" in recipe || "twist_shares" in recipe || "curves" in recipe
        ? el("p", { class: "hint" }, t("moreInRecipe"))
        : null,
    );
    sift();
    place.scrollTop = scroll;
    if (focused !== undefined) place.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  };
  return render;
}
