// Screenshots of the studio's panels, of the samples alone, so that everybody may share them.
//
// usage: node scripts/pictures.mjs FOLDER
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { browse, host } from "./host.mjs";

const folder = process.argv[2];
const studio = dirname(dirname(fileURLToPath(import.meta.url)));
const served = await host({ "/": join(studio, "dist") });
const browser = await browse();

/** The page with a sample pair, settled and stopped in the middle of a step. */
async function opened(colorScheme) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: "en", colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(`${served.address}/`);
  const rests = () =>
    page.waitForFunction(() => {
      const { studio, settledRounds } = globalThis.studioState ?? {};
      return studio?.isSettled && settledRounds() && studio.shown.judged !== null;
    });
  await rests();
  await page.evaluate(() => {
    const { clock } = studioState;
    clock.pause();
    clock.go(0.55);
  });
  return { context, page, rests };
}

const shoot = async (page, name) => {
  // Two pictures later everything has been drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: join(folder, `studio-${name}.png`) });
  console.log(join(folder, `studio-${name}.png`));
};

const dark = await opened("dark");
const names = await dark.page.locator("[role=tab]").evaluateAll((tabs) => tabs.map((tab) => tab.id.replace("tab-", "")));
for (const name of names) {
  await dark.page.click(`#tab-${name}`);
  await dark.rests();
  await shoot(dark.page, name);
}
await dark.context.close();
const light = await opened("light");
await light.page.click(`#tab-${names[0]}`);
await shoot(light.page, "light");
await browser.close();
served.close();
