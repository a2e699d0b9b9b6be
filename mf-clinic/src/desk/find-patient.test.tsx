import { serveAs } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { session } from '@clinic/app-kit/host';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prepareBrowser } from '../testing/browser.ts';
import { ann, nadia } from '../testing/records.ts';
import { FindPatient } from './find-patient.tsx';

prepareBrowser();

const visit = {
  appointment: 'e'.repeat(24),
  patientname: 'Ann Lee',
  patientemail: ann.email,
  number: '',
  age: 36,
  address: '',
  date: '2026-01-05',
  doctorname: 'Dr. Grey',
};

test('nobody looks chosen, and Enter chooses nobody, before accounts and visits have both been searched', async () => {
  const accounts = Promise.withResolvers<Response>();
  serveAs(nadia, ({ path }) => (path === '/users' ? accounts.promise : Response.json([visit])));
  await session.load();
  const chosen: string[] = [];
  const page = () => <FindPatient onChoose={({ name }) => chosen.push(name)} onNew={() => undefined} />;
  await renderRoutes([{ path: '/', Component: page }], '/');
  const field = screen.getByRole('combobox', { name: 'Patient' });
  await userEvent.type(field, 'ann');
  const option = await screen.findByRole('option', { name: /^Ann Lee/ });
  await userEvent.keyboard('{Enter}');
  expect(chosen).toEqual([]);
  expect(option.getAttribute('aria-selected')).toBe('false');
  expect(field.hasAttribute('aria-activedescendant')).toBe(false);
  accounts.resolve(Response.json([]));
  await waitFor(() => expect(option.getAttribute('aria-selected')).toBe('true'));
  expect(document.getElementById(field.getAttribute('aria-activedescendant') ?? '')).toBe(option);
  await userEvent.keyboard('{Enter}');
  expect(chosen).toEqual(['Ann Lee']);
});
