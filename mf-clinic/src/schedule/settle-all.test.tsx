import { problemResponse, serveAs, type PageRequest } from '@clinic/app-kit/test-gateway';
import { notifications, queryClient, QueryClientProvider } from '@clinic/app-kit/host';
import { formatDate } from '@clinic/contracts';
import type { OutsideAppointment } from '@clinic/svc-clinic/contract/schedule-schemas';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prepareBrowser } from '../testing/browser.ts';
import { doctor, grey } from '../testing/records.ts';
import { OutsideDecision } from './outside-decision.tsx';
import { SettleAll } from './settle-all.tsx';

const date = '2100-01-05';
const stranded = (letter: string, patientname: string, time: string, more: Partial<OutsideAppointment> = {}) => ({
  _id: letter.repeat(24),
  date,
  time,
  patientname,
  doctorname: 'Dr. Grey',
  doctoremail: grey.email,
  promised: { minutes: 60, place: 'Level 3' },
  why: ['time' as const],
  ...more,
});
const ann = stranded('a', 'Ann Lee', '09:00');
const ben = stranded('b', 'Ben Roy', '10:00', { why: ['length', 'place'], now: { minutes: 30, place: 'Branch' } });
const cleo = stranded('c', 'Cleo Das', '11:00');

let sent: { readonly path: string; readonly body: unknown }[];
let settle: (id: string) => Response;

function answer({ path, body }: PageRequest): Response {
  if (path === '/appoinments/outside/times')
    return Response.json([
      { _id: ann._id, to: { date, time: '14:00' } },
      { _id: ben._id, to: { date, time: '10:00' } },
      { _id: cleo._id },
    ]);
  if (path.startsWith('/doctors')) return Response.json([]);
  sent.push({ path, body });
  if (path === '/appoinments/undone') return Response.json([]);
  return settle(path.split('/')[2] ?? '');
}

prepareBrowser();
beforeEach(() => {
  sent = [];
  act(() => notifications.set([]));
  settle = (id) => Response.json({ ...[ann, ben, cleo].find(({ _id }) => _id === id), time: '14:00' });
  serveAs(grey, answer);
});

const show = (element: React.ReactNode) =>
  render(<QueryClientProvider client={queryClient}>{element}</QueryClientProvider>);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const pathOf = ({ _id }: { readonly _id: string }) => `/appoinments/${_id}/outside`;
const seen = (time: string) => ({ doctoremail: grey.email, date, time });
const shownNotifications = () => notifications.get().map(({ kind, text }) => `${kind}: ${text}`);

test('moves all to the proposed times, after saying what each patient is told, and takes it back', async () => {
  show(<SettleAll appointments={[ann, ben, cleo]} />);
  await press('Move all 3');
  const dialog = within(screen.getByRole('dialog', { name: 'Move 3 appointments' }));
  const items = await dialog.findAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    `Ann Lee, ${formatDate(date)} at 9:00 AMThe patient gets a message that it is on ${formatDate(date)} at 2:00 PM, instead of ${formatDate(date)} at 9:00 AM.`,
    `Ben Roy, ${formatDate(date)} at 10:00 AMThe patient gets a message that it lasts 30 minutes instead of 60 and is at Branch instead of Level 3, at the same time.`,
    `Cleo Das, ${formatDate(date)} at 11:00 AMThere is no free time within two weeks. It stays here: decide about it alone.`,
  ]);
  expect(sent).toEqual([]);
  await userEvent.selectOptions(dialog.getByLabelText('The patients'), 'They agreed');
  await press('Move 2 appointments');
  await waitFor(() => expect(shownNotifications()).toHaveLength(1));
  const move = (time: string) => ({ act: 'move', date, time, patientChoice: 'agreed' });
  expect(sent).toEqual([
    { path: pathOf(ann), body: { seen: seen('09:00'), decision: move('14:00') } },
    { path: pathOf(ben), body: { seen: seen('10:00'), decision: move('10:00') } },
  ]);
  expect(shownNotifications()).toEqual(['success: 2 appointments are moved']);
  expect(screen.queryByRole('dialog')).toBeNull();
  await act(async () => notifications.get()[0]?.action?.run());
  expect(sent.at(-1)).toEqual({
    path: '/appoinments/undone',
    body: { moves: [ann, ben].map(({ _id: id }) => ({ id, seen: seen('14:00') })) },
  });
});

