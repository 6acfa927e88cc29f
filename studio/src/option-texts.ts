// What the recipe's words mean, in every language of the page. The words themselves stay: they are what the recipe holds.

import { language, type Language } from "./texts";
import { el } from "./ui/dom";

type Words = Readonly<Record<Language, string>>;
const w = (en: string, de: string, ja: string): Words => ({ en, de, ja });

/** By the recipe's key, then by word. */
export const optionTexts: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  preset: {
    faithful: w(
      "the pose as it looks, feet on the floor",
      "die Pose, wie sie aussieht, Füße auf dem Boden",
      "見た目どおりのポーズ、足は床に",
    ),
    humanik: w("both stances are taken as they are", "beide Haltungen gelten, wie sie sind", "両方の立ち姿をそのまま使う"),
    mixamo: w(
      "only the arms are brought into one pose",
      "nur die Arme werden in eine gemeinsame Pose gebracht",
      "腕だけ同じポーズに合わせる",
    ),
    "match-source": w("as far through the world as the source", "so weit durch die Welt wie die Quelle", "移動距離をソースと同じに保つ"),
  },
  method: {
    "model-delta": w(
      "each joint turns in space as the source's does; right for any rigs",
      "jedes Gelenk dreht sich im Raum wie das der Quelle; für alle Rigs richtig",
      "空間内でソースと同じだけ回す。どのリグにも適合",
    ),
    "rest-delta": w(
      "turns from the rest pose; for rigs with one tree of joints",
      "Drehungen aus der Ruhepose; für Rigs mit gleichem Gelenkbaum",
      "レストポーズからの回転。同じ構造のリグ向け",
    ),
    channels: w(
      "channel by channel through matrices; for like rigs",
      "Kanal für Kanal durch Matrizen; für gleichartige Rigs",
      "行列でチャンネルごとに転送。似たリグ向け",
    ),
    "parent-delta": w(
      "turns against the parent; only for rigs with equal axes",
      "Drehungen gegen das Elterngelenk; nur für Rigs mit gleichen Achsen",
      "親に対する回転。軸が同じリグのみ",
    ),
  },
  "root-scale": {
    auto: w("the best measure for these bodies", "das beste Maß für diese Körper", "体型に合わせて自動"),
    "legs-hips": w("as their legs and the widths of their hips compare", "im Verhältnis von Beinen und Hüftbreite", "脚の長さと腰幅の比"),
    legs: w("as their legs compare", "im Verhältnis der Beine", "脚の長さの比"),
    hips: w("as the heights of their hips compare", "im Verhältnis der Hüfthöhen", "腰の高さの比"),
    stature: w("as their heights compare", "im Verhältnis der Körpergrößen", "身長の比"),
    "legs-stature": w("legs along the ground, height upwards", "Beine am Boden, Größe nach oben", "水平は脚、上下は身長の比"),
    none: w("metre for metre", "Meter für Meter", "そのまま（1倍）"),
  },
  "root-motion": {
    "as-source": w(
      "the root joint does what the source's does",
      "das Wurzelgelenk tut, was das der Quelle tut",
      "ルートはソースと同じ動き",
    ),
    hips: w("the hips carry the whole way", "die Hüften tragen den ganzen Weg", "移動はすべて腰に"),
    extract: w(
      "the root joint takes the way and the heading, smoothed",
      "das Wurzelgelenk nimmt Weg und Richtung, geglättet",
      "経路と向きを滑らかにしてルートへ",
    ),
    project: w("the root joint stays right below the hips", "das Wurzelgelenk bleibt genau unter den Hüften", "ルートは常に腰の真下"),
    "in-place": w("without the way over the ground", "ohne den Weg über den Boden", "その場の動き"),
  },
  limits: {
    none: w("joints turn as far as they like", "Gelenke drehen, so weit sie wollen", "制限なし"),
    human: w("as far as people's do", "so weit wie bei Menschen", "人体の可動域"),
    profile: w("as the kind of body says", "wie es die Art des Körpers sagt", "体型の種類に応じた範囲"),
    learnt: w("as far as in the target's own clips", "so weit wie in den eigenen Clips des Ziels", "ターゲット自身のクリップから学習"),
  },
  "feet-standing": {
    rest: w("thighs as high as in the rest pose", "Oberschenkel so hoch wie in der Ruhepose", "太ももの高さはレストポーズのまま"),
    "leg-and-ankle": w(
      "thighs as high as leg and ankle are long",
      "Oberschenkel so hoch, wie Bein und Knöchel lang sind",
      "太ももの高さは脚と足首の長さから",
    ),
  },
  hands: {
    off: w("hands go where the arms bring them", "Hände gehen, wohin die Arme sie bringen", "腕の動きのまま"),
    auto: w("hands that belong together stay together", "Hände, die zusammengehören, bleiben beisammen", "合わさった両手の位置を保つ"),
    always: w("hands keep their distance all the time", "Hände behalten immer ihren Abstand", "常に両手の間隔を保つ"),
  },
};

/** What a word means; none where it needs no telling. */
export function meaningOfOption(id: string, word: string): string | null {
  const path = id.replace(/^op-/, "").replaceAll("_", "-");
  const key = Object.keys(optionTexts).find((own) => path === own || path.startsWith(`${own}-`));
  return (key === undefined ? undefined : optionTexts[key]?.[word]?.[language()]) ?? null;
}

/** Says below each list of words what the chosen one means, and of the others when they are pointed at. */
function explain(place: HTMLElement): void {
  for (const list of place.querySelectorAll<HTMLSelectElement>('.operation select[id^="op-"]:not([aria-describedby])')) {
    for (const option of list.options) {
      const meaning = meaningOfOption(list.id, option.text);
      if (meaning) option.title = meaning;
    }
    const chosen = list.selectedOptions[0];
    const meaning = chosen && meaningOfOption(list.id, chosen.text);
    if (!meaning) continue;
    const id = `${list.id}-means`;
    list.setAttribute("aria-describedby", id);
    list.closest(".operation")?.append(el("p", { id, class: "hint means" }, meaning));
  }
}

/** Explains lists of words wherever and whenever they are made within a place. */
export function keepExplained(place: HTMLElement): void {
  new MutationObserver(() => explain(place)).observe(place, { childList: true, subtree: true });
}
