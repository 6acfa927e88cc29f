// What is compared, and what of it is seen.

import { t } from "../texts";
import { byId, el, fill } from "../ui/dom";
import { filesOf } from "../document";
import type { Studio } from "../studio";
import { MOST_DRAWN, type Troupe } from "../troupe/troupe";
import type { Comparison } from "./comparison";

export function compareBar(comparison: Comparison, studio: Studio, troupe: Troupe): () => void {
  return () => {
    const place = byId("compare");
    const focused = place.contains(document.activeElement) ? document.activeElement?.id : undefined;
    const { seen, chosen, hasKept, made } = comparison;
    const targets = filesOf(studio.document, "target").length;
    const isOther = (which: "kept" | "copied"): boolean => seen === "other" && chosen === which;
    fill(
      place,
      el("span", { class: "label" }, t("compare")),
      el("button", { id: "compare-keep", title: t("keepAsA_what"), onclick: () => comparison.keep() }, t("keepAsA")),
      el(
        "div",
        { role: "group", class: "choice", "aria-label": t("shownState") },
        el(
          "button",
          { id: "compare-now", "aria-pressed": String(seen === "now"), title: t("flipKey"), onclick: () => comparison.show(null) },
          t("present"),
        ),
        el(
          "button",
          {
            id: "compare-kept",
            "aria-pressed": String(isOther("kept")),
            disabled: !hasKept,
            title: t("flipKey"),
            onclick: () => comparison.show("kept"),
          },
          "A",
        ),
        el(
          "button",
          {
            id: "compare-copied",
            "aria-pressed": String(isOther("copied")),
            title: t("asCopied_what"),
            onclick: () => comparison.show("copied"),
          },
          t("asCopied"),
        ),
      ),
      el(
        "button",
        {
          id: "compare-both",
          "aria-pressed": String(seen === "both"),
          title: t("bothStates_what"),
          onclick: () => comparison.showBoth(seen !== "both"),
        },
        made && seen === "both" ? `${t("bothStates")}: ${comparison.name}` : t("bothStates"),
      ),
      hasKept && el("button", { id: "compare-back", title: t("backToA_what"), onclick: () => comparison.takeBack() }, t("backToA")),
      hasKept &&
        el(
          "button",
          { id: "compare-forget", class: "small", "aria-label": t("forgetA"), title: t("forgetA"), onclick: () => comparison.forget() },
          "×",
        ),
      targets > 1 &&
        el(
          "button",
          {
            id: "everyone",
            "aria-pressed": String(troupe.isOn),
            title: t("everyone_what", { most: MOST_DRAWN }),
            onclick: () => (troupe.isOn = !troupe.isOn),
          },
          targets > MOST_DRAWN && troupe.isOn ? t("everyoneOf", { drawn: MOST_DRAWN, all: targets }) : t("everyone"),
        ),
    );
    if (focused) document.getElementById(focused)?.focus();
    const badge = byId("badge");
    badge.hidden = seen !== "other";
    badge.textContent = seen === "other" ? comparison.name : "";
  };
}
