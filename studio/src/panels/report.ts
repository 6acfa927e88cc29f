// How well it went: doubts, figures, and moments to jump to.

import type { Report, Warning } from "rebone";
import type { Comparison } from "../compare/comparison";
import type { Studio } from "../studio";
import { figureName, momentName, unitName } from "../report-texts";
import { language, t } from "../texts";
import { byId, el, fill } from "../ui/dom";
import { engineWords } from "../ui/engine_words";

const number = (value: number | null): string => (value === null ? "" : Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));

function verdict(name: string): HTMLElement {
  const text = name === "pass" ? t("verdict_pass") : name === "look" ? t("verdict_look") : t("verdict_fail");
  return el("span", { class: `verdict ${name}` }, text);
}

/** Where in the page a doubt is looked at and mended. */
const places: Readonly<Record<"pose" | "mapping", readonly string[]>> = {
  pose: [
    "arms-hang",
    "body-frame-unknown",
    "constant-error",
    "facing-unsure",
    "knees-bent",
    "limbs-far-off",
    "palms-unknown",
    "pose-missing",
    "rest-asymmetric",
    "rest-from-bind",
    "rest-from-clip",
    "rest-from-offsets",
    "rest-from-stored",
    "rest-from-system",
    "rest-from-take",
    "rest-from-zero",
    "rest-is-moment",
    "rest-not-standing",
    "vrma-rest-not-t",
  ],
  mapping: [
    "duplicate-joint",
    "label-contradicts-skeleton",
    "label-unknown",
    "label-without-node",
    "mapped-by-shape",
    "sides-swapped",
    "sides-unsure",
    "slot-missing",
    "toes-missing",
  ],
};

const placeOf = (code: string): "pose" | "mapping" | undefined => (["pose", "mapping"] as const).find((own) => places[own].includes(code));

/** The way to that place, instead of an option of the command line. */
function mend(code: string): HTMLElement | null {
  const tab = placeOf(code);
  return tab
    ? el("div", {}, el("button", { class: "mend", onclick: () => byId(`tab-${tab}`).click() }, t("lookIn", { tab: t(tab) })))
    : null;
}

function doubts(all: readonly (Warning & { side: string })[]): HTMLElement {
  if (all.length === 0) return el("p", {}, t("noWarnings"));
  return el(
    "ul",
    { class: "doubts" },
    all.map((own) =>
      el(
        "li",
        { "data-code": own.code },
        el("strong", {}, own.joint ? `${own.side} · ${own.joint}: ` : `${own.side}: `),
        engineWords({ ...own, remedy: own.hint }),
        mend(own.code),
      ),
    ),
  );
}

type Figures = Report["figures"];

const ranks = ["pass", "look", "fail"];

const worstFirst = (own: Figures): [string, Figures[string]][] =>
  Object.entries(own).sort(([, a], [, b]) => ranks.indexOf(b.verdict) - ranks.indexOf(a.verdict));

/** What a verdict comes from. */
function why(report: Report): string {
  const off = worstFirst(report.figures).filter(([, figure]) => figure.verdict !== "pass");
  return off.length === 0
    ? t("whyPass")
    : t("whyNot", { names: new Intl.ListFormat(language()).format(off.map(([name]) => figureName(name))) });
}

/** Figures beside those of the other state, with what the present one has more. */
function figures(own: Figures, other: { name: string; figures: Figures } | null): HTMLElement {
  const difference = (name: string, figure: Figures[string]): HTMLElement => {
    const before = other?.figures[name];
    if (!before) return el("td", {});
    const more = figure.value - before.value;
    const step = ranks.indexOf(figure.verdict) - ranks.indexOf(before.verdict);
    return el("td", { class: step < 0 ? "better" : step > 0 ? "worse" : "" }, `${more > 0 ? "+" : ""}${number(more)}`);
  };
  return el(
    "table",
    { class: "figures" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        [t("figure"), t("target"), t("source")].map((text) => el("th", { scope: "col" }, text)),
        other && [el("th", { scope: "col", class: "other" }, other.name), el("th", { scope: "col" }, t("difference"))],
        el("th", {}),
      ),
    ),
    el(
      "tbody",
      {},
      worstFirst(own).map(([name, figure]) =>
        el(
          "tr",
          { "data-figure": name },
          el("th", { scope: "row" }, figureName(name)),
          el("td", {}, `${number(figure.value)} ${unitName(figure.unit)}`),
          el("td", {}, number(figure.source)),
          other && [el("td", { class: "other" }, number(other.figures[name]?.value ?? null)), difference(name, figure)],
          el("td", {}, verdict(figure.verdict)),
        ),
      ),
    ),
  );
}

export function reportPanel(studio: Studio, comparison: Comparison, jump: (seconds: number) => void): (place: HTMLElement) => void {
  return (place) => {
    const { result, judged } = studio.shown;
    const { made } = comparison;
    if (!result) return fill(place);
    const report = judged?.report ?? result.clips[0]?.report;
    const { source, target, pair } = result.warnings;
    const tagged = (all: readonly Warning[], side: string) => all.map((own) => ({ ...own, side }));
    fill(
      place,
      report &&
        el(
          "p",
          { class: "summary" },
          t("outcome", { verdict: "" }),
          verdict(report.verdict),
          el("br"),
          why(report),
          el("br"),
          `${t("rootScale")}: ${number(result.root_scale.horizontal)} / ${number(result.root_scale.vertical)}`,
        ),
      el("h2", {}, t("warnings")),
      doubts([...tagged(source, t("source")), ...tagged(target, t("target")), ...tagged(pair, `${t("source")} → ${t("target")}`)]),
      el("h2", {}, t("moments")),
      report && report.moments.length > 0
        ? el(
            "ul",
            { class: "moments" },
            report.moments.map((own) =>
              el(
                "li",
                {},
                el("button", { class: "moment", onclick: () => jump(own.seconds) }, `${own.seconds.toFixed(2)} s`),
                ` ${momentName(own.kind)} ${own.slot ?? own.point ?? ""} ${number(own.value)} ${unitName(own.unit)}`,
              ),
            ),
          )
        : el("p", {}, t("noMoments")),
      el("h2", {}, t("figures")),
      report && figures(report.figures, judged && made ? { name: comparison.name, figures: made.report.figures } : null),
    );
  };
}
