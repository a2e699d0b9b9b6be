import { shownNotifications } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ann, at, identity, openAccount, part, press, retype } from '../testing/account.tsx';

test('sets up a second step with a code, and shows the recovery codes once', async () => {
  const codes = ['ABCD-EFGH', 'IJKL-MNOP'];
  const clinic = await openAccount(ann, {
    [`POST ${at}/second-factor`]: () => ({
      json: { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Clinic:ann?secret=JBSWY3DPEHPK3PXP' },
    }),
    [`POST ${at}/second-factor/confirm`]: ({ body }) => {
      if ((body as { code: string }).code !== '123456')
        return problemAnswer('second_factor_wrong', { errors: [{ field: 'code', message: 'This code isn’t right' }] });
      clinic.user = { ...ann, secondFactor: true };
      return { json: { recoveryCodes: codes } };
    },
  });
  await press('Set up the second step');
  expect(await screen.findByRole('img', { name: 'QR code for the authenticator app' })).toBeTruthy();
  await userEvent.click(screen.getByText('I can’t scan it'));
  expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy();
  const code = 'Enter the six-digit code from the app';
  await retype(code, '12 34{Enter}');
  expect(screen.getByRole('alert').textContent).toBe('Enter the six-digit code from the app');
  await retype(code, '000 000{Enter}');
  expect(await screen.findByText('This code isn’t right')).toBeTruthy();
  await retype(code, '123 456{Enter}');
  expect(
    within(await screen.findByRole('list', { name: 'Recovery codes' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(codes);
  await press('I’ve saved them');
  expect(screen.queryByText('ABCD-EFGH')).toBeNull();
  expect(await part('Second step').findByText('On')).toBeTruthy();
});

test('removes the second step after a confirmation, and shows a rejection', async () => {
  const clinic = await openAccount(
    { ...ann, secondFactor: true },
    {
      [`DELETE ${at}/second-factor`]: () =>
        problemAnswer('transition_refused', { detail: 'People who work here need a second step.' }),
    },
  );
  await press('Remove the second step');
  await press('Keep it');
  expect(clinic.made()).toEqual([]);
  await press('Remove the second step');
  await press('Remove it');
  await waitFor(() => expect(shownNotifications()).toEqual(['People who work here need a second step.']));
  expect(part('Second step').getByText('On')).toBeTruthy();
});

test('asks for proof of identity before new recovery codes', async () => {
  let proven = false;
  const clinic = await openAccount(
    { ...ann, secondFactor: true },
    {
      [`POST ${at}/second-factor/recovery-codes`]: () =>
        proven ? { json: { recoveryCodes: ['QRST-UVWX'] } } : problemAnswer('proof_needed'),
      'POST /jwt/proof': () => {
        proven = true;
        return { json: { user: clinic.user } };
      },
    },
  );
  await press('New recovery codes');
  expect(await screen.findByText('QRST-UVWX')).toBeTruthy();
  expect(identity.prompts).toEqual(['proof']);
});

test('is offered only once the address is confirmed', async () => {
  await openAccount({ ...ann, emailVerified: false });
  expect(part('Second step').getByText(/Confirm your email address first/)).toBeTruthy();
  expect(part('Second step').queryByRole('button')).toBeNull();
});
