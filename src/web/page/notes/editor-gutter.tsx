import { useLayoutEffect, useRef } from "preact/hooks";

/** Line numbers beside a text area, scrolled with it. */
export function EditorGutter({ text, scrollPx }: { text: string; scrollPx: number }) {
  const gutter = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (gutter.current) gutter.current.scrollTop = scrollPx;
  }, [scrollPx]);
  const count = text.split("\n").length;
  return (
    <pre ref={gutter} class="editor-gutter" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => index + 1).join("\n")}
    </pre>
  );
}
