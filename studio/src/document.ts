// What a person works on: files by reference, one recipe a target, and which clip is looked at. Values never change; a change makes a
// new document.

import type { Side } from "rebone";

/** A recipe as a plain object: the keys of a recipe's file, without those that are left out. */
export type RecipeObject = Readonly<Record<string, unknown>>;

/** A file that was given. Its bytes lie in the store of files under `id`. */
export interface GivenFile {
  readonly id: string;
  readonly name: string;
  readonly role: Side;
  /** Files that it refers to: what it calls them, and under which `id` their bytes lie in the store. */
  readonly beside?: readonly { readonly name: string; readonly id: string }[];
}

export interface StudioDocument {
  readonly files: readonly GivenFile[];
  /** The source's file. */
  readonly source: string | null;
  /** The target's file that is looked at. */
  readonly target: string | null;
  /** By the target's file. */
  readonly recipes: Readonly<Record<string, RecipeObject>>;
  readonly clip: string | null;
}

export const emptyDocument: StudioDocument = { files: [], source: null, target: null, recipes: {}, clip: null };

export const fileOf = (doc: StudioDocument, id: string | null): GivenFile | undefined => doc.files.find((file) => file.id === id);
export const filesOf = (doc: StudioDocument, role: Side): GivenFile[] => doc.files.filter((file) => file.role === role);

/** The recipe of a target, of the one that is looked at unless another is named. */
export const recipeOf = (doc: StudioDocument, target = doc.target): RecipeObject => (target === null ? {} : (doc.recipes[target] ?? {}));

/** A recipe as the engine takes it. */
export const recipeText = (recipe: RecipeObject): string =>
  Object.keys(recipe).length === 0 ? "" : JSON.stringify({ version: 1, ...recipe });

export function withFile(doc: StudioDocument, file: GivenFile): StudioDocument {
  const files = [...doc.files.filter((own) => own.id !== file.id), file];
  return file.role === "source" ? { ...doc, files, source: file.id, clip: null } : { ...doc, files, target: file.id };
}

export function withoutFile(doc: StudioDocument, id: string): StudioDocument {
  const files = doc.files.filter((file) => file.id !== id);
  const first = (role: Side): string | null => files.find((file) => file.role === role)?.id ?? null;
  const recipes = Object.fromEntries(Object.entries(doc.recipes).filter(([target]) => target !== id));
  return {
    files,
    recipes,
    source: doc.source === id ? first("source") : doc.source,
    target: doc.target === id ? first("target") : doc.target,
    clip: doc.source === id ? null : doc.clip,
  };
}

/** Unchanged where the target is not there any more. */
export function withRecipe(doc: StudioDocument, recipe: RecipeObject, target = doc.target): StudioDocument {
  return target === null || !fileOf(doc, target) ? doc : { ...doc, recipes: { ...doc.recipes, [target]: recipe } };
}

const isTable = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === "object" && !Array.isArray(value);

/** What of something that was stored is a document. */
export function soundDocument(stored: unknown): StudioDocument {
  if (!isTable(stored)) return emptyDocument;
  const { files, source, target, recipes, clip } = stored;
  const isFile = (own: unknown): own is GivenFile =>
    isTable(own) &&
    typeof own["id"] === "string" &&
    typeof own["name"] === "string" &&
    (own["role"] === "source" || own["role"] === "target");
  const sound = Array.isArray(files) ? files.filter(isFile) : [];
  const chosen = (id: unknown, role: Side): string | null =>
    (sound.find((file) => file.role === role && file.id === id) ?? sound.find((file) => file.role === role))?.id ?? null;
  return {
    files: sound,
    source: chosen(source, "source"),
    target: chosen(target, "target"),
    recipes: isTable(recipes)
      ? (Object.fromEntries(Object.entries(recipes).filter(([, own]) => isTable(own))) as Record<string, RecipeObject>)
      : {},
    clip: typeof clip === "string" ? clip : null,
  };
}

/** A recipe with the value at a path of keys changed; `undefined` takes it out, with tables that become empty. */
export function withValue(recipe: RecipeObject, path: readonly string[], value: unknown): RecipeObject {
  const [key, ...rest] = path;
  if (key === undefined) return recipe;
  const { [key]: old, ...others } = recipe;
  if (rest.length === 0) return value === undefined ? others : { ...recipe, [key]: value };
  const table = old !== null && typeof old === "object" && !Array.isArray(old) ? (old as RecipeObject) : {};
  const changed = withValue(table, rest, value);
  return Object.keys(changed).length === 0 ? others : { ...recipe, [key]: changed };
}

/** The value at a path of keys, or `undefined`. */
export function valueAt(recipe: RecipeObject, path: readonly string[]): unknown {
  let at: unknown = recipe;
  for (const key of path) {
    if (at === null || typeof at !== "object") return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
