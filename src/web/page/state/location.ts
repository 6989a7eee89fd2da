import { computed, signal } from "@preact/signals";
import { parseRoute } from "./routes.ts";

interface PageLocation {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

const current = signal<PageLocation>(readLocation());

/** The current location. */
export const pageLocation = computed(() => current.value);
export const route = computed(() => parseRoute(current.value.pathname));

/** Navigates to another address of the page without reloading it. */
export function navigate(address: string, { replace = false }: { replace?: boolean } = {}): void {
  const before = location.pathname;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  current.value = readLocation();
  if (location.pathname !== before && !location.hash) scrollTo(0, 0);
}

/** Handles the back and forward buttons, and clicks on links within the page. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    current.value = readLocation();
  });
  addEventListener("hashchange", () => {
    current.value = readLocation();
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.target !== "" || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
    // Fragments other than lines, such as the skip link, are left to the browser.
    if (link.getAttribute("href")?.startsWith("#") && !link.hash.startsWith("#L")) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash);
  });
}

function readLocation(): PageLocation {
  return { pathname: location.pathname, search: location.search, hash: location.hash };
}
