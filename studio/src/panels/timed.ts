// What holds for a stretch of time: pins of the target's ends, and when points of the source touch.

import type { Studio } from "../studio";
import { t, type TextKey } from "../texts";
import { el, fill } from "../ui/dom";
import { goalOf, MORE_POINTS, type Pin, type Timing, type Touch } from "../ui/timing";
import { threeNumbers, typedNumber } from "./fields";

const ends = ["leftHand", "rightHand", "leftFoot", "rightFoot", "head", "hips"] as const;
const goals: readonly [string, TextKey][] = [
  ["point", "goalPoint"],
  ["joint", "goalJoint"],
  ["source", "goalSource"],
  ["own", "goalOwn"],
];
/** Joints of no slot that a list offers at most. */
const MOST_JOINTS = 300;

function jointOptions(studio: Studio, now: string, withSlots: boolean): HTMLElement[] {
  const map = studio.shown.map?.target;
  const slots = Object.keys(map?.slots ?? {}).filter((slot) => (map?.slots[slot]?.joints.length ?? 0) > 0);
  const first = withSlots ? slots : [...ends, ...slots.filter((own) => own.endsWith("Paw"))].filter((own) => slots.includes(own));
  const loose = (map?.unmapped ?? []).slice(0, MOST_JOINTS);
  const known = [...first, ...loose].includes(now) || now === "";
  const option = (own: string): HTMLElement => el("option", { value: own, selected: own === now }, own);
  return [
    ...(known ? [] : [option(now)]),
    el("optgroup", { label: t("slots") }, first.map(option)),
    ...(loose.length > 0 ? [el("optgroup", { label: t("unmapped", { count: map?.unmapped.length ?? 0 }) }, loose.map(option))] : []),
  ];
}

/** A number that may be left empty. */
function optional(
  id: string,
  label: string,
  value: number | undefined,
  empty: string,
  step: number,
  take: (value: number | undefined) => void,
): HTMLElement {
  const own = el("input", { id, type: "number", step, value: value ?? "", placeholder: empty, "aria-label": label, "data-focus": id });
  own.addEventListener("change", () => typedNumber(own, take));
  return own;
}

function pinCard(studio: Studio, timing: Timing, pin: Pin, index: number): HTMLElement {
  const id = `pin-${index}`;
  const goal = goalOf(pin);
  const name = `${t("pin")} ${index + 1}`;
  const end = el(
    "select",
    { id: `${id}-end`, "aria-label": `${name}: ${t("pinEnd")}`, "data-focus": `${id}-end` },
    jointOptions(studio, pin.end, false),
  );
  end.addEventListener("change", () => timing.changePin(index, { end: end.value }));
  const to = el(
    "select",
    { id: `${id}-to`, "aria-label": `${name}: ${t("pinTo")}`, "data-focus": `${id}-to` },
    goals.map(([own, text]) => el("option", { value: own, selected: own === goal }, t(text))),
  );
  to.addEventListener("change", () => void timing.pinTo(index, to.value));
  const line = (text: TextKey, ...own: (HTMLElement | false)[]): HTMLElement =>
    el("div", { class: "pin-line" }, el("span", {}, t(text)), own);
  const joint = el(
    "select",
    { "aria-label": `${name}: ${t("goalJoint")}`, "data-focus": `${id}-joint` },
    jointOptions(studio, pin.joint ?? "", true),
  );
  joint.addEventListener("change", () => timing.changePin(index, { joint: joint.value }));
  const now = (key: "from" | "until"): HTMLElement =>
    el(
      "button",
      {
        class: "small",
        title: t("playHead"),
        "aria-label": `${name}: ${t(key)}: ${t("playHead")}`,
        "data-focus": `${id}-${key}-now`,
        onclick: () => timing.changePin(index, { [key]: Math.round(timing.clock.seconds * 1000) / 1000 }),
      },
      "◎",
    );
  const seconds = (key: "from" | "until" | "blend_in" | "blend_out", empty: string): HTMLElement =>
    optional(`${id}-${key}`, `${name}: ${t(key)}`, pin[key], empty, 0.01, (value) => timing.changePin(index, { [key]: value }));
  const three = (key: "point" | "offset" | "scale", text: TextKey, usual: number): HTMLElement =>
    threeNumbers(`${id}-${key}`, `${name}: ${t(text)}`, pin[key] ?? [usual, usual, usual], 0.01, pin[key] !== undefined, (value) =>
      timing.changePin(index, { [key]: value }),
    );
  const weight = el("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.01,
    value: pin.weight ?? 1,
    "aria-label": `${name}: ${t("weight")}`,
    "data-focus": `${id}-weight`,
  });
  weight.addEventListener("change", () => timing.changePin(index, { weight: weight.value === "1" ? undefined : Number(weight.value) }));
  return el(
    "fieldset",
    { class: `pin-card ${timing.chosenPin === index ? "chosen" : ""}`, "data-pin": index },
    el(
      "legend",
      {},
      el(
        "button",
        {
          class: "small",
          "aria-pressed": String(timing.chosenPin === index),
          "data-focus": `${id}-choose`,
          onclick: () => timing.choosePin(timing.chosenPin === index ? null : index),
        },
        name,
      ),
      el(
        "button",
        {
          class: "small",
          id: `${id}-remove`,
          "aria-label": t("remove", { name }),
          title: t("remove", { name }),
          onclick: () => timing.removePin(index),
        },
        "×",
      ),
    ),
    line("pinEnd", end),
    line("pinTo", to, goal === "joint" && joint),
    goal === "point" &&
      line(
        "goalPoint",
        three("point", "goalPoint", 0),
        el(
          "button",
          {
            class: "small",
            id: `${id}-here`,
            title: t("pinHere"),
            "aria-label": `${name}: ${t("pinHere")}`,
            "data-focus": `${id}-here`,
            onclick: () => void timing.pinHere(index),
          },
          "◎",
        ),
      ),
    line("from", seconds("from", t("fromBeginning")), now("from")),
    line("until", seconds("until", t("toEnd")), now("until")),
    el(
      "details",
      {},
      el("summary", {}, t("more")),
      line("blend_in", seconds("blend_in", "0.2")),
      line("blend_out", seconds("blend_out", "0.2")),
      line("offset", three("offset", "offset", 0)),
      (goal === "own" || goal === "source") && line("stretchBy", three("scale", "stretchBy", 1)),
      line("weight", weight),
    ),
  );
}

