/** How an element of one tree is found in another one, which may be of another release or have newer data. */
export interface Description {
  readonly tag: string;
  /** Given by the page's author; those that React makes differ. */
  readonly id: string | undefined;
  /** What people know it by. */
  readonly label: string;
  /** Its place among elements of the same tag and label. */
  readonly place: number;
  /** Places among the children, from the tree's root. */
  readonly path: readonly number[];
}

/** Ids of React's `useId`. */
const generated = /^[_:«]/;

const text = (value: string | null | undefined): string => (value ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 200);

function labelOf(element: Element): string {
  const { labels, type } = element as Partial<HTMLInputElement>;
  return [
    element.getAttribute('name'),
    type,
    element.getAttribute('href'),
    element.getAttribute('aria-label') ??
      text(labels?.[0]?.textContent ?? (element.querySelector('summary') ?? element).textContent),
  ].join('\n');
}

const sameIn = (root: Element, tag: string, label: string): Element[] =>
  [...root.getElementsByTagName(tag)].filter((one) => labelOf(one) === label);

/** @param root - of the tree that the element is in */
export function describe(element: Element, root: Element): Description {
  const tag = element.localName;
  const label = labelOf(element);
  const path: number[] = [];
  for (let at = element; at !== root && at.parentElement; at = at.parentElement)
    path.unshift([...at.parentElement.children].indexOf(at));
  return {
    tag,
    id: element.id && !generated.test(element.id) ? element.id : undefined,
    label,
    place: sameIn(root, tag, label).indexOf(element),
    path,
  };
}

/** The element with the same id, or the same label. Without one, a press must not be repeated: it could be another's. */
export function findSame({ tag, id, label, place }: Description, root: Element): HTMLElement | undefined {
  const named = id === undefined ? null : root.querySelector(`[id=${JSON.stringify(id)}]`);
  const found = named?.localName === tag ? named : sameIn(root, tag, label)[place];
  return found as HTMLElement | undefined;
}

/** The same element, or else the one in its place. */
export function findAlike(description: Description, root: Element): HTMLElement | undefined {
  const same = findSame(description, root);
  if (same) return same;
  let at: Element | undefined = root;
  for (const place of description.path) at = at?.children[place];
  return at?.localName === description.tag ? (at as HTMLElement) : undefined;
}
