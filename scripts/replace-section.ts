/** Puts generated text between `<!-- NAME -->` and `<!-- /NAME -->` of a page that is otherwise written by hand. */
export function replaceSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`The page lacks ${begin} or ${end}.`);
  return `${before}${begin}\n${text}\n${end}${after}`;
}
