import { pretendItIs } from '@clinic/app-kit/test-clock';
import { badgesIn, combinations } from '@clinic/app-kit/test-combinations';
import { prepareEnvironment, type TestClinic } from '@clinic/app-kit/test-clinic';
import type { User } from '@clinic/contracts';
import { availabilityOf } from '@clinic/svc-clinic/contract/availability';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { appointmentStatuses } from '@clinic/svc-clinic/contract/transitions';
import type { Invitation } from '@clinic/svc-identity/contract/schemas';
import { QueryClientProvider, queryClient } from '@clinic/app-kit/host';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { AppointmentDecision, type Outcome } from './leaving/appointment-decision.tsx';
import { undecided, type Decision } from './leaving/decisions.ts';
import { doctorNamed, idOf } from './testing/doctors.ts';
import { openAsAdmin } from './testing/open-as.tsx';
import { userNamed } from './testing/users.ts';

let clinic: TestClinic | undefined;

beforeAll(prepareEnvironment);
afterEach(async () => {
  jest.useRealTimers();
  await clinic?.close();
  clinic = undefined;
});

const listOf = (rows: readonly object[]) => ({ json: rows, headers: { 'x-total-count': String(rows.length) } });
const rowOf = (text: string): HTMLElement => screen.getByText(text).closest('tr, li') as HTMLElement;

test('an invitation that has expired since it was listed is neither open nor revocable', async () => {
  pretendItIs('2026-11-26T06:00:00Z');
  const states = ['open', 'accepted', 'revoked', 'expired', 'forwarded'] as Invitation['state'][];
  const invitations = combinations<Pick<Invitation, 'state' | 'expiresAt'>>({
    state: states,
    expiresAt: ['2026-11-26T05:59:00Z', '2026-11-27T06:00:00Z'],
  }).map((one, at) => ({
    ...one,
    _id: String(at).repeat(24),
    email: `person${at}@mail.example`,
    role: 'doctor',
    invitedAt: '2026-11-20T06:00:00Z',
    invitedBy: 'admin@clinic.example',
  }));
  clinic = await openAsAdmin('/dash/staff', { 'GET /staff/invitations?limit=20': () => listOf(invitations) });
  await screen.findAllByText('Accepted', { selector: '.ui-badge > *' });
  const words: Readonly<Record<string, string>> = { accepted: 'Accepted', revoked: 'Revoked', expired: 'Expired' };
  for (const { email, state, expiresAt } of invitations) {
    const open = state === 'open' && expiresAt > '2026-11-26T06:00:00Z';
    const row = screen.getByRole('link', { name: email }).closest('tr, li') as HTMLElement;
    expect({ state, expiresAt, badges: badgesIn(row) }).toEqual({
      state,
      expiresAt,
      badges: [open ? 'Open' : state === 'open' ? 'Expired' : (words[state] ?? state)],
    });
    expect(row.textContent.includes('Nov 27, 2026')).toBe(open);
    expect(within(row).queryByRole('button', { name: /^Revoke/ }) !== null).toBe(open);
  }
});

test('an account’s badges say what is true of it, and not two things that exclude each other', async () => {
  const accounts = combinations<Pick<User, 'erasing' | 'disabled' | 'emailVerified' | 'secondFactor'>>({
    erasing: [undefined, true],
    disabled: [undefined, true],
    emailVerified: [true, false],
    secondFactor: [false, true],
  }).map((one, at) => ({
    ...userNamed('b', `Ann${at}`, `ann${at}@mail.example`),
    ...one,
    _id: `${at + 10}`.repeat(12),
  }));
  clinic = await openAsAdmin('/dash/admin', {
    'GET /users?limit=20': () => listOf(accounts),
    'GET /users?role=admin&limit=5': () => listOf([]),
  });
  await screen.findByText('Ann0 Lee');
  for (const { firstName, erasing, disabled, emailVerified, secondFactor } of accounts)
    expect({ firstName, badges: badgesIn(rowOf(`${firstName} Lee`)) }).toEqual({
      firstName,
      badges: [
        ...(erasing ? ['Being deleted'] : disabled ? ['Switched off'] : []),
        ...(emailVerified ? [] : ['Not confirmed']),
        ...(secondFactor ? ['Second step'] : []),
      ],
    });
});

test('a doctor’s badge agrees with what the profile says of their hours', async () => {
  const hours = combinations<Pick<Doctor, 'isAvailable' | 'availableTimes' | 'nextFree'>>({
    isAvailable: [true, false],
    availableTimes: [[], ['09:00']],
    nextFree: [null, { date: '2100-01-05', time: '09:00' }],
  });
  for (const one of hours) {
    const doctor = { ...doctorNamed('1', 'Dr. Ann Lee', 'ann@clinic.example', 'Cardiologist'), ...one };
    clinic = await openAsAdmin(`/dash/doctors?profile=${idOf('1')}`, {
      'GET /doctors?limit=20': () => listOf([doctor]),
      [`GET /doctors?_id=${idOf('1')}`]: () => ({ json: doctor }),
    });
    const said = (await screen.findByText(/^Takes (?:no )?appointments\./)).textContent;
    await waitFor(() => expect(badgesIn(document.body)).toHaveLength(1));
    const [badge] = badgesIn(document.body);
    expect(badge).toBe(availabilityOf(doctor));
    expect({ ...one, said }).toEqual({
      ...one,
      said:
        badge === 'Not available'
          ? 'Takes no appointments.'
          : `Takes appointments.${one.nextFree ? ' Next free on Tue, Jan 5, 2100 at 9:00 AM.' : ''}`,
    });
    cleanup();
    await clinic.close();
    clinic = undefined;
  }
});

test('an appointment that has been handed over or cancelled no longer shows its former status', () => {
  const cases = combinations<{
    status: Appointment['status'];
    act: Decision['act'];
    is: 'working' | 'done' | 'failed';
  }>({
    status: appointmentStatuses,
    act: ['move', 'cancel'],
    is: ['working', 'done', 'failed'],
  });
  for (const { status, act, is } of cases) {
    const one: Appointment = {
      _id: idOf('b'),
      patientname: 'Bea Roy',
      patientemail: 'bea@mail.example',
      doctorname: 'Dr. Ann Lee',
      doctoremail: 'ann@clinic.example',
      age: 40,
      address: '',
      number: '+880 1555 010111',
      date: '2100-01-05',
      time: '09:00',
      status,
      changeUntil: '2100-01-01T00:00:00Z',
    };
    const outcome: Outcome = is === 'failed' ? { is, reason: 'Someone else has just booked this time' } : { is };
    const { container, unmount } = render(
      <QueryClientProvider client={queryClient}>
        <AppointmentDecision
          appointment={one}
          decision={{ ...undecided(one), act }}
          colleagues={[]}
          outcome={outcome}
          missing={undefined}
          onChange={() => undefined}
        />
      </QueryClientProvider>,
    );
    expect({ status, act, is, badges: badgesIn(container) }).toEqual({
      status,
      act,
      is,
      badges: is === 'done' ? [] : [status],
    });
    unmount();
  }
});
