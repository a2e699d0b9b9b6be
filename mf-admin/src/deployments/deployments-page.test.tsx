import { muteExpectedLogs, prepareEnvironment } from '@clinic/app-kit/test-environment';
import { proveWhenAsked, shownNotifications, type TestClinic } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import { notifications, queryClient } from '@clinic/app-kit/host';
import type { Deployment } from '@clinic/svc-identity/contract/deployment-calls';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openAsAdmin } from '../testing/open-as.tsx';

const list = 'GET /deployments';
const change = 'POST /deployments/mf-clinic';
const revision = 'A'.repeat(22);
const clinic: Deployment = {
  name: 'mf-clinic',
  revision,
  served: '1.2.0+2',
  deployed: '1.3.0+3',
  held: 'rolled back',
  before: '1.1.0+1',
  releases: [
    {
      version: '1.3.0+3',
      at: '2026-11-20T08:00:00.000Z',
      figures: { visits: 1200, errors: 60 },
    },
    { version: '1.2.0+2', at: '2026-11-10T08:00:00.000Z', figures: { visits: 800, errors: 0 } },
    { version: '1.1.0+1', at: '2026-11-01T08:00:00.000Z' },
  ],
  decision: { at: '2026-11-20T09:30:00.000Z', kind: 'rolled back', version: '1.3.0+3', by: 'gateway' },
};
const running = {
  version: '1.3.0+3',
  since: '2026-11-20T10:00:00.000Z',
  share: 0.1,
  errorRate: 0.05,
  minVisits: 50,
  quietMinutes: 30,
  visits: 40,
  errors: 2,
};
const answered = (...frontEnds: readonly Deployment[]) => ({ json: { days: 7, frontEnds } });

let clinicServer: TestClinic | undefined;
const open = async (answers: TestClinic['answers']): Promise<TestClinic> =>
  (clinicServer = await openAsAdmin('/dash/deployments', answers));

beforeAll(prepareEnvironment);
muteExpectedLogs();
afterEach(() => clinicServer?.close());
beforeEach(() => {
  queryClient.clear();
  notifications.set([]);
});

const cellsOf = (version: string): string[] => {
  const row = screen.getByText(version, { selector: 'span' }).closest('tr') ?? document.body;
  return within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent ?? '');
};

test('shows what is served, why, and how each release does', async () => {
  await open({ [list]: () => answered(clinic) });
  await screen.findByRole('heading', { name: 'mf-clinic' });
  expect(screen.getByText('Rolled back')).toBeTruthy();
  expect(
    screen.getByText('Canary 1.3.0+3 rolled back, by what visitors’ pages reported, on Nov 20, 2026, 3:30 PM.'),
  ).toBeTruthy();
  expect(cellsOf('1.3.0+3').slice(1, 3)).toEqual(['1,200', '60 (5%)']);
  expect(cellsOf('1.2.0+2').slice(1, 3)).toEqual(['800', '0 (0%)']);
  expect(cellsOf('1.1.0+1').slice(1, 3)).toEqual(['–', '–']);
});

