import { muteExpectedLogs } from '@clinic/app-kit/test-environment';
import { keepDraft } from '@clinic/app-kit';
import { prepareEnvironment, shownNotifications, type TestClinic } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openAsAdmin } from '../testing/open-as.tsx';
import { userNamed } from '../testing/users.ts';

const token = 'a-token-of-more-than-twenty-characters';
const users = '/users?q=ada%40clinic.example&limit=5';
const invitation = {
  _id: 'e'.repeat(24),
  email: 'ada@clinic.example',
  role: 'doctor',
  name: 'Dr. Ada Byron',
  state: 'open',
  invitedAt: '2026-11-22T08:00:00Z',
  expiresAt: '2026-11-29T08:00:00Z',
  invitedBy: 'admin@clinic.example',
};
const ada = { ...userNamed('d', 'Ada', 'ada@clinic.example'), emailVerified: false };
let clinic: TestClinic;

beforeAll(prepareEnvironment);
muteExpectedLogs();
beforeEach(() => {
  keepDraft('addStaff admin@clinic.example');
});
afterEach(() => clinic.close());

/** The list of users is requested with each letter of the address; only the full address counts. */
async function open(path = '/dash/staff/add', answers: TestClinic['answers'] = {}): Promise<void> {
  clinic = await openAsAdmin(path, {
    [`GET ${users}`]: () => ({ json: [] }),
    'POST /staff/invitations': () => ({ status: 201, json: { invitation, token } }),
    ...answers,
  });
  await screen.findByRole('heading', { name: 'Add Staff' });
}

const next = () => userEvent.click(screen.getByRole('button', { name: 'Next' }));
const heading = (name: string) => screen.findByRole('heading', { name });

async function nameThem(): Promise<void> {
  await heading('Who is it?');
  await userEvent.click(screen.getByLabelText('Email address'));
  await userEvent.paste('Ada@clinic.example');
  await next();
}

async function describeThem(): Promise<void> {
  await userEvent.type(screen.getByLabelText('Name'), 'Dr. Ada Byron');
  await userEvent.type(screen.getByLabelText('Qualification'), 'MD');
  await userEvent.type(screen.getByLabelText(/^Specialization|^Area of Expertise/), 'Cardiologist');
  await userEvent.type(screen.getByLabelText(/^Experience/), '7');
}

