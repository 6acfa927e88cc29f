// The bar below the picture: play, steps, speed, loop, the moment, and when feet stand.

import type { ClipDescription } from "rebone";
import type { FootContacts } from "../stage/marks";
import { t } from "../texts";
import { el, fill } from "../ui/dom";
import type { Clock } from "./clock";
import { Lanes } from "./lanes";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2];

export class Timeline {
  private readonly playButton: HTMLButtonElement;
  private readonly scrub: HTMLInputElement;
  private readonly reading: HTMLOutputElement;
  private readonly clip: HTMLSelectElement;
  private readonly contacts = el("div", { class: "contacts", "aria-hidden": "true" });
  private readonly needle = el("div", { class: "needle" });
  readonly lanes: Lanes;
  /** Another takes its place. */
  readonly close: () => void;
  onClip: (name: string) => void = () => {};
  private listed: readonly unknown[] = [];

  constructor(
    place: HTMLElement,
    private readonly clock: Clock,
  ) {
    this.lanes = new Lanes(clock);
    this.playButton = el("button", { id: "play", class: "primary", onclick: () => clock.toggle() });
    this.scrub = el("input", { id: "scrub", type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": t("time") });
    this.scrub.addEventListener("input", () => {
      // Pausing sets the bar back to the clock's moment.
      const seconds = Number(this.scrub.value);
      clock.pause();
      clock.go(seconds);
    });
    this.reading = el("output", { id: "moment", for: "scrub" });
    this.clip = el("select", { id: "clip", "aria-label": t("clips"), onchange: () => this.onClip(this.clip.value) });
    const loop = el("input", { type: "checkbox", id: "loop", checked: clock.loop });
    loop.addEventListener("change", () => (clock.loop = loop.checked));
    const speed = el("select", { id: "speed", "aria-label": t("speed") });
    for (const own of SPEEDS) speed.append(el("option", { value: own, selected: own === clock.speed }, t("speeds", { speed: own })));
    speed.addEventListener("change", () => (clock.speed = Number(speed.value)));
    fill(
      place,
      el(
        "div",
        { class: "row" },
        el("button", { id: "back", "aria-label": t("previousFrame"), title: t("previousFrame"), onclick: () => clock.step(-1) }, "◂"),
        this.playButton,
        el("button", { id: "on", "aria-label": t("nextFrame"), title: t("nextFrame"), onclick: () => clock.step(1) }, "▸"),
        this.clip,
        el("label", {}, loop, t("loop")),
        speed,
        el("span", { class: "hint", title: t("keys") }, t("keys")),
        this.reading,
      ),
      el("div", { class: "line" }, this.scrub, this.contacts, this.lanes.place, this.needle),
    );
    this.close = clock.onChange(() => this.show());
    this.show();
  }

  setClips(clips: readonly ClipDescription[], chosen: string | null): void {
    const now = [...clips, chosen];
    if (now.length === this.listed.length && now.every((own, index) => own === this.listed[index])) return;
    this.listed = now;
    fill(
      this.clip,
      clips.map((clip) =>
        el(
          "option",
          { value: clip.name, selected: clip.name === chosen },
          `${clip.name} · ${t("clipLength", { seconds: clip.seconds.toFixed(2) })}`,
        ),
      ),
    );
    this.clip.disabled = clips.length < 2;
    this.clip.hidden = clips.length === 0;
    this.playButton.disabled = clips.length === 0;
  }

  /** Rows of intervals, one a foot. */
  setContacts(all: readonly FootContacts[]): void {
    const { start, end } = this.clock;
    const length = Math.max(end - start, 1e-6);
    fill(
      this.contacts,
      all
        .filter((own) => own.side === "target")
        .map((foot) =>
          el(
            "div",
            { class: foot.isLeft ? "left" : "right", title: `${t("contacts")}: ${foot.slot}` },
            foot.spans.map(([from, until]) => {
              const span = el("i");
              span.style.left = `${((from - start) / length) * 100}%`;
              span.style.width = `${Math.max(((until - from) / length) * 100, 0.2)}%`;
              return span;
            }),
          ),
        ),
    );
  }

  private show(): void {
    const { clock } = this;
    const label = clock.playing ? t("pause") : t("play");
    if (this.playButton.title !== label) {
      this.playButton.title = label;
      this.playButton.setAttribute("aria-label", label);
      this.playButton.textContent = clock.playing ? "❚❚" : "▶";
    }
    this.scrub.min = String(clock.start);
    this.scrub.max = String(clock.end);
    this.scrub.value = String(clock.seconds);
    const frame = Math.round((clock.seconds - clock.start) * clock.rate);
    this.reading.textContent = `${clock.seconds.toFixed(2)} s · ${frame}`;
    const length = clock.end - clock.start;
    this.needle.style.left = `${length > 0 ? ((clock.seconds - clock.start) / length) * 100 : 0}%`;
  }
}