test('shows the shell’s figures, and says why it has no canary', async () => {
  const figures = { visits: 2000, errors: 2 };
  const releases = ['b', 'a'].map((version) => ({ version, at: '2026-11-20T08:00:00.000Z', figures }));
  await open({ [list]: () => answered({ name: 'shell', revision, served: 'b', deployed: 'b', releases }) });
  expect(await screen.findByText(/it can’t be a canary/)).toBeTruthy();
  expect(cellsOf('b').slice(1, 3)).toEqual(['2,000', '2 (0.1%)']);
  expect(screen.getByRole('button', { name: 'Pin a of shell' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Start a of shell as a canary' })).toBeNull();
});

test('asks before it rolls back, sends what the admin has seen, and says what visitors get now', async () => {
  let now = clinic;
  const server = await open({
    [list]: () => answered(now),
    [change]: () => {
      now = { ...clinic, served: '1.1.0+1', before: undefined };
      return { json: now };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Roll back mf-clinic' }));
  await userEvent.click(screen.getByRole('button', { name: 'Go back' }));
  expect(server.sent(change)).toBeUndefined();
  await userEvent.click(screen.getByRole('button', { name: 'Roll back mf-clinic' }));
  const question = await screen.findByRole('alertdialog', { name: 'Roll back mf-clinic to 1.1.0+1?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Roll back' }));
  await waitFor(() => expect(shownNotifications()).toEqual(['mf-clinic: everybody gets 1.1.0+1']));
  expect(server.sent(change)).toEqual({ kind: 'rollback', revision });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Roll back mf-clinic' })).toBeNull());
});

test('asks who it is before it rolls back', async () => {
  const server = await open({ [list]: () => answered(clinic) });
  const proof = proveWhenAsked(server);
  server.answers[change] = proof.guarded(() => ({ json: { ...clinic, served: '1.1.0+1', before: undefined } }));
  await userEvent.click(await screen.findByRole('button', { name: 'Roll back mf-clinic' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Roll back' }));
  await waitFor(() => expect(shownNotifications()).toEqual(['mf-clinic: everybody gets 1.1.0+1']));
  expect(proof.asked()).toBe(1);
  proof.stop();
});

test('starts a canary with its rules, after they make sense, and stops it', async () => {
  let now = clinic;
  const server = await open({
    [list]: () => answered(now),
    [change]: ({ body }) => {
      now = (body as { kind: string }).kind === 'stop' ? clinic : { ...clinic, canary: running };
      return { json: now };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Start 1.3.0+3 of mf-clinic as a canary' }));
  const share = await screen.findByRole('spinbutton', { name: /^Share of visitors/ });
  await userEvent.clear(share);
  await userEvent.type(share, '60');
  await userEvent.click(screen.getByRole('button', { name: 'Start it' }));
  expect(await screen.findByText('Share must be from 1 to 50')).toBeTruthy();
  expect(server.sent(change)).toBeUndefined();
  await userEvent.clear(share);
  await userEvent.type(share, '10');
  await userEvent.click(screen.getByRole('button', { name: 'Start it' }));
  expect(await screen.findByText('10% of visitors get 1.3.0+3')).toBeTruthy();
  expect(server.sent(change)).toEqual({
    kind: 'canary',
    revision,
    version: '1.3.0+3',
    share: 0.1,
    errorRate: 0.05,
    minVisits: 50,
    quietMinutes: 30,
  });
  expect(screen.getByText('40 visits so far, with errors: 2 (5%)')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Stop the canary of mf-clinic' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Stop it' }));
  await waitFor(() => expect(screen.queryByText('10% of visitors get 1.3.0+3')).toBeNull());
});

test('says that one network alone has too many errors, and what that means, if the service does', async () => {
  const said =
    'Without one network’s errors it would be below 5%, so it isn’t rolled back. Stop it if that network is yours.';
  const each = [undefined, false, true].map((oneNetwork, place) => ({
    ...clinic,
    name: `mf-${place}`,
    canary: { ...running, oneNetwork },
  }));
  await open({ [list]: () => answered(...each) });
  const rules = await screen.findAllByText(/errors of one alone don’t roll it back/);
  expect(rules.map(({ parentElement }) => parentElement?.textContent.includes(said))).toEqual([false, false, true]);
});

test('keeps the rules of a canary that couldn’t be started, and doesn’t send what makes no sense', async () => {
  let isDown = true;
  const server = await open({
    [list]: () => answered(clinic),
    [change]: () => (isDown ? problemAnswer('unavailable') : { json: clinic }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Start 1.3.0+3 of mf-clinic as a canary' }));
  const visits = await screen.findByRole<HTMLInputElement>('spinbutton', { name: /^Visits/ });
  await userEvent.clear(visits);
  await userEvent.type(visits, '12.5');
  await userEvent.click(screen.getByRole('button', { name: 'Start it' }));
  expect(await screen.findByText('Visits must be a whole number')).toBeTruthy();
  expect(server.sent(change)).toBeUndefined();
  await userEvent.clear(visits);
  await userEvent.type(visits, '125');
  await userEvent.click(screen.getByRole('button', { name: 'Start it' }));
  await waitFor(() => expect(shownNotifications()).toHaveLength(1));
  expect(visits.value).toBe('125');
  isDown = false;
  await userEvent.click(screen.getByRole('button', { name: 'Start it' }));
  await waitFor(() => expect(screen.queryByRole('spinbutton')).toBeNull());
  expect(server.sent(change)).toMatchObject({ kind: 'canary', minVisits: 125 });
});

test('says that somebody else was faster, and shows what is so now', async () => {
  let reads = 0;
  await open({
    [list]: () => {
      reads += 1;
      return answered(reads === 1 ? clinic : { ...clinic, held: undefined, served: '1.3.0+3' });
    },
    [change]: () => problemAnswer('changed_meanwhile'),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Unpin mf-clinic' }));
  await userEvent.click(screen.getByRole('button', { name: 'Unpin it' }));
  await waitFor(() => expect(shownNotifications()).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Unpin mf-clinic' })).toBeNull());
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('says that releases aren’t kept, or couldn’t be loaded', async () => {
  let isBroken = true;
  await open({
    [list]: () => (isBroken ? problemAnswer('internal') : { json: { days: 7, frontEnds: [] } }),
  });
  const retry = await screen.findByRole('button', { name: 'Retry' });
  isBroken = false;
  await userEvent.click(retry);
  expect(await screen.findByText('Releases aren’t kept here')).toBeTruthy();
});
