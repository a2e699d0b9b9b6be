import type { Page } from '@playwright/test';

/**
 * Addresses of this site that links on the page lead to, each shape once: of many records' links one is enough.
 * Runs in the page, so it uses nothing from outside.
 */
export const linksOn = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href]:not([aria-hidden=true])')]
      .filter(({ origin, protocol }) => origin === location.origin && protocol.startsWith('http'))
      .map(({ pathname, search }) => pathname + search),
  );

/** The page behind an address: ids and what its query asks for are the same page. */
export function shapeOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://any');
  const query = [...new Set(searchParams.keys())].toSorted().join('&');
  return `${pathname.replaceAll(/[\da-f]{24}/g, ':id')}${query && `?${query}`}`;
}

/** What is wrong with the page that a link opened for somebody, one line each. @param loggedIn - the login page isn't for them */
export function whereItLed(loggedIn: boolean): string[] {
  const found: string[] = [];
  const title = document.querySelector('h1')?.textContent ?? '';
  if (/^(You can’t open|Oops!|We can’t find|You’re already)/.test(title)) found.push(title);
  if (loggedIn && location.pathname === '/login') found.push('asks to log in');
  const menu = document.querySelector('nav[aria-label="Dashboard"]');
  if (!menu) return found;
  const current = [...menu.ownerDocument.querySelectorAll('header a[aria-current]')];
  if (current.length !== 1) found.push(`marks ${current.length} entries of the menu`);
  for (const entry of current) {
    const { top, bottom, height } = entry.getBoundingClientRect();
    if (height > 0 && (top < 0 || bottom > innerHeight)) found.push('has its entry of the menu out of sight');
  }
  const back = [...document.querySelectorAll('main a')].some(({ textContent }) => textContent.startsWith('Back to '));
  if (current[0]?.getAttribute('aria-current') !== 'page' && !back) found.push('has no way back');
  return found;
}
