/**
 * Lets React go on with a page that the browser translates. A translation puts an element of its own in the place of each text node,
 * so that React changes texts that nobody sees, and throws when it removes one among others. From now on a text that changes comes
 * back in the place of its translation, which the browser then translates anew, and one that goes takes its translation along.
 *
 * @param page - what React renders into
 */
export function followTranslation(page: Node): void {
  /** The elements in the place of React's texts. */
  const translations = new WeakMap<Node, ChildNode>();
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      if (type === 'characterData') {
        bringBack(target);
        continue;
      }
      for (const text of removedNodes) {
        if (text.nodeType !== Node.TEXT_NODE || text.isConnected) continue;
        // In one step, or put beside the text before that is removed.
        const translation = [addedNodes[0], previousSibling, nextSibling].find((node) => isTranslation(node));
        if (!translation) continue;
        translations.set(text, translation);
        observer.observe(text, { characterData: true });
      }
    }
  });

  function bringBack(text: Node): void {
    const translation = translations.get(text);
    if (translation?.isConnected && !text.isConnected) translation.replaceWith(text);
  }

  observer.observe(page, { childList: true, subtree: true });
  const removeChild = Reflect.get(Node.prototype, 'removeChild') as (this: Node, child: Node) => Node;
  const insertBefore = Reflect.get(Node.prototype, 'insertBefore') as (
    this: Node,
    node: Node,
    before: Node | null,
  ) => Node;

  /** What stands in an element for a node that React put there; `undefined` if it is gone. */
  const inPlaceOf = (parent: Node, node: Node): ChildNode | undefined => {
    const translation = translations.get(node);
    return translation?.parentNode === parent ? translation : undefined;
  };
  // React has no other way to be told (facebook/react#11538).
  Object.assign(Node.prototype, {
    removeChild(this: Node, child: Node): Node {
      if (child.nodeType !== Node.TEXT_NODE || child.parentNode === this) return removeChild.call(this, child);
      inPlaceOf(this, child)?.remove();
      return child;
    },
    insertBefore(this: Node, node: Node, before: Node | null): Node {
      const isHere = before?.nodeType !== Node.TEXT_NODE || before.parentNode === this;
      return insertBefore.call(this, node, isHere ? before : (inPlaceOf(this, before) ?? null));
    },
  });
}

/** Browsers translate into `font`, an element that no page uses any more. */
const isTranslation = (node: Node | null | undefined): node is ChildNode => node?.nodeName === 'FONT';
