import { problemResponse, type PageRequest } from '@clinic/app-kit/test-gateway';
import { muteExpectedLogs, prepareEnvironment, shownNotifications } from '@clinic/app-kit/test-clinic';
import { keepDraft } from '@clinic/app-kit';
import { notifications, queryClient } from '@clinic/app-kit/host';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openScreen } from '../testing/open-screen.tsx';
import { userNamed } from '../testing/users.ts';

const field = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name);

/** Fills in everything but the email address. */
async function describeAda(): Promise<void> {
  await userEvent.type(await screen.findByLabelText(/^Name/), 'Dr. Ada Byron');
  await userEvent.type(field(/^Qualification/), 'MD');
  await userEvent.type(field(/^Specialization|^Area of Expertise/), 'Cardiologist');
  await userEvent.type(field(/^Experience/), '7');
}

const send = () => userEvent.click(screen.getByRole('button', { name: 'Create profile' }));

async function fillAndSend(): Promise<void> {
  await userEvent.type(await screen.findByLabelText(/^Email/), 'ada@clinic.example');
  await describeAda();
  await send();
}

let users: readonly object[] = [];
let lookUpFails = false;
const ada = userNamed('d', 'Ada', 'ada@clinic.example');

/** The services: they create the profile and change Ada's role, unless `answer` says otherwise. */
const services = ({ method, body }: PageRequest): Response =>
  method === 'POST'
    ? Response.json({ _id: 'c'.repeat(24) }, { status: 201 })
    : Response.json({ ...ada, role: (body as { newRole: string }).newRole });
const open = (search = '', answer: (request: PageRequest) => Response = services) =>
  openScreen(`/dash/createProfile${search}`, (sent) => {
    if (sent.method !== 'GET' || sent.path !== '/users') return answer(sent);
    return lookUpFails ? problemResponse('forbidden', 403) : Response.json(users);
  });

beforeAll(prepareEnvironment);
muteExpectedLogs('The account of this email address could not be looked up', 'The role could not be assigned');
beforeEach(() => {
  queryClient.clear();
  notifications.set([]);
  keepDraft('createProfile admin@clinic.example');
  users = [];
  lookUpFails = false;
});

test('creates a profile, confirms it in the specified words and clears the form', async () => {
  const changes = await open();
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
  await open('?role=pharmacist');
  expect(await screen.findByLabelText(/^Area of Expertise/)).toBeTruthy();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /^Role/ }), 'doctor');
  expect(screen.getByLabelText(/^Specialization/)).toBeTruthy();
});

test('every field is required, and nothing is sent without them', async () => {
  const changes = await open();
  await screen.findByRole('heading', { name: 'Create Profile' });
  await send();
  for (const name of ['Name', 'Email', 'Qualification', 'Specialization', 'Experience'])
    expect(await screen.findByText(`${name} is required`)).toBeTruthy();
  expect(document.activeElement).toBe(document.querySelector('[aria-invalid="true"]'));
  expect(changes).toEqual([]);
});

test('an email address that already has a profile is reported at its field, and nothing typed is lost', async () => {
  await open('', () =>
    problemResponse('duplicate', 409, {
      detail: 'There is a doctor with this email.',
      errors: [{ field: 'email', message: 'This email has a profile already' }],
    }),
  );
  await fillAndSend();
  expect(await screen.findByText('This email has a profile already')).toBeTruthy();
  expect(shownNotifications()).toEqual(['Error creating profile: There is a doctor with this email.']);
  expect(field(/^Name/).value).toBe('Dr. Ada Byron');
});

test.each([
  ['null', () => Response.json(null, { status: 201 })],
  ['an empty object', () => Response.json({}, { status: 201 })],
  ['an empty body', () => new Response(null, { status: 201 })],
])('treats %s as a response as a failure', async (_what, answer) => {
  await open('', answer);
  await fillAndSend();
  await waitFor(() => expect(shownNotifications()).toEqual(['Failed to create profile']));
});

