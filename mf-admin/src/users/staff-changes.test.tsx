import { problemAnswer } from '@clinic/app-kit/test-server';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  ann,
  annAsDoctor,
  appointment,
  changeRole,
  changeTo,
  chooseRole,
  dialogOf,
  email,
  fillInProfile,
  id,
  noDialog,
  notified,
  openUsers,
  press,
  profileOfAnn,
  staysPatient,
  upcoming,
  upcomingOf,
} from '../testing/staff-changes.tsx';

test('shows who hasn’t confirmed their address, and what to do instead of giving them a role', async () => {
  ann.emailVerified = false;
  const clinic = await openUsers();
  expect(screen.getByText('Not confirmed')).toBeTruthy();
  const dialog = await changeTo('Doctor', 'Ann Lee hasn’t confirmed their email address');
  expect(dialog.getByRole('link', { name: 'Invite them instead' }).getAttribute('href')).toBe(
    '/dash/staff/add?role=doctor&email=ann%40clinic.example',
  );
  await press(dialog, 'Go back');
  await staysPatient();
  expect(clinic.made()).toEqual([]);
  expect(console.error).not.toHaveBeenCalledWith(expect.stringContaining('the change to'), expect.anything());
});

test('gives a doctor without a profile the profile first, then the role', async () => {
  let made = false;
  const clinic = await openUsers({
    [profileOfAnn]: () => ({ json: made ? [annAsDoctor()] : [] }),
    'POST /doc-pharma': () => {
      if (made) return problemAnswer('duplicate');
      made = true;
      return { status: 201, json: {} };
    },
    [`PATCH /doctors/${id('1')}`]: () => ({ json: {} }),
  });
  const dialog = await changeTo('Doctor', 'Ann Lee needs a profile');
  await press(dialog, 'Save and give the role');
  expect(await dialog.findByText('Qualification is required')).toBeTruthy();
  expect(document.activeElement).toBe(document.querySelector('[aria-invalid="true"]'));
  expect(clinic.made()).toEqual([]);
  await fillInProfile(dialog, 'MD', 'Specialization', 'Cardiologist');
  await press(dialog, 'Save and give the role');
  await notified('Ann Lee is now Doctor');
  expect(clinic.made()).toEqual(['POST /doc-pharma', changeRole]);
  expect(clinic.sent('POST /doc-pharma')).toEqual({
    name: 'Ann Lee',
    qualification: 'MD',
    specialization: 'Cardiologist',
    experience: 7,
    email,
    userId: id('a'),
    role: 'doctor',
  });
});

test('gives the new profile its place, not that of whoever has the address by then', async () => {
  let made = false;
  const place = `PATCH /doctors/${id('5')}/profile`;
  const clinic = await openUsers({
    [profileOfAnn]: () => ({ json: made ? [{ ...annAsDoctor(), _id: id('6') }] : [] }),
    'POST /doc-pharma': () => {
      made = true;
      return { status: 201, json: { ...annAsDoctor(), _id: id('5') } };
    },
    [place]: () => ({ json: {} }),
  });
  const dialog = await changeTo('Doctor', 'Ann Lee needs a profile');
  await fillInProfile(dialog, 'MD', 'Specialization', 'Cardiologist');
  await userEvent.type(dialog.getByLabelText(/^Location/), 'Level 3');
  await press(dialog, 'Save and give the role');
  await notified('Ann Lee is now Doctor');
  expect(clinic.made()).toEqual(['POST /doc-pharma', place, changeRole]);
});

test('doesn’t take the profile of whoever had the address before for theirs', async () => {
  const clinic = await openUsers({
    'POST /doc-pharma': () =>
      problemAnswer('duplicate', { detail: 'There’s already a doctor with this email address.' }),
  });
  const dialog = await changeTo('Doctor', 'Ann Lee needs a profile');
  await fillInProfile(dialog, 'MD', 'Specialization', 'Cardiologist');
  await press(dialog, 'Save and give the role');
  expect(await dialog.findByText('There’s already a doctor with this email address.')).toBeTruthy();
  expect(clinic.made()).toEqual(['POST /doc-pharma']);
});

test('gives a person with a profile the role at once', async () => {
  const clinic = await openUsers({ [profileOfAnn]: () => ({ json: [annAsDoctor()] }) });
  await chooseRole('Doctor');
  const yes = await screen.findByRole('button', { name: 'Yes, change to Doctor' });
  expect(clinic.made()).toEqual([]);
  await userEvent.click(yes);
  await notified('Ann Lee is now Doctor');
  expect(clinic.made()).toEqual([changeRole]);
});

