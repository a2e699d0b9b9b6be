import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import type { ServiceName } from '../support/every-call.ts';

let services: ThreeServices;
before(async () => {
  services = await startThreeServices();
});
after(() => services.close());

/** Repeats requests until all get the expected answer. */
const until = (request: () => Promise<Response[]>, status: number): Promise<void> =>
  waitUntil(async () => {
    const statuses = (await request()).map((answer) => answer.status);
    assert.deepEqual([...new Set(statuses)], [status]);
  });

test('changed rights, a locked account and a log-out everywhere reach all services', async () => {
  const admin = services.from(await services.signIn(people.admin.email))('identity');
  const { email } = people.pharmacist;
  const { _id } = (await (await admin(`/users/${email}`)).json()) as { _id: string };
  const own = (cookie: string) => () =>
    Promise.all(
      (
        [
          ['identity', `/users/${email}`],
          ['clinic', `/appoinments?email=${email}&limit=1`],
          ['pharmacy', `/orderMedi?email=${email}&limit=1`],
        ] as const
      ).map(([service, path]) => services.from(cookie)(service)(path)),
    );
  const changes: readonly (readonly [string, string, unknown])[] = [
    ['PATCH', `/update-role/${_id}`, { newRole: 'patient' }],
    ['DELETE', `/users/${email}/sessions`, undefined],
    ['PATCH', `/users/${email}/access`, { disabled: true }],
  ];
  for (const [method, path, json] of changes) {
    // A proof has whole seconds, and one from before a log-out everywhere opens no session.
    const cookie = await waitUntil(() => services.signIn(email));
    await until(own(cookie), 200);
    assert.ok((await admin(path, { method, ...(json !== undefined && { json }) })).ok);
    await until(own(cookie), 401);
  }
});

test(
  'without identity the other services let nobody in after the grace time, serve the public, and recover automatically',
  { timeout: 300_000 },
  async () => {
    const cookie = await services.signIn(people.admin.email);
    const guarded = () =>
      Promise.all(
        (
          [
            ['clinic', '/appoinments?limit=1'],
            ['pharmacy', '/orderMedi?limit=1'],
          ] as const
        ).map(([service, path]) => services.from(cookie)(service)(path)),
      );
    const open = () =>
      Promise.all(
        (
          [
            ['clinic', '/doctors?limit=1'],
            ['pharmacy', '/medicine?limit=1'],
          ] as const
        ).map(([service, path]) => services.from(cookie)(service)(path)),
      );
    await until(guarded, 200);

    await services.stopIdentity();
    // A short interruption doesn't matter.
    assert.deepEqual(new Set((await guarded()).map((answer) => answer.status)), new Set([200]));
    await until(guarded, 503);
    const [rejected] = await guarded();
    assert.ok(Number(rejected?.headers.get('retry-after')) > 0);
    await until(open, 200);
    for (const [service, path] of [
      ['clinic', '/doc-pharma'],
      ['pharmacy', '/medicine'],
    ] satisfies [ServiceName, string][]) {
      assert.equal((await services.from(cookie)(service)(path, { method: 'POST', json: {} })).status, 503);
    }

    await services.restartIdentity();
    await until(guarded, 200);
  },
);
