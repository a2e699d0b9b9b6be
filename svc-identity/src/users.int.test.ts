import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ObjectId } from 'mongodb';
import { roles, routesOf, type CallId, type Role, type User } from '@clinic/contracts';
import { openBrowser, profile, type Browser } from './testing/browser.ts';
import { startIdentityStack, type IdentityStack } from './testing/identity-stack.ts';
import { searchFields, type UserRecord } from './users/user-record.ts';

let stack: IdentityStack;
const browsers = {} as Record<Role, Browser>;
before(async () => {
  stack = await startIdentityStack();
  for (const role of roles) browsers[role] = await stack.login(`${role}@clinic.example`, role);
  const names = ['Amina', 'Bashir', 'Chandra', 'Dilara'];
  await stack.users.insertMany(
    Array.from({ length: 1_000 }, (_, at): UserRecord => {
      const person = {
        ...profile,
        firstName: names[at % names.length] ?? '',
        lastName: `Khan ${at % 7}`,
        phone: `+880 1700 ${100_000 + at}`,
      };
      const email = `person${at}@mail.example`;
      return {
        _id: new ObjectId(),
        email,
        ...person,
        role: 'patient',
        emailVerified: true,
        registered: true,
        version: 1,
        createdAt: new Date(at),
        ...searchFields(person, email),
      };
    }),
  );
});
after(() => stack.close());

const list = async (query: string): Promise<User[]> =>
  (await (await browsers.admin.fetch(`/users${query}`)).json()) as User[];

