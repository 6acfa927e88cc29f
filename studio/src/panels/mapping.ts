// Which joint is which slot, on both sides: doubts first, another joint by list.

import type { PairMap, RigMap, Side, Slot } from "rebone";
import { recipeOf, valueAt } from "../document";
import type { Studio } from "../studio";
import { t } from "../texts";
import { el, fill } from "../ui/dom";
import type { Picking } from "../ui/picking";

/** Below it a joint deserves a look. */
const SURE = 0.8;
const sides: readonly Side[] = ["source", "target"];

/** How sure the less sure side is; slots that only one side has come after the doubts. */
function doubt(map: PairMap, slot: string): number {
  const own = sides.map((side) => map[side].slots[slot]?.confidence);
  const known = own.filter((value): value is number => value !== undefined);
  return Math.min(...known, 1);
}

/** What all names of a side begin with, as `mixamorig:`; said once, it need not be read in every line. */
function commonStart(names: readonly string[]): string {
  const [first = "", ...others] = names;
  let length = first.length;
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length--;
  // Only whole words are left out.
  return names.length > 3 ? (/^.*[:_./ ]/.exec(first.slice(0, length))?.[0] ?? "") : "";
}

/** What all names of a side end with, as the `_Armature` that a tool appends. */
function commonEnd(names: readonly string[]): string {
  const turned = (name: string): string => [...name].reverse().join("");
  return turned(commonStart(names.map(turned)));
}

interface Affixes {
  start: string;
  end: string;
}

/** A name without what all of its side have in common. */
function shortName(name: string, { start, end }: Affixes): string {
  const own = name.startsWith(start) ? name.slice(start.length) : name;
  const short = end !== "" && own.endsWith(end) && own.length > end.length ? own.slice(0, -end.length) : own;
  // A number alone is no name.
  return /\p{L}/u.test(short) ? short : name;
}

function jointList(
  studio: Studio,
  picking: Picking,
  side: Side,
  slot: string,
  found: Slot | undefined,
  isByHand: boolean,
  affixes: Affixes,
): HTMLElement {
  const joints = studio.shown[side]?.description.nodes.filter((node) => node.is_joint).map((node) => node.name) ?? [];
  const now = found?.joints ?? [];
  const label = now.length === 0 ? t("none") : now.map((name) => shortName(name, affixes)).join(" › ");
  const focus = `${side}:${slot}`;
  const list = el(
    "select",
    {
      "aria-label": t("jointOf", { slot, side: t(side) }),
      title: now.join(" › "),
      "data-focus": focus,
      "data-slot": slot,
      "data-side": side,
    },
    el("option", { value: "keep" }, label),
  );
  // A list of all joints for every slot is much; it is made when somebody comes to it.
  const open = (): void => {
    if (list.options.length > 1) return;
    list.append(el("option", { value: "none" }, t("none")), ...joints.map((name) => el("option", { value: `joint:${name}` }, name)));
  };
  list.addEventListener("pointerdown", open);
  list.addEventListener("focus", open);
  list.addEventListener("change", () => {
    const { value } = list;
    if (value !== "keep") studio.setValue([side, "slots", slot], value === "none" ? [] : [value.slice("joint:".length)]);
  });
  const isWaiting = picking.waiting?.side === side && picking.waiting.slot === slot;
  const sure = found?.confidence ?? 0;
  return el(
    "span",
    { class: `joint ${found && sure < SURE ? "doubtful" : ""} ${found ? "" : "empty"}` },
    list,
    found &&
      el(
        "meter",
        {
          min: 0,
          max: 1,
          low: 0.5,
          high: SURE,
          optimum: 1,
          value: sure,
          title: `${Math.round(sure * 100)} % · ${isByHand ? t("byHand") : found.evidence}`,
        },
        `${Math.round(sure * 100)} %`,
      ),
    el(
      "button",
      {
        class: "small",
        "data-pick": focus,
        "aria-pressed": String(isWaiting),
        "aria-label": t("pickIn", { slot, side: t(side) }),
        title: t("pickIn", { slot, side: t(side) }),
        onclick: () => picking.wait({ side, slot }),
      },
      "◎",
    ),
    isByHand &&
      el(
        "button",
        {
          class: "small",
          "aria-label": t("backToFound", { slot }),
          title: t("backToFound", { slot }),
          onclick: () => studio.setValue([side, "slots", slot], undefined),
        },
        "↺",
      ),
  );
}

function unmapped(map: RigMap, side: Side): HTMLElement | null {
  if (map.unmapped.length === 0) return null;
  return el(
    "details",
    {},
    el("summary", {}, `${t(side)}: ${t("unmapped", { count: map.unmapped.length })}`),
    el("p", { class: "names" }, map.unmapped.join(", ")),
  );
}

export function mappingPanel(studio: Studio, picking: Picking): (place: HTMLElement) => void {
  return (place) => {
    const { map } = studio.shown;
    if (!map) return fill(place);
    const slots = [...new Set(sides.flatMap((side) => Object.keys(map[side].slots)))];
    const doubts = new Map(slots.map((slot) => [slot, doubt(map, slot)]));
    const order = (slot: string): number => Math.min(doubts.get(slot) ?? 1, SURE);
    slots.sort((a, b) => order(a) - order(b));
    const recipe = recipeOf(studio.document);
    const affixes = { source: { start: "", end: "" }, target: { start: "", end: "" } };
    for (const side of sides) {
      const names = Object.values(map[side].slots).flatMap((own) => own.joints);
      affixes[side] = { start: commonStart(names), end: commonEnd(names) };
    }
    fill(
      place,
      el("p", { class: "hint" }, t("mappingNote")),
      el(
        "table",
        { class: "mapping" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, t("slot")),
            sides.map((side) => el("th", { scope: "col" }, t(side))),
          ),
        ),
        el(
          "tbody",
          {},
          slots.map((slot) =>
            el(
              "tr",
              {},
              el(
                "th",
                { scope: "row" },
                slot.split(/(?=[A-Z])/).flatMap((part) => [part, el("wbr")]),
              ),
              sides.map((side) =>
                el(
                  "td",
                  {},
                  jointList(
                    studio,
                    picking,
                    side,
                    slot,
                    map[side].slots[slot],
                    valueAt(recipe, [side, "slots", slot]) !== undefined,
                    affixes[side],
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
      sides.map((side) => unmapped(map[side], side)),
    );
  };
}
