import { expect, test } from '@playwright/test';
import { openLab } from '../lab/lab.ts';

test('the lab stops a service and breaks a remote by a button each, and mends them', async ({ request, baseURL }) => {
  // After each press the lab's page asks about all releases.
  test.slow();
  const lab = await openLab(String(baseURL));
  const press = async (address: string): Promise<string> => {
    const answer = await request.post(`${lab.url}/do/${address}`);
    expect(answer.status()).toBe(200);
    return answer.text();
  };
  const status = async (address: string): Promise<number> => (await fetch(lab.clinic + address)).status;
  const script = async (): Promise<string> => {
    const { remotes } = (await (await fetch(`${lab.clinic}/registry.json`)).json()) as {
      remotes: { name: string; entry: string }[];
    };
    return `/mf/mf-pharmacy/${remotes.find(({ name }) => name === 'mf-pharmacy')?.entry}`;
  };

  expect(await status('/orderMedi')).toBe(401);
  expect(await press('svc-pharmacy/stop')).toContain('Lists say that they can’t be loaded');
  await expect.poll(() => status('/orderMedi')).toBe(503);
  await press('svc-pharmacy/start');
  await expect.poll(() => status('/orderMedi')).toBe(401);

  expect(await status(await script())).toBe(200);
  expect(await press('mf-pharmacy/break')).toContain('a panel with Retry takes its place');
  expect(await status(await script())).toBe(404);
  await press('mf-pharmacy/mend');
  expect(await status(await script())).toBe(200);

  expect(await press('mf-public/reader')).toContain('could use the page without an error');

  // Another site's page can't press the buttons.
  const foreign = await fetch(`${lab.url}/do/svc-clinic/stop`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  expect(foreign.status).toBe(403);
  expect((await request.post(`${lab.url}/do/svc-clinic/explode`)).status()).toBe(404);
  await lab.close();
});
