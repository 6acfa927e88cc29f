// The retarget pose: from which pose each side is compared, and each slot's own turn.

import type { Side, SlotPose } from "rebone";
import { recipeOf, valueAt } from "../document";
import type { Axes } from "../engine/protocol";
import type { Studio } from "../studio";
import { t, type TextKey } from "../texts";
import { el, fill } from "../ui/dom";
import { anglesOf, type Chosen, type Posing } from "../ui/posing";
import { nothingYet } from "./empty";

const sides: readonly Side[] = ["source", "target"];
const poses = ["rest", "bind", "stored", "first", "given"] as const;
const axisNames = ["X", "Y", "Z"] as const;
const small = /Thumb|Index|Middle|Ring|Little|Eye|jaw/;

const poseTexts: Record<string, TextKey> = {
  rest: "poseRest",
  bind: "poseBind",
  stored: "poseStored",
  first: "poseFirst",
  given: "poseGiven",
};

/** Which pose a side starts from: a word, a frame, or seconds. */
function poseChoice(studio: Studio, side: Side): HTMLElement {
  const path = [side, "pose"];
  const value = valueAt(recipeOf(studio.document), path);
  const frame = typeof value === "string" ? /^frame +(\d+)/.exec(value)?.[1] : undefined;
  const kind =
    typeof value === "number" ? "seconds" : frame !== undefined ? "frame" : typeof value === "string" && value !== "auto" ? value : "auto";
  const id = `pose-${side}`;
  const option = (own: string, text: string): HTMLElement => el("option", { value: own, selected: own === kind }, text);
  const list = el(
    "select",
    { id, "data-focus": id },
    option("auto", t("poseAuto")),
    poses.map((own) => option(own, t(poseTexts[own] ?? "poseAuto"))),
    option("frame", t("poseFrame")),
    option("seconds", t("poseSeconds")),
  );
  list.addEventListener("change", () => {
    const { value: own } = list;
    studio.setValue(
      path,
      own === "auto"
        ? undefined
        : own === "frame"
          ? "frame 0"
          : own === "seconds"
            ? (studio.shown[side]?.description.clips[0]?.start ?? 0)
            : own,
    );
  });
  const about = studio.shown.standing?.about[side];
  const isNumber = kind === "frame" || kind === "seconds";
  const typed =
    isNumber &&
    el("input", {
      type: "number",
      min: 0,
      step: kind === "frame" ? 1 : 0.01,
      value: kind === "frame" ? (frame ?? 0) : Number(value),
      "aria-label": t(kind === "frame" ? "poseFrame" : "poseSeconds"),
      "data-focus": `${id}-typed`,
    });
  if (typed) {
    typed.addEventListener("change", () => {
      if (typed.value !== "")
        studio.setValue(path, kind === "frame" ? `frame ${Math.max(0, Math.round(Number(typed.value)))}` : Number(typed.value));
    });
  }
  return el(
    "div",
    { class: "pose-side" },
    el("label", { for: id, class: side }, t(side)),
    list,
    typed,
    about && el("p", { class: "hint", title: about.pose_choice }, t("poseStands", { percent: Math.round(about.plausibility * 100) })),
  );
}

function slotRow(posing: Posing, own: Chosen, about: SlotPose | undefined, onFocus: (row: HTMLElement) => void): HTMLElement {
  const { chosen } = posing;
  const isChosen = chosen?.side === own.side && chosen.slot === own.slot;
  const calibration = posing.calibration(own);
  const { degrees } = anglesOf(calibration);
  const row: HTMLElement = el(
    "tr",
    { class: `${isChosen ? "chosen" : ""} ${calibration ? "set" : ""}`, "data-slot": own.slot },
    el(
      "th",
      { scope: "row" },
      el(
        "button",
        { class: "slot", "aria-pressed": String(isChosen), "data-focus": `pose:${own.slot}`, onclick: () => posing.choose(own) },
        own.slot,
        about?.look === true && el("span", { class: "look", title: t("verdict_look") }, " ⚠"),
      ),
    ),
    degrees.map((angle, axis) => {
      const name = axisNames[axis] ?? "";
      const input = el("input", {
        type: "number",
        step: 1,
        value: Math.round(angle * 1000) / 1000,
        "aria-label": `${own.slot} ${name}`,
        "data-focus": `pose:${own.slot}:${axis}`,
      });
      input.addEventListener("focus", () => onFocus(row));
      input.addEventListener("change", () => {
        if (input.value !== "") posing.type(own, axis, Number(input.value));
      });
      return el("td", {}, input);
    }),
    el(
      "td",
      {},
      calibration &&
        el(
          "button",
          {
            class: "small",
            "aria-label": t("reset", { name: own.slot }),
            title: t("reset", { name: own.slot }),
            onclick: () => posing.reset(own),
          },
          "↺",
        ),
    ),
  );
  return row;
}

