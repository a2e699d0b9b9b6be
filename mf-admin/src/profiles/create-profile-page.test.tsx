import type { PageRequest } from '@clinic/app-kit/test-gateway';
import { muteExpectedLogs, prepareEnvironment } from '@clinic/app-kit/test-environment';
import { keepDraft } from '@clinic/app-kit';
import { notifications, queryClient } from '@clinic/app-kit/host';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openScreen as open } from '../testing/open-screen.tsx';

const shownNotifications = () => notifications.get().map(({ text }) => text);
const field = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name);

async function fillAndSend(): Promise<void> {
  await userEvent.type(field(/^Name/), 'Dr. Ada Byron');
  await userEvent.type(field(/^Email/), 'ada@clinic.example');
  await userEvent.type(field(/^Qualification/), 'MD');
  await userEvent.type(field(/^Specialization|^Area of Expertise/), 'Cardiologist');
  await userEvent.type(field(/^Experience/), '7');
  await userEvent.click(screen.getByRole('button', { name: 'Create profile' }));
}

let users: readonly object[] = [];
const openScreen = (path: string, answer: (request: PageRequest) => Response) =>
  open(path, (sent) => (sent.method === 'GET' && sent.path === '/users' ? Response.json(users) : answer(sent)));
const ada = {
  _id: 'd'.repeat(24),
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@clinic.example',
  phone: '',
  dateOfBirth: '1990-01-01',
  role: 'patient',
};

beforeAll(prepareEnvironment);
muteExpectedLogs('The account of this email address could not be looked up', 'The role could not be assigned');
beforeEach(() => {
  queryClient.clear();
  notifications.set([]);
  keepDraft('createProfile admin@clinic.example');
  users = [];
});

test('creates a profile, confirms it in the specified words and clears the form', async () => {
  const changes = await openScreen('/dash/createProfile', () =>
    Response.json({ _id: 'c'.repeat(24) }, { status: 201 }),
  );
  await screen.findByRole('heading', { name: 'Create Profile' });
  await fillAndSend();
  await waitFor(() => expect(shownNotifications()).toEqual(['doctor profile created successfully!']));
  expect(changes).toEqual([
    {
      method: 'POST',
      path: '/doc-pharma',
      body: {
        name: 'Dr. Ada Byron',
        email: 'ada@clinic.example',
        qualification: 'MD',
        specialization: 'Cardiologist',
        experience: 7,
        role: 'doctor',
      },
    },
  ]);
  expect([field(/^Name/).value, field(/^Experience/).value]).toEqual(['', '']);
});

test('a pharmacist has an area of expertise', async () => {
  await openScreen('/dash/createProfile?role=pharmacist', () => Response.json({}));
  expect(await screen.findByLabelText(/^Area of Expertise/)).toBeTruthy();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /^Role/ }), 'doctor');
  expect(screen.getByLabelText(/^Specialization/)).toBeTruthy();
});

test('every field is required, and nothing is sent without them', async () => {
  const changes = await openScreen('/dash/createProfile', () => Response.json({}));
  await userEvent.click(await screen.findByRole('button', { name: 'Create profile' }));
  for (const message of [
    'Name is required',
    'Email is required',
    'Qualification is required',
    'Specialization is required',
    'Experience is required',
  ]) {
    expect(await screen.findByText(message)).toBeTruthy();
  }
  expect(changes).toEqual([]);
});

test('an email address that already has a profile is reported at its field, and nothing typed is lost', async () => {
  const problem = {
    type: '/problems/duplicate',
    title: 'This already exists',
    status: 409,
    code: 'duplicate',
    detail: 'There is a doctor with this email.',
    errors: [{ field: 'email', message: 'This email has a profile already' }],
  };
  await openScreen('/dash/createProfile', () =>
    Response.json(problem, { status: 409, headers: { 'content-type': 'application/problem+json' } }),
  );
  await screen.findByRole('heading', { name: 'Create Profile' });
  await fillAndSend();
  expect(await screen.findByText('This email has a profile already')).toBeTruthy();
  expect(shownNotifications()).toEqual(['Error creating profile: There is a doctor with this email.']);
  expect(field(/^Name/).value).toBe('Dr. Ada Byron');
});

test('treats a response without a record as a failure', async () => {
  await openScreen('/dash/createProfile', () => Response.json(null, { status: 201 }));
  await screen.findByRole('heading', { name: 'Create Profile' });
  await fillAndSend();
  await waitFor(() => expect(shownNotifications()).toEqual(['Failed to create profile']));
});