test('invites a doctor with role, person and profile, and shows the link once', async () => {
  await open();
  expect(
    within(screen.getByRole('list', { name: 'Steps' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['1. Role', '2. Person', '3. Profile', '4. Check']);
  await next();
  await heading('Who is it?');
  await next();
  expect(await screen.findByText('Email is required')).toBeTruthy();
  await nameThem();
  await heading('What patients see about them');
  await next();
  expect(await screen.findByText('Specialization is required')).toBeTruthy();
  expect(document.activeElement).toBe(document.querySelector('[aria-invalid="true"]'));
  await describeThem();
  await userEvent.type(screen.getByLabelText('Location'), 'Level 3');
  await next();
  const title = await heading('Check the invitation');
  expect(document.activeElement).toBe(title);
  expect(screen.getByText(/^None yet\. They set them in My Profile/)).toBeTruthy();
  expect(clinic.made()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Create the invitation' }));

  expect(await screen.findByText('Dr. Ada Byron is invited')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Invitation link').value).toBe(
    `${location.origin}/register?invitation=${token}`,
  );
  expect(clinic.sent('POST /staff/invitations')).toEqual({
    role: 'doctor',
    email: 'Ada@clinic.example',
    profile: {
      name: 'Dr. Ada Byron',
      qualification: 'MD',
      specialization: 'Cardiologist',
      experience: 7,
      location: 'Level 3',
    },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Invite someone else' }));
  await heading('What will they work as?');
  expect(screen.queryByLabelText('Invitation link')).toBeNull();
});

test('a pharmacist has an area of expertise and no times; an admin has no profile', async () => {
  await open('/dash/staff/add?role=pharmacist');
  await next();
  await nameThem();
  await heading('Their profile');
  expect(screen.getByLabelText('Area of Expertise')).toBeTruthy();
  expect(screen.queryByLabelText('Location')).toBeNull();
  for (let back = 0; back < 2; back += 1) await userEvent.click(screen.getByRole('button', { name: 'Back' }));
  await userEvent.click(screen.getByRole('radio', { name: /^Admin/ }));
  await next();
  await next();
  await heading('Check the invitation');
  await userEvent.click(screen.getByRole('button', { name: 'Create the invitation' }));
  await screen.findByLabelText('Invitation link');
  expect(clinic.sent('POST /staff/invitations')).toEqual({ role: 'admin', email: 'Ada@clinic.example' });
});

test('shows that somebody has an account; people who already have the role can’t be invited to it', async () => {
  let role = 'patient';
  await open('/dash/staff/add', { [`GET ${users}`]: () => ({ json: [{ ...ada, role }] }) });
  await next();
  await heading('Who is it?');
  await userEvent.click(screen.getByLabelText('Email address'));
  await userEvent.paste('ada@clinic.example');
  expect(await screen.findByText('Ada Lee has an account as Patient')).toBeTruthy();
  expect(screen.getByText(/Their address isn’t confirmed yet/)).toBeTruthy();
  role = 'doctor';
  await userEvent.clear(screen.getByLabelText('Email address'));
  await clinic.close();
  await open('/dash/staff/add', { [`GET ${users}`]: () => ({ json: [{ ...ada, role }] }) });
  await next();
  await nameThem();
  expect(await screen.findByText('Ada Lee already has the role Doctor')).toBeTruthy();
  await next();
  expect(screen.getByRole('heading', { name: 'Who is it?' })).toBeTruthy();
});

test('a rejected field leads back to its step', async () => {
  await open('/dash/staff/add?role=pharmacist', {
    'POST /staff/invitations': () =>
      problemAnswer('validation_failed', {
        errors: [{ field: 'profile.experience', message: 'Experience must be 80 years or fewer' }],
      }),
  });
  await next();
  await nameThem();
  await heading('Their profile');
  await describeThem();
  await next();
  await heading('Check the invitation');
  await userEvent.click(screen.getByRole('button', { name: 'Create the invitation' }));
  expect(await heading('Their profile')).toBeTruthy();
  expect(screen.getByText('Experience must be 80 years or fewer')).toBeTruthy();
});

test('shows and links to an invitation that is already open', async () => {
  await open('/dash/staff/add?role=admin', {
    'POST /staff/invitations': () =>
      problemAnswer('duplicate', { detail: 'There is an open invitation for this address.' }),
  });
  await next();
  await nameThem();
  await userEvent.click(await screen.findByRole('button', { name: 'Create the invitation' }));
  expect(await screen.findByText(/^There is an open invitation for this address\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'See the open invitations' }).getAttribute('href')).toBe(
    '/dash/staff?state=open',
  );
});

test('invitations are listed with their state, and an open one is revoked after a confirmation', async () => {
  let state = 'open';
  clinic = await openAsAdmin('/dash/staff', {
    'GET /staff/invitations?limit=20': () => ({
      json: [
        { ...invitation, state },
        { ...invitation, _id: 'f'.repeat(24), email: 'ben@clinic.example', name: '', role: 'admin', state: 'expired' },
      ],
      headers: { 'x-total-count': '2' },
    }),
    [`DELETE /staff/invitations/${invitation._id}`]: () => {
      state = 'revoked';
      return { status: 204 };
    },
  });
  expect(await screen.findByText('Dr. Ada Byron')).toBeTruthy();
  expect(screen.getByText('Open until').closest('tr')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Revoke the invitation of ben@clinic.example' })).toBeNull();
  const revoke = { name: 'Revoke the invitation of ada@clinic.example' };
  await userEvent.click(screen.getByRole('button', revoke));
  await userEvent.click(screen.getByRole('button', { name: 'Keep it' }));
  expect(clinic.made()).toEqual([]);
  await userEvent.click(screen.getByRole('button', revoke));
  await userEvent.click(screen.getByRole('button', { name: 'Revoke it' }));
  await waitFor(() => expect(shownNotifications()).toEqual(['The invitation is revoked and its link no longer works']));
  await waitFor(() => expect(screen.queryByRole('button', revoke)).toBeNull());
});