function touchRow(timing: Timing, point: string, [from, until]: Touch, index: number): HTMLElement {
  const field = (value: number, text: TextKey, take: (value: number) => void): HTMLElement => {
    const id = `touch-${point}-${index}-${text}`;
    const own = el("input", {
      id,
      type: "number",
      step: 0.01,
      value: Math.round(value * 1000) / 1000,
      "aria-label": `${point} ${index + 1}: ${t(text)}`,
      "data-focus": id,
    });
    own.addEventListener("change", () => own.value !== "" && take(Number(own.value)));
    return own;
  };
  return el(
    "div",
    { class: "touch" },
    field(from, "from", (value) => timing.changeTouch(point, index, Math.min(value, until), until)),
    "–",
    field(until, "until", (value) => timing.changeTouch(point, index, from, Math.max(value, from))),
    el(
      "button",
      {
        class: "small",
        "aria-label": t("goTo", { seconds: from.toFixed(2) }),
        title: t("goTo", { seconds: from.toFixed(2) }),
        onclick: () => {
          timing.clock.pause();
          timing.clock.go(from);
        },
      },
      "▸",
    ),
    el(
      "button",
      {
        class: "small",
        id: `touch-${point}-${index}-remove`,
        "aria-label": t("remove", { name: `${point} ${index + 1}` }),
        title: t("remove", { name: `${point} ${index + 1}` }),
        onclick: () => timing.removeTouch(point, index),
      },
      "×",
    ),
  );
}

function pointGroup(timing: Timing, point: string): HTMLElement {
  const touches = timing.touches(point);
  const isByHand = timing.isByHand(point);
  return el(
    "div",
    { class: `point ${isByHand ? "set" : ""}`, "data-point": point },
    el(
      "div",
      { class: "point-head" },
      el("strong", {}, point),
      el("span", { class: "hint" }, isByHand ? t("byHand") : t("found")),
      el(
        "button",
        {
          class: "small",
          id: `touch-${point}-add`,
          "data-focus": `touch-${point}-add`,
          "aria-label": t("touchAdd", { point }),
          title: t("touchAdd", { point }),
          onclick: () => timing.addTouchHere(point),
        },
        "+",
      ),
      isByHand &&
        el(
          "button",
          {
            class: "small",
            id: `touch-${point}-back`,
            "aria-label": t("backToFound", { slot: point }),
            title: t("backToFound", { slot: point }),
            onclick: () => timing.backToFound(point),
          },
          "↺",
        ),
    ),
    touches.map((own, index) => touchRow(timing, point, own, index)),
  );
}

export function timedPanel(studio: Studio, timing: Timing): (place: HTMLElement) => void {
  return (place) => {
    timing.grip();
    const { result, map } = studio.shown;
    if (!result || !map) return fill(place);
    // A slider in somebody's hand is not taken away.
    const held = document.activeElement;
    if (held instanceof HTMLInputElement && held.type === "range" && place.contains(held) && held.matches(":active")) return;
    const end = el("select", { id: "pin-new", "aria-label": t("pinEnd"), "data-focus": "pin-new" }, jointOptions(studio, "", false));
    const points = timing.points();
    const more = el(
      "select",
      { id: "touch-more", "aria-label": t("touchMore"), "data-focus": "touch-more" },
      el("option", { value: "" }, t("touchMore")),
      MORE_POINTS.filter((own) => !points.includes(own)).map((own) => el("option", { value: own }, own)),
    );
    more.addEventListener("change", () => more.value !== "" && timing.ask(more.value));
    const open = [...place.querySelectorAll<HTMLElement>("fieldset.pin-card")]
      .filter((own) => own.querySelector("details")?.open)
      .map((own) => own.dataset["pin"]);
    fill(
      place,
      el("p", { class: "hint" }, t("timedNote")),
      el("h2", {}, t("pins")),
      el(
        "div",
        { class: "downloads" },
        end,
        el("button", { id: "pin-add", "data-focus": "pin-add", onclick: () => void timing.addPin(end.value) }, t("pinAdd")),
      ),
      timing.pins.map((pin, index) => pinCard(studio, timing, pin, index)),
      el("h2", {}, t("contactsOfSource")),
      points.map((point) => pointGroup(timing, point)),
      more,
    );
    place.querySelectorAll<HTMLElement>("fieldset.pin-card").forEach((own) => {
      const details = own.querySelector("details");
      if (details && open.includes(own.dataset["pin"])) details.open = true;
    });
  };
}
