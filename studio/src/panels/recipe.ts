// The whole recipe as text, to be read and typed; the engine says at once what is wrong with it.

import { recipeOf, recipeText, type RecipeObject } from "../document";
import { EngineError, Stale } from "../engine/client";
import type { Studio } from "../studio";
import { t } from "../texts";
import { el, fill } from "../ui/dom";

/** How long nobody types before what was typed is read, milliseconds. */
const PAUSE = 250;

export function recipePanel(studio: Studio): (place: HTMLElement) => void {
  /** The recipe that the text says. */
  let said: RecipeObject | null = null;
  let text = "";

  /** Reads what was typed whenever nobody types; it is the recipe of the target that it was typed for, whoever is looked at since. */
  const listen = (area: HTMLTextAreaElement, place: HTMLElement): void => {
    const { target } = studio.document;
    const isHere = (): boolean => studio.document.target === target;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let typed = 0;
    const read = async (): Promise<void> => {
      timer = null;
      const own = ++typed;
      const say = (isWrong: boolean, message: string, remedy = ""): void => {
        const status = place.querySelector<HTMLElement>("#recipe-status");
        if (!status || own !== typed || !isHere()) return;
        status.className = isWrong ? "wrong" : "right";
        fill(status, el("strong", {}, message), remedy !== "" && el("span", { class: "hint" }, ` ${remedy}`));
        area.setAttribute("aria-invalid", String(isWrong));
      };
      try {
        const pair = await studio.pair(target).catch(() => null);
        const { version: _, ...recipe } = await studio.engine.call("check_recipe", { pair, text: area.value }, `recipe-text:${target}`);
        if (own !== typed) return;
        if (isHere()) said = recipe;
        if (recipeText(recipe) !== recipeText(recipeOf(studio.document, target))) studio.setRecipe(recipe, `recipe-text:${target}`, target);
        // The document holds it from now on, so that this text stays.
        if (isHere()) said = recipeOf(studio.document);
        say(false, t("recipeRight"));
      } catch (error) {
        if (error instanceof Stale) return;
        say(true, error instanceof Error ? error.message : String(error), error instanceof EngineError ? error.remedy : "");
      }
    };
    area.addEventListener("input", () => {
      if (isHere()) text = area.value;
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => void read(), PAUSE);
    });
    area.addEventListener("blur", () => studio.history.settle());
  };

  return (place) => {
    if (studio.document.target === null) return fill(place);
    const recipe = recipeOf(studio.document);
    const old = place.querySelector<HTMLTextAreaElement>("#recipe-text");
    // Somebody's own text, with its comments, stays as long as it says the same.
    if (old && said === recipe) return;
    const area = el("textarea", {
      id: "recipe-text",
      spellcheck: "false",
      "aria-label": t("recipe"),
      "aria-describedby": "recipe-status",
      "data-focus": "recipe-text",
      autocomplete: "off",
    });
    listen(area, place);
    const isKept = said === recipe;
    if (isKept) area.value = text;
    else {
      said = recipe;
      const json = recipeText(recipe);
      const toml = json === "" ? Promise.resolve("version = 1\n") : studio.engine.call("toml", { json });
      void toml
        .catch(() => json)
        .then((own) => {
          if (said !== recipe) return;
          text = own;
          area.value = own;
        });
    }
    fill(place, el("p", { class: "hint" }, t("recipeNote")), area, el("p", { id: "recipe-status", role: "status" }));
  };
}
