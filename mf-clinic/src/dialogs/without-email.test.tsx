import { notifications, session } from '@clinic/app-kit/host';
import { problemResponse, serveAs, type PageRequest } from '@clinic/app-kit/test-gateway';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { erasedEmail, erasedName, noEmail } from '@clinic/contracts/erased-person';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AllAppointmentsPage } from '../appointments/all-appointments-page.tsx';
import { CurrentAppointmentsPage } from '../appointments/current-appointments-page.tsx';
import { RecordPage } from '../appointments/record-page.tsx';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, doctor, grey, nadia } from '../testing/records.ts';

const id = 'f'.repeat(24);
const rahim = (): Appointment =>
  appointment({ patientname: 'Rahim Uddin', patientemail: noEmail(id), age: 0, address: '', you: [] });

prepareBrowser({ wide: true });
let listed: Appointment[];
let erased: Response | undefined;
let asked: string[];
beforeEach(() => {
  listed = [rahim()];
  erased = undefined;
  asked = [];
  act(() => notifications.set([]));
});

function answer({ method, path }: PageRequest): Response {
  if (path === '/appoinments' || path === '/appoinments/unconfirmed') return Response.json(listed);
  if (path === '/doctors') return Response.json([doctor]);
  if (path.endsWith('/history')) return Response.json([]);
  if (path.startsWith('/doc-pharma/')) return Response.json([doctor]);
  if (method !== 'DELETE') return problemResponse('not_found', 404);
  asked.push(path);
  if (erased) return erased;
  listed = [appointment({ patientname: erasedName, patientemail: erasedEmail(id), status: 'Cancelled', you: [] })];
  return Response.json({ done: true, records: 1, cancelled: 1, events: 1 });
}

/** Everything on the page, with what only assistive technology and links say. */
const page = (): string => document.documentElement.outerHTML;
const open = async (who: typeof grey, Component: () => React.JSX.Element, state?: unknown): Promise<void> => {
  serveAs(who, answer);
  await session.load();
  await renderRoutes([{ path: '/page', Component }], state === undefined ? '/page' : { pathname: '/page', state });
};

test.each([
  { of: 'all appointments', who: nadia, Component: AllAppointmentsPage },
  { of: 'a booking for the patient', who: nadia, Component: AllAppointmentsPage, state: true },
  { of: 'the appointments to confirm', who: grey, Component: CurrentAppointmentsPage },
  { of: 'the record', who: grey, Component: RecordPage },
])('the address that stands for none isn’t in $of, nor the waitlist, which is for accounts', async (shown) => {
  await open(shown.who, shown.Component, shown.state && { booked: rahim() });
  await screen.findAllByText(/Rahim Uddin/);
  expect(page()).not.toContain('no-email');
  expect(screen.queryByRole('button', { name: /earlier time/, hidden: true })).toBeNull();
});

const deleteButton = { name: 'Delete patient: Rahim Uddin' };

test('an admin deletes the patient after a confirmation that says what goes', async () => {
  await open(nadia, AllAppointmentsPage);
  await userEvent.click(await screen.findByRole('button', { name: /^Delete patient: /, hidden: true }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete Rahim Uddin?' }));
  dialog.getByText('This can’t be undone.');
  expect(page()).not.toContain('no-email');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete Rahim Uddin' }));
  await waitFor(() => expect(notifications.get().at(-1)?.text).toBe('Rahim Uddin is deleted'));
  expect(asked).toEqual([`/appoinments/${rahim()._id}/patient`]);
  await screen.findByText(erasedName);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

test('a refusal says why', async () => {
  erased = problemResponse('transition_refused', 409, { detail: 'This patient’s details have been deleted.' });
  await open(nadia, AllAppointmentsPage);
  await userEvent.click(await screen.findByRole('button', { name: /^Delete patient: /, hidden: true }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Rahim Uddin' }));
  await waitFor(() => expect(notifications.get().at(-1)?.text).toContain('This patient’s details have been deleted.'));
});

test.each([
  { of: 'a doctor', who: grey, Component: RecordPage, one: rahim },
  { of: 'an admin if the patient has an email address', who: nadia, Component: AllAppointmentsPage, one: appointment },
])('no deletion of a patient is offered to $of', async ({ who, Component, one }) => {
  listed = [one()];
  await open(who, Component);
  await screen.findAllByText(listed[0]?.patientname ?? '');
  expect(screen.queryByRole('button', { ...deleteButton, hidden: true })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Delete patient/, hidden: true })).toBeNull();
});