function detail(posing: Posing, own: Chosen, about: SlotPose | undefined): HTMLElement {
  const calibration = posing.calibration(own);
  const { axes } = anglesOf(calibration);
  const button = (id: string, text: TextKey, act: () => void, isOff = false): HTMLElement =>
    el("button", { id: `pose-${id}`, disabled: isOff, "data-focus": `pose-${id}`, onclick: act }, t(text));
  const replaces = el("input", {
    type: "checkbox",
    id: "pose-replace",
    checked: calibration?.replace === true,
    "data-focus": "pose-replace",
  });
  replaces.addEventListener("change", () => posing.replace(own, replaces.checked));
  const isSided = /left|right/i.test(own.slot);
  return el(
    "div",
    {},
    el("strong", {}, own.slot),
    about &&
      el(
        "p",
        { class: "hint" },
        t("poseFound", {
          joint: about.joint,
          swing: about.swing_degrees.toFixed(1),
          roll: about.roll_degrees.toFixed(1),
          evidence: about.evidence,
        }),
      ),
    el(
      "div",
      { class: "downloads" },
      button("snap", "snapToT", () => void posing.snap(own.side, [own.slot])),
      button("mirror", "mirrorOver", () => void posing.mirror(own), !isSided),
      button("copy", "copy", () => posing.copy(own)),
      button("paste", "paste", () => posing.paste(own), posing.copied === null),
      calibration &&
        button("tell", axes === "local" ? "tellWorld" : "tellLocal", () => void posing.tell(own, axes === "local" ? "world" : "local")),
    ),
    el("label", { class: "line-label" }, replaces, t("poseReplace")),
  );
}

export function posePanel(studio: Studio, posing: Posing): (place: HTMLElement) => void {
  const choice = <T extends string>(label: string, all: readonly [T, string][], now: T, take: (value: T) => void): HTMLElement =>
    el(
      "div",
      { role: "group", class: "choice", "aria-label": label },
      all.map(([value, text]) =>
        el(
          "button",
          { id: `pose-on-${value}`, "data-focus": `pose-on-${value}`, "aria-pressed": String(value === now), onclick: () => take(value) },
          text,
        ),
      ),
    );
  return (place) => {
    posing.grip();
    const { map, standing } = studio.shown;
    // While the gizmo is in somebody's hand only the angles are written anew.
    const { chosen } = posing;
    if (posing.isDragging && chosen) {
      anglesOf(posing.calibration(chosen)).degrees.forEach((angle, axis) => {
        const field = place.querySelector<HTMLInputElement>(`[data-focus="${CSS.escape(`pose:${chosen.slot}:${axis}`)}"]`);
        if (field) field.value = String(Math.round(angle * 1000) / 1000);
      });
      return;
    }
    if (!map) return fill(place, el("p", { class: "hint" }, t("poseNote")), nothingYet(studio));
    const { side } = posing;
    const about = new Map(standing?.about[side].slots.map((own) => [own.slot, own]) ?? []);
    const slots = Object.keys(map[side].slots).filter((slot) => (map[side].slots[slot]?.joints.length ?? 0) > 0);
    const box = el("div", { class: "pose-detail" });
    const showDetail = (): void => {
      const { chosen } = posing;
      if (chosen?.side === side && slots.includes(chosen.slot)) fill(box, detail(posing, chosen, about.get(chosen.slot)));
      else fill(box, el("p", { class: "hint" }, t("poseChoose")));
    };
    // A field that somebody is in stays as it is; only what is said of its slot changes.
    const focus =
      (slot: string) =>
      (row: HTMLElement): void => {
        if (posing.chosen?.side === side && posing.chosen.slot === slot) return;
        posing.choose({ side, slot }, true);
        place.querySelectorAll("tr.chosen").forEach((other) => {
          other.classList.remove("chosen");
          other.querySelector("button.slot")?.setAttribute("aria-pressed", "false");
        });
        row.classList.add("chosen");
        row.querySelector("button.slot")?.setAttribute("aria-pressed", "true");
        showDetail();
      };
    const table = (all: readonly string[]): HTMLElement =>
      el(
        "table",
        { class: "pose" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, t("slot")),
            axisNames.map((name) => el("th", { scope: "col" }, `${name}°`)),
            el("th", {}),
          ),
        ),
        el(
          "tbody",
          {},
          all.map((slot) => slotRow(posing, { side, slot }, about.get(slot), focus(slot))),
        ),
      );
    const large = slots.filter((slot) => !small.test(slot));
    const others = slots.filter((slot) => small.test(slot));
    const isOpen =
      place.querySelector<HTMLDetailsElement>("details.fingers")?.open === true ||
      (posing.chosen !== null && others.includes(posing.chosen.slot));
    showDetail();
    fill(
      place,
      el("p", { class: "hint" }, t("poseNote")),
      sides.map((own) => poseChoice(studio, own)),
      el(
        "div",
        { class: "pose-tools" },
        choice(
          t("poseOf"),
          sides.map((own): [Side, string] => [own, t(own)]),
          side,
          (own) => posing.setSide(own),
        ),
        choice(
          t("poseAxes"),
          [
            ["world", t("axesWorld")],
            ["local", t("axesLocal")],
          ] as [Axes, string][],
          posing.axes,
          (own) => posing.setAxes(own),
        ),
      ),
      el(
        "div",
        { class: "downloads" },
        el(
          "button",
          {
            id: "pose-snap-all",
            disabled: map[side].kind !== "humanoid",
            "data-focus": "pose-snap-all",
            onclick: () => void posing.snap(side, []),
          },
          t("snapAll"),
        ),
        el(
          "button",
          {
            id: "pose-reset-all",
            disabled: valueAt(recipeOf(studio.document), [side, "calibration"]) === undefined,
            "data-focus": "pose-reset-all",
            onclick: () => posing.resetAll(side),
          },
          t("resetAll"),
        ),
      ),
      box,
      table(large),
      others.length > 0 &&
        el("details", { class: "fingers", open: isOpen }, el("summary", {}, t("fingersAndFace", { count: others.length })), table(others)),
    );
  };
}
