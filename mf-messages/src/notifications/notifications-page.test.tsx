import { leaveQuestion, notifications } from '@clinic/app-kit/host';
import { shownNotifications, type TestClinic } from '@clinic/app-kit/test-clinic';
import { problemAnswer, type SeenRequest, type TestAnswer } from '@clinic/app-kit/test-server';
import type { Role } from '@clinic/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { MessagePreferences } from '../calls.ts';
import { openPage as openRemote, paged, readFrom, sentMessage } from '../testing.tsx';

const message = { ...sentMessage, about: { doctor: 'Dr. Grey', date: '2026-11-24', time: '09:30' } };
const preferences: MessagePreferences = {
  kinds: { 'order-shipped': false },
  quietFrom: '21:00',
  quietUntil: '08:00',
  timeZone: 'Asia/Dhaka',
  language: 'en',
};
const list = '/messages/mine';
const first = `GET ${list}?limit=20`;
const own = '/messages/preferences';
/** The service's preferences: each change has another ETag, and one that names an old one is rejected. */
function storedPreferences() {
  let stored = preferences;
  let version = 1;
  const answer = (): TestAnswer => ({ json: stored, headers: { ETag: `"${version}"` } });
  const answers = {
    [`GET ${own}`]: answer,
    [`PATCH ${own}`]: ({ body, headers }: SeenRequest): TestAnswer => {
      if (headers['if-match'] !== `"${version}"`) return problemAnswer('changed_meanwhile');
      const { kinds, ...rest } = body as Partial<MessagePreferences>;
      stored = { ...stored, ...rest, kinds: { ...stored.kinds, ...kinds } };
      version += 1;
      return answer();
    },
  };
  /** Another device changes them. */
  const changeElsewhere = (): void => {
    version += 1;
  };
  return { answers, changeElsewhere };
}
/** Opens the page of somebody without messages, whose address works, unless `answers` say otherwise. */
const openPage = (answers: TestClinic['answers'], role: Role = 'patient') =>
  openRemote(
    '/dash/notifications',
    { [first]: () => paged([]), 'GET /messages/address': () => ({ json: { email: 'ann@mail.example' } }), ...answers },
    role,
  );

/** Opens it, with what is in the form of the preferences. */
async function openForm(answers: TestClinic['answers']) {
  const { clinic } = await openPage(answers);
  return { clinic, form: within(await screen.findByRole('region', { name: 'What we email you' })) };
}

/** The service rejects a field of the preferences. */
const rejecting = (field: string, message: string): TestClinic['answers'] => ({
  [`PATCH ${own}`]: () => problemAnswer('validation_failed', { errors: [{ field, message }] }),
});

test('lists what was sent, with its state and the reason in words', async () => {
  await openPage({
    [first]: () =>
      paged([
        message,
        {
          ...message,
          _id: 'a'.repeat(24),
          kind: 'appointment-reminder',
          status: 'suppressed',
          reason: 'out-of-date',
        },
        { ...message, _id: 'c'.repeat(24), kind: 'lab-result', about: {}, status: 'pending' },
        {
          ...message,
          _id: 'e'.repeat(24),
          kind: 'appointment-reminder',
          status: 'pending',
          dueAt: '2100-11-24T01:30:00.000Z',
        },
        { ...message, _id: 'd'.repeat(24), kind: 'order-placed', about: { order: '#4F09A1' }, status: 'failed' },
      ]),
    [`GET ${own}`]: () => 'never',
  });
  await screen.findByText('Loading...');
  const table = await screen.findByRole('table', { name: 'Messages to me' });
  await within(table).findByText('Sent');
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent.replaceAll('\u00a0', ' ')))).toEqual([
    ['Appointment booked Dr. Grey, Tue, Nov 24, 2026 at 9:30 AM', 'Sent ', 'Nov 23, 2026, 10:00 AM'],
    [
      'Appointment reminder Dr. Grey, Tue, Nov 24, 2026 at 9:30 AM',
      'Not sent The appointment was cancelled or moved before then',
      'Nov 23, 2026, 10:00 AM',
    ],
    ['Lab result ', 'On its way ', 'Nov 23, 2026, 10:00 AM'],
    [
      'Appointment reminder Dr. Grey, Tue, Nov 24, 2026 at 9:30 AM',
      'Scheduled For Nov 24, 2100, 7:30 AM',
      'Nov 23, 2026, 10:00 AM',
    ],
    ['Order placed Order #4F09A1', 'Couldn’t be sent ', 'Nov 23, 2026, 10:00 AM'],
  ]);
});

