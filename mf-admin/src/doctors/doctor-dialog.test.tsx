import { queryClient } from '@clinic/app-kit/host';
import { prepareEnvironment, type TestClinic } from '@clinic/app-kit/test-clinic';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { doctorNamed, idOf } from '../testing/doctors.ts';
import { openAsAdmin } from '../testing/open-as.tsx';

const id = idOf('1');
let clinic: TestClinic;
let doctor: ReturnType<typeof doctorNamed>;

beforeAll(prepareEnvironment);
beforeEach(async () => {
  doctor = doctorNamed('1', 'Dr. Ann Lee', 'ann@clinic.example', 'Cardiologist');
  clinic = await openAsAdmin(`/dash/doctors?profile=${id}`, {
    'GET /doctors?limit=20': () => ({ json: [doctor], headers: { 'x-total-count': '1' } }),
    [`GET /doctors?_id=${id}`]: () => ({ json: doctor }),
  });
});
afterEach(() => clinic.close());

const dialog = () => screen.findByRole('dialog', { name: 'Dr. Ann Lee' });
const close = async () => userEvent.click(within(await dialog()).getByRole('button', { name: 'Close' }));
const question = () => screen.queryByRole('alertdialog', { name: 'Close without saving?' });

test('a doctor’s unsaved profile is asked about before the dialog closes', async () => {
  await userEvent.type(within(await dialog()).getByLabelText('Location'), ', Level 3');
  await close();
  expect(within(question() as HTMLElement).getByText(/^Your changes to the profile of Dr\. Ann Lee/)).toBeTruthy();
  await userEvent.click(within(question() as HTMLElement).getByRole('button', { name: 'Keep editing' }));
  expect(question()).toBeNull();
  expect(within(await dialog()).getByDisplayValue(/, Level 3$/)).toBeTruthy();
  await close();
  await userEvent.click(within(question() as HTMLElement).getByRole('button', { name: 'Close without saving' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(clinic.made()).toEqual([]);
});

test('closes without a question if nothing was edited', async () => {
  await dialog();
  await close();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(question()).toBeNull();
});

test('what others change meanwhile shows in the form, except over what is typed', async () => {
  const field = async (name: string) => within(await dialog()).getByLabelText<HTMLInputElement>(name);
  await userEvent.type(await field('Location'), ', Level 3');
  const typed = (await field('Location')).value;
  const theirs = { location: 'Annex', education: 'Dhaka', qualification: 'MBBS', experience: 12 };
  doctor = { ...doctor, ...theirs };
  await act(() => queryClient.invalidateQueries());
  await waitFor(async () => expect((await field('Education')).value).toBe('Dhaka'));
  expect((await field('Location')).value).toBe(typed);

  clinic.answers[`PATCH /doctors/${id}/profile`] = ({ body }) => ({ json: { ...doctor, ...(body as object) } });
  await userEvent.click(within(await dialog()).getByRole('button', { name: /^Save/ }));
  await waitFor(() => expect(clinic.sent(`PATCH /doctors/${id}/profile`)).toEqual({ location: typed }));
});
