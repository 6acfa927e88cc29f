// Points of feet and slots in the page's language, where it has a word for them.

import { t } from "../texts";

const known = {
  worst: "worstOfAll",
  leftHeel: "leftHeel",
  rightHeel: "rightHeel",
  leftToes: "leftToes",
  rightToes: "rightToes",
  leftLowerLeg: "leftKnee",
  rightLowerLeg: "rightKnee",
} as const;

export const partName = (name: string): string => (name in known ? t(known[name as keyof typeof known]) : name);
