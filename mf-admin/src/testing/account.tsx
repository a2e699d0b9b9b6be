import { session, type IdentityAnswer } from '@clinic/app-kit/host';
import type { TestClinic } from '@clinic/app-kit/test-clinic';
import { muteExpectedLogs, prepareEnvironment } from '@clinic/app-kit/test-environment';
import type { SessionUser } from '@clinic/contracts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openAs } from './open-as.tsx';

export const email = 'ann@mail.example';
/** Path of Ann's account. */
export const at = '/users/ann%40mail.example';
export const id = 'a'.repeat(24);
export const ann: SessionUser = { email, firstName: 'Ann', lastName: 'Lee', role: 'patient', emailVerified: true };
/** Everybody who works at the clinic, as their sessions say it. */
export const staff: readonly [string, SessionUser][] = [
  ['a role', { ...ann, role: 'pharmacist' }],
  ['a right', { ...ann, rights: ['reception'] }],
  ['a role that waits', { ...ann, passwordUnproven: true, held: { role: 'doctor', until: 'password' } }],
  ['a right that waits', { ...ann, passwordUnproven: true, held: { role: 'patient', until: 'password' } }],
];
export const password = 'Secret-77';

/** Prompts for the person's identity: what was asked, and the answer to give; without one the person cancels. */
export const identity: { readonly prompts: string[]; answer: IdentityAnswer | undefined } = {
  prompts: [],
  answer: undefined,
};

let open: TestClinic;
let unsubscribe: () => void;

beforeAll(prepareEnvironment);
muteExpectedLogs('Could not delete');
beforeEach(() => {
  identity.answer = { by: 'password', password };
  identity.prompts.length = 0;
  // Replaces the shell, which shows a dialog.
  unsubscribe = session.checks.subscribe(() => {
    const [check] = session.checks.get();
    if (!check) return;
    identity.prompts.push(check.kind);
    if (identity.answer) void check.answer(identity.answer);
    else check.cancel();
  });
});
afterEach(async () => {
  unsubscribe();
  await open.close();
});

/** Opens My Account. @param answers - as in TestClinic */
export async function openAccount(user: SessionUser = ann, answers: TestClinic['answers'] = {}): Promise<TestClinic> {
  open = await openAs(user, '/dash/account', (clinic) => ({
    [`GET ${at}`]: () => ({
      json: { ...clinic.user, _id: id, phone: '+880 1555 010999', dateOfBirth: '1990-01-31', address: '7 Green Road' },
    }),
    [`GET ${at}/sessions`]: () => ({ json: [] }),
    [`GET ${at}/looks?limit=10`]: () => ({ json: [] }),
    'GET /appoinments/looks?email=ann%40mail.example&limit=10': () => ({ json: [] }),
    'GET /orderMedi/looks?email=ann%40mail.example&limit=10': () => ({ json: [] }),
    'GET /personal-data.json': () => ({ json: { calls: [], looks: [], unknown: [] } }),
    ...answers,
  }));
  open.firebase.accounts.push({ email, password, emailVerified: user.emailVerified });
  await screen.findByText('7 Green Road');
  return open;
}

/** What is in the section of that title. */
export const part = (name: string) => within(screen.getByRole('region', { name }));
/** Types over what is in a field. */
export async function retype(label: string | RegExp, text: string): Promise<void> {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), text);
}
export const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }));
