import { queryClient } from '@clinic/app-kit/host';
import { prepareEnvironment, type TestClinic } from '@clinic/app-kit/test-clinic';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openAsAdmin } from '../testing/open-as.tsx';

let clinic: TestClinic;

beforeAll(prepareEnvironment);
afterEach(() => clinic.close());

test('a pharmacist’s form shows what others change meanwhile, except over what is typed', async () => {
  const _id = 'a'.repeat(24);
  let pharmacist = {
    _id,
    name: 'Ben Roy',
    email: 'ben@clinic.example',
    phone: '01711000000',
    qualification: 'BPharm',
    specialization: 'Dispensing',
    experience: '10',
    status: 'active',
  };
  clinic = await openAsAdmin('/dash/pharmacists', {
    'GET /pharmacists?limit=20': () => ({ json: [pharmacist], headers: { 'x-total-count': '1' } }),
  });
  await userEvent.click(await screen.findByRole('button', { name: /Profile/ }));
  const field = (name: string) =>
    within(screen.getByRole('dialog', { name: 'Ben Roy' })).getByLabelText<HTMLInputElement>(name);
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
