import { shownEvent } from './shown.ts';
import { describe, findAlike, findSame, type Description } from './same-element.ts';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What the page shows, described to search engines: once in its HTML, and after that by the application if it does. */
const facts = 'script[type="application/ld+json"]';
const htmlFacts = `${facts}[data-shown]`;

/** Something of the page that stays as the visitor left it. Applied to the tree in its place. */
type Carried = (root: HTMLElement) => void;

/**
 * Puts the application in the place of the page's HTML, in one step: what was typed and chosen, focus, selection, opened details
 * and scroll positions stay.
 */
export function replacePage(page: HTMLElement, root: HTMLElement): void {
  const carried = [...openedIn(page), ...typedIn(page), ...focusIn(page), ...scrolledIn(page)];
  page.replaceWith(root);
  dispatchEvent(new Event(shownEvent));
  if (document.querySelector(`${htmlFacts}~${facts}:not([data-shown])`))
    for (const described of document.querySelectorAll(htmlFacts)) described.remove();
  for (const apply of carried) apply(root);
}

/** @param apply - to the element in its place, if there is one */
function carry<Kind extends Element>(
  element: Kind,
  page: HTMLElement,
  apply: (alike: Kind) => void,
  find: (description: Description, root: Element) => HTMLElement | undefined = findSame,
): Carried {
  const description = describe(element, page);
  return (root) => {
    const found = find(description, root);
    if (found) apply(found as Element as Kind);
  };
}

function openedIn(page: HTMLElement): Carried[] {
  return [...page.querySelectorAll('details')]
    .filter(({ open }) => open)
    .map((details) => carry(details, page, (alike) => void (alike.open = true)));
}

function typedIn(page: HTMLElement): Carried[] {
  return [...page.querySelectorAll<Field>('input,textarea,select')].filter(isChanged).map((field) => {
    const { value } = field;
    if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)) {
      const { checked } = field;
      return carry(field, page, (alike) => {
        if (alike.checked !== checked) alike.click();
      });
    }
    return carry<Field>(field, page, (alike) => {
      if (alike.value !== value) enter(alike, value);
    });
  });
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
  if (field instanceof HTMLInputElement && field.checked !== field.defaultChecked) return true;
  return field.value !== field.defaultValue;
}

/** As if typed: React overrides the element's own setter, and takes the value from its events. */
function enter(field: Field, value: string): void {
  Reflect.set(Object.getPrototypeOf(field) as object, 'value', value, field);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}

function focusIn(page: HTMLElement): Carried[] {
  const { activeElement } = document;
  const selected = selectionIn(page);
  if (!activeElement || !page.contains(activeElement)) return selected;
  const { selectionStart, selectionEnd, selectionDirection } = activeElement as HTMLInputElement;
  const focus = carry(
    activeElement as HTMLInputElement,
    page,
    (alike) => {
      alike.focus({ preventScroll: true });
      // Fields without a text have none.
      if (typeof selectionStart === 'number' && alike.selectionStart !== null)
        alike.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
    },
    findAlike,
  );
  return [focus, ...selected];
}

/** Selected text of the page. */
function selectionIn(page: HTMLElement): Carried[] {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return [];
  const { anchorNode, anchorOffset, focusNode, focusOffset, rangeCount } = selection;
  const [start, end] = [endOf(anchorNode, anchorOffset), endOf(focusNode, focusOffset)];
  if (rangeCount === 0 || !start || !end || !page.contains(start.element) || !page.contains(end.element)) return [];
  const [from, to] = [describe(start.element, page), describe(end.element, page)];
  return [
    (root) => {
      const first = nodeAt(findAlike(from, root), start.offset);
      const last = nodeAt(findAlike(to, root), end.offset);
      if (first && last) selection.setBaseAndExtent(first.node, first.offset, last.node, last.offset);
    },
  ];
}

/** The end of a selection, in characters of its element's text. */
function endOf(node: Node | null, offset: number): { readonly element: Element; readonly offset: number } | undefined {
  const element = node instanceof Text ? node.parentElement : undefined;
  if (!node || !element) return undefined;
  const before = document.createRange();
  before.setStart(element, 0);
  before.setEnd(node, offset);
  return { element, offset: before.toString().length };
}

function nodeAt(
  element: Element | undefined,
  offset: number,
): { readonly node: Node; readonly offset: number } | undefined {
  if (!element) return undefined;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { length } = node as Text;
    if (left <= length) return { node, offset: left };
    left -= length;
  }
  return undefined;
}

/** The window stays at what was in its middle, should the application be higher or lower than the HTML above it. */
function scrolledIn(page: HTMLElement): Carried[] {
  const scrollers = [...page.querySelectorAll<HTMLElement>('*')].filter(
    ({ scrollTop, scrollLeft }) => scrollTop !== 0 || scrollLeft !== 0,
  );
  const inside = scrollers.map((scroller) => {
    const { scrollTop, scrollLeft } = scroller;
    return carry(scroller, page, (alike) => Object.assign(alike, { scrollTop, scrollLeft }), findAlike);
  });
  if (scrollY === 0) return inside;
  const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  if (!middle || middle === page || !page.contains(middle)) return inside;
  const { top } = middle.getBoundingClientRect();
  const stay = carry(
    middle,
    page,
    (alike) => scrollBy({ top: alike.getBoundingClientRect().top - top, behavior: 'instant' }),
    findAlike,
  );
  return [...inside, stay];
}
