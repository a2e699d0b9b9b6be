import { shownNotifications } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ann, at, email, id, openAccount, part, press, retype, staff } from '../testing/account.tsx';

const confirm = async (): Promise<void> => {
  await press('Delete my account …');
  await userEvent.type(screen.getByLabelText(`Type ${email} to confirm`), email);
  await press('Delete my account');
};

test('deletes the account by one call after its address is typed', async () => {
  const clinic = await openAccount(ann, {
    [`DELETE ${at}`]: () => ({ json: { userId: id, signInAccount: 'deleted', finished: true } }),
  });
  await press('Delete my account …');
  await userEvent.type(screen.getByLabelText(`Type ${email} to confirm`), 'bob@mail.example');
  await press('Delete my account');
  expect(await screen.findByText('This isn’t your email address')).toBeTruthy();
  expect(clinic.made()).toEqual([]);
  await retype(`Type ${email} to confirm`, email);
  await press('Delete my account');
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
  expect(clinic.made()).toEqual([`DELETE ${at}`, 'DELETE /jwt']);
  expect(shownNotifications()).toEqual(['Your account is deleted']);
});

test('says that the rest follows by itself while a part of the clinic is down', async () => {
  await openAccount(ann, {
    [`DELETE ${at}`]: () => ({ json: { userId: id, signInAccount: 'deleted', finished: false } }),
  });
  await confirm();
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
  expect(shownNotifications()).toEqual(['We’re deleting your account: You’re logged out. The rest follows by itself.']);
});

test('keeps the account when the deletion can’t be started, and tries again on request', async () => {
  let down = true;
  const clinic = await openAccount(ann, {
    [`DELETE ${at}`]: () =>
      down
        ? problemAnswer('unavailable', { detail: 'Accounts are unavailable.' })
        : { json: { userId: id, signInAccount: 'left' } },
  });
  await confirm();
  expect(await screen.findByText(/^Accounts are unavailable\. Try again\./)).toBeTruthy();
  down = false;
  await press('Delete my account');
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
  expect(clinic.made()).toEqual([`DELETE ${at}`, `DELETE ${at}`, 'DELETE /jwt']);
  expect(shownNotifications()).toEqual([
    'Your account is deleted: The clinic will delete your sign-in account by hand.',
  ]);
});

test.each(staff)('tells people with %s that an admin must remove it first', async (_, person) => {
  await openAccount(person);
  expect(part('Delete my account').getByText(/^You work here/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete my account …' })).toBeNull();
});
