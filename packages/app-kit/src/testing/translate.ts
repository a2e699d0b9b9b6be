/**
 * Does what browsers do that translate a page, but keeps the words: puts an element of their own in the place of each text.
 *
 * @param beside - put it beside the text first, and take that away afterwards
 */
export function translate(page: Node, { beside = false } = {}): void {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const own = document.createElement('font');
    own.textContent = text.data;
    if (!beside) text.replaceWith(own);
    else {
      text.before(own);
      text.remove();
    }
  }
}