test('the account with that email address gets the role in the same step', async () => {
  users = [ada];
  const changes = await openScreen('/dash/createProfile', ({ method, body }) =>
    method === 'POST'
      ? Response.json({ _id: 'c'.repeat(24) }, { status: 201 })
      : Response.json({ ...ada, role: (body as { newRole: string }).newRole }),
  );
  await screen.findByRole('heading', { name: 'Create Profile' });
  await fillAndSend();
  await waitFor(() =>
    expect(shownNotifications()).toEqual(['doctor profile created successfully!', 'Ada Byron is now Doctor']),
  );
  expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /doc-pharma',
    `PATCH /update-role/${ada._id}`,
  ]);
});

test('a role other than patient is never replaced without asking', async () => {
  users = [{ ...ada, role: 'pharmacist' }];
  const changes = await openScreen('/dash/createProfile', () =>
    Response.json({ _id: 'c'.repeat(24) }, { status: 201 }),
  );
  await userEvent.type(await screen.findByLabelText(/^Email/), 'ADA@clinic.example ');
  await userEvent.tab();
  expect(await screen.findByText('Ada Byron has an account as Pharmasicts')).toBeTruthy();
  expect(screen.getByRole('checkbox', { name: /^Change the role to Doctor too/ })).toHaveProperty('checked', false);
  await userEvent.clear(field(/^Email/));
  await fillAndSend();
  await waitFor(() => expect(shownNotifications()).toEqual(['doctor profile created successfully!']));
  expect(changes).toHaveLength(1);
});

test('says that an email address has no account', async () => {
  await openScreen('/dash/createProfile', () => Response.json({}));
  await userEvent.type(await screen.findByLabelText(/^Email/), 'new@clinic.example');
  await userEvent.tab();
  expect(await screen.findByText('No account has this email address yet')).toBeTruthy();
});

test('what was typed is still there after leaving the page, for example to log in', async () => {
  await openScreen('/dash/createProfile', () => Response.json({}));
  await userEvent.type(await screen.findByLabelText(/^Name/), 'Dr. Ada Byron');
  await userEvent.type(field(/^Experience/), '7');
  cleanup();
  await openScreen('/dash/createProfile?role=pharmacist', () => Response.json({}));
  await screen.findByLabelText(/^Area of Expertise/);
  expect([field(/^Name/).value, field(/^Experience/).value]).toEqual(['Dr. Ada Byron', '7']);
});

test('Enter in the email field looks up the account first, and asks before changing a role', async () => {
  users = [ada];
  const changes = await openScreen('/dash/createProfile', ({ method, body }) =>
    method === 'POST'
      ? Response.json({ _id: 'c'.repeat(24) }, { status: 201 })
      : Response.json({ ...ada, role: (body as { newRole: string }).newRole }),
  );
  await userEvent.type(await screen.findByLabelText(/^Name/), 'Dr. Ada Byron');
  await userEvent.type(field(/^Qualification/), 'MD');
  await userEvent.type(field(/^Specialization/), 'Cardiologist');
  await userEvent.type(field(/^Experience/), '7');
  await userEvent.type(field(/^Email/), 'ada@clinic.example{Enter}');
  const choice = await screen.findByRole('checkbox', { name: /^Change the role to Doctor too/ });
  await waitFor(() => expect(document.activeElement).toBe(choice));
  expect(screen.getByText(/^We haven’t created the profile yet/)).toBeTruthy();
  expect(changes).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Create profile' }));
  await waitFor(() =>
    expect(shownNotifications()).toEqual(['doctor profile created successfully!', 'Ada Byron is now Doctor']),
  );
  expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /doc-pharma',
    `PATCH /update-role/${ada._id}`,
  ]);
});

test('Enter in the email field creates at once if there is nothing to ask, or if the lookup fails', async () => {
  users = [];
  await openScreen('/dash/createProfile', () => Response.json({ _id: 'c'.repeat(24) }, { status: 201 }));
  for (const lookUp of ['answers', 'fails'] as const) {
    if (lookUp === 'fails') {
      const answered = globalThis.fetch;
      globalThis.fetch = async (input, init) =>
        String(input instanceof Request ? input.url : input).startsWith('/users?')
          ? Response.json({ type: '/problems/forbidden', title: 'No', status: 403, code: 'forbidden' }, { status: 403 })
          : answered(input, init);
      notifications.set([]);
    }
    await userEvent.type(await screen.findByLabelText(/^Name/), 'Dr. Ada Byron');
    await userEvent.type(field(/^Qualification/), 'MD');
    await userEvent.type(field(/^Specialization/), 'Cardiologist');
    await userEvent.type(field(/^Experience/), '7');
    await userEvent.type(field(/^Email/), `${lookUp}@clinic.example{Enter}`);
    await waitFor(() => expect(shownNotifications()).toEqual(['doctor profile created successfully!']));
    await waitFor(() => expect(field(/^Name/).value).toBe(''));
  }
});
