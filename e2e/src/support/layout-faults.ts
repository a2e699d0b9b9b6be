import { expect, type Page } from '@playwright/test';

/**
 * What is wrong with the layout of the page at its current width, one line each: a document that scrolls sideways, content that
 * is wider than its box without a cue, email addresses broken inside a word, clipped buttons, options that would run under
 * their arrow, words of buttons that wrap beside free room, rows whose buttons have one name, and fixed messages or bars that
 * cover each other's controls. Runs in the page, so it uses nothing from outside.
 */
export function layoutFaults(): string[] {
  const found = new Set<string>();
  const text = (element: Element): string => element.textContent.replaceAll(/\s+/g, ' ').trim().slice(0, 50);
  const nameOf = (element: Element): string =>
    `<${element.tagName.toLowerCase()} class="${(element.getAttribute('class') ?? '').slice(0, 60)}"> ${element.getAttribute('aria-label') ?? text(element)}`;
  const shown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest('.sr-only, [aria-hidden="true"], .testimonial-strip');
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.add(`the page is ${scrollWidth - clientWidth} px wider than the window`);

  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (element instanceof SVGElement) continue;
    const overflow = element.scrollWidth - element.clientWidth;
    const isControl = element.matches('button, a.btn, select, input, textarea');
    const isCell = element.matches('th, td, dd');
    // A pixel is rounding. Styles and visibility of the many other elements would cost most of the time.
    if ((overflow <= 1 && !isControl && !isCell) || !shown(element)) continue;
    if (overflow > 1) checkOverflow(element, overflow);
    if (isControl) checkControl(element, overflow);
    if (isCell) checkCell(element);
  }
  checkEmails();
  checkFixed();
  checkNames();
  return [...found];

  function titled(element: Element): boolean {
    return element.closest('[title], [data-shown]') !== null;
  }

  /** Content wider than its box has a cue: an ellipsis if the title has the rest, or a scrollbar. */
  function checkOverflow(element: HTMLElement, overflow: number): void {
    const { overflowX, textOverflow } = getComputedStyle(element);
    const hides = overflowX === 'hidden' || overflowX === 'clip';
    if (hides && element.clientWidth > 1 && !(textOverflow === 'ellipsis' && titled(element)))
      found.add(`cuts off ${overflow} px: ${nameOf(element)}`);
    if (overflowX === 'auto' && element.tabIndex < 0 && element !== document.scrollingElement)
      found.add(`scrolls sideways by pointer only: ${nameOf(element)}`);
  }

  /** A control is inside the window and whatever clips it, and its words are inside it. */
  function checkControl(control: HTMLElement, overflow: number): void {
    const own = control.getBoundingClientRect();
    if (own.width === 0) return;
    checkWords(control);
    if (control.matches('select') && getComputedStyle(control).appearance === 'base-select')
      found.add(`a long option would run under the arrow: ${nameOf(control)}`);
    if (overflow > 1 && control.matches('button, a')) found.add(`words leave their button: ${nameOf(control)}`);
    if (own.left < -1 || own.right > clientWidth + 1) found.add(`leaves the window: ${nameOf(control)}`);
    for (let outer = control.parentElement; outer && outer !== document.body; outer = outer.parentElement) {
      const { overflowX, position } = getComputedStyle(outer);
      if (position === 'fixed') break;
      if (overflowX === 'visible') continue;
      const box = outer.getBoundingClientRect();
      if (own.left < box.left - 1 || own.right > box.right + 1) {
        if (overflowX !== 'auto' && overflowX !== 'scroll') found.add(`is clipped: ${nameOf(control)}`);
        break;
      }
    }
  }

  /** The words of an action of a page or card stay on one line where it has room. */
  function checkWords(control: HTMLElement): void {
    const room = control.closest<HTMLElement>('.ui-page-actions, .ui-card-actions')?.parentElement;
    const words = control.querySelector('.ui-words');
    if (!room || !words) return;
    const range = document.createRange();
    range.selectNodeContents(words);
    if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size < 2) return;
    const { paddingLeft, paddingRight } = getComputedStyle(room);
    const { maxWidth, whiteSpace } = control.style;
    Object.assign(control.style, { maxWidth: 'none', whiteSpace: 'nowrap' });
    const wide = control.offsetWidth;
    Object.assign(control.style, { maxWidth, whiteSpace });
    if (wide <= room.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight))
      found.add(`wraps beside free room: ${nameOf(control)}`);
  }

  /** Nothing leaves its cell. */
  function checkCell(cell: HTMLElement): void {
    const box = cell.getBoundingClientRect();
    for (const child of cell.querySelectorAll<HTMLElement>('*')) {
      if (child instanceof SVGElement || !shown(child)) continue;
      if (child.closest('[popover]')) continue;
      const own = child.getBoundingClientRect();
      if (own.width > 0 && (own.right > box.right + 1 || own.left < box.left - 1))
        found.add(`leaves its cell by ${Math.round(own.right - box.right)} px: ${nameOf(child)}`);
    }
  }

  /** Email addresses break between words only. */
  function checkEmails(): void {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement;
      const words = node.textContent ?? '';
      const ours = parent?.matches('.ui-email, .ui-email-text') ?? false;
      if (!parent || !(words.includes('@') || ours) || !shown(parent)) continue;
      const address = ours ? /\S+/g : /\S*@\S*/g;
      for (const { 0: email, index } of words.matchAll(address)) {
        for (const { 0: word, index: at } of email.matchAll(/[^.@-]+/g)) {
          range.setStart(node, index + at);
          range.setEnd(node, index + at + word.length);
          const lines = new Set(
            // WebKit starts a word after a break with an empty rectangle at the end of the line before.
            [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)),
          );
          if (lines.size > 1) found.add(`breaks inside a word: ${email} (${word})`);
        }
      }
    }
  }

  /** What several rows have a button for is named after the row. Rows that say the same can't be told apart. */
  function checkNames(): void {
    const named = new Map<string, { readonly names: Set<string>; readonly rows: Set<string> }>();
    for (const button of document.querySelectorAll('main :is(li, tr, article) button')) {
      const row = button.closest('li, tr, article');
      if (!row || !shown(button)) continue;
      const words = text(button);
      // Of the history's rows, several may be about one record, and of one minute.
      if (words.startsWith('Only this ')) continue;
      const { names, rows } = named.get(words) ?? { names: new Set(), rows: new Set() };
      names.add(button.getAttribute('aria-label') ?? button.textContent);
      named.set(words, { names, rows: rows.add(row.textContent) });
    }
    for (const [words, { names, rows }] of named)
      if (rows.size > 1 && names.size === 1) found.add(`${rows.size} rows have a button of one name: ${words}`);
  }

  /** Messages and bars that stay in the window don't cover controls that stay there, too. */
  function checkFixed(): void {
    const stays = (element: Element): boolean => {
      for (let one: Element | null = element; one; one = one.parentElement) {
        const { position } = getComputedStyle(one);
        if (position === 'fixed' || position === 'sticky') return true;
      }
      return false;
    };
    const messages = [...document.querySelectorAll('[popover]:popover-open .ui-alert')].filter(shown);
    if (messages.length === 0) return;
    const controls = [...document.querySelectorAll('button, a[href], input, select')].filter(
      (one) => shown(one) && !one.closest('[popover]') && stays(one),
    );
    for (const message of messages) {
      const over = message.getBoundingClientRect();
      for (const control of controls) {
        const own = control.getBoundingClientRect();
        if (
          own.bottom > over.top + 1 &&
          own.top < over.bottom - 1 &&
          own.right > over.left + 1 &&
          own.left < over.right - 1
        )
          found.add(`${text(message)} covers ${nameOf(control)}`);
      }
    }
  }
}

/** {@link layoutFaults} of Playwright's page. */
export const layoutFaultsOf = (page: Page): Promise<readonly string[]> => lasting(() => page.evaluate(layoutFaults));

/** Faults that remain once everything has loaded. @param look - finds those of this moment */
export async function lasting(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  await expect
    .poll(async () => (faults = await look()), { timeout: 20_000 })
    .toEqual([])
    // The caller reports them.
    .catch(() => undefined);
  return faults;
}
