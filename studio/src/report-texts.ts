// The report's figures, moments and units in words.

import { language, type Language } from "./texts";

type Words = Readonly<Record<Language, string>>;
const w = (en: string, de: string, ja: string): Words => ({ en, de, ja });

export const figureTexts: Readonly<Record<string, Words>> = {
  ankle: w("height of the ankles when standing", "Höhe der Knöchel im Stand", "立った時の足首の高さ"),
  arm_constant: w("an arm off all the time", "ein Arm durchgehend daneben", "腕の向きの一定のずれ"),
  contact_f1: w("contacts kept", "Kontakte erhalten", "接地の一致度"),
  distances: w("distances between joints", "Abstände zwischen Gelenken", "ジョイント間の距離"),
  drift: w("drift of a standing foot, worst", "Wegtreiben eines stehenden Fußes, größtes", "接地足のずれ（最大）"),
  float: w("standing feet above the floor", "stehende Füße über dem Boden", "接地足の浮き"),
  float_max: w("standing feet above the floor, worst", "stehende Füße über dem Boden, größtes", "接地足の浮き（最大）"),
  head_constant: w("the head off all the time", "der Kopf durchgehend daneben", "頭の向きの一定のずれ"),
  jerk_ratio: w("jitter, times the source's", "Zittern, Vielfaches der Quelle", "ぶれ（ソース比）"),
  knee: w("knee's jolt, worst", "Ruck des Knies, größter", "膝の急な動き（最大）"),
  knee_ratio: w("knee's jolt, times the source's", "Ruck des Knies, Vielfaches der Quelle", "膝の急な動き（ソース比）"),
  leg_constant: w("a leg off all the time", "ein Bein durchgehend daneben", "脚の向きの一定のずれ"),
  length_drift: w("lengths of limbs change", "Längen der Glieder ändern sich", "骨の長さの変化"),
  lift: w("lift of the hips along the legs", "Anheben der Hüften längs der Beine", "脚に沿った腰の持ち上げ"),
  limits: w("frames beyond joint limits", "Bilder jenseits der Gelenkgrenzen", "関節制限を超えたフレーム"),
  limits_max: w("beyond joint limits, worst", "jenseits der Gelenkgrenzen, größtes", "関節制限の超過（最大）"),
  limits_mean: w("beyond joint limits, mean", "jenseits der Gelenkgrenzen, Mittel", "関節制限の超過（平均）"),
  max_direction: w("limbs off, worst", "Richtung der Glieder daneben, größtes", "手足の向きのずれ（最大）"),
  mean_direction: w("limbs off, mean", "Richtung der Glieder daneben, Mittel", "手足の向きのずれ（平均）"),
  palm_constant: w("a palm off all the time", "eine Handfläche durchgehend daneben", "手のひらの向きの一定のずれ"),
  penetration: w("feet in the floor, worst", "Füße im Boden, größtes", "床へのめり込み（最大）"),
  penetration_frames: w("frames with feet in the floor", "Bilder mit Füßen im Boden", "めり込みのあるフレーム"),
  penetration_mean: w("feet in the floor, mean", "Füße im Boden, Mittel", "床へのめり込み（平均）"),
  reach: w("frames with a goal out of reach", "Bilder mit unerreichtem Ziel", "目標に届かないフレーム"),
  root_path: w("way off the source's, worst", "Weg abseits der Quelle, größtes", "移動経路のずれ（最大）"),
  root_path_mean: w("way off the source's, mean", "Weg abseits der Quelle, Mittel", "移動経路のずれ（平均）"),
  scale: w("travel along the ground", "Weg über den Boden", "水平移動の倍率"),
  scale_up: w("travel upwards", "Weg nach oben", "上下移動の倍率"),
  slide: w("slide of standing feet", "Rutschen stehender Füße", "接地足の滑り"),
  slide_ratio: w("slide, times the source's", "Rutschen, Vielfaches der Quelle", "滑り（ソース比）"),
  step: w("turn from frame to frame, worst", "Drehung von Bild zu Bild, größte", "フレーム間の回転（最大）"),
  skin_floor: w("frames with skin in the floor", "Bilder mit der Haut im Boden", "床へのめり込み（体表・フレーム）"),
  skin_floor_max: w("skin in the floor, worst", "Haut im Boden, größtes", "床へのめり込み（体表・最大）"),
  own_body: w("arms in the own body", "Arme im eigenen Körper", "体へのめり込み（腕）"),
  own_body_max: w("arms in the own body, worst", "Arme im eigenen Körper, größtes", "体へのめり込み（腕・最大）"),
  step_added: w(
    "added turn from frame to frame, worst",
    "hinzugekommene Drehung von Bild zu Bild, größte",
    "増えたフレーム間の回転（最大）",
  ),
  step_ratio: w("worst turn, times the source's", "größte Drehung, Vielfaches der Quelle", "最大の回転（ソース比）"),
  stretch: w("longest leg", "längstes Bein", "脚の最大の伸び"),
  stretched: w(
    "frames with a leg straighter than the source's",
    "Bilder mit einem Bein, gestreckter als bei der Quelle",
    "ソースより脚が伸びたフレーム",
  ),
  tips: w("tips of toes in the floor, worst", "Zehenspitzen im Boden, größtes", "つま先のめり込み（最大）"),
  tips_frames: w("frames with tips of toes in the floor", "Bilder mit Zehenspitzen im Boden", "つま先がめり込むフレーム"),
};

export const momentTexts: Readonly<Record<string, Words>> = {
  direction: w("limb off", "Glied daneben", "手足の向き"),
  penetration: w("in the floor", "im Boden", "めり込み"),
  "skin-floor": w("skin in the floor", "Haut im Boden", "床へのめり込み（体表）"),
  "own-body": w("arm in the body", "Arm im Körper", "体へのめり込み"),
  pop: w("sudden turn", "plötzliche Drehung", "急な回転"),
  slide: w("foot slides", "Fuß rutscht", "足の滑り"),
};

export const unitTexts: Readonly<Record<string, Words>> = {
  "% height": w("% of the height", "% der Größe", "%（身長比）"),
  "% leg": w("% of a leg", "% eines Beins", "%（脚長比）"),
  "% leg/s": w("% of a leg a second", "% eines Beins je s", "%/秒（脚長比）"),
  "°/frame": w("° a frame", "° je Bild", "°/フレーム"),
  "°/frame²": w("° a frame²", "° je Bild²", "°/フレーム²"),
};

const said = (table: Readonly<Record<string, Words>>, key: string): string => table[key]?.[language()] ?? key.replaceAll("_", " ");

export const figureName = (name: string): string => said(figureTexts, name);
export const momentName = (kind: string): string => said(momentTexts, kind);
export const unitName = (unit: string): string => said(unitTexts, unit);
