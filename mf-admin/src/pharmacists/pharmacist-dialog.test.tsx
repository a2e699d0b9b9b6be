import { queryClient } from '@clinic/app-kit/host';
import { prepareEnvironment, type TestClinic } from '@clinic/app-kit/test-clinic';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openAsAdmin } from '../testing/open-as.tsx';

let clinic: TestClinic;

beforeAll(prepareEnvironment);
afterEach(() => clinic.close());

const _id = 'a'.repeat(24);
const ben = {
  _id,
  name: 'Ben Roy',
  email: 'ben@clinic.example',
  phone: '01711000000',
  qualification: 'BPharm',
  specialization: 'Dispensing',
  experience: '10',
  status: 'active',
};
const field = (name: string) =>
  within(screen.getByRole('dialog', { name: 'Ben Roy' })).getByLabelText<HTMLInputElement>(name);

/** Opens Ben's profile. @param listed - the list as it is when it loads */
async function openProfile(listed: () => readonly object[]): Promise<void> {
  clinic = await openAsAdmin('/dash/pharmacists', {
    'GET /pharmacists?limit=20': () => ({ json: listed(), headers: { 'x-total-count': String(listed().length) } }),
  });
  await userEvent.click(await screen.findByRole('button', { name: /Profile/ }));
}

test('a pharmacist’s form shows what others change meanwhile, except over what is typed', async () => {
  let pharmacist = ben;
  await openProfile(() => [pharmacist]);
  await userEvent.type(field('Area of Expertise'), ', nights');

  pharmacist = { ...pharmacist, specialization: 'Oncology', qualification: 'MPharm' };
  await act(() => queryClient.invalidateQueries());
  await waitFor(() => expect(field('Qualification').value).toBe('MPharm'));
  expect(field('Area of Expertise').value).toBe('Dispensing, nights');

  const call = `PATCH /pharmacists/${_id}`;
  clinic.answers[call] = ({ body }) => ({ json: { ...pharmacist, ...(body as object) } });
  await userEvent.click(screen.getByRole('button', { name: /^Save/ }));
  await waitFor(() => expect(clinic.sent(call)).toEqual({ specialization: 'Dispensing, nights' }));
});

test('a pharmacist who leaves the list stays as last listed', async () => {
  let listed = [ben];
  await openProfile(() => listed);
  listed = [{ ...ben, qualification: 'MPharm' }];
  await act(() => queryClient.invalidateQueries());
  await waitFor(() => expect(field('Qualification').value).toBe('MPharm'));
  listed = [];
  await act(() => queryClient.invalidateQueries());
  await screen.findByText('No pharmacists match');
  expect(field('Qualification').value).toBe('MPharm');
});
