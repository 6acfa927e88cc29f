// How the picture is shown: side by side or overlaid, mesh or skeleton, with trails or without, and whether the camera goes along.

import type { Side } from "rebone";
import type { Cast } from "../stage/cast";
import type { Shown } from "../stage/puppet";
import type { Layout, Stage, View } from "../stage/stage";
import { t, type TextKey } from "../texts";
import { byId, el, fill } from "./dom";
import { remember, remembered } from "./remembered";

const KEY = "rebone-view";
const layouts: readonly [Layout, TextKey][] = [
  ["side-by-side", "sideBySide"],
  ["overlaid", "overlaid"],
];
const looks: readonly [Shown, TextKey][] = [
  ["mesh", "mesh"],
  ["skeleton", "skeleton"],
  ["both", "both"],
];

export function restoreView(stage: Stage): void {
  try {
    const stored = JSON.parse(remembered(KEY) ?? "{}") as Partial<View>;
    stage.setView({ ...stage.currentView, ...stored });
  } catch {
    remember(KEY, null);
  }
}

export function viewBar(stage: Stage, cast: Cast, onLayout: () => void): () => void {
  const set = (change: Partial<View>): void => {
    const view = { ...stage.currentView, ...change };
    stage.setView(view);
    remember(KEY, JSON.stringify(view));
    if (change.layout) {
      onLayout();
      stage.frameAll();
    }
    render();
  };
  const choice = <T extends string>(label: TextKey, all: readonly [T, TextKey][], now: T, take: (value: T) => void): HTMLElement =>
    el(
      "div",
      { role: "group", class: "choice", "aria-label": t(label) },
      all.map(([value, text]) =>
        el("button", { id: `view-${value}`, "aria-pressed": String(value === now), onclick: () => take(value) }, t(text)),
      ),
    );
  const render = (): void => {
    const view = stage.currentView;
    fill(
      byId("view"),
      choice("layout", layouts, view.layout, (layout) => set({ layout })),
      choice("look", looks, view.shown, (shown) => set({ shown })),
      el("button", { id: "view-follow", "aria-pressed": String(view.follow), onclick: () => set({ follow: !view.follow }) }, t("follow")),
      el("button", { id: "view-trails", "aria-pressed": String(view.trails), onclick: () => set({ trails: !view.trails }) }, t("trails")),
      el("button", { id: "view-all", title: "F", onclick: () => stage.frameAll() }, t("frameView")),
    );
    const [source, target] = [cast.on("source"), cast.on("target")];
    const drawn = (side: Side): string =>
      stage.scales[side] === 1 ? "" : ` (${t("drawnLarger", { times: stage.scales[side].toPrecision(2) })})`;
    fill(
      byId("legend"),
      source && el("span", { class: "source" }, `${t("source")}: ${source.file.name}${drawn("source")}`),
      target && el("span", { class: "target" }, `${t("target")}: ${target.file.name}${drawn("target")}`),
    );
  };
  return render;
}
