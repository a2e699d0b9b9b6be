import { notifications, queryClient } from '@clinic/app-kit/host';
import { shownNotifications, type TestClinic } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { openRoutes } from '../testing.tsx';
import slot from './medicine-slot.tsx';

const id = 'a'.repeat(24);
const list = 'GET /medicine/back-in-stock?limit=20';
const path = `/medicine/${id}/back-in-stock`;

/** The slot on a card of the store, on its second page. */
function show(answers: TestClinic['answers'], { available = false, signedIn = true } = {}) {
  const card = <slot.Component id={id} name="Napa" available={available} />;
  const routes = [
    { path: '/medicinestore', element: card },
    { path: '/login', element: <Login /> },
  ];
  return openRoutes(routes, '/medicinestore?cursor=abc', answers, signedIn ? 'patient' : undefined);
}
const Login = () => <p>{`Login for ${(useLocation().state as { readonly from: string }).from}`}</p>;

/** The service's list of what the person has asked about. */
function storedRequests(): TestClinic['answers'] {
  let asked = false;
  const request = { _id: 'b'.repeat(24), medicine: id, askedAt: '2026-11-23T04:00:00.000Z' };
  return {
    [list]: () => ({ json: asked ? [request] : [] }),
    [`POST ${path}`]: () => {
      asked = true;
      return { status: 201, json: request };
    },
    [`DELETE ${path}`]: () => {
      asked = false;
      return { status: 204 };
    },
  };
}

test('asks for a message, shows that it was asked for, and takes it back', async () => {
  const { clinic } = await show(storedRequests());
  await userEvent.click(await screen.findByRole('button', { name: 'Tell me when it’s back: Napa' }));
  await screen.findByText('We’ll email you when it’s back.');
  expect(shownNotifications()).toEqual(['We’ll email you when Napa is back in stock']);
  await act(async () => notifications.get()[0]?.action?.run());
  await screen.findByRole('button', { name: 'Tell me when it’s back: Napa' });

  await userEvent.click(screen.getByRole('button', { name: 'Tell me when it’s back: Napa' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Don’t email me about Napa' }));
  await screen.findByRole('button', { name: 'Tell me when it’s back: Napa' });
  expect(clinic.made()).toEqual([`POST ${path}`, `DELETE ${path}`, `POST ${path}`, `DELETE ${path}`]);
});

test('promises no message to an address that isn’t confirmed', async () => {
  const user = { email: 'ann@mail.example', firstName: 'Ann', lastName: 'Lee', role: 'patient', emailVerified: false };
  await show({ ...storedRequests(), 'GET /jwt/session': () => ({ json: { user } }) });
  await userEvent.click(await screen.findByRole('button', { name: 'Tell me when it’s back: Napa' }));
  await screen.findByText('We’ll email you when it’s back, if you’ve confirmed your email address by then.');
});

test('says why the service won’t send one', async () => {
  await show({
    ...storedRequests(),
    [`POST ${path}`]: () => problemAnswer('transition_refused', { detail: 'Napa is in stock. You can order it now.' }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Tell me when it’s back: Napa' }));
  await waitFor(() => expect(shownNotifications().join()).toContain('Napa is in stock. You can order it now.'));
});

test('visitors log in first, and come back to where they were', async () => {
  await show({}, { signedIn: false });
  await userEvent.click(await screen.findByRole('link', { name: 'Log in to hear when it’s back' }));
  await screen.findByText('Login for /medicinestore?cursor=abc');
});

test('shows nothing on what can be ordered, and asks the service nothing', async () => {
  const { clinic } = await show({}, { available: true });
  expect(document.body.textContent).toBe('');
  expect(clinic.server.seen.filter(({ url }) => url.includes('back-in-stock'))).toEqual([]);
});

test('shows nothing if the list can’t be loaded', async () => {
  const { clinic } = await show({ [list]: () => problemAnswer('internal') });
  await waitFor(() => expect(clinic.server.seen.some(({ url }) => url.includes('back-in-stock'))).toBe(true));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(document.body.textContent).toBe('');
});
