import { muteExpectedLogs, prepareEnvironment } from '@clinic/app-kit/test-environment';
import { shownNotifications, type TestClinic } from '@clinic/app-kit/test-clinic';
import { addDays, clinicMoment } from '@clinic/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { doctorNamed, idOf as id } from './doctors.ts';
import { openAsAdmin } from './open-as.tsx';

const today = clinicMoment(new Date(), 'Asia/Dhaka').date;
/** The day of the appointments, 'yyyy-mm-dd'. */
export const day = addDays(today, 2);
export { id };
export const email = 'ann@clinic.example';
/** The call that changes Ann's role. */
export const changeRole = `PATCH /update-role/${id('a')}`;
/** The call that lists the upcoming appointments of a doctor's address. */
export const upcomingOf = (address: string): string =>
  `GET /appoinments?email=${encodeURIComponent(address)}&from=${today}&sort=date&limit=200`;
/** The call that lists Ann's profiles: her account's, whoever has its address by then. */
export const profileOfAnn = `GET /doc-pharma/ann%40clinic.example?account=${id('a')}`;

interface Person {
  role: string;
  emailVerified: boolean;
  secondFactor: boolean;
}
/** The user whose role and account the tests change: a patient unless a test says otherwise. */
export const ann: Person = { role: 'patient', emailVerified: true, secondFactor: false };

export const appointment = (letter: string, patientname: string, time: string, more: object = {}) => ({
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

export const ben = doctorNamed('2', 'Dr. Ben Ali', 'ben@clinic.example', 'Dermatology');
export const cara = doctorNamed('3', 'Dr. Cara Roy', 'cara@clinic.example', 'Cardiologist');
/** Ann's profile as a doctor. @param address - may differ from her account's */
export const annAsDoctor = (address = email) => doctorNamed('1', 'Dr. Ann Lee', address, 'Cardiologist');

let open: TestClinic;

beforeAll(prepareEnvironment);
muteExpectedLogs('Could not finish', 'Could not hand over an appointment', 'The role could not be assigned');
beforeEach(() => {
  Object.assign(ann, { role: 'patient', emailVerified: true, secondFactor: false });
});
afterEach(() => open.close());

/** Opens All Users as an admin. @param answers - as in TestClinic */
export async function openUsers(answers: TestClinic['answers'] = {}): Promise<TestClinic> {
  open = await openAsAdmin('/dash/admin', {
    'GET /users?limit=20': () => ({
      json: [{ _id: id('a'), firstName: 'Ann', lastName: 'Lee', email, phone: '', dateOfBirth: '', ...ann }],
      headers: { 'x-total-count': '1' },
    }),
    [changeRole]: ({ body }) => {
      ann.role = (body as { newRole: string }).newRole;
      return { json: { _id: id('a'), firstName: 'Ann', lastName: 'Lee', email, ...ann } };
    },
    'GET /doctors': () => ({ json: [annAsDoctor(), ben, cara] }),
    [profileOfAnn]: () => ({ json: ann.role === 'doctor' ? [annAsDoctor()] : [] }),
    ...answers,
  });
  await screen.findByText('Ann Lee');
  return open;
}

/** Ann's upcoming appointments, and the answer to a call that takes one away. */
export function upcoming(...appointments: readonly ReturnType<typeof appointment>[]) {
  let left = appointments;
  return {
    list: () => ({ json: left }),
    remove: (letter: string) => () => {
      left = left.filter(({ _id }) => _id !== id(letter));
      return { json: {} };
    },
  };
}

const roleSelector = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Role of Ann Lee' });

/** Chooses another role for Ann. @returns what is in the dialog of that name, which then opens */
export async function changeTo(label: string, dialog: string) {
  await chooseRole(label);
  return dialogOf(dialog);
}

/** Chooses another role for Ann. */
export const chooseRole = (label: string): Promise<void> => userEvent.selectOptions(roleSelector(), label);

export const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }));

export const press = (within: Pick<typeof screen, 'getByRole'>, name: string): Promise<void> =>
  userEvent.click(within.getByRole('button', { name }));

export const noDialog = (): Promise<void> => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

export const notified = (...texts: readonly string[]): Promise<void> =>
  waitFor(() => expect(shownNotifications()).toEqual(texts));

export const staysPatient = (): Promise<void> => waitFor(() => expect(roleSelector().value).toBe('patient'));

/** Fills in the profile that a new role needs. @param field - label of the field of work */
export async function fillInProfile(
  dialog: Pick<typeof screen, 'getByLabelText'>,
  qualification: string,
  field: 'Specialization' | 'Area of Expertise',
  work: string,
): Promise<void> {
  await userEvent.type(dialog.getByLabelText('Qualification'), qualification);
  await userEvent.type(dialog.getByLabelText(field), work);
  await userEvent.type(dialog.getByLabelText(/^Experience/), '7');
}
