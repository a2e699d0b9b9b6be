import { shownNotifications } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ann, at, email, id, openAccount, part, press, retype } from '../testing/account.tsx';

const erased = { json: { done: true, records: 1, cancelled: 1, events: 2 } };
const noOthers = { 'GET /personal-data.json': () => ({ json: { calls: [], unknown: [] } }) };

test('deletes the account part by part after its address is typed, its own record last', async () => {
  const clinic = await openAccount(ann, {
    ...noOthers,
    'POST /appoinments/erasure': () => erased,
    'POST /orderMedi/erasure': () => erased,
    [`DELETE ${at}`]: () => ({ json: { userId: id, signInAccount: 'deleted' } }),
  });
  await press('Delete my account …');
  await userEvent.type(screen.getByLabelText(`Type ${email} to confirm`), 'bob@mail.example');
  await press('Delete my account');
  expect(await screen.findByText('This isn’t your email address')).toBeTruthy();
  expect(clinic.made()).toEqual([]);
  await retype(`Type ${email} to confirm`, email);
  await press('Delete my account');
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
  expect(clinic.made()).toEqual([
    'POST /appoinments/erasure',
    'POST /orderMedi/erasure',
    `DELETE ${at}`,
    'DELETE /jwt',
  ]);
  expect(clinic.sent('POST /appoinments/erasure')).toEqual({ email, userId: id, emailConfirmed: true });
  expect(shownNotifications()).toEqual(['Your account is deleted']);
});

test('keeps the account when a deletion stops half-way, and continues on request', async () => {
  let down = true;
  const clinic = await openAccount(
    { ...ann, emailVerified: false },
    {
      ...noOthers,
      'POST /appoinments/erasure': () => erased,
      'POST /orderMedi/erasure': () =>
        down ? problemAnswer('unavailable', { detail: 'The pharmacy is unavailable.' }) : erased,
      [`DELETE ${at}`]: () => ({ json: { userId: id, signInAccount: 'left' } }),
    },
  );
  await press('Delete my account …');
  await userEvent.type(screen.getByLabelText(`Type ${email} to confirm`), email);
  await press('Delete my account');
  expect(await screen.findByText('The pharmacy is unavailable.')).toBeTruthy();
  expect(clinic.made()).toEqual(['POST /appoinments/erasure', 'POST /orderMedi/erasure']);
  down = false;
  await press('Try again');
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
  expect(clinic.sent('POST /orderMedi/erasure')).toEqual({ email, userId: id, emailConfirmed: false });
  expect(shownNotifications()).toEqual([
    'Your account is deleted: The clinic will delete your sign-in account by hand.',
  ]);
});

test('deletes other domains’ records too, and keeps the account while a domain isn’t known yet', async () => {
  let unknown = ['home-visits'];
  const call = (id: string, method: string, personalData: string) => ({
    service: 'home-visits',
    id,
    method,
    path: `/visits/${personalData}`,
    personalData,
  });
  const clinic = await openAccount(ann, {
    'GET /personal-data.json': () => ({
      json: {
        calls: unknown.length > 0 ? [] : [call('eraseVisits', 'POST', 'erasure'), call('exportVisits', 'GET', 'copy')],
        unknown,
      },
    }),
    'POST /appoinments/erasure': () => erased,
    'POST /orderMedi/erasure': () => erased,
    'POST /visits/erasure': () => ({ json: { done: true, records: 2, cancelled: 2, events: 0 } }),
    [`DELETE ${at}`]: () => problemAnswer('unavailable', { detail: 'Not now.' }),
  });
  await press('Delete my account …');
  await userEvent.type(screen.getByLabelText(`Type ${email} to confirm`), email);
  await press('Delete my account');
  expect(await screen.findByText('This part of the clinic hasn’t started yet. Try again in a moment.')).toBeTruthy();
  expect(clinic.made()).toEqual([]);

  unknown = [];
  await press('Try again');
  expect(await screen.findByText('Not now.')).toBeTruthy();
  const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(steps.filter((text) => text?.startsWith('Your ') && text.includes(': '))).toEqual([
    'Your appointments: done1 appointment cancelled',
    'Your orders: done1 order cancelled',
    'Your home visits: done2 records cancelled',
    'Your account: not finishedNot now.',
  ]);
  expect(clinic.made()).toEqual([
    'POST /appoinments/erasure',
    'POST /orderMedi/erasure',
    'POST /visits/erasure',
    `DELETE ${at}`,
  ]);
  expect(clinic.sent('POST /visits/erasure')).toEqual({ email, userId: id, emailConfirmed: true });
});

test('tells staff that an admin must remove their role first', async () => {
  await openAccount({ ...ann, role: 'pharmacist' });
  expect(part('Delete my account').getByText(/^You work here/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete my account …' })).toBeNull();
});
