// What came out, where it is seen from every panel: how well it went, and the way to the files.

import type { Report } from "rebone";
import type { Studio } from "../studio";
import { t } from "../texts";
import { byId, el, fill } from "./dom";

/** The measured report, else the one that came with the result. */
export function reportOf({ judged, result }: Studio["shown"]): Report | undefined {
  return judged?.report ?? result?.clips[0]?.report;
}

/** Fills a place of the bar; it stays the same element, so that nobody's focus is lost while results come. */
export function outcome(studio: Studio, place: HTMLElement): () => void {
  const go = (tab: string) => (): void => byId(`tab-${tab}`).click();
  return () => {
    const focused = place.contains(document.activeElement) ? document.activeElement?.id : undefined;
    const report = reportOf(studio.shown);
    fill(
      place,
      report &&
        el(
          "button",
          { id: "outcome-report", class: `verdict ${report.verdict}`, title: t("outcome_what"), onclick: go("report") },
          t("outcome", { verdict: t(`verdict_${report.verdict as "pass" | "look" | "fail"}`) }),
        ),
      el("button", { id: "outcome-take", class: "primary", disabled: studio.shown.result === null, onclick: go("take") }, t("take")),
    );
    if (focused) document.getElementById(focused)?.focus();
  };
}
