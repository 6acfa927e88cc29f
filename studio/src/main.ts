// Puts the page together and starts it.

import "./style.css";
import { errorTexts, warningTexts } from "./engine-texts";
import { keepExplained, optionTexts } from "./option-texts";
import { figureTexts, momentTexts, unitTexts } from "./report-texts";
import { recipeOf } from "./document";
import { type Found, sorted } from "./files/folder";
import { givenByServer, takeDrops } from "./files/drop";
import { missingKey, needsPair } from "./panels/empty";
import { filesPanel } from "./panels/files";
import { mappingPanel } from "./panels/mapping";
import { operationsPanel } from "./panels/operations";
import { reportPanel } from "./panels/report";
import { posePanel } from "./panels/pose";
import { recipePanel } from "./panels/recipe";
import { tabs } from "./panels/tabs";
import { takePanel } from "./panels/take";
import { timedPanel } from "./panels/timed";
import { Batch } from "./batch/batch";
import { compareBar } from "./compare/bar";
import { Comparison } from "./compare/comparison";
import { Double } from "./compare/double";
import { Plots } from "./plots/plots";
import type { Side } from "rebone";
import { warmUp } from "./engine/warm";
import { Cast } from "./stage/cast";
import { footContacts } from "./stage/contacts";
import { Stage, type View } from "./stage/stage";
import { drawnPoses, type Shown, Studio } from "./studio";
import { language, t } from "./texts";
import { Clock } from "./timeline/clock";
import { listen } from "./timeline/keyboard";
import { Timeline } from "./timeline/timeline";
import { Tags } from "./troupe/tags";
import { Troupe } from "./troupe/troupe";
import { applyTheme, bar } from "./ui/bar";
import { byId, el, onlyWhenChanged } from "./ui/dom";
import { safe } from "./ui/download";
import { during, note, trouble } from "./ui/notices";
import { outcome, reportOf } from "./ui/outcome";
import { Picking } from "./ui/picking";
import { Posing } from "./ui/posing";
import { goalOf, Timing } from "./ui/timing";
import { restoreView, viewBar } from "./ui/view";

applyTheme();
keepExplained(byId("panels"));
// For tests: every word of the engine's that the page has words for.
Object.assign(globalThis, { studioWords: { errorTexts, warningTexts, figureTexts, momentTexts, unitTexts, optionTexts } });
const studio = new Studio();
const clock = new Clock();
const stage = new Stage(byId("picture"), byId<HTMLCanvasElement>("canvas"));
const cast = new Cast(stage, studio.store);
const comparison = new Comparison(studio);
const troupe = new Troupe(studio, stage, cast);
const tags = new Tags(studio, stage, troupe);
const batch = new Batch(studio);
const double = new Double(stage, cast, comparison);

restoreView(stage);
stage.onFrame = (seconds) => clock.tick(seconds);
clock.onChange(() => stage.show(clock.seconds));
stage.lull.onEnd = () => present(studio.shown);
studio.onTaking = (isTaking) => (isTaking ? stage.lull.begin() : stage.lull.end());
studio.onNotStored = () => note(t("notSaved"));

const picking = new Picking(studio, stage, () => render());

const posing = new Posing(studio, stage, () => {
  poseRounds++;
  render();
});
/** Count what panels show beside the document. */
let poseRounds = 0;
let timedRounds = 0;
const timing = new Timing(studio, stage, clock, () => {
  timedRounds++;
  presentLanes();
  render();
});
// Nothing moves in the retarget pose; what was playing goes on behind it.
let wasPlaying = false;
/** What was seen before the retarget pose, where joints are turned by the skeleton. */
let lookBefore: View["shown"] | null = null;
posing.onOpen = (isOpen) => {
  const { currentView } = stage;
  if (isOpen && currentView.shown === "mesh") {
    lookBefore = currentView.shown;
    stage.setView({ ...currentView, shown: "both" });
  } else if (!isOpen && lookBefore !== null) {
    // Who chose another look meanwhile keeps it.
    if (currentView.shown === "both") stage.setView({ ...currentView, shown: lookBefore });
    lookBefore = null;
  }
  if (isOpen) {
    wasPlaying = clock.playing;
    clock.pause();
  } else if (wasPlaying) clock.play();
};
picking.onJoint = (side, _joint, slot) => posing.clicked(side, slot);

const goTo = (seconds: number): void => {
  clock.pause();
  clock.go(seconds);
};

/** Stays the same while the bar around it is made anew. */
const outcomePlace = el("span", { id: "outcome" });
const plots = new Plots(byId("plots"), clock, goTo);

let renders: (() => void)[] = [];
let timeline: Timeline | undefined;
let samples: Awaited<ReturnType<typeof loadSamples>> = [];

function loadSamples() {
  return studio.engine.call("samples", null);
}