test('has a page for older messages, in the address', async () => {
  const older = { ...message, _id: 'e'.repeat(24), kind: 'order-shipped', about: {} };
  const { clinic, address } = await openPage({
    [first]: () => paged([message], { total: 21, next: `${list}?limit=20&cursor=abc` }),
    [`GET ${list}?limit=20&cursor=abc`]: () => paged([older], { total: 21 }),
    ...storedPreferences().answers,
  });
  const table = await screen.findByRole('table', { name: 'Messages to me' });
  await within(table).findByText('Appointment booked');
  await userEvent.click(screen.getByRole('button', { name: /Next/ }));
  await within(table).findByText('Order shipped');
  expect(address()).toBe('/dash/notifications?cursor=abc');
  expect(readFrom(clinic, list)).toEqual([`${list}?limit=20`, `${list}?limit=20&cursor=abc`]);
});

test('saves what was changed and nothing else, and takes it back', async () => {
  const { clinic, form } = await openForm(storedPreferences().answers);
  const reminders = await form.findByRole('switch', { name: 'Appointment reminder' });
  expect(form.getByRole('switch', { name: 'Order shipped' })).toHaveProperty('checked', false);
  // People can't do without these.
  expect(form.queryByRole('switch', { name: 'New password' })).toBeNull();
  const save = form.getByRole('button', { name: 'Save my preferences' });
  expect(save).toHaveProperty('disabled', true);

  await userEvent.click(reminders);
  fireEvent.change(form.getByLabelText(/^From/), { target: { value: '22:30' } });
  await userEvent.click(save);
  await waitFor(() => expect(shownNotifications()).toEqual(['Your preferences are saved']));
  expect(clinic.sent(`PATCH ${own}`)).toEqual({ kinds: { 'appointment-reminder': false }, quietFrom: '22:30' });
  await waitFor(() => expect(save).toHaveProperty('disabled', true));
  expect(reminders).toHaveProperty('checked', false);

  await act(async () => notifications.get()[0]?.action?.run());
  expect(clinic.sent(`PATCH ${own}`)).toEqual({ kinds: { 'appointment-reminder': true }, quietFrom: '21:00' });
  await waitFor(() => expect(reminders).toHaveProperty('checked', true));
});

test('keeps what is edited while it saves, and takes back only what was saved', async () => {
  const stored = storedPreferences();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const patch = stored.answers[`PATCH ${own}`] as (request: SeenRequest) => TestAnswer;
  const { clinic, form } = await openForm({
    ...stored.answers,
    [`PATCH ${own}`]: async (request) => {
      await released;
      return patch(request);
    },
  });
  const reminders = await form.findByRole('switch', { name: 'Appointment reminder' });
  const save = form.getByRole('button', { name: 'Save my preferences' });
  const patches = () => clinic.server.seen.filter(({ method }) => method === 'PATCH');

  await userEvent.click(reminders);
  await userEvent.click(save);
  const from = form.getByLabelText(/^From/);
  fireEvent.change(from, { target: { value: '22:30' } });
  // A second press sends nothing: the first save is still in flight.
  await userEvent.click(save);
  expect(leaveQuestion()).toBeDefined();
  release();
  await waitFor(() => expect(shownNotifications()).toEqual(['Your preferences are saved']));
  await waitFor(() => expect(save.getAttribute('aria-busy')).not.toBe('true'));
  expect(from).toHaveProperty('value', '22:30');
  await userEvent.click(save);
  await waitFor(() => expect(save).toHaveProperty('disabled', true));
  expect(patches().map(({ body, headers }) => [headers['if-match'], body])).toEqual([
    ['"1"', { kinds: { 'appointment-reminder': false } }],
    ['"2"', { quietFrom: '22:30' }],
  ]);

  await act(async () => notifications.get().at(-1)?.action?.run());
  expect(clinic.sent(`PATCH ${own}`)).toEqual({ quietFrom: '21:00' });
  await waitFor(() => expect(from).toHaveProperty('value', '21:00'));
  expect(reminders).toHaveProperty('checked', false);
});

