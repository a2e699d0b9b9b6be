import { prepareEnvironment, shownNotifications, type TestClinic } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import { addDays, clinicMoment } from '@clinic/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openAsAdmin } from '../testing/open-as-admin.tsx';

const today = clinicMoment(new Date(), 'Asia/Dhaka').date;
const day = addDays(today, 2);
const id = (letter: string): string => letter.repeat(24);
const email = 'ann@clinic.example';
const list = 'GET /users?limit=20';
const comingOf = (address: string): string =>
  `GET /appoinments?email=${encodeURIComponent(address)}&from=${today}&sort=date&limit=200`;
const coming = comingOf(email);
const profileOf = 'GET /doc-pharma/ann%40clinic.example';

interface Person {
  readonly role: string;
  readonly emailVerified: boolean;
  readonly secondFactor: boolean;
  readonly disabled?: boolean;
}
let ann: Person;
let clinic: TestClinic;

const appointment = (letter: string, patientname: string, time: string, more: object = {}) => ({
  _id: id(letter),
  patientname,
  patientemail: `${letter}@mail.example`,
  doctorname: 'Dr. Ann Lee',
  doctoremail: email,
  age: 40,
  address: '',
  number: '+880 1555 010111',
  date: day,
  time,
  status: 'Confirmed',
  changeUntil: '2100-01-01T00:00:00Z',
  ...more,
});
const doctor = (letter: string, name: string, address: string, specialization: string) => ({
  _id: id(letter),
  id: id(letter),
  name,
  email: address,
  specialization,
  specialty: specialization,
  isAvailable: true,
  availableTimes: [],
  daysOff: [],
  qualification: '',
  education: '',
  experience: 1,
  location: '',
  image: '',
  rating: 0,
  nextFree: null,
});
const ben = doctor('2', 'Dr. Ben Ali', 'ben@clinic.example', 'Dermatology');
const cara = doctor('3', 'Dr. Cara Roy', 'cara@clinic.example', 'Cardiologist');

beforeAll(prepareEnvironment);
beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  ann = { role: 'patient', emailVerified: true, secondFactor: false };
});
afterEach(() => clinic.close());

async function open(answers: TestClinic['answers'] = {}): Promise<void> {
  clinic = await openAsAdmin('/dash/admin', {
    [list]: () => ({
      json: [{ _id: id('a'), firstName: 'Ann', lastName: 'Lee', email, phone: '', dateOfBirth: '', ...ann }],
      headers: { 'x-total-count': '1' },
    }),
    [`PATCH /update-role/${id('a')}`]: ({ body }) => {
      ann = { ...ann, role: (body as { newRole: string }).newRole };
      return { json: { _id: id('a'), firstName: 'Ann', lastName: 'Lee', email, ...ann } };
    },
    'GET /doctors?limit=200': () => ({ json: [doctor('1', 'Dr. Ann Lee', email, 'Cardiologist'), ben, cara] }),
    [profileOf]: () => ({
      json:
        ann.role === 'doctor'
          ? [{ ...doctor('1', 'Dr. Ann Lee', email, 'Cardiologist'), isAvailable: ann.disabled !== true }]
          : [],
    }),
    ...answers,
  });
  await screen.findByText('Ann Lee');
}

const changeTo = (label: string): Promise<void> =>
  userEvent.selectOptions(screen.getByRole('combobox', { name: 'Role of Ann Lee' }), label);

test('shows who hasn’t confirmed their address, and what to do instead of giving them a role', async () => {
  ann = { ...ann, emailVerified: false };
  await open();
  expect(screen.getByText('Not confirmed')).toBeTruthy();
  await changeTo('Doctor');
  const dialog = within(await screen.findByRole('dialog', { name: 'Ann Lee hasn’t confirmed their email address' }));
  expect(dialog.getByRole('link', { name: 'Invite them instead' }).getAttribute('href')).toBe(
    '/dash/staff/add?role=doctor&email=ann%40clinic.example',
  );
  await userEvent.click(dialog.getByRole('button', { name: 'Go back' }));
  await waitFor(() =>
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Role of Ann Lee' }).value).toBe('patient'),
  );
  expect(clinic.made()).toEqual([]);
  expect(console.error).not.toHaveBeenCalledWith(expect.stringContaining('the change to'), expect.anything());
});

