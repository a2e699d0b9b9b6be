import type { CDPSession, Page, Route } from '@playwright/test';
import { anywhere, expect } from '../support/clinic.ts';
// Outages are in the console.
import { test } from '../support/first-use.ts';

/** Seconds between two questions of the screen. */
const every = 5;

/** What happens to a question in the night, by turns: the gateway, svc-clinic or the network is away, or all is well. */
const fates: readonly ((route: Route, count: number) => Promise<void>)[] = [
  (route, count) => route.fulfill({ json: roomAt(count) }),
  (route) => route.fulfill({ status: 502, body: 'bad gateway', contentType: 'text/plain' }),
  (route) => route.fulfill({ status: 503, json: { code: 'unavailable', title: 'Unavailable', status: 503 } }),
  (route) => route.abort('internetdisconnected'),
  (route) => route.fulfill({ status: 200, body: '{"at":', contentType: 'application/json' }),
  (route, count) => route.fulfill({ json: roomAt(count) }),
];

const roomAt = (count: number) => ({
  at: new Date().toISOString(),
  called: Array.from({ length: count % 9 }, (_, index) => ({ number: count + index, room: `Room ${index}` })),
  waiting: Array.from({ length: count % 40 }, (_, index) => count + 100 + index),
});

/** What the page holds after a forced collection. */
async function held(
  session: CDPSession,
): Promise<{ readonly heap: number; readonly listeners: number; readonly nodes: number }> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize: heap } = await session.send('Runtime.getHeapUsage');
  const { jsEventListeners: listeners, nodes } = await session.send('Memory.getDOMCounters');
  return { heap, listeners, nodes };
}

test(
  'the screen survives a night of outages of everything, and holds no more at its end',
  anywhere,
  async ({ page }) => {
    let asked = 0;
    await page.route('**/waiting-room/*', (route) => {
      asked += 1;
      // Half a minute of each.
      return (fates[Math.floor(asked / 6) % fates.length] ?? fates[0])?.(route, asked);
    });
    await page.clock.install();
    await page.goto(`/waiting-screen/${'n'.repeat(32)}`);
    await expect(page.getByText(/^Waiting: /)).toBeVisible();
    const session = await page.context().newCDPSession(page);
    const hours = async (count: number): Promise<void> => {
      for (let hour = 0; hour < count; hour += 1) await passes(page, 40);
    };
    // What is compiled and cached once.
    await hours(3);
    const before = await held(session);
    await hours(6);
    // The newest answers first.
    await page.route('**/waiting-room/*', (route) => route.fulfill({ json: roomAt(8) }));
    await passes(page, 30);
    await expect(page.getByText('Room 5')).toBeVisible();
    await expect(page.getByText('Room 7')).toHaveCount(0);
    await expect(page.getByText(/^Not up to date/)).toHaveCount(0);
    const after = await held(session);
    expect(asked).toBeGreaterThan(200);
    expect(after.listeners, 'listeners').toBeLessThanOrEqual(before.listeners + 20);
    expect(after.nodes, 'nodes').toBeLessThanOrEqual(before.nodes + 300);
    expect(after.heap, 'bytes of the heap').toBeLessThan(before.heap + 2_000_000);
  },
);

/** Some questions with their answers. */
async function passes(page: Page, questions: number): Promise<void> {
  for (let count = 0; count < questions; count += 1) await page.clock.runFor(every * 1_000);
}
