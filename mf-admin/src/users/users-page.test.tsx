import { prepareEnvironment, shownNotifications } from '@clinic/app-kit/test-clinic';
import { notifications, queryClient } from '@clinic/app-kit/host';
import type { PageRequest } from '@clinic/app-kit/test-gateway';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { admin } from '../testing/open-as.tsx';
import { openScreen } from '../testing/open-screen.tsx';
import { userNamed } from '../testing/users.ts';

let ann: ReturnType<typeof userNamed> & { readonly disabled?: boolean; readonly rights?: readonly string[] } =
  userNamed('b', 'Ann', 'ann@mail.example');

function answer({ method, path, body }: PageRequest): Response {
  if (method === 'PATCH' && path === `/update-role/${ann._id}`) {
    const { newRole, rights = [] } = body as { newRole: string; rights?: readonly string[] };
    ann = { ...ann, role: newRole, rights };
    return Response.json(ann);
  }
  if (method === 'PATCH' && path === '/users/ann%40mail.example/access') {
    ann = { ...ann, disabled: (body as { disabled: boolean }).disabled };
    return Response.json(ann);
  }
  if (method === 'PATCH' && path === '/users/ann%40mail.example/rights') {
    const { right, given } = body as { right: string; given: boolean };
    ann = { ...ann, rights: given ? [right] : [] };
    return Response.json(ann);
  }
  if (method === 'DELETE' && path === '/users/ann%40mail.example/sessions') return new Response(null, { status: 204 });
  // Ann has the profile that each role needs: other cases are in staff-changes.test.tsx.
  if (path === '/doctors' || path === '/pharmacists') return Response.json([{ email: ann.email }]);
  if (path === '/users')
    return Response.json([userNamed('a', admin.firstName, admin.email, 'admin'), ann], {
      headers: { 'x-total-count': '2' },
    });
  throw new Error(`The test has no answer for ${method} ${path}`);
}

beforeAll(prepareEnvironment);
beforeEach(() => {
  queryClient.clear();
  notifications.set([]);
  ann = userNamed('b', 'Ann', 'ann@mail.example');
});

/** Presses Undo of the newest message, which the shell shows. */
const undoNewest = () => act(async () => void (await notifications.get().at(-1)?.action?.run()));

test('a role change asks once, is sent, and shows the result, and Undo brings back the rights that it ended', async () => {
  ann = { ...ann, rights: ['reception'] };
  const changes = await openScreen('/dash/admin', answer);
  const role = await screen.findByRole('combobox', { name: 'Role of Ann Lee' });
  expect(
    within(role)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Patient', 'Admin', 'Doctor', 'Pharmasicts']);

  await userEvent.selectOptions(role, 'pharmacist');
  expect(changes).toEqual([]);
  expect(await screen.findByText(/They no longer have: Reception. Open invitations to other roles end/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Yes, change to Pharmasicts' }));

  await waitFor(() =>
    expect(changes).toEqual([
      {
        method: 'PATCH',
        path: `/update-role/${ann._id}`,
        body: { newRole: 'pharmacist', seen: { role: 'patient', rights: ['reception'] } },
      },
    ]),
  );
  await waitFor(() => expect(shownNotifications()).toEqual(['Ann Lee is now Pharmasicts']));

  await undoNewest();
  expect(changes.at(-1)?.body).toEqual({
    newRole: 'patient',
    rights: ['reception'],
    seen: { role: 'pharmacist', rights: [] },
  });
  expect(shownNotifications()).toContain('Ann Lee is Patient again, with: Reception');
});

test('sends nothing if the old role is kept', async () => {
  const changes = await openScreen('/dash/admin', answer);
  const role = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Role of Ann Lee' });
  await userEvent.selectOptions(role, 'admin');
  await userEvent.click(await screen.findByRole('button', { name: 'Keep Patient' }));
  await waitFor(() => expect(role.value).toBe('patient'));
  expect(changes).toEqual([]);
});

test('your own role can’t be changed, with the reason: somebody else has to do it, or become an admin first', async () => {
  await openScreen('/dash/admin', answer);
  expect(await screen.findByText(/^You’re the only admin/)).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'Role of Nadia Lee' })).toHaveProperty('disabled', true);
  ann = { ...ann, role: 'admin' };
  await queryClient.invalidateQueries({ queryKey: ['listUsers'] });
  expect(await screen.findByText('You can’t change your own role. Ask another admin.')).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'Role of Nadia Lee' })).toHaveProperty('disabled', true);
});

const openAccount = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: `Account of ${name}` }));

