// The motion as a moving picture, drawn by the engine beside the work.

import type { GifOptions } from "rebone";
import { Ended, openPair, Workshop } from "../engine/workshop";
import type { Studio } from "../studio";
import { t, type TextKey } from "../texts";
import { download } from "../ui/download";
import { el, fill } from "../ui/dom";
import { trouble } from "../ui/notices";

const views: readonly [NonNullable<GifOptions["view"]>, TextKey][] = [
  ["three-quarter", "gifThreeQuarter"],
  ["front", "gifFront"],
  ["side", "gifSide"],
];
const heights = [180, 240, 360, 480, 720] as const;
const rates = [10, 15, 20, 25, 50] as const;
const lengths = [2, 5, 10, 30] as const;

/** Makes the part of the panel; `name` is what the file is called. */
export function gifPart(studio: Studio, name: () => string): () => HTMLElement {
  const workshop = new Workshop(studio);
  const options: Required<GifOptions> = { view: "three-quarter", height: 360, rate: 20, seconds: 10 };
  const place = el("div", { class: "gif" });
  /** When the work began. */
  let began: number | null = null;

  const said = (): string =>
    began === null
      ? ""
      : t("gifDrawing", { height: options.height, rate: options.rate, seconds: Math.floor((performance.now() - began) / 1000) });
  const make = async (): Promise<void> => {
    const { clip, result } = studio.shown;
    if (began !== null || clip === null || !result) return;
    const length = studio.shown.source?.description.clips.find((own) => own.name === clip)?.seconds ?? options.seconds;
    // Of a longer picture the clip would begin again.
    const chosen = { ...options, seconds: Math.min(options.seconds, length) };
    const called = name();
    began = performance.now();
    render();
    const ticking = setInterval(() => {
      const status = place.querySelector("#gif-status");
      if (status) status.textContent = said();
    }, 500);
    try {
      const bytes = await workshop.run(async (engine) =>
        engine.call("gif", { pair: await openPair(engine, studio), clip, options: chosen }),
      );
      download(called, bytes, "image/gif");
    } catch (error) {
      if (!(error instanceof Ended)) trouble(t("writingRefused"), error, "gif");
    } finally {
      clearInterval(ticking);
      began = null;
      render();
    }
  };

  const list = <K extends keyof typeof options>(
    key: K,
    text: TextKey,
    values: readonly (readonly [(typeof options)[K], string])[],
  ): HTMLElement => {
    const id = `gif-${key}`;
    const own = el(
      "select",
      { id, "data-focus": id },
      values.map(([value, label], index) => el("option", { value: index, selected: value === options[key] }, label)),
    );
    own.addEventListener("change", () => {
      const value = values[Number(own.value)]?.[0];
      if (value !== undefined) options[key] = value;
    });
    return el("label", {}, t(text), own);
  };
  const render = (): void =>
    fill(
      place,
      el(
        "div",
        { class: "choices" },
        list(
          "view",
          "gifView",
          views.map(([value, text]) => [value, t(text)] as const),
        ),
        list(
          "height",
          "gifHeight",
          heights.map((value) => [value, t("pixels", { count: value })] as const),
        ),
        list(
          "rate",
          "gifRate",
          rates.map((value) => [value, t("perSecond", { count: value })] as const),
        ),
        list(
          "seconds",
          "gifSeconds",
          lengths.map((value) => [value, t("clipLength", { seconds: value })] as const),
        ),
      ),
      el(
        "div",
        { class: "downloads" },
        el(
          "button",
          { id: "take-gif", "data-focus": "take-gif", class: "primary", disabled: began !== null, onclick: () => void make() },
          "GIF",
        ),
        began !== null && el("button", { id: "gif-cancel", "data-focus": "gif-cancel", onclick: () => workshop.close() }, t("cancel")),
        el("span", { id: "gif-status", role: "status", class: "hint" }, said()),
      ),
    );
  return () => {
    render();
    return place;
  };
}