test('a doctor without a profile gets it first, then the role', async () => {
  let made = false;
  await open({
    [profileOf]: () => ({ json: made ? [doctor('1', 'Dr. Ann Lee', email, 'Cardiologist')] : [] }),
    'POST /doc-pharma': () => {
      if (made) return problemAnswer('duplicate');
      made = true;
      return { status: 201, json: {} };
    },
    [`PATCH /doctors/${id('1')}`]: () => ({ json: {} }),
  });
  await changeTo('Doctor');
  const dialog = within(await screen.findByRole('dialog', { name: 'Ann Lee needs a profile' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save and give the role' }));
  expect(await dialog.findByText('Qualification is required')).toBeTruthy();
  expect(clinic.made()).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Qualification'), 'MD');
  await userEvent.type(dialog.getByLabelText('Specialization'), 'Cardiologist');
  await userEvent.type(dialog.getByLabelText(/^Experience/), '7');
  await userEvent.click(dialog.getByRole('button', { name: 'Add 6 times' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save and give the role' }));
  await waitFor(() => expect(shownNotifications()).toEqual(['Ann Lee is now Doctor']));
  expect(clinic.made()).toEqual(['POST /doc-pharma', `PATCH /doctors/${id('1')}`, `PATCH /update-role/${id('a')}`]);
  expect(clinic.sent('POST /doc-pharma')).toEqual({
    name: 'Ann Lee',
    qualification: 'MD',
    specialization: 'Cardiologist',
    experience: 7,
    email,
    role: 'doctor',
  });
  expect(clinic.sent(`PATCH /doctors/${id('1')}`)).toEqual({
    availableTimes: ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'],
  });
});

test('a person with a profile gets the role at once', async () => {
  await open({ [profileOf]: () => ({ json: [doctor('1', 'Dr. Ann Lee', email, 'Cardiologist')] }) });
  await changeTo('Doctor');
  const yes = await screen.findByRole('button', { name: 'Yes, change to Doctor' });
  expect(clinic.made()).toEqual([]);
  await userEvent.click(yes);
  await waitFor(() => expect(shownNotifications()).toEqual(['Ann Lee is now Doctor']));
  expect(clinic.made()).toEqual([`PATCH /update-role/${id('a')}`]);
});

test('a doctor who becomes a pharmacist, without a profile, is asked about once', async () => {
  ann = { ...ann, role: 'doctor' };
  await open({
    [coming]: () => ({ json: [] }),
    'GET /pharmacists?limit=200': () => ({ json: [] }),
    'POST /doc-pharma': () => ({ status: 201, json: {} }),
  });
  await changeTo('Pharmasicts');
  const dialog = within(await screen.findByRole('dialog', { name: 'Ann Lee needs a profile' }));
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  await userEvent.type(dialog.getByLabelText('Qualification'), 'BPharm');
  await userEvent.type(dialog.getByLabelText('Area of Expertise'), 'Dispensing');
  await userEvent.type(dialog.getByLabelText(/^Experience/), '7');
  await userEvent.click(dialog.getByRole('button', { name: 'Save and give the role' }));
  await waitFor(() => expect(shownNotifications()).toEqual(['Ann Lee is now Pharmasicts']));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(clinic.made()).toEqual(['POST /doc-pharma', `PATCH /update-role/${id('a')}`]);
});

test('a doctor with appointments who becomes a pharmacist is asked about both in one dialog', async () => {
  ann = { ...ann, role: 'doctor' };
  let mine = [appointment('b', 'Bea', '09:00')];
  let refused = true;
  await open({
    [coming]: () => ({ json: mine }),
    'GET /pharmacists?limit=200': () => ({ json: [] }),
    'POST /doc-pharma': () =>
      refused
        ? problemAnswer('validation_failed', { errors: [{ field: 'qualification', message: 'Too long' }] })
        : { status: 201, json: {} },
    [`PATCH /update-appoinment/${id('b')}`]: () => {
      mine = [];
      return { json: {} };
    },
  });
  await changeTo('Pharmasicts');
  const dialog = within(await screen.findByRole('dialog', { name: 'Ann Lee has an upcoming appointment' }));
  const act = () => userEvent.click(dialog.getByRole('button', { name: 'Make them pharmacist and do this' }));
  await act();
  expect(await dialog.findByText('Qualification is required')).toBeTruthy();
  expect(dialog.getByText('Choose what to do with this appointment')).toBeTruthy();
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /^What to do/ }), 'Cancel');
  await act();
  expect(clinic.made()).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Qualification'), 'BPharm');
  await userEvent.type(dialog.getByLabelText('Area of Expertise'), 'Dispensing');
  await userEvent.type(dialog.getByLabelText(/^Experience/), '7');
  await act();
  expect(await dialog.findByText('Too long')).toBeTruthy();
  expect(clinic.made()).toEqual(['POST /doc-pharma']);
  refused = false;
  await userEvent.type(dialog.getByLabelText('Qualification'), ', MSc');
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  await act();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(clinic.made()).toEqual([
    'POST /doc-pharma',
    'POST /doc-pharma',
    `PATCH /update-role/${id('a')}`,
    `PATCH /update-appoinment/${id('b')}`,
  ]);
  expect(shownNotifications()).toEqual(['Ann Lee is now Pharmasicts']);
});

test('cancelling the profile leaves everything unchanged', async () => {
  await open({ 'GET /pharmacists?limit=200': () => ({ json: [{ email: 'other@clinic.example' }] }) });
  await changeTo('Pharmasicts');
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: 'Ann Lee needs a profile' })).getByRole('button', {
      name: 'Go back',
    }),
  );
  await waitFor(() =>
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Role of Ann Lee' }).value).toBe('patient'),
  );
  expect(clinic.made()).toEqual([]);
});

