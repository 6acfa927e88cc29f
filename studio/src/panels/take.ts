// What can be taken away: animations in every format, the choices, the report.

import type { WrittenFormat } from "rebone";
import { recipeOf, recipeText } from "../document";
import { Ended, openPair, Workshop } from "../engine/workshop";
import type { Batch } from "../batch/batch";
import { batchPart } from "./batch";
import type { Studio } from "../studio";
import { t, type TextKey } from "../texts";
import { nothingYet } from "./empty";
import { gifPart } from "./gif";
import { el, fill } from "../ui/dom";
import { copy } from "../ui/copy";
import { download, safe, stem } from "../ui/download";
import { during, note, trouble } from "../ui/notices";

const formats: readonly WrittenFormat[] = ["glb", "vrm", "vrma", "fbx", "bvh"];

export function takePanel(studio: Studio, batch: Batch): (place: HTMLElement) => void {
  let all = false;
  const workshop = new Workshop(studio);
  const attempt = (work: () => Promise<void>): void => {
    during(t("retargeting"), work()).catch((error: unknown) => {
      // Who asks again ends what was asked before.
      if (!(error instanceof Ended)) trouble(t("writingRefused"), error, "write");
    });
  };
  const name = (end: string): string => {
    const { target, clip } = studio.shown;
    return safe(`${stem(target?.file.name ?? "rebone")}_${all ? stem(studio.shown.source?.file.name ?? "") : (clip ?? "")}${end}`);
  };
  const clips = (): string[] => (all || studio.shown.clip === null ? [] : [studio.shown.clip]);
  const written = (format: WrittenFormat): void =>
    attempt(async () => {
      const { bytes, remarks } = await studio.engine.call("write", { pair: await studio.pair(), clips: clips(), format });
      download(name(`.${format}`), bytes, "application/octet-stream");
      remarks.forEach((own) => note(own));
    });
  const recipe = async (): Promise<string> => {
    const text = recipeText(recipeOf(studio.document));
    return text === "" ? "version = 1\n" : studio.engine.call("toml", { json: text });
  };
  const actions = {
    recipe: async () => download(`${safe(stem(studio.shown.target?.file.name ?? "recipe"))}.toml`, await recipe(), "application/toml"),
    recipeFull: async () => download("recipe.toml", await studio.engine.call("recipe", await studio.pair()), "application/toml"),
    plan: async () =>
      download(name(".retarget"), (await studio.engine.call("plan", { pair: await studio.pair() })).bytes, "application/octet-stream"),
    page: async () => {
      const [called, which] = [name(".html"), clips()];
      const text = await workshop.run(async (engine) => engine.call("page", { pair: await openPair(engine, studio), clips: which }));
      download(called, text, "text/html");
    },
    command: async () => {
      await copy(await studio.engine.call("command", { pair: await studio.pair(), output: name(".glb") }));
      note(t("copied"));
    },
  } as const;
  const gif = gifPart(studio, () => safe(`${stem(studio.shown.target?.file.name ?? "rebone")}_${studio.shown.clip ?? ""}.gif`));
  const folder = batchPart(studio, batch);
  return (place) => {
    const { result } = studio.shown;
    const whole = [el("h2", {}, t("wholeFolder")), folder()];
    if (!result) return fill(place, nothingYet(studio), whole);
    const which = el(
      "select",
      { id: "which", "data-focus": "which" },
      el("option", { value: "this" }, t("thisClip")),
      el("option", { value: "all", selected: all }, t("allClips")),
    );
    const several = (studio.shown.source?.description.clips.length ?? 0) > 1;
    which.addEventListener("change", () => (all = which.value === "all"));
    fill(
      place,
      el("h2", {}, t("animation")),
      several && el("div", { class: "clip-choice" }, el("label", { for: "which" }, t("which")), which),
      el(
        "div",
        { class: "formats" },
        formats.flatMap((format) => [
          el(
            "button",
            {
              id: `take-${format}`,
              "data-focus": `take-${format}`,
              class: "primary",
              "aria-describedby": `what-${format}`,
              onclick: () => written(format),
            },
            format.toUpperCase(),
          ),
          el("span", { id: `what-${format}`, class: "hint" }, t(`format_${format}` as TextKey)),
        ]),
      ),
      el("h2", {}, t("movingPicture")),
      gif(),
      el("h2", {}, t("work")),
      el(
        "div",
        { class: "downloads" },
        (Object.keys(actions) as (keyof typeof actions)[]).map((key) =>
          el("button", { id: `take-${key}`, "data-focus": `take-${key}`, onclick: () => attempt(actions[key]) }, t(key)),
        ),
      ),
      whole,
    );
  };
}
