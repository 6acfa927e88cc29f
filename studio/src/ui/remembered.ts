// Small choices of a person that outlive the page. Browsers may forbid it, or have no room: then they last as long as the page.

const here = new Map<string, string>();

/** What was chosen; null where nothing was. `only` this tab, or every one. */
export function remembered(key: string, only: "tab" | "all" = "all"): string | null {
  try {
    return here.get(key) ?? (only === "tab" ? sessionStorage : localStorage).getItem(key);
  } catch {
    return null;
  }
}

/** Null forgets it. */
export function remember(key: string, value: string | null, only: "tab" | "all" = "all"): void {
  try {
    here.delete(key);
    const store = only === "tab" ? sessionStorage : localStorage;
    if (value === null) store.removeItem(key);
    else store.setItem(key, value);
  } catch {
    if (value !== null) here.set(key, value);
  }
}