test('lists all users, whole or page by page, without repeats', async () => {
  assert.equal((await list('')).length, 1_004);
  for (const sort of ['name', '-name', 'email', 'newest']) {
    const seen: string[] = [];
    let next: string | undefined = `/users?limit=150&sort=${sort}`;
    while (next !== undefined) {
      const answer: Response = await browsers.admin.fetch(next);
      assert.equal(answer.headers.get('x-total-count'), '1004');
      seen.push(...((await answer.json()) as User[]).map(({ _id }) => _id));
      next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    assert.equal(seen.length, 1_004, sort);
    assert.equal(new Set(seen).size, 1_004, sort);
  }
});

test('finds users by name, email, phone and role', async () => {
  assert.equal((await list('?q=amina')).length, 250);
  assert.equal(
    (await list('?q=Amina%20khan%203&limit=200')).every(
      ({ firstName, lastName }) => firstName === 'Amina' && lastName === 'Khan 3',
    ),
    true,
  );
  assert.deepEqual(
    (await list('?q=person77@mail')).map(({ email }) => email),
    ['person77@mail.example'],
  );
  assert.deepEqual(
    (await list('?q=%2B880%201700%20100077')).map(({ email }) => email),
    ['person77@mail.example'],
  );
  assert.deepEqual(
    (await list('?role=admin')).map(({ email }) => email),
    ['admin@clinic.example'],
  );
  assert.deepEqual(await list('?q=.*'), []);
  assert.deepEqual(await list('?q=amina&role=doctor'), []);
  assert.equal((await browsers.admin.fetch('/users?role=owner')).status, 400);
});

test('hides internal fields from users', async () => {
  const user = (await (await browsers.patient.fetch('/users/Patient@clinic.example')).json()) as User;
  assert.deepEqual(Object.keys(user).sort(), [
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
  assert.equal((await browsers.admin.fetch('/users/nobody@clinic.example')).status, 404);
  assert.equal((await browsers.admin.fetch('/users/nobody')).status, 400);
});

/** One request per call, about the patient. */
const requests: Partial<Record<CallId, { readonly path: string; readonly json?: unknown }>> = {
  startSession: { path: '/jwt', json: { email: 'patient@clinic.example' } },
  getSession: { path: '/jwt/session' },
  watchSession: { path: '/jwt/changes' },
  proveIdentity: { path: '/jwt/proof', json: {} },
  refreshSession: { path: '/jwt/refresh' },
  endSession: { path: '/jwt' },
  getSessionKeys: { path: '/jwt/keys' },
  registerUser: { path: '/users', json: { ...profile, email: 'patient@clinic.example' } },
  listUsers: { path: '/users?limit=1' },
  listDeployments: { path: '/deployments' },
  changeDeployment: { path: '/deployments/mf-clinic', json: { kind: 'unpin', revision: 'A'.repeat(22) } },
  reportUsers: { path: '/users/report' },
  getUser: { path: '/users/patient@clinic.example' },
  getUserHistory: { path: '/users/patient@clinic.example/history' },
  changeRole: { path: `/update-role/${'f'.repeat(24)}`, json: { newRole: 'admin' } },
  changeAccess: { path: '/users/nobody@clinic.example/access', json: { disabled: true } },
  endSessions: { path: '/users/nobody@clinic.example/sessions' },
  exportUser: { path: '/users/patient@clinic.example/export' },
  startErasure: { path: '/users/nobody@clinic.example/erasure' },
  finishErasure: { path: '/users/nobody@clinic.example' },
  listAccessEvents: { path: '/access-events?limit=1' },
  listIdentityEvents: { path: '/access-events/all?limit=1' },
  changeOwnProfile: { path: '/users/patient@clinic.example', json: { firstName: 'Ann' } },
  listSessions: { path: '/users/patient@clinic.example/sessions' },
  endOneSession: { path: `/users/patient@clinic.example/sessions/${'f'.repeat(24)}` },
  // For another person, so that the patient has nothing to confirm.
  startSecondFactor: { path: '/users/doctor@clinic.example/second-factor' },
  confirmSecondFactor: { path: '/users/patient@clinic.example/second-factor/confirm', json: { code: '123456' } },
  renewRecoveryCodes: { path: '/users/patient@clinic.example/second-factor/recovery-codes' },
  removeSecondFactor: { path: '/users/nobody@clinic.example/second-factor' },
  listIdentityLooks: { path: '/users/patient@clinic.example/looks' },
  inviteStaff: { path: '/staff/invitations', json: { email: 'nobody@clinic.example', role: 'admin' } },
  listInvitations: { path: '/staff/invitations?limit=1' },
  revokeInvitation: { path: `/staff/invitations/${'f'.repeat(24)}` },
  readInvitation: { path: '/staff/invitation', json: { token: 'x'.repeat(43) } },
  acceptInvitation: { path: '/staff/invitation/accept', json: { token: 'x'.repeat(43) } },
};
/** Who has access to each call; everybody else gets 401 without a session, otherwise 403. */
const permitted: Partial<Record<CallId, readonly (Role | 'anonymous')[]>> = {
  startSession: [],
  getSession: roles,
  watchSession: roles,
  proveIdentity: roles,
  refreshSession: roles,
  endSession: ['anonymous', ...roles],
  getSessionKeys: ['anonymous', ...roles],
  registerUser: ['patient'],
  listUsers: ['admin'],
  listDeployments: ['admin'],
  changeDeployment: ['admin'],
  reportUsers: ['admin'],
  getUser: ['admin', 'patient'],
  getUserHistory: ['admin', 'patient'],
  changeRole: ['admin'],
  changeAccess: ['admin'],
  endSessions: ['admin'],
  exportUser: ['admin', 'patient'],
  startErasure: ['admin'],
  finishErasure: ['admin'],
  listAccessEvents: ['admin'],
  listIdentityEvents: ['admin'],
  changeOwnProfile: ['patient'],
  listSessions: ['patient'],
  endOneSession: ['patient'],
  startSecondFactor: ['doctor'],
  confirmSecondFactor: ['patient'],
  renewRecoveryCodes: ['patient'],
  removeSecondFactor: ['admin'],
  listIdentityLooks: ['admin', 'patient'],
  inviteStaff: ['admin'],
  listInvitations: ['admin'],
  revokeInvitation: ['admin'],
  readInvitation: ['anonymous', ...roles],
  acceptInvitation: roles,
};

for (const [id, route] of routesOf('identity')) {
  for (const who of ['anonymous', ...roles] as const) {
    test(`${id} by ${who}: ${permitted[id]?.includes(who) ? 'permitted' : 'rejected'}`, async () => {
      const request = requests[id] ?? assert.fail(`add a request for ${id}`);
      // Logging out would end the session of later tests.
      const browser = openBrowser(stack.url);
      if (who !== 'anonymous')
        for (const [name, value] of browsers[who].cookies)
          if (id !== 'endSession' || name !== 'clinic_refresh') browser.cookies.set(name, value);
      const before = JSON.stringify(await stack.users.find().sort({ _id: 1 }).toArray());
      const { status, body } = await browser.fetch(request.path, {
        method: route.method,
        ...(request.json !== undefined && { json: request.json }),
      });
      // A stream wouldn't end.
      await body?.cancel();
      if (permitted[id]?.includes(who)) {
        assert.ok(![401, 403].includes(status), `got ${status}`);
      } else {
        assert.equal(status, who === 'anonymous' || id === 'startSession' ? 401 : 403);
        assert.equal(JSON.stringify(await stack.users.find().sort({ _id: 1 }).toArray()), before);
      }
    });
  }
}