test('saves the language of messages, and says why it couldn’t', async () => {
  const stored = storedPreferences();
  const { clinic, form } = await openForm({
    ...stored.answers,
    ...rejecting('language', 'Choose another language'),
  });
  const language = await form.findByLabelText<HTMLSelectElement>('Language of your messages');
  expect([...language.options].map(({ value, text }) => [value, text])).toEqual([
    ['en', 'English'],
    ['bn', 'বাংলা'],
  ]);
  const save = form.getByRole('button', { name: 'Save my preferences' });
  await userEvent.selectOptions(language, 'বাংলা');
  await userEvent.click(save);
  await form.findByText('Choose another language');

  Object.assign(clinic.answers, stored.answers);
  await userEvent.click(save);
  await waitFor(() => expect(shownNotifications()).toEqual(['Your preferences are saved']));
  expect(clinic.sent(`PATCH ${own}`)).toEqual({ language: 'bn' });
  await act(async () => notifications.get()[0]?.action?.run());
  await waitFor(() => expect(language.value).toBe('en'));
});

test('offers no language with a service that has no choice of it', async () => {
  const { language: _language, ...older } = preferences;
  const { form } = await openForm({ [`GET ${own}`]: () => ({ json: older }) });
  await form.findByLabelText('Time zone');
  expect(form.queryByLabelText('Language of your messages')).toBeNull();
});

test('does without quiet hours, and shows what is wrong with one', async () => {
  const stored = storedPreferences();
  const { clinic, form } = await openForm({
    ...stored.answers,
    ...rejecting('quietUntil', 'Enter a time of day (HH:mm)'),
  });
  fireEvent.change(await form.findByLabelText(/^Until/), { target: { value: '' } });
  await userEvent.click(form.getByRole('button', { name: 'Save my preferences' }));
  await form.findByText('Enter a time of day (HH:mm)');

  Object.assign(clinic.answers, stored.answers);
  await userEvent.click(form.getByRole('switch', { name: 'No messages in quiet hours' }));
  expect(form.queryByLabelText(/^Until/)).toBeNull();
  await userEvent.click(form.getByRole('button', { name: 'Save my preferences' }));
  await waitFor(() => expect(shownNotifications()).toEqual(['Your preferences are saved']));
  expect(clinic.sent(`PATCH ${own}`)).toEqual({ quietFrom: '00:00', quietUntil: '00:00' });
});

test('overwrites nothing that was changed on another device meanwhile', async () => {
  const stored = storedPreferences();
  const { form } = await openForm(stored.answers);
  const booked = await form.findByRole('switch', { name: 'Appointment booked' });
  await userEvent.click(booked);
  stored.changeElsewhere();
  await userEvent.click(form.getByRole('button', { name: 'Save my preferences' }));
  await form.findByText('You’ve changed your preferences elsewhere');
  expect(booked).toHaveProperty('checked', false);
  await userEvent.click(form.getByRole('button', { name: 'Show what is saved' }));
  await waitFor(() => expect(booked).toHaveProperty('checked', true));
});

test('asks before unsaved preferences are left', async () => {
  const { form } = await openForm(storedPreferences().answers);
  await userEvent.click(await form.findByRole('switch', { name: 'Order placed' }));
  let left: Promise<boolean> | undefined;
  await act(async () => {
    left = leaveQuestion()?.();
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(await left).toBe(false);
  await userEvent.click(form.getByRole('button', { name: 'Discard changes' }));
  expect(leaveQuestion()).toBeUndefined();
});