test('a doctor whose account and profile have different addresses hands over appointments booked with either', async () => {
  ann = { ...ann, role: 'doctor' };
  const before = 'ann.lee@clinic.example';
  await open({
    [profileOf]: () => ({ json: [doctor('1', 'Dr. Ann Lee', before, 'Cardiologist')] }),
    [coming]: () => ({ json: [appointment('b', 'Bea', '09:00')] }),
    [comingOf(before)]: () => ({ json: [appointment('c', 'Carl', '08:00', { doctoremail: before })] }),
  });
  await changeTo('Patient');
  const dialog = within(await screen.findByRole('dialog', { name: 'Ann Lee has 2 upcoming appointments' }));
  const [first, second, ...more] = dialog.getAllByRole('combobox', { name: /^What to do with the appointment of/ });
  expect(more).toEqual([]);
  expect([first, second]).toEqual([
    dialog.getByRole('combobox', { name: /of Carl on/ }),
    dialog.getByRole('combobox', { name: /of Bea on/ }),
  ]);
  expect(clinic.made()).toEqual([]);
});

test('a leaving doctor’s coming appointments are moved or cancelled after the role is gone', async () => {
  ann = { ...ann, role: 'doctor' };
  let mine = [
    appointment('b', 'Bea', '09:00'),
    appointment('c', 'Carl', '10:00'),
    appointment('d', 'Dora', '11:00', { status: 'Cancelled' }),
    appointment('e', 'Ann', '12:00', { doctoremail: ben.email, patientemail: email }),
  ];
  const over = (letter: string) => () => {
    mine = mine.filter(({ _id }) => _id !== id(letter));
    return { json: {} };
  };
  await open({
    [coming]: () => ({ json: mine }),
    [`GET /doctors/${cara._id}/free-times?date=${day}`]: () => ({
      json: { date: day, times: ['08:30', '14:00'], anyTime: false, timeZone: 'Asia/Dhaka' },
    }),
    [`PATCH /appoinments/${id('b')}/doctor`]: over('b'),
    [`PATCH /update-appoinment/${id('c')}`]: over('c'),
  });
  await changeTo('Patient');
  const dialog = within(await screen.findByRole('dialog', { name: 'Ann Lee has 2 upcoming appointments' }));
  const items = dialog.getAllByRole('listitem');
  expect(items).toHaveLength(2);
  const [bea, carl] = items.map((item) => within(item));
  if (!bea || !carl) throw new Error('two appointments are missing');
  await userEvent.click(dialog.getByRole('button', { name: 'Remove the role and do this' }));
  expect(await dialog.findAllByText('Choose what to do with this appointment')).toHaveLength(2);
  expect(clinic.made()).toEqual([]);

  await userEvent.selectOptions(
    bea.getByRole('combobox', { name: /^What to do with the appointment of Bea/ }),
    'Move to a colleague',
  );
  // Same specialty first.
  expect(
    within(bea.getByRole('combobox', { name: 'Colleague' }))
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Choose a colleague', 'Dr. Cara Roy, Cardiologist', 'Dr. Ben Ali, Dermatology']);
  await userEvent.selectOptions(bea.getByRole('combobox', { name: 'Colleague' }), cara.email);
  expect(await bea.findByText('9:00 AM isn’t free: choose another time or day')).toBeTruthy();
  await userEvent.selectOptions(bea.getByRole('combobox', { name: 'Time' }), '14:00');
  await userEvent.selectOptions(bea.getByRole('combobox', { name: 'What the patient said' }), 'They agreed');
  await userEvent.selectOptions(carl.getByRole('combobox'), 'Cancel');
  await userEvent.selectOptions(carl.getByRole('combobox', { name: 'What the patient said' }), 'They asked for it');
  await userEvent.click(dialog.getByRole('button', { name: 'Remove the role and do this' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(clinic.made()).toEqual([
    `PATCH /update-role/${id('a')}`,
    `PATCH /appoinments/${id('b')}/doctor`,
    `PATCH /update-appoinment/${id('c')}`,
  ]);
  expect(clinic.sent(`PATCH /appoinments/${id('b')}/doctor`)).toEqual({
    doctoremail: cara.email,
    date: day,
    time: '14:00',
    patientChoice: 'agreed',
  });
  expect(clinic.sent(`PATCH /update-appoinment/${id('c')}`)).toEqual({
    newStatus: 'Cancelled',
    patientChoice: 'asked to move',
  });
  expect(shownNotifications()).toEqual(['Ann Lee is now Patient']);
});

test('failed hand-overs are shown, and retried without the finished ones', async () => {
  ann = { ...ann, role: 'doctor' };
  let mine = [appointment('b', 'Bea', '09:00'), appointment('c', 'Carl', '10:00')];
  let taken = true;
  const cancelled = (letter: string) => () => {
    mine = mine.filter(({ _id }) => _id !== id(letter));
    return { json: {} };
  };
  await open({
    [coming]: () => ({ json: mine }),
    [`PATCH /update-appoinment/${id('b')}`]: () =>
      taken ? problemAnswer('unavailable', { detail: 'The clinic is unavailable.' }) : cancelled('b')(),
    [`PATCH /update-appoinment/${id('c')}`]: cancelled('c'),
  });
  await changeTo('Patient');
  const dialog = within(await screen.findByRole('dialog'));
  for (const select of dialog.getAllByRole('combobox', { name: /^What to do/ }))
    await userEvent.selectOptions(select, 'Cancel');
  await userEvent.click(dialog.getByRole('button', { name: 'Remove the role and do this' }));
  expect(await dialog.findByText('The clinic is unavailable.')).toBeTruthy();
  expect(dialog.getByText('Ann Lee can’t be booked any more.', { exact: false })).toBeTruthy();
  taken = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(clinic.made()).toEqual([
    `PATCH /update-role/${id('a')}`,
    `PATCH /update-appoinment/${id('b')}`,
    `PATCH /update-appoinment/${id('c')}`,
    `PATCH /update-appoinment/${id('b')}`,
  ]);
});

test('if the role can’t be removed, the appointments stay', async () => {
  ann = { ...ann, role: 'doctor' };
  await open({
    [coming]: () => ({ json: [appointment('b', 'Bea', '09:00')] }),
    [`PATCH /update-role/${id('a')}`]: () => problemAnswer('unavailable', { detail: 'Try again.' }),
  });
  await changeTo('Patient');
  const dialog = within(await screen.findByRole('dialog', { name: 'Ann Lee has an upcoming appointment' }));
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /^What to do/ }), 'Cancel');
  await userEvent.click(dialog.getByRole('button', { name: 'Remove the role and do this' }));
  expect(await dialog.findByText('Try again.')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Go back' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(clinic.made()).toEqual([`PATCH /update-role/${id('a')}`]);
});

test('switching a doctor’s account off asks the same', async () => {
  ann = { ...ann, role: 'doctor' };
  let mine = [appointment('b', 'Bea', '09:00')];
  await open({
    [coming]: () => ({ json: mine }),
    'PATCH /users/ann%40clinic.example/access': () => ({
      json: { _id: id('a'), firstName: 'Ann', lastName: 'Lee', email, disabled: true },
    }),
    [`PATCH /update-appoinment/${id('b')}`]: () => {
      mine = [];
      return { json: {} };
    },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Account of Ann Lee' }));
  await userEvent.click(screen.getByRole('button', { name: 'Switch off' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Ann Lee has an upcoming appointment' }));
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /^What to do/ }), 'Cancel');
  await userEvent.click(dialog.getByRole('button', { name: 'Switch the account off and do this' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(clinic.made()).toEqual(['PATCH /users/ann%40clinic.example/access', `PATCH /update-appoinment/${id('b')}`]);
  expect(shownNotifications()).toEqual(['Ann Lee can’t log in any more']);
});

test('a lost second step is reset', async () => {
  ann = { ...ann, secondFactor: true };
  await open({ 'DELETE /users/ann%40clinic.example/second-factor': () => ({ status: 204 }) });
  expect(screen.getByText('Second step')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Account of Ann Lee' }));
  await userEvent.click(screen.getByRole('button', { name: 'Reset the second step' }));
  await waitFor(() =>
    expect(shownNotifications()).toEqual(['Ann Lee logs in without a second step, and can set one up again']),
  );
  expect(clinic.made()).toEqual(['DELETE /users/ann%40clinic.example/second-factor']);
});
