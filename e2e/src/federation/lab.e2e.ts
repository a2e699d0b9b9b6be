import { expect, test } from '@playwright/test';
import { openLab } from '../lab/lab.ts';

test('the lab stops a service and breaks a remote by a button each, and mends them', async ({ request, baseURL }) => {
  const lab = await openLab(String(baseURL));
  const press = async (address: string): Promise<void> => {
    // The page that follows asks about all releases: once is enough.
    const answer = await request.post(`${lab.url}/do/${address}`, { maxRedirects: 0 });
    expect([answer.status(), answer.headers()['location']]).toEqual([303, '/']);
  };
  const status = async (address: string): Promise<number> => (await fetch(lab.clinic + address)).status;
  const script = async (): Promise<string> => {
    const { remotes } = (await (await fetch(`${lab.clinic}/registry.json`)).json()) as {
      remotes: { name: string; entry: string }[];
    };
    return `/mf/mf-pharmacy/${remotes.find(({ name }) => name === 'mf-pharmacy')?.entry}`;
  };

  expect(await status('/orderMedi')).toBe(401);
  await press('svc-pharmacy/stop');
  await expect.poll(() => status('/orderMedi')).toBe(503);
  expect(await status(await script())).toBe(200);
  await press('mf-pharmacy/break');
  expect(await status(await script())).toBe(404);
  await press('mf-public/reader');
  const page = await (await request.get(lab.url)).text();
  for (const said of [
    'Lists say that they can’t be loaded',
    'a panel with Retry takes its place',
    'could use the page without an error',
  ])
    expect(page).toContain(said);

  await press('svc-pharmacy/start');
  await expect.poll(() => status('/orderMedi')).toBe(401);
  await press('mf-pharmacy/mend');
  expect(await status(await script())).toBe(200);

  // Another site's page can't press the buttons.
  const foreign = await fetch(`${lab.url}/do/svc-clinic/stop`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  expect(foreign.status).toBe(403);
  expect((await request.post(`${lab.url}/do/svc-clinic/explode`)).status()).toBe(404);
  await lab.close();
});
