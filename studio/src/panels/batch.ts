// A whole folder at once: its clips, onto which characters, in which format, how far it is, and how each clip went.

import type { WrittenFormat } from "rebone";
import type { Batch, Row } from "../batch/batch";
import { filesOf } from "../document";
import { chosenFolder } from "../files/folder";
import type { Studio } from "../studio";
import { t } from "../texts";
import { download, safe, stem } from "../ui/download";
import { el, fill } from "../ui/dom";
import { trouble } from "../ui/notices";

const formats: readonly WrittenFormat[] = ["glb", "vrm", "vrma", "fbx", "bvh"];
/** Rows are brought up to date so often at most, milliseconds. */
const PAUSE_MS = 200;

export function batchPart(studio: Studio, batch: Batch): () => HTMLElement {
  let format: WrittenFormat = "glb";
  /** Targets that are left out. */
  const without = new Set<string>();
  const place = el("div", { class: "batch" });
  const table = el("table", { class: "clips" });
  let shownRows: readonly Row[] = [];
  let shownCount = 0;
  let timer: number | null = null;

  const attempt = (work: Promise<void>): void => {
    work.catch((error: unknown) => trouble(t("batchRefused"), error, "batch"));
  };
  const picker = el("input", { type: "file", hidden: true, id: "pick-folder", multiple: true });
  picker.webkitdirectory = true;
  picker.addEventListener("change", () => {
    const found = chosenFolder(picker.files ?? []);
    picker.value = "";
    attempt(batch.take(found));
  });
  const save = (): void => {
    if (batch.zip) download(`${safe(stem(batch.name))}.zip`, batch.zip, "application/zip");
  };
  const start = (): void => {
    const targets = filesOf(studio.document, "target").filter((file) => !without.has(file.id));
    attempt(
      batch.run(targets, format).then(() => {
        if (!batch.isCancelled) save();
      }),
    );
  };

  const verdictOf = (row: Row): (HTMLElement | string)[] => {
    if (row.state === "found") return [`${t("clipLength", { seconds: row.clip.seconds.toFixed(2) })}`];
    if (row.state === "failed")
      return [el("strong", { class: "verdict fail" }, t("failed")), ` ${row.error} `, el("span", { class: "hint" }, row.remedy)];
    return [
      el("strong", { class: `verdict ${row.verdict}` }, t(`verdict_${row.verdict}`)),
      ` ${row.worst}`,
      row.remarks.length > 0
        ? el("span", { class: "hint", title: row.remarks.join("\n") }, ` (${t("remarks", { count: row.remarks.length })})`)
        : "",
    ];
  };
  const line = (row: Row): HTMLElement => {
    const target = row.state === "found" ? null : row.target;
    const title = [row.motion.path, row.clip?.name, target?.name].filter((own) => own).join(" · ");
    const file = row.motion.path.split("/").pop() ?? row.motion.path;
    const clip = row.clip && row.clip.name !== stem(file) ? ` · ${row.clip.name}` : "";
    return el(
      "tr",
      { "data-state": row.state },
      el(
        "th",
        { scope: "row" },
        el("button", { class: "open", title: t("openRow", { name: title }), onclick: () => attempt(batch.show(row)) }, `${file}${clip}`),
        target && filesOf(studio.document, "target").length > 1 && el("div", { class: "hint" }, target.name),
      ),
      el("td", {}, verdictOf(row)),
    );
  };
  /** Only what is new is added: rows of thousands of clips stay where they are. */
  const renderRows = (isNew: boolean): void => {
    if (isNew || batch.rows !== shownRows || batch.rows.length < shownCount) {
      fill(table, el("tbody", {}));
      shownRows = batch.rows;
      shownCount = 0;
    }
    table.tBodies[0]?.append(...batch.rows.slice(shownCount).map(line));
    shownCount = batch.rows.length;
  };
  /** What the buttons hang on; as long as it stays the same nobody's button is taken away under the pointer. */
  let frame = "";
  const said = (): string => {
    const { progress, rows } = batch;
    const count = (verdict: string): number =>
      rows.filter((row) => (row.state === "made" ? row.verdict === verdict : row.state === verdict)).length;
    if (progress) return t("progressOf", { done: progress.done + 1, of: progress.of, what: progress.what });
    if (batch.hasRun) return t("batchDone", { pass: count("pass"), look: count("look"), fail: count("fail"), failed: count("failed") });
    return rows.length > 0 ? t("clipsFound", { count: count("found"), left: batch.leftOut }) : "";
  };
  const render = (isNew: boolean): void => {
    const { progress } = batch;
    const now = JSON.stringify([progress?.of ?? null, batch.isCancelled, batch.zip?.size, batch.hasFolder, [...without]]);
    if (isNew || now !== frame) renderFrame();
    frame = now;
    const status = place.querySelector("#batch-status");
    if (status) status.textContent = said();
    const bar = place.querySelector("progress");
    if (bar && progress) bar.value = progress.done;
    renderRows(isNew);
  };
  const renderFrame = (): void => {
    const { progress } = batch;
    const focused = place.contains(document.activeElement) ? document.activeElement?.id : undefined;
    const targets = filesOf(studio.document, "target");
    const list = el(
      "select",
      { id: "batch-format", disabled: progress !== null, "aria-label": t("format") },
      formats.map((own) => el("option", { value: own, selected: own === format }, own.toUpperCase())),
    );
    list.addEventListener("change", () => (format = list.value as WrittenFormat));
    const box = (id: string, name: string): HTMLElement => {
      const own = el("input", { type: "checkbox", checked: !without.has(id), disabled: progress !== null });
      own.addEventListener("change", () => {
        if (own.checked) without.delete(id);
        else without.add(id);
        render(false);
      });
      return el("label", {}, own, name);
    };
    fill(
      place,
      el("p", { class: "hint" }, batch.hasFolder ? "" : t("batchNote")),
      targets.length > 1 &&
        el(
          "div",
          { class: "boxes", role: "group", "aria-label": t("characters") },
          targets.map((file) => box(file.id, file.name)),
        ),
      el(
        "div",
        { class: "downloads" },
        picker,
        el("button", { id: "batch-folder", disabled: progress !== null, onclick: () => picker.click() }, t("chooseFolder")),
        list,
        el(
          "button",
          {
            id: "batch-run",
            class: "primary",
            disabled: progress !== null || targets.every((file) => without.has(file.id)),
            onclick: start,
          },
          t("takeAll"),
        ),
        progress && el("button", { id: "batch-cancel", disabled: batch.isCancelled, onclick: () => batch.cancel() }, t("cancel")),
        batch.zip &&
          !progress &&
          el("button", { id: "batch-save", onclick: save }, t("saveZip", { count: batch.packed, size: (batch.zip.size / 1e6).toFixed(1) })),
      ),
      progress && el("progress", { max: progress.of, value: progress.done, "aria-label": t("progress") }),
      el("p", { id: "batch-status", role: "status" }),
      table,
    );
    if (focused) document.getElementById(focused)?.focus();
  };
  batch.onChange = () => {
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      render(false);
    }, PAUSE_MS);
  };
  return () => {
    render(true);
    return place;
  };
}
