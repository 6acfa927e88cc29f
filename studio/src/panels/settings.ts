// What can be chosen, from the schema that the engine makes of its settings: ranges, words, defaults, and what each preset says.

import schema from "rebone/recipe.schema.json";
import type { Path } from "./fields";

interface Part {
  readonly $ref?: string;
  readonly anyOf?: readonly Part[];
  readonly allOf?: readonly Part[];
  readonly oneOf?: readonly Part[];
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Part>>;
}

export interface Setting {
  readonly words: readonly string[];
  /** It may be true or false. */
  readonly isSwitch: boolean;
  readonly isNumber: boolean;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly standard: unknown;
  /** What it is, in English. */
  readonly says: string;
}

const whole = schema as unknown as Part & {
  readonly definitions: Readonly<Record<string, Part>>;
  readonly presets: Readonly<Record<string, object>>;
};

/** The parts that a part stands for, references resolved. */
function parts(part: Part): readonly Part[] {
  if (part.$ref !== undefined) return parts(whole.definitions[part.$ref.replace("#/definitions/", "")] ?? {});
  const several = part.properties === undefined ? (part.anyOf ?? part.allOf ?? part.oneOf) : undefined;
  return several?.flatMap(parts) ?? [part];
}

/** What stands at a path of nested tables. */
function at(table: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], table);
}

/** The setting at a path, with the default that a preset gives it. */
export function settingAt(path: Path, preset: unknown): Setting {
  const found = path.reduce<Part | undefined>(
    (own, key) => own && parts(own).find((one) => one.properties?.[key])?.properties?.[key],
    whole,
  );
  if (found === undefined) throw new Error(`there is no setting ${path.join(".")}`);
  const forms = parts(found);
  const numbers = forms.find((form) => form.type === "number");
  const words = forms.flatMap((form) => form.enum ?? (form.const === undefined ? [] : [form.const]));
  return {
    words: words.filter((word) => typeof word === "string"),
    isSwitch: forms.some((form) => form.type === "boolean" && form.const === undefined),
    isNumber: numbers !== undefined,
    from: numbers?.minimum,
    to: numbers?.maximum,
    standard: at(whole.presets[String(preset ?? "faithful")], path) ?? found.default,
    says: found.description ?? forms[0]?.description ?? path.join("."),
  };
}

/** Paths of the settings that one field can show: a number, a word of a list, a switch. */
export function simplePaths(): readonly Path[] {
  const below = (part: Part, path: Path): readonly Path[] => {
    const tables = parts(part).filter((form) => form.properties !== undefined);
    if (tables.length > 0)
      return tables.flatMap((form) => Object.entries(form.properties ?? {}).flatMap(([key, own]) => below(own, [...path, key])));
    const { words, isSwitch, isNumber } = settingAt(path, undefined);
    return words.length > 0 || isSwitch || isNumber ? [path] : [];
  };
  return below(whole, []);
}