/** Everything with words in it, in the language of the moment. */
function furnish(): void {
  document.documentElement.lang = language();
  document.title = t("title");
  byId("canvas").setAttribute("aria-label", t("stage"));
  byId("drop").textContent = t("dropAnywhere");
  timeline?.close();
  timeline = new Timeline(byId("timeline"), clock);
  timeline.onClip = (name) => studio.chooseClip(name);
  timeline.lanes.onSettle = () => studio.history.settle();
  plots.words();
  tags.render();
  picking.render();
  renders = [
    onlyWhenChanged(
      bar(
        studio,
        samples,
        () => {
          furnish();
          present(studio.shown);
          presentContacts();
        },
        () => stage.paint(),
        outcomePlace,
      ),
      () => [studio.history.canUndo, studio.history.canRedo],
    ),
    onlyWhenChanged(outcome(studio, outcomePlace), () => [reportOf(studio.shown)?.verdict, studio.shown.result === null]),
    onlyWhenChanged(filesPanel(studio), () => [studio.document.files, studio.document.source, studio.document.target]),
    viewBar(stage, cast, () => void troupe.update()),
    onlyWhenChanged(compareBar(comparison, studio, troupe), () => [
      studio.document.files,
      troupe.isOn,
      comparison.seen,
      comparison.chosen,
      comparison.hasKept,
      comparison.made === null,
    ]),
    tabs([
      {
        key: "mapping",
        render: needsPair(studio, () => studio.shown.map !== null, mappingPanel(studio, picking)),
        keys: () => [
          missingKey(studio),
          studio.shown.map,
          recipeOf(studio.document)["source"],
          recipeOf(studio.document)["target"],
          picking.waiting,
        ],
      },
      {
        key: "pose",
        render: posePanel(studio, posing),
        keys: () => [missingKey(studio), studio.shown.map, studio.shown.standing, recipeOf(studio.document), poseRounds],
        open: (isOpen) => posing.open(isOpen),
      },
      {
        key: "operations",
        render: operationsPanel(studio, () => byId("tab-timed").click()),
        keys: () => [
          missingKey(studio),
          studio.document.target,
          recipeOf(studio.document),
          studio.shown.map,
          studio.shown.result?.root_scale.horizontal,
        ],
      },
      {
        key: "timed",
        render: needsPair(studio, () => studio.shown.result !== null, timedPanel(studio, timing)),
        keys: () => [
          missingKey(studio),
          studio.shown.map,
          studio.shown.result,
          studio.shown.judged,
          recipeOf(studio.document),
          timedRounds,
        ],
        open: (isOpen) => timing.open(isOpen),
      },
      {
        key: "report",
        render: needsPair(studio, () => studio.shown.result !== null, reportPanel(studio, comparison, goTo)),
        keys: () => [missingKey(studio), studio.shown.result, studio.shown.judged, comparison.made],
      },
      { key: "take", render: takePanel(studio, batch), keys: () => [studio.shown.result === null, studio.document.files] },
      { key: "recipe", render: recipePanel(studio), keys: () => [studio.document.target, recipeOf(studio.document)] },
    ]),
  ];
}

/** Panels show how things are now; while nothing is drawn, they wait as well. */
function render(): void {
  if (!stage.lull.isOn) renders.forEach((own) => own());
}

function present(shown: Shown): void {
  render();
  timeline?.setClips(shown.source?.description.clips ?? [], shown.clip);
  const ground = (shown.judged?.report ?? shown.result?.clips[0]?.report)?.contacts?.ground_meters;
  if (ground !== undefined) stage.setGround(ground);
  stage.refresh();
}

/** What was said about stretches of time: rows under the time line, marks in the picture. */
function presentLanes(): void {
  const { standing, map } = studio.shown;
  timeline?.lanes.set(standing ? [] : timing.lanes());
  stage.pins.set(
    standing
      ? []
      : timing.pins.map((pin) => ({
          at:
            goalOf(pin) === "point" && pin.point ? pin.point : (map?.target.slots[pin.joint ?? pin.end]?.joints[0] ?? pin.joint ?? pin.end),
          from: pin.from ?? null,
          until: pin.until ?? null,
        })),
  );
  stage.refresh();
}

/** After the clock has the clip's span. What was measured before keeps its place until something new is measured: the picture keeps its size. */
function presentContacts(): void {
  presentMeasured();
  presentLanes();
  presentPlots();
}

const presentMeasured = onlyWhenChanged(
  () => {
    const { judged, source, target, standing } = studio.shown;
    byId("standing").hidden = standing === null;
    byId("standing").textContent = t("standing");
    const contacts = judged ? footContacts(judged.series, { source: source?.description, target: target?.description }) : [];
    for (const id of ["timeline", "plots"]) byId(id).classList.toggle("old", isMeasuring());
    stage.marks.set(standing ? [] : contacts);
    if (!isMeasuring()) timeline?.setContacts(contacts);
  },
  () => [
    studio.shown.judged,
    studio.shown.source,
    studio.shown.target,
    studio.shown.standing,
    isMeasuring(),
    timeline,
    clock.start,
    clock.end,
    document.documentElement.lang,
  ],
);

