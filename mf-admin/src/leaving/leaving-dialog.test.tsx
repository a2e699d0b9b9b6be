import { problemAnswer } from '@clinic/app-kit/test-server';
import { waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  ann,
  annAsDoctor,
  appointment,
  ben,
  cara,
  changeRole,
  changeTo,
  day,
  email,
  id,
  noDialog,
  notified,
  openUsers,
  press,
  profileOfAnn,
  upcoming,
  upcomingOf,
} from '../testing/staff-changes.tsx';

beforeEach(() => {
  ann.role = 'doctor';
});

/** A former doctor keeps the profile, which nobody can book. */
const formerProfile = () => ({ json: [{ ...annAsDoctor(), isAvailable: ann.role === 'doctor' }] });

test('hands over appointments booked with either address of a doctor who has two', async () => {
  const before = 'ann.lee@clinic.example';
  const clinic = await openUsers({
    'GET /doctors': () => ({ json: [annAsDoctor(before), ben] }),
    // One waits for her account under its new address.
    [profileOfAnn]: () => ({ json: [annAsDoctor(before), annAsDoctor()] }),
    [upcomingOf(email)]: () => ({ json: [appointment('b', 'Bea', '09:00')] }),
    [upcomingOf(before)]: () => ({ json: [appointment('c', 'Carl', '08:00', { doctoremail: before })] }),
  });
  const dialog = await changeTo('Patient', 'Ann Lee has 2 upcoming appointments');
  expect(dialog.getAllByRole('combobox', { name: /^What to do with the appointment of/ })).toEqual([
    dialog.getByRole('combobox', { name: /of Carl on/ }),
    dialog.getByRole('combobox', { name: /of Bea on/ }),
  ]);
  const colleagues = within(dialog.getByRole('combobox', { name: 'Move all to one colleague' }));
  await colleagues.findByRole('option', { name: 'Dr. Ben Ali, Dermatology' });
  expect(colleagues.queryByRole('option', { name: /Ann Lee/ })).toBeNull();
  expect(clinic.made()).toEqual([]);
});

test('says that the colleagues could not be loaded, and loads them again on request', async () => {
  let works = false;
  await openUsers({
    'GET /doctors': () => (works ? { json: [annAsDoctor(), ben] } : problemAnswer('forbidden')),
    [profileOfAnn]: () => ({ json: [annAsDoctor()] }),
    [upcomingOf(email)]: () => ({ json: [appointment('b', 'Bea', '09:00'), appointment('c', 'Carl', '08:00')] }),
  });
  const dialog = await changeTo('Patient', 'Ann Lee has 2 upcoming appointments');
  expect(await dialog.findByText('Error loading doctors')).toBeTruthy();
  works = true;
  await userEvent.click(dialog.getByRole('button', { name: 'Retry' }));
  expect(await dialog.findByRole('option', { name: 'Dr. Ben Ali, Dermatology' })).toBeTruthy();
});

test('leaves alone the appointments of the doctor who had the address before', async () => {
  const own = 'ann.lee@clinic.example';
  await openUsers({
    [profileOfAnn]: () => ({ json: [annAsDoctor(own)] }),
    [upcomingOf(own)]: () => ({ json: [appointment('c', 'Carl', '08:00', { doctoremail: own })] }),
    [upcomingOf(email)]: () => ({ json: [appointment('b', 'Bea', '09:00')] }),
  });
  const dialog = await changeTo('Patient', 'Ann Lee has an upcoming appointment');
  expect(dialog.getByRole('combobox', { name: /of Carl on/ })).toBeTruthy();
});