test('asks once about a doctor who becomes a pharmacist and has no profile', async () => {
  ann.role = 'doctor';
  const clinic = await openUsers({
    [upcomingOf(email)]: () => ({ json: [] }),
    'GET /pharmacists?limit=200': () => ({ json: [] }),
    'POST /doc-pharma': () => ({ status: 201, json: {} }),
  });
  const dialog = await changeTo('Pharmasicts', 'Ann Lee needs a profile');
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  await fillInProfile(dialog, 'BPharm', 'Area of Expertise', 'Dispensing');
  await press(dialog, 'Save and give the role');
  await notified('Ann Lee is now Pharmasicts');
  await noDialog();
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(clinic.made()).toEqual(['POST /doc-pharma', changeRole]);
});

test('asks in one dialog about the appointments and the missing profile of a doctor who becomes a pharmacist', async () => {
  ann.role = 'doctor';
  const { list, remove } = upcoming(appointment('b', 'Bea', '09:00'));
  let rejecting = true;
  const clinic = await openUsers({
    [upcomingOf(email)]: list,
    'GET /pharmacists?limit=200': () => ({ json: [] }),
    'POST /doc-pharma': () =>
      rejecting
        ? problemAnswer('validation_failed', { errors: [{ field: 'qualification', message: 'Too long' }] })
        : { status: 201, json: {} },
    [`PATCH /update-appoinment/${id('b')}`]: remove('b'),
  });
  const dialog = await changeTo('Pharmasicts', 'Ann Lee has an upcoming appointment');
  const apply = () => press(dialog, 'Make them pharmacist and do this');
  await apply();
  expect(await dialog.findByText('Qualification is required')).toBeTruthy();
  expect(dialog.getByText('Choose what to do with this appointment')).toBeTruthy();
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /^What to do/ }), 'Cancel');
  await apply();
  expect(clinic.made()).toEqual([]);
  await fillInProfile(dialog, 'BPharm', 'Area of Expertise', 'Dispensing');
  await apply();
  expect(await dialog.findByText('Too long')).toBeTruthy();
  expect(clinic.made()).toEqual(['POST /doc-pharma']);
  rejecting = false;
  await userEvent.type(dialog.getByLabelText('Qualification'), ', MSc');
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  await apply();
  await noDialog();
  expect(clinic.made()).toEqual([
    'POST /doc-pharma',
    'POST /doc-pharma',
    changeRole,
    `PATCH /update-appoinment/${id('b')}`,
  ]);
  await notified('Ann Lee is now Pharmasicts');
});

test('knows a pharmacist’s profile by the account, whatever address it has', async () => {
  await openUsers({
    'GET /pharmacists?limit=200': () => ({ json: [{ email: 'before@clinic.example', accountId: id('a') }] }),
  });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Role of Ann Lee' }), 'Pharmasicts');
  expect(await screen.findByRole('button', { name: 'Yes, change to Pharmasicts' })).toBeTruthy();
});

test('changes nothing if the profile is cancelled', async () => {
  const clinic = await openUsers({
    // Somebody else’s, from before they changed their address.
    'GET /pharmacists?limit=200': () => ({ json: [{ email, accountId: id('c') }] }),
  });
  await press(await changeTo('Pharmasicts', 'Ann Lee needs a profile'), 'Go back');
  await staysPatient();
  expect(clinic.made()).toEqual([]);
});

test('asks the same when a doctor’s account is switched off', async () => {
  ann.role = 'doctor';
  const { list, remove } = upcoming(appointment('b', 'Bea', '09:00'));
  const switchOff = `PATCH /users/ann%40clinic.example/access?userId=${id('a')}`;
  const clinic = await openUsers({
    [upcomingOf(email)]: list,
    [switchOff]: () => ({ json: { _id: id('a'), firstName: 'Ann', lastName: 'Lee', email, disabled: true } }),
    [`PATCH /update-appoinment/${id('b')}`]: remove('b'),
  });
  await press(screen, 'Account of Ann Lee');
  await press(screen, 'Switch off');
  const dialog = await dialogOf('Ann Lee has an upcoming appointment');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /^What to do/ }), 'Cancel');
  await press(dialog, 'Switch the account off and do this');
  await noDialog();
  expect(clinic.made()).toEqual([switchOff, `PATCH /update-appoinment/${id('b')}`]);
  await notified('Ann Lee can’t log in any more');
});

test('resets a lost second step', async () => {
  ann.secondFactor = true;
  const reset = `DELETE /users/ann%40clinic.example/second-factor?userId=${id('a')}`;
  const clinic = await openUsers({ [reset]: () => ({ status: 204 }) });
  expect(screen.getByText('Second step')).toBeTruthy();
  await press(screen, 'Account of Ann Lee');
  await press(screen, 'Reset the second step');
  await notified('Ann Lee logs in without a second step, and can set one up again');
  expect(clinic.made()).toEqual([reset]);
});
