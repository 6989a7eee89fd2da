/** The page does not turn bare addresses into links, but markdown-it still requires the class. */
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
