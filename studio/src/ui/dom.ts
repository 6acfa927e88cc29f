// Elements in one expression.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** Makes an element. Functions become listeners (`onclick`), `true` and `false` set or leave out an attribute. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.replace(/^on/, ""), value as EventListener);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.flat().filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return made;
}

/** Replaces everything in an element. */
export function fill(place: Element, ...children: (Child | Child[])[]): void {
  place.replaceChildren(
    ...children.flat().filter((child): child is Node | string => child !== null && child !== undefined && child !== false),
  );
}

/** The element with an id, which the page's frame is known to have. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Does work only where what it depends on is another than last time. */
export function onlyWhenChanged(work: () => void, keys: () => readonly unknown[]): () => void {
  let before: readonly unknown[] | null = null;
  return () => {
    const now = keys();
    if (before?.length === now.length && now.every((key, index) => Object.is(key, before?.[index]))) return;
    before = now;
    work();
  };
}
