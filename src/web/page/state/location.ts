import { computed, signal } from "@preact/signals";
import { parseRoute } from "./routes.ts";

interface PageLocation {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

const current = signal<PageLocation>(readLocation());

/** Where the page is. */
export const pageLocation = computed(() => current.value);
export const route = computed(() => parseRoute(current.value.pathname));

/** Goes to another address of the page without loading it again. */
export function navigate(address: string, { replace = false }: { replace?: boolean } = {}): void {
  const before = location.pathname;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  current.value = readLocation();
  if (location.pathname !== before && !location.hash) scrollTo(0, 0);
}

/** Follows the buttons of the browser, and clicks on links to addresses of the page. */
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
    // The skip link and its like stay what browsers make of them.
    if (link.getAttribute("href")?.startsWith("#") && !link.hash.startsWith("#L")) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash);
  });
}

function readLocation(): PageLocation {
  return { pathname: location.pathname, search: location.search, hash: location.hash };
}
