import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Route, User } from '@clinic/contracts';
import { identityCalls } from './contract/calls.ts';
import { startIdentityStack } from './testing/identity-stack.ts';

const stack = await startIdentityStack();
after(() => stack.close());

test('hides internal fields from users', async () => {
  const patient = await stack.login('patient@clinic.example', 'patient');
  assert.deepEqual(Object.keys(await patient.read<User>('/users/Patient@clinic.example')).sort(), [
    '_id',
    'createdAt',
    'dateOfBirth',
    'email',
    'emailVerified',
    'firstName',
    'lastName',
    'phone',
    'role',
    'secondFactor',
  ]);
  const admin = await stack.login('admin@clinic.example', 'admin');
  assert.equal((await admin.fetch('/users/nobody@clinic.example')).status, 404);
  assert.equal((await admin.fetch('/users/nobody')).status, 400);
});

/** Roles that may make a call, and `self`: people about themselves. */
function callersOf({ access }: Route): string {
  return access.kind === 'restricted'
    ? [...access.roles, ...(access.rights ?? []), ...(access.self ? ['self'] : [])].join(' or ')
    : access.kind;
}

// That the service keeps to the contract is proved by system-tests/src/access; here, that the contract lets nobody else in.
test('each call is for those who need it', () => {
  const callers = Object.groupBy(Object.entries(identityCalls), ([, route]) => callersOf(route));
  const calls = Object.entries(callers).map(([who, routes = []]) => [who, routes.map(([id]) => id).toSorted()]);
  assert.deepEqual(Object.fromEntries(calls), {
    everyone: ['endSession', 'getSessionKeys', 'readInvitation'],
    idToken: ['registerUser', 'startSession'],
    refresh: ['refreshSession'],
    session: ['acceptInvitation', 'getSession', 'proveIdentity', 'watchSession'],
    self: [
      'changeOwnProfile',
      'confirmSecondFactor',
      'endOneSession',
      'listSessions',
      'renewRecoveryCodes',
      'startSecondFactor',
    ],
    admin: [
      'changeAccess',
      'changeDeployment',
      'changeRights',
      'changeRole',
      'getDeletion',
      'inviteStaff',
      'listAccessEvents',
      'listDeployments',
      'listIdentityEvents',
      'listInvitations',
      'reportUsers',
      'revokeInvitation',
      'startErasure',
    ],
    'admin or reception': ['listUsers'],
    'admin or reception or self': ['getUser'],
    'admin or self': [
      'endSessions',
      'exportUser',
      'finishErasure',
      'getUserHistory',
      'listIdentityLooks',
      'removeSecondFactor',
    ],
  });
});