const isMeasuring = (): boolean => studio.shown.judged === null && !studio.isSettled;

function presentPlots(): void {
  if (isMeasuring()) return;
  const { made, name } = comparison;
  plots.set(studio.shown.judged, made && { name, ...made });
}

const sides = ["source", "target"] as const;
/** Whoever is there by then is shown, in motion or not, milliseconds. */
const PATIENCE_MS = 1000;
/** Who came onto the stage and was not looked at yet. */
const entered = new Set<Side>();
let last: Shown["poses"] = { source: null, target: null };
let waited: ReturnType<typeof setTimeout> | undefined;
let isImpatient = false;

/** Whether everybody who is wanted has a motion: both come onto the stage together, and nobody is seen who stands there stiffly. */
function isReady(shown: Shown): boolean {
  if (isImpatient || shown.standing || studio.isSettled) return true;
  const { poses } = shown;
  const isMoved = (shown.source === null || poses.source !== null) && (shown.target === null || poses.target !== null);
  return isMoved && (shown.source === null || shown.target === null || shown.clip === null || shown.result !== null);
}

function perform(shown: Shown): void {
  troupe.swap(shown.target);
  sides.forEach((side) => cast.expect(side, shown[side]));
  if (!isReady(shown)) {
    waited ??= setTimeout(() => {
      isImpatient = true;
      perform(studio.shown);
    }, PATIENCE_MS);
    if (!stage.lull.isOn) present(shown);
    return;
  }
  clearTimeout(waited);
  waited = undefined;
  isImpatient = false;
  for (const side of sides) if (cast.bring(side, shown[side])) entered.add(side);
  const drawn = drawnPoses(shown);
  const { source, target } = drawn;
  if (source && shown.source && (source !== last.source || entered.has("source"))) {
    stage.puppet("source")?.setPoses(source);
    const clip = shown.source.description.clips.find((own) => own.name === shown.clip);
    clock.setSpan(
      clip?.start ?? 0,
      (clip?.start ?? 0) + (clip?.seconds ?? 0),
      clip && clip.seconds > 0 ? (clip.frames - 1) / clip.seconds : source.rate,
    );
  }
  if (target && (target !== last.target || entered.has("target"))) stage.puppet("target")?.setPoses(target);
  last = drawn;
  void double.update();
  stage.setStanding(shown.standing !== null);
  presentContacts();
  if (stage.lull.isOn) stage.lull.end();
  else present(shown);
  stage.layOut();
  stage.show(clock.seconds);
  const isComplete = (shown.source === null || source !== null) && (shown.target === null || target !== null);
  if (entered.size === 0 || !isComplete) return;
  entered.clear();
  stage.frameAll();
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (source && target && !shown.standing && !isStill) clock.play();
}

async function begin(): Promise<void> {
  const given = await givenByServer();
  if (given.length > 0) {
    await studio.intake.take(given);
    if (studio.document.files.length > 0) return;
  } else if (await studio.restore()) return;
  await studio.intake.sample("walk.bvh", "source");
  await studio.intake.sample("chibi.vrm", "target");
  studio.history.forget();
}

function takeFolder(found: readonly Found[]): void {
  byId("tab-take").click();
  batch.take(sorted([...found])).catch((error: unknown) => trouble(t("batchRefused"), error, "batch"));
}

takeDrops(
  (files) => void files.then((given) => studio.add(given)).catch((error: unknown) => trouble(t("fileRefused", { name: "" }), error)),
  takeFolder,
);
listen({
  clock,
  undo: () => studio.history.undo(),
  redo: () => studio.history.redo(),
  frameAll: () => stage.frameAll(),
  others: {
    a: () => comparison.flip(),
    c: () => comparison.show(comparison.seen === "other" && comparison.chosen === "copied" ? null : "copied"),
  },
});
studio.onShown(perform);
studio.onShown(() => {
  comparison.update();
  void troupe.update();
});
troupe.onChange = () => {
  render();
  tags.render();
};
comparison.onChange(() => {
  render();
  presentPlots();
  void double.update();
});
studio.history.onChange(() => render());
matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => {
  applyTheme();
  stage.paint();
});

furnish();
render();
const opening = during(t("loadingEngine"), loadSamples()).then((own) => {
  samples = own;
  furnish();
  render();
  return begin();
});
studio.begin(opening);
const warming = opening.then(() => warmUp(studio)).catch(() => {});
opening.catch((error: unknown) => trouble(t("pairRefused"), error));

// For tests: what is seen, in numbers.
Object.assign(globalThis, {
  studioState: {
    warming,
    studio,
    stage,
    clock,
    plots,
    comparison,
    batch,
    settledRounds: () => cast.isSettled && stage.isSettled && comparison.isSettled && double.isSettled && troupe.isSettled,
    troupe,
    safe,
  },
});
