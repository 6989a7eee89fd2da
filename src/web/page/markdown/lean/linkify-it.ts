/** Bare addresses stay text on the page, so nothing looks for them. markdown-it still wants the class. */
export class LinkifyIt {
  test(): boolean {
    return false;
  }
  match(): null {
    return null;
  }
  matchAtStart(): null {
    return null;
  }
}
