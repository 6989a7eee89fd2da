import type { Page } from "playwright-core";

/** Accessibility problems of the page; empty if there are none. */
export async function auditPage(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const findings: string[] = [];
    const dialog = document.querySelector("dialog[open]");
    const scope: ParentNode = dialog ?? document;
    const find = <T extends Element = HTMLElement>(selector: string): T[] => [
      ...scope.querySelectorAll<T>(selector),
    ];
    const isShown = (element: Element): boolean =>
      element.checkVisibility({
        opacityProperty: true,
        visibilityProperty: true,
        contentVisibilityAuto: true,
      });
    const name = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${(element.textContent ?? "").trim().slice(0, 30)}"`;

    if (document.documentElement.lang === "") findings.push("the document names no language");
    if (document.title === "") findings.push("the document has no title");
    for (const landmark of ["main", "header", "nav[aria-label]"]) {
      if (document.querySelectorAll(landmark).length === 0) findings.push(`no ${landmark}`);
    }
    if (document.querySelectorAll("main").length !== 1) findings.push("not exactly one main");
    if (document.querySelector("a[href='#main']") === null) findings.push("no link to skip to the content");

    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    for (const id of ids.filter((each, index) => ids.indexOf(each) !== index))
      findings.push(`id ${id} twice`);
    for (const attribute of ["aria-labelledby", "aria-describedby", "for"]) {
      for (const element of find(`[${attribute}]`)) {
        const target = element.getAttribute(attribute)!;
        if (document.getElementById(target) === null) findings.push(`${attribute} leads nowhere: ${target}`);
      }
    }

    const headings = find("h1, h2, h3, h4, h5, h6").filter(
      (heading) => heading.closest(".rendered") === null,
    );
    const levels = headings
      .filter((heading) => heading.checkVisibility())
      .map(({ tagName }) => Number(tagName[1]));
    if (dialog === null && levels.filter((level) => level === 1).length !== 1)
      findings.push("not exactly one h1");
    levels.forEach((level, index) => {
      if (index > 0 && level > levels[index - 1]! + 1)
        findings.push(`h${level} follows h${levels[index - 1]}`);
    });

    for (const control of find<HTMLInputElement>("input, textarea, select")) {
      const label = control.labels?.[0]?.textContent ?? control.getAttribute("aria-label") ?? "";
      if (label.trim() === "") findings.push(`no label: ${name(control)}`);
    }
    for (const element of find("button, a[href], summary")) {
      const own = element.getAttribute("aria-label") ?? element.textContent ?? "";
      if (own.trim() === "") findings.push(`no name: ${name(element)}`);
    }
    for (const svg of find<SVGElement>("svg")) {
      if (svg.getAttribute("aria-hidden") !== "true")
        findings.push("a drawing that is not hidden from readers");
    }
    for (const element of find("[tabindex]")) {
      if (element.tabIndex > 0) findings.push(`tabindex ${element.tabIndex}: ${name(element)}`);
    }
    for (const list of find("ul, ol")) {
      const other = [...list.children].find(({ tagName }) => tagName !== "LI");
      if (other !== undefined) findings.push(`in a list: ${name(other)}`);
    }
    if (document.querySelector("[role=status], [aria-live]") === null) findings.push("nothing is read out");

    // Contrast, computed from the actual colours.
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const paint = canvas.getContext("2d", { willReadFrequently: true })!;
    const known = new Map<string, number[]>();
    const read = (colour: string): number[] => known.get(colour) ?? readAnew(colour);
    const readAnew = (colour: string): number[] => {
      paint.clearRect(0, 0, 1, 1);
      paint.fillStyle = colour;
      paint.fillRect(0, 0, 1, 1);
      const parts = [...paint.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
      known.set(colour, parts);
      return parts;
    };
    const over = (front: number[], back: number[]): number[] => {
      const alpha = front[3]!;
      return [0, 1, 2].map((part) => front[part]! * alpha + back[part]! * (1 - alpha)).concat(1);
    };
    const backgroundOf = (element: Element): number[] => {
      const layers: number[][] = [];
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const colour = read(getComputedStyle(at).backgroundColor);
        if (colour[3]! > 0) layers.push(colour);
        if (colour[3] === 1) break;
      }
      return layers.reverse().reduce((back, front) => over(front, back), [1, 1, 1, 1]);
    };
    const luminance = (colour: number[]): number => {
      const [red, green, blue] = colour.map((part) =>
        part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
    };
    const check = (element: Element, style: CSSStyleDeclaration, what: string): void => {
      const back = backgroundOf(element);
      const front = over(read(style.color), back);
      const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a);
      const ratio = (light! + 0.05) / (dark! + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (isLarge ? 3 : 4.5))
        findings.push(`contrast ${ratio.toFixed(2)}: ${what} ${name(element)}`);
    };
    const texts = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
    const seen = new Set<Element>();
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const element = node.parentElement!;
      if (node.textContent!.trim() === "" || seen.has(element) || !isShown(element)) continue;
      if (element.closest(".seen-by-none, .skip, :disabled, label:has(:disabled), noscript") !== null)
        continue;
      seen.add(element);
      check(element, getComputedStyle(element), "text");
    }
    for (const line of find(".rendered .line")) check(line, getComputedStyle(line, "::before"), "number");
    for (const field of find<HTMLInputElement>("input[placeholder], textarea")) {
      check(field, getComputedStyle(field, "::placeholder"), "placeholder");
      check(field, getComputedStyle(field), "field");
    }
    return [...new Set(findings)];
  });
}

/** Tabs through the page; returns elements without visible focus. */
export async function auditTabs(page: Page): Promise<string[]> {
  const findings = await page.evaluateHandle(() => {
    const found = new Set<string>();
    (document.activeElement as HTMLElement | null)?.blur();
    document.addEventListener("focusin", ({ target }) => {
      const element = target as Element;
      // A radio button is styled by its label, the search box by the line under it.
      const drawn = [element, element.closest("label"), element.closest(".search-box")].filter(
        (each) => each !== null,
      );
      const isSeen = drawn.some((each) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
        return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== "none";
      });
      if (!isSeen) found.add(`focus is not seen: ${element.outerHTML.slice(0, 120)}`);
    });
    return found;
  });
  for (let press = 0; press < 24; press++) await page.keyboard.press("Tab");
  return await findings.evaluate((found) => [...found]);
}
