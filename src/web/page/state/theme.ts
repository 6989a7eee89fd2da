import { effect, signal } from "@preact/signals";

type Theme = "system" | "light" | "dark";

const storageKey = "longhand-theme";

const theme = signal<Theme>(readTheme());
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(prefersDark.matches);

/** The colour scheme in effect; charts are drawn in it. */
export function isDark(): boolean {
  return theme.value === "dark" || (theme.value === "system" && systemIsDark.value);
}

export function toggleTheme(): void {
  theme.value = isDark() ? "light" : "dark";
}

/** Applies the chosen colour scheme, or the system's. */
export function followTheme(): void {
  prefersDark.addEventListener("change", ({ matches }) => {
    systemIsDark.value = matches;
  });
  effect(() => {
    document.documentElement.dataset["theme"] = isDark() ? "dark" : "light";
    try {
      if (theme.value !== "system") localStorage.setItem(storageKey, theme.value);
    } catch {
      // Storage may be disabled; then the choice lasts as long as the page.
    }
  });
}

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system";
  }
}
