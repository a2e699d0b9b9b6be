import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, isPhone, picture, test } from '../support/clinic.ts';
import { logInAs } from '../support/log-in.ts';
import { serveManyEvents } from '../support/many-events.ts';

/** Events of each of three services; together more than a list draws at once. */
const ofEach = 22;
/** A row far out of sight. */
const late = 60;

test('a history longer than any page is one list for eyes, keyboard, screen reader and search', async ({ page }) => {
  // The accessibility check covers all rows.
  test.slow();
  await serveManyEvents(page, ofEach);
  await logInAs(page, 'admin', '/dash/history');
  await expect(rowsOf(page)).toHaveCount(20);
  // Each press doubles the rows.
  for (const shown of [40, 3 * ofEach]) {
    await page.getByRole('button', { name: 'Show older changes' }).click();
    await expect(rowsOf(page)).toHaveCount(shown);
  }
  await expect(page.getByText('note:').first()).toBeVisible();

  await test.step('rows out of sight are there', async () => {
    expect(await page.evaluate('window.find("Ring 20 times")')).toBe(true);
    await expect(rowsOf(page).filter({ hasText: 'Ring 20 times' }).first()).toBeInViewport();
    await rowsOf(page)
      .nth(late)
      .getByRole('button', { name: /^Only this/ })
      .focus();
    await expect(rowsOf(page).nth(late)).toBeInViewport();
    await picture(page, 'admin long history');
    await expectAccessible(page);
  });

  if (isPhone(page)) return;
  await test.step('columns stay aligned at every width', async () => {
    await expectInLine(page);
    await page.setViewportSize({ width: 1100, height: 800 });
    await expectInLine(page);
    await page.setViewportSize({ width: 1700, height: 900 });
    await expectInLine(page);
  });
});

function rowsOf(page: Page): Locator {
  const region = page
    .getByRole('region', { name: 'History' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });
  return region.or(page.getByRole('list', { name: 'History' }).locator('> li'));
}

/** Expects the cells of a late row to align with their headers and to fill the table, and the table its frame. */
async function expectInLine(page: Page): Promise<void> {
  const row = rowsOf(page).nth(late);
  await row.scrollIntoViewIfNeeded();
  const edges = async (of: Locator) =>
    (await of.locator('> *').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left))).map(
      Math.round,
    );
  await expect.poll(() => edges(row)).toEqual(await edges(page.getByRole('row').first()));
  // The table is as wide as its columns, or fills its frame.
  const ends = () =>
    page.getByRole('region', { name: 'History' }).evaluate((frame) => {
      const table = frame.querySelector('table')?.getBoundingClientRect().width ?? 0;
      const cells = [...frame.querySelectorAll('tr:first-child > th[scope=col]')].reduce(
        (sum, cell) => sum + cell.getBoundingClientRect().width,
        0,
      );
      return { beyond: Math.round(table - cells), fills: table > frame.clientWidth - 1 };
    });
  await expect.poll(ends).toEqual({ beyond: 0, fills: true });
}