test('a lost response is no error: the profile may have been created', async () => {
  await open('', () => {
    throw new TypeError('The connection was lost');
  });
  await fillAndSend();
  await waitFor(() => expect(shownNotifications()).toEqual([expect.stringMatching(/^We couldn’t confirm it: /)]));
});

/** The profile is created, and Ada's account gets the role. */
async function createsWithRole(changes: Awaited<ReturnType<typeof open>>): Promise<void> {
  await waitFor(() =>
    expect(shownNotifications()).toEqual(['doctor profile created successfully!', 'Ada Lee is now Doctor']),
  );
  expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /doc-pharma',
    `PATCH /update-role/${ada._id}`,
  ]);
  expect(changes[0]?.body).toMatchObject({ userId: ada._id });
}

test('the account with that email address gets the role in the same step', async () => {
  users = [ada];
  const changes = await open();
  await fillAndSend();
  await createsWithRole(changes);
});

test('a role other than patient is never replaced without asking', async () => {
  users = [{ ...ada, role: 'pharmacist' }];
  const changes = await open();
  await userEvent.type(await screen.findByLabelText(/^Email/), 'ADA@clinic.example ');
  await userEvent.tab();
  expect(await screen.findByText('Ada Lee has an account as Pharmasicts')).toBeTruthy();
  expect(screen.getByRole('checkbox', { name: /^Change the role to Doctor too/ })).toHaveProperty('checked', false);
  await userEvent.clear(field(/^Email/));
  await fillAndSend();
  await waitFor(() => expect(shownNotifications()).toEqual(['doctor profile created successfully!']));
  expect(changes).toHaveLength(1);
});

test('says that an email address has no account', async () => {
  await open();
  await userEvent.type(await screen.findByLabelText(/^Email/), 'new@clinic.example');
  await userEvent.tab();
  expect(await screen.findByText('No account has this email address yet')).toBeTruthy();
});

test('what was typed is still there after leaving the page, for example to log in', async () => {
  await open();
  await describeAda();
  cleanup();
  await open('?role=pharmacist');
  await screen.findByLabelText(/^Area of Expertise/);
  expect([field(/^Name/).value, field(/^Experience/).value]).toEqual(['Dr. Ada Byron', '7']);
});

test('Enter in the email field looks up the account first, and asks before changing a role', async () => {
  users = [ada];
  const changes = await open();
  await describeAda();
  await userEvent.type(field(/^Email/), 'ada@clinic.example{Enter}');
  const choice = await screen.findByRole('checkbox', { name: /^Change the role to Doctor too/ });
  await waitFor(() => expect(document.activeElement).toBe(choice));
  expect(screen.getByText(/^We haven’t created the profile yet/)).toBeTruthy();
  expect(changes).toEqual([]);
  await send();
  await createsWithRole(changes);
});

test.each([
  ['somebody else’s', [userNamed('e', 'Ben', 'ada@clinic.example')], [ada]],
  ['somebody’s', [], [ada]],
])('asks again if the address is %s since it was shown', async (_, before, since) => {
  users = before;
  const changes = await open();
  await userEvent.type(await screen.findByLabelText(/^Email/), 'ada@clinic.example');
  await describeAda();
  await screen.findByText(before.length > 0 ? 'Ben Lee has an account as Patient' : /^No account has this email/);
  users = since;
  // As after a while: the page shows what it has loaded.
  await queryClient.invalidateQueries({ queryKey: ['listUsers'], refetchType: 'none' });
  await send();
  expect(await screen.findByText('Ada Lee has an account as Patient')).toBeTruthy();
  expect(screen.getByText(/^We haven’t created the profile yet/)).toBeTruthy();
  expect(changes).toEqual([]);
  await send();
  await createsWithRole(changes);
});

test.each([
  ['there is nothing to ask', false],
  ['the lookup fails', true],
])('Enter in the email field creates at once if %s', async (_, fails) => {
  lookUpFails = fails;
  await open();
  await describeAda();
  await userEvent.type(field(/^Email/), 'new@clinic.example{Enter}');
  await waitFor(() => expect(shownNotifications()).toEqual(['doctor profile created successfully!']));
  await waitFor(() => expect(field(/^Name/).value).toBe(''));
});
