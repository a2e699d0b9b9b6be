import { muteExpectedLogs, prepareEnvironment } from '@clinic/app-kit/test-environment';
import { notifications, queryClient } from '@clinic/app-kit/host';
import { personalDataPath } from '@clinic/contracts/personal-data-calls';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openScreen } from '../testing/open-screen.tsx';
import { userNamed } from '../testing/users.ts';

const email = 'ann@mail.example';
const ann = { ...userNamed('b', 'Ann', email), secondFactor: true };
const labCopy = { service: 'lab', id: 'exportLabData', method: 'GET', path: '/lab/export', personalData: 'copy' };
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

beforeAll(prepareEnvironment);
// A browser of tests saves no file.
muteExpectedLogs('Could not copy the data');
beforeEach(() => {
  queryClient.clear();
  notifications.set([]);
});

async function erase(): Promise<void> {
  await press('Delete …');
  await userEvent.type(within(screen.getByRole('dialog')).getByRole('textbox'), email);
  await press('Delete Ann Lee');
}

async function copyData(): Promise<void> {
  await press('Delete …');
  await press('Download their data first');
}

async function switchOff(): Promise<void> {
  await press('Switch off');
  await userEvent.click(await screen.findByRole('button', { name: 'Yes, switch it off' }));
}

/** Does it, and takes it back beside the message. */
const andUndo = (change: () => Promise<void>) => async () => {
  await change();
  await waitFor(() => expect(notifications.get().at(-1)?.action).toBeTruthy());
  await act(async () => void (await notifications.get().at(-1)?.action?.run()));
};

test.each([
  ['deletes', false, ['POST erasure'], erase],
  ['switches off', false, ['PATCH access'], switchOff],
  ['switches on', true, ['PATCH access'], () => press('Switch on again')],
  ['logs out', false, ['DELETE sessions'], () => press('Log out everywhere')],
  ['copies from every service the data of', false, Array<string>(4).fill('GET export'), copyData],
  ['resets the second step of', false, ['DELETE second-factor'], () => press('Reset the second step')],
  [
    'gives a right, and by Undo takes it from',
    false,
    ['PATCH rights', 'PATCH rights'],
    andUndo(() => userEvent.click(screen.getByRole('switch', { name: /^Reception/ }))),
  ],
])('an admin %s only the person whom the list showed', async (_, disabled, expected, change) => {
  const sent: string[] = [];
  await openScreen('/dash/admin', ({ method, path, query }) => {
    if (path === '/users') return Response.json([{ ...ann, disabled }], { headers: { 'x-total-count': '1' } });
    if (path === personalDataPath) return Response.json({ calls: [labCopy], unknown: [] });
    if (method === 'GET' && !path.endsWith('/export'))
      return Response.json({ userId: ann._id, startedAt: '', services: [], account: { state: 'waiting' } });
    sent.push(`${method} ${path.slice(path.lastIndexOf('/') + 1)}`);
    expect(query.get('userId')).toBe(ann._id);
    if (method === 'GET') return Response.json([]);
    return method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json({ ...ann, userId: ann._id });
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Account of Ann Lee' }));
  await change();
  await waitFor(() => expect(sent).toEqual(expected));
});
