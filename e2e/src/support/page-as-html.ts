import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaterFiles } from '@clinic/contracts/remotes';
import { expect, type BrowserContext, type Page } from '@playwright/test';

const shell = join(import.meta.dirname, '../../../shell/dist/index.html');

/** The start script's name and hash in the shell's build. */
function startScript(): { readonly href: string; readonly integrity: string } {
  const [, href = '', integrity = ''] =
    /<link [^>]*href="([^"]*)"[^>]*integrity="([^"]*)"[^>]*data-for="html">/.exec(readFileSync(shell, 'utf8')) ?? [];
  return { href, integrity };
}

/** What the application renders at a path once nothing is loading. */
async function renderedAt(context: BrowserContext, path: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"], .ui-skeleton')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Login', exact: true })).toBeAttached();
  const html = await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
    return document.getElementById('root')?.innerHTML ?? '';
  });
  await page.close();
  return html;
}

/** A page drawn by scripts as it is when it arrives as HTML. @param content - of the page */
export function asHtml(drawn: string, content: string): string {
  const later: { scripts: LaterFiles['scripts'][number][]; preloads: LaterFiles['preloads'][number][] } = {
    scripts: [],
    preloads: [],
  };
  const { href, integrity } = startScript();
  return drawn
    .replaceAll(/<script defer src="([^"]*)" integrity="([^"]*)"><\/script>/g, (_, file: string, hash: string) => {
      later.scripts.push({ href: file, integrity: hash });
      return '';
    })
    .replaceAll(
      /<link rel="preload" href="([^"]*)" as="(script|style)" integrity="([^"]*)"[^>]*>/g,
      (_, file: string, as: 'script' | 'style', hash: string) => {
        later.preloads.push({ href: file, integrity: hash, as });
        return as === 'style' ? `<link rel="stylesheet" href="${file}" integrity="${hash}">` : '';
      },
    )
    .replace(
      '</head>',
      () =>
        `<script src="${href}" integrity="${integrity}"></script><script type="application/json" id="later-scripts">${JSON.stringify(later)}</script></head>`,
    )
    .replace('<div id="root">', () => `<div id="page">${content}</div><div id="root">`);
}

/**
 * Lets a page arrive as HTML.
 *
 * @param change - of its content, as if it were of another release or older data
 */
export async function sendAsHtml(
  context: BrowserContext,
  path: string,
  change = (content: string) => content,
): Promise<void> {
  const content = change(await renderedAt(context, path));
  await context.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const response = await route.fetch();
      await route.fulfill({ response, body: asHtml(await response.text(), content) });
    },
  );
}

/** Waits until the application has taken the place of the page's HTML. */
export async function appIsThere(page: Page): Promise<void> {
  await expect(page.locator('#page')).toHaveCount(0);
  await expect(page.locator('#root')).toBeAttached();
}
