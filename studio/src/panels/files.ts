// The files that take part: motions above, characters below.

import type { Side } from "rebone";
import { filesOf } from "../document";
import { read } from "../files/drop";
import { isSample, type Studio } from "../studio";
import { t } from "../texts";
import { byId, el, fill } from "../ui/dom";

const texts = {
  source: { title: "motion", drop: "dropMotion", other: "useAsCharacter", otherRole: "target" },
  target: { title: "characters", drop: "dropCharacter", other: "useAsMotion", otherRole: "source" },
} as const;

export function filesPanel(studio: Studio): () => void {
  const group = (role: Side): HTMLElement => {
    const own = texts[role];
    const doc = studio.document;
    const chosen = role === "source" ? doc.source : doc.target;
    const picker = el("input", { type: "file", multiple: true, hidden: true, id: `pick-${role}` });
    picker.addEventListener("change", () => {
      void read(picker.files ?? [], role).then((files) => studio.add(files));
      picker.value = "";
    });
    return el(
      "section",
      { "data-role": role, "aria-label": t(own.title) },
      el("h2", {}, t(own.title)),
      el(
        "ul",
        { class: "files" },
        filesOf(doc, role).map((file) =>
          el(
            "li",
            { class: file.id === chosen ? "chosen" : "" },
            el(
              "button",
              { class: "name", "aria-pressed": String(file.id === chosen), title: file.name, onclick: () => studio.choose(file.id) },
              file.name,
            ),
            el(
              "button",
              {
                class: "small",
                "aria-label": t(own.other, { name: file.name }),
                title: t(own.other, { name: file.name }),
                onclick: () => void studio.useAs(file.id, own.otherRole),
              },
              "⇄",
            ),
            el(
              "button",
              {
                class: "small",
                "aria-label": t("remove", { name: file.name }),
                title: t("remove", { name: file.name }),
                onclick: () => studio.remove(file.id),
              },
              "×",
            ),
          ),
        ),
      ),
      picker,
      el("button", { class: `target ${chosen === null ? "wanted" : ""}`, onclick: () => picker.click() }, t(own.drop)),
    );
  };
  return () =>
    fill(
      byId("files"),
      group("source"),
      group("target"),
      studio.document.files.length > 0 &&
        studio.document.files.every(({ id }) => isSample(id)) &&
        el("p", { class: "samples-here" }, t("sampleNote")),
      el("p", { class: "hint" }, t("privacy")),
    );
}