test('an account is switched off once its admin knows what that ends, and on again, and the list shows it', async () => {
  const changes = await openScreen('/dash/admin', answer);
  await openAccount('Ann Lee');
  await userEvent.click(screen.getByRole('button', { name: 'Switch off' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText(/^Their places on the waitlist, the address of their calendar and open inv/)).toBeTruthy();
  expect(changes).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Yes, switch it off' }));
  expect(await screen.findByText('Switched off')).toBeTruthy();
  expect(shownNotifications()).toEqual(['Ann Lee can’t log in any more']);
  expect(notifications.get().at(-1)?.action).toBeUndefined();
  await openAccount('Ann Lee');
  await userEvent.click(screen.getByRole('button', { name: 'Switch on again' }));
  await waitFor(() => expect(screen.queryByText('Switched off')).toBeNull());
  expect(changes.map(({ body }) => body)).toEqual([{ disabled: true }, { disabled: false }]);
  expect(shownNotifications()).toContain('Ann Lee can log in again');
});

test('logs a person out everywhere', async () => {
  const changes = await openScreen('/dash/admin', answer);
  await openAccount('Ann Lee');
  await userEvent.click(screen.getByRole('button', { name: 'Log out everywhere' }));
  await waitFor(() => expect(shownNotifications()).toEqual(['Ann Lee is logged out everywhere']));
  expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /users/ann%40mail.example/sessions']);
});

test('your own account can’t be switched off, with the reason', async () => {
  await openScreen('/dash/admin', answer);
  await openAccount('Nadia Lee');
  expect(screen.getByText(/^You can’t switch off your own account. Ask another admin/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Switch off' })).toBeNull();
});

test('requests the selected order', async () => {
  const orders: (string | null)[] = [];
  await openScreen('/dash/admin', (request) => {
    if (request.path === '/users') orders.push(request.query.get('sort'));
    return answer(request);
  });
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Order' }), 'newest');
  await waitFor(() => expect(orders.at(-1)).toBe('newest'));
});

test('what was made for an address without an account is deleted from the search that finds nobody', async () => {
  const erasures: (string | null)[] = [];
  const changes = await openScreen('/dash/admin?q=Walk.In%40mail.example', (request) => {
    const { path, method, query } = request;
    if (path === '/users') return Response.json([], { headers: { 'x-total-count': '0' } });
    if (path === '/users/walk.in%40mail.example/erasure' && method === 'POST') {
      erasures.push(query.get('withoutAccount'));
      return Response.json({ userId: 'e'.repeat(24), emailConfirmed: true });
    }
    if (path === `/users/deletions/${'e'.repeat(24)}`)
      return Response.json({
        userId: 'e'.repeat(24),
        startedAt: '2026-11-20T10:00:00Z',
        finishedAt: '2026-11-20T10:00:05Z',
        services: [{ service: 'clinic', state: 'done', records: 2, cancelled: 1 }],
        account: { state: 'done', signInAccount: 'deleted' },
      });
    return answer(request);
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete the person with walk.in@mail.example' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByRole('textbox'), 'ann@mail.example');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete the person' }));
  expect(await dialog.findByText('This isn’t the email address')).toBeTruthy();
  expect(changes).toEqual([]);
  await userEvent.clear(dialog.getByRole('textbox'));
  await userEvent.type(dialog.getByRole('textbox'), 'Walk.in@mail.example');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete the person' }));
  expect(await dialog.findByText('walk.in@mail.example is deleted')).toBeTruthy();
  expect(erasures).toEqual(['true']);
});

test('a search that finds people, or is no whole address, offers no such deletion', async () => {
  for (const q of ['ann%40mail.example', 'walk.in%40']) {
    await openScreen(`/dash/admin?q=${q}`, (request) =>
      q.startsWith('walk') && request.path === '/users'
        ? Response.json([], { headers: { 'x-total-count': '0' } })
        : answer(request),
    );
    await screen.findByText(q.startsWith('walk') ? 'No users match' : 'Ann Lee');
    expect(screen.queryByRole('button', { name: /^Delete the person/ })).toBeNull();
    cleanup();
  }
});

test('an admin gives a right beside the role, sees it in the list, and can undo it', async () => {
  const changes = await openScreen('/dash/admin', answer);
  await userEvent.click(await screen.findByRole('button', { name: 'Account of Ann Lee' }));
  await userEvent.click(await screen.findByRole('switch', { name: /^Reception/ }));
  await waitFor(() => expect(shownNotifications()).toEqual(['Ann Lee now has: Reception']));
  expect(changes.at(-1)?.body).toEqual({ right: 'reception', given: true });
  expect((await screen.findAllByText('Reception')).length).toBeGreaterThan(0);
  await waitFor(() =>
    expect(screen.getByRole('switch', { name: /^Reception/ }).getAttribute('aria-checked')).toBe('true'),
  );
  await undoNewest();
  expect(changes.at(-1)?.body).toEqual({ right: 'reception', given: false });
});
