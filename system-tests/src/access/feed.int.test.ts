import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ServiceName } from '@clinic/contracts';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';

let services: ThreeServices;
before(async () => {
  services = await startThreeServices();
});
after(() => services.close());

/** Repeats until all of these give the expected answer. */
async function until(ask: () => Promise<Response[]>, status: number, within: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    const answers = await ask();
    if (answers.every((answer) => answer.status === status)) return performance.now() - began;
    assert.ok(
      performance.now() - began < within,
      `${answers.map((answer) => answer.status).join()} instead of ${status} after ${within} ms`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('changed rights, a locked account and a log-out everywhere reach all services within a second', async () => {
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
    let cookie: string | undefined;
    while (cookie === undefined) cookie = await services.signIn(email).catch(() => undefined);
    await until(own(cookie), 200, 1_000);
    assert.ok((await admin(path, { method, ...(json !== undefined && { json }) })).ok);
    await until(own(cookie), 401, 1_000);
  }
});

test(
  'without identity the other services let nobody in after the grace time, serve the public, and recover by themselves',
  { timeout: 60_000 },
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
    await until(guarded, 200, 1_000);

    await services.stopIdentity();
    const grace = await until(guarded, 503, 8_000);
    assert.ok(grace > 3_000, 'a short interruption must not matter');
    const [refused] = await guarded();
    assert.ok(Number(refused?.headers.get('retry-after')) > 0);
    await until(open, 200, 500);
    for (const [service, path] of [
      ['clinic', '/doc-pharma'],
      ['pharmacy', '/medicine'],
    ] satisfies [ServiceName, string][]) {
      assert.equal((await services.from(cookie)(service)(path, { method: 'POST', json: {} })).status, 503);
    }

    await services.restartIdentity();
    await until(guarded, 200, 5_000);
  },
);