test('one that can’t be settled stays with its reason, and the others go on', async () => {
  settle = (id) => (id === ann._id ? problemResponse('slot_taken', 409, { title: 'Taken' }) : Response.json(ben));
  show(<SettleAll appointments={[ann, ben]} />);
  await press('Cancel all 2');
  const dialog = within(screen.getByRole('dialog', { name: 'Cancel 2 appointments' }));
  expect(dialog.getAllByText('The patient gets a message that it is cancelled.')).toHaveLength(2);
  await press('Cancel 2 appointments');
  expect(await dialog.findByRole('alert')).toBeTruthy();
  expect(shownNotifications()).toEqual([
    'success: 1 appointment is cancelled',
    'error: 1 appointment is not cancelled',
  ]);
  expect(sent.map(({ path }) => path)).toEqual([pathOf(ann), pathOf(ben)]);
});

test('keeps all at once; a single one has no such choice', async () => {
  const { rerender } = show(<SettleAll appointments={[ann, ben]} />);
  await press('Keep all 2');
  await waitFor(() => expect(shownNotifications()).toEqual(['success: 2 appointments are kept as promised']));
  expect(sent.map(({ body }) => body)).toEqual([
    { seen: seen('09:00'), decision: { act: 'keep' } },
    { seen: seen('10:00'), decision: { act: 'keep' } },
  ]);
  rerender(
    <QueryClientProvider client={queryClient}>
      <SettleAll appointments={[ann]} />
    </QueryClientProvider>,
  );
  expect(screen.queryByRole('button')).toBeNull();
});

test('one appointment can get the new length and place at its time, and that can be undone', async () => {
  const closed = jest.fn();
  settle = () => Response.json(ben);
  show(<OutsideDecision appointment={ben} onClose={closed} />);
  expect(screen.getByText(/Promised 60 minutes; now 30\. Promised at Level 3; now at Branch\./)).toBeTruthy();
  const what = screen.getByLabelText<HTMLSelectElement>('What to do');
  expect(what.selectedOptions[0]?.textContent).toBe('Same time, with the new length and place');
  expect(screen.getByText(/lasts 30 minutes instead of 60 and is at Branch instead of Level 3/)).toBeTruthy();
  await press('Change it');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(sent).toEqual([
    {
      path: pathOf(ben),
      body: { seen: seen('10:00'), decision: { act: 'move', date, time: '10:00', patientChoice: 'not asked' } },
    },
  ]);
  await act(async () => notifications.get()[0]?.action?.run());
  expect(sent.at(-1)?.path).toBe('/appoinments/undone');
});

test('where the hours have no such time there is no such choice', () => {
  show(<OutsideDecision appointment={ann} onClose={() => undefined} />);
  expect(screen.queryByRole('option', { name: /^Same time/ })).toBeNull();
  expect(screen.getByText('The patient gets a message with the new time and place.')).toBeTruthy();
});

describe('a patient who has another visit at the chosen time', () => {
  const choose = (label: string, option: string) => async () =>
    userEvent.selectOptions(await screen.findByLabelText(label), await screen.findByRole('option', { name: option }));
  const another: readonly [what: string, change: () => Promise<void>][] = [
    ['time', choose('Time', '3:00 PM')],
    ['day', async () => void fireEvent.change(screen.getByLabelText('Day'), { target: { value: '2100-01-07' } })],
    ['colleague', choose('Colleague', 'Dr. Chen, Cardiologist')],
    ['decision', choose('What to do', 'Move it to another time')],
  ];
  beforeEach(async () => {
    queryClient.clear();
    serveAs(grey, (request) => {
      const { path } = request;
      if (path.endsWith('/free-times')) return Response.json({ date, times: ['14:00', '15:00'], anyTime: false });
      if (!path.startsWith('/doctors')) return answer(request);
      const names = ['Grey', 'House', 'Chen'];
      return Response.json(
        names.map((name, at) => ({
          ...doctor,
          _id: String(at).repeat(24),
          name: `Dr. ${name}`,
          email: at === 0 ? grey.email : `${name}@clinic.example`,
          nextFree: { date, time: '14:00' },
        })),
      );
    });
    const others = [{ date, time: '14:00' }];
    settle = () => problemResponse('too_many_appointments', 409, { sameTime: { others, canConfirm: true } });
    show(<OutsideDecision appointment={ann} onClose={() => undefined} />);
    await choose('What to do', 'Move it to a colleague')();
    await choose('Colleague', 'Dr. House, Cardiologist')();
    await choose('Time', '2:00 PM')();
    await press('Move it');
    await screen.findByRole('button', { name: 'Keep both' });
  });

  test('keeps both once that is confirmed', async () => {
    await press('Keep both');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toHaveProperty('body.decision.alsoThen', true);
  });

  test.each(another)('has confirmed nothing for another %s', async (_, change) => {
    await change();
    expect(screen.queryByRole('button', { name: 'Keep both' })).toBeNull();
    await choose('Time', '3:00 PM')();
    await press('Move it');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).not.toHaveProperty('body.decision.alsoThen');
  });
});
