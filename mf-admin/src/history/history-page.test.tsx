import { muteExpectedLogs, prepareEnvironment } from '@clinic/app-kit/test-environment';
import { queryClient } from '@clinic/app-kit/host';
import { problemResponse } from '@clinic/app-kit/test-gateway';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openScreen } from '../testing/open-screen.tsx';

const event = (second: number, action: string) => ({
  _id: String(second).repeat(24),
  at: `2026-11-01T00:00:0${second}.000Z`,
  action,
  actor: { role: 'admin', email: 'nadia@clinic.example' },
  record: { type: 'user', id: 'a'.repeat(24) },
  people: ['nadia@clinic.example', 'ann@mail.example'],
  before: { role: 'patient' },
  after: { role: 'doctor' },
  requestId: 'r',
});
const forbidden = () => problemResponse('forbidden', 403);
const rows = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
const startingWith = (...texts: readonly string[]): unknown[] => texts.map((text) => expect.stringContaining(text));

beforeAll(prepareEnvironment);
muteExpectedLogs();
beforeEach(() => queryClient.clear());

test('shows the history of the other services when one fails', async () => {
  await openScreen('/dash/history', ({ path }) => {
    if (path === '/orderMedi/events') return forbidden();
    return Response.json(
      path === '/access-events/all' ? [event(3, 'role changed'), event(1, 'user created')] : [event(2, 'booked')],
    );
  });
  expect(await screen.findByText('Missing: orders and medicines')).toBeTruthy();
  await screen.findByText('Booked');
  expect(rows()).toEqual(startingWith('Role changed', 'Booked', 'User created'));
});

test('the filters are sent to every service', async () => {
  const requests: string[] = [];
  await openScreen('/dash/history?from=2026-11-01&until=2026-11-02&action=booked', ({ path, query }) => {
    requests.push([path, ...['person', 'action', 'changes', 'from', 'until'].map((name) => query.get(name))].join(' '));
    return Response.json([]);
  });
  await userEvent.type(await screen.findByRole('searchbox'), 'ann@mail.example');
  // Clinic days start at midnight in Dhaka, and the last one is included.
  const expected = ['/access-events/all', '/appoinments/events', '/orderMedi/events'].map(
    (path) => `${path} ann@mail.example booked true 2026-10-31T18:00:00.000Z 2026-11-02T18:00:00.000Z`,
  );
  await waitFor(() => expect(requests).toEqual(expect.arrayContaining(expected)));
  expect(await screen.findByText('There are no changes to show')).toBeTruthy();
});

describe('sign-ins', () => {
  const identity = '/access-events/all';
  let requests: { readonly changes: string | null; readonly action: string | null }[];
  const open = (search: string) => {
    requests = [];
    return openScreen(`/dash/history${search}`, ({ path, query }) => {
      if (path !== identity) return Response.json([]);
      requests.push({ changes: query.get('changes'), action: query.get('action') });
      return Response.json([event(1, 'role changed')]);
    });
  };
  const choose = async (label: string, option: string) =>
    userEvent.selectOptions(await screen.findByLabelText(label), option);
  const shown = (label: string) => screen.getByLabelText<HTMLSelectElement>(label).selectedOptions[0]?.textContent;

  const hidden = { label: 'Changes only', changes: 'true' };
  const withSignIns = { label: 'All, with sign-ins', changes: null };

  test.each([
    ['hidden at first, and shown on request', '', hidden, withSignIns],
    ['shown if the address says so, and hidden on request', '?show=all', withSignIns, hidden],
  ])('are %s', async (_, search, first, then) => {
    await open(search);
    await screen.findByText('Role changed');
    expect(shown('Show')).toBe(first.label);
    expect(requests).toEqual([{ changes: first.changes, action: null }]);
    await choose('Show', then.label);
    await waitFor(() => expect(requests.at(-1)).toEqual({ changes: then.changes, action: null }));
  });

  test('are shown if one of their actions is selected, and hidden again with it', async () => {
    await open('');
    await choose('Action', 'sign-in refused');
    await waitFor(() => expect(requests.at(-1)).toEqual({ changes: null, action: 'sign-in refused' }));
    expect(shown('Show')).toBe('All, with sign-ins');
    await choose('Show', 'Changes only');
    await waitFor(() => expect(requests.at(-1)).toEqual({ changes: 'true', action: null }));
    expect(shown('Action')).toBe('All actions');
  });
});

describe('who viewed a person’s records', () => {
  const look = (minute: number, what: string, how: string) => ({
    _id: `${what}${minute}`,
    at: `2026-11-01T00:0${minute}:00.000Z`,
    by: { role: 'doctor', email: 'grey@clinic.example' },
    what,
    how,
  });
  test('is asked of every service once there is a whole address, and shows names', async () => {
    const asked: string[] = [];
    await openScreen('/dash/history?action=booked', ({ path, query }) => {
      if (path.endsWith('/looks')) asked.push(`${path} ${query.get('email')}`);
      if (path === '/users/ann%40mail.example/looks') return Response.json([look(1, 'account', 'exported')]);
      if (path === '/personal-data.json') return Response.json({ calls: [], unknown: [] });
      if (path === '/appoinments/looks') return Response.json([look(3, 'appointments', 'opened')]);
      return Response.json(path === '/orderMedi/looks' ? [look(2, 'orders', 'searched')] : []);
    });
    await userEvent.selectOptions(await screen.findByLabelText('Show'), 'Who viewed their records');
    expect(await screen.findByText('Whose records?')).toBeTruthy();
    expect(screen.queryByLabelText('From day')).toBeNull();
    // Without a delay, a busy machine can't pause at a shorter address.
    await userEvent.setup({ delay: null }).type(screen.getByRole('searchbox'), 'Ann@mail.example');
    await waitFor(() =>
      expect(rows()).toEqual(
        startingWith('Opened their appointments', 'Searched for their orders', 'Downloaded a copy of their account'),
      ),
    );
    expect(screen.getAllByRole('link', { name: 'grey@clinic.example' })).toHaveLength(3);
    expect(asked.toSorted()).toEqual([
      '/appoinments/looks ann@mail.example',
      '/orderMedi/looks ann@mail.example',
      '/users/ann%40mail.example/looks null',
    ]);
  });

  test('names the part that fails, and doesn’t claim that nobody viewed the records', async () => {
    await openScreen('/dash/history?show=looks&q=ann%40mail.example', ({ path }) =>
      path === '/orderMedi/looks' ? forbidden() : Response.json([]),
    );
    expect(await screen.findByText('Missing: who viewed their orders')).toBeTruthy();
    expect(screen.queryByText('No one has viewed their records')).toBeNull();
  });
});