test('moves or cancels a leaving doctor’s upcoming appointments after removing the role', async () => {
  const { list, remove } = upcoming(
    appointment('b', 'Bea', '09:00'),
    appointment('c', 'Carl', '10:00'),
    appointment('d', 'Dora', '11:00', { status: 'Cancelled' }),
    appointment('e', 'Ann', '12:00', { doctoremail: ben.email, patientemail: email }),
  );
  const moveBea = `PATCH /appoinments/${id('b')}/doctor`;
  const cancelCarl = `PATCH /update-appoinment/${id('c')}`;
  const clinic = await openUsers({
    [upcomingOf(email)]: list,
    [`GET /doctors/${cara._id}/free-times?date=${day}`]: () => ({
      json: { date: day, times: ['08:30', '14:00'], anyTime: false, timeZone: 'Asia/Dhaka' },
    }),
    [moveBea]: remove('b'),
    [cancelCarl]: remove('c'),
  });
  const dialog = await changeTo('Patient', 'Ann Lee has 2 upcoming appointments');
  const items = dialog.getAllByRole('listitem');
  expect(items).toHaveLength(2);
  const [bea, carl] = items.map((item) => within(item));
  if (!bea || !carl) throw new Error('two appointments are missing');
  await press(dialog, 'Remove the role and do this');
  expect(await dialog.findAllByText('Choose what to do with this appointment')).toHaveLength(2);
  expect(clinic.made()).toEqual([]);

  const choose = (within: typeof bea, name: string | RegExp, option: string) =>
    userEvent.selectOptions(within.getByRole('combobox', { name }), option);
  await choose(bea, /^What to do with the appointment of Bea/, 'Move to a colleague');
  // Same specialty first.
  expect(
    within(bea.getByRole('combobox', { name: 'Colleague' }))
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Choose a colleague', 'Dr. Cara Roy, Cardiologist', 'Dr. Ben Ali, Dermatology']);
  await choose(bea, 'Colleague', cara.email);
  expect(await bea.findByText('9:00 AM isn’t free: choose another time or day')).toBeTruthy();
  await choose(bea, 'Time', '14:00');
  await choose(bea, 'What the patient said', 'They agreed');
  await userEvent.selectOptions(carl.getByRole('combobox'), 'Cancel');
  await choose(carl, 'What the patient said', 'They asked for it');
  await press(dialog, 'Remove the role and do this');
  await noDialog();
  expect(clinic.made()).toEqual([changeRole, moveBea, cancelCarl]);
  expect(clinic.sent(moveBea)).toEqual({
    doctoremail: cara.email,
    date: day,
    time: '14:00',
    patientChoice: 'agreed',
    seen: { doctoremail: email, date: day, time: '09:00' },
  });
  expect(clinic.sent(cancelCarl)).toMatchObject({
    newStatus: 'Cancelled',
    patientChoice: 'asked to move',
    seen: { doctoremail: email, date: day, time: '10:00', status: 'Confirmed' },
  });
  await notified('Ann Lee is now Patient');
});

test('shows hand-overs that failed, and retries without the finished ones', async () => {
  const { list, remove } = upcoming(appointment('b', 'Bea', '09:00'), appointment('c', 'Carl', '10:00'));
  const [cancelBea, cancelCarl] = [`PATCH /update-appoinment/${id('b')}`, `PATCH /update-appoinment/${id('c')}`];
  let unavailable = true;
  const clinic = await openUsers({
    [profileOfAnn]: formerProfile,
    [upcomingOf(email)]: list,
    [cancelBea]: () =>
      unavailable ? problemAnswer('unavailable', { detail: 'The clinic is unavailable.' }) : remove('b')(),
    [cancelCarl]: remove('c'),
  });
  const dialog = await changeTo('Patient', 'Ann Lee has 2 upcoming appointments');
  for (const select of dialog.getAllByRole('combobox', { name: /^What to do/ }))
    await userEvent.selectOptions(select, 'Cancel');
  await press(dialog, 'Remove the role and do this');
  expect(await dialog.findByText('The clinic is unavailable.')).toBeTruthy();
  expect(dialog.getByText('Ann Lee can’t be booked any more.', { exact: false })).toBeTruthy();
  unavailable = false;
  const leave = dialog.getByRole('button', { name: 'Leave the rest for later' });
  await waitFor(() => expect(leave.getAttribute('aria-disabled')).toBe('false'));
  await press(dialog, 'Try again');
  await noDialog();
  expect(clinic.made()).toEqual([changeRole, cancelBea, cancelCarl, cancelBea]);
});

test('shows an appointment that its patient has moved meanwhile as it is now, and asks again', async () => {
  let bea = appointment('b', 'Bea', '09:00');
  const moveBea = `PATCH /appoinments/${id('b')}/doctor`;
  const clinic = await openUsers({
    [profileOfAnn]: formerProfile,
    [upcomingOf(email)]: () => ({ json: bea.doctoremail === email ? [bea] : [] }),
    [`GET /doctors/${cara._id}/free-times?date=${day}`]: () => ({
      json: { date: day, times: ['09:00', '11:30'], anyTime: false, timeZone: 'Asia/Dhaka' },
    }),
    [moveBea]: ({ body }) => {
      const { seen, ...moved } = body as { readonly seen: { readonly time: string }; readonly time: string };
      if (seen.time !== bea.time) return problemAnswer('changed_meanwhile', { detail: 'Check it and try again.' });
      bea = { ...bea, ...moved };
      return { json: bea };
    },
  });
  const dialog = await changeTo('Patient', 'Ann Lee has an upcoming appointment');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /^What to do/ }), 'Move to a colleague');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Colleague' }), cara.email);
  bea = { ...bea, time: '11:30' };
  await press(dialog, 'Remove the role and do this');
  expect(await dialog.findByText('Check it and try again.')).toBeTruthy();
  expect(await dialog.findByRole('combobox', { name: /^What to do .* 11:30 AM$/ })).toBeTruthy();
  await press(dialog, 'Try again');
  await noDialog();
  expect(clinic.made()).toEqual([changeRole, moveBea, moveBea]);
  expect(bea).toMatchObject({ doctoremail: cara.email, time: '11:30' });
});

test('takes a cancellation whose answer was lost for done once the appointment is gone', async () => {
  const { list, remove } = upcoming(appointment('b', 'Bea', '09:00'));
  const cancelBea = `PATCH /update-appoinment/${id('b')}`;
  const clinic = await openUsers({
    [profileOfAnn]: formerProfile,
    [upcomingOf(email)]: list,
    [cancelBea]: () => {
      remove('b')();
      return problemAnswer('unavailable', { detail: 'The clinic is unavailable.' });
    },
  });
  const dialog = await changeTo('Patient', 'Ann Lee has an upcoming appointment');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /^What to do/ }), 'Cancel');
  await press(dialog, 'Remove the role and do this');
  await noDialog();
  expect(clinic.made()).toEqual([changeRole, cancelBea]);
});

test('keeps the appointments if the role can’t be removed', async () => {
  const clinic = await openUsers({
    [upcomingOf(email)]: () => ({ json: [appointment('b', 'Bea', '09:00')] }),
    [changeRole]: () => problemAnswer('unavailable', { detail: 'Try again.' }),
  });
  const dialog = await changeTo('Patient', 'Ann Lee has an upcoming appointment');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /^What to do/ }), 'Cancel');
  await press(dialog, 'Remove the role and do this');
  expect(await dialog.findByText('Try again.')).toBeTruthy();
  await press(dialog, 'Go back');
  await noDialog();
  expect(clinic.made()).toEqual([changeRole]);
});
