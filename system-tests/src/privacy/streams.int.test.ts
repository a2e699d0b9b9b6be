import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';

let services: ThreeServices;
before(async () => {
  services = await startThreeServices();
});
after(() => services.close());

for (const [service, path, list] of [
  ['identity', '/jwt/changes', '/users/'],
  ['clinic', '/appoinments/changes', '/appoinments?email='],
  ['pharmacy', '/orderMedi/changes', '/orderMedi?email='],
] as const) {
  test(
    `somebody who opens endless streams at the ${service} gets a few, and others get theirs`,
    { timeout: 300_000 },
    async () => {
      const greedy = services.from(await services.signIn(people.patient.email));
      const other = services.from(await services.signIn(people.otherPatient.email));
      const stop = new AbortController();
      const { signal } = stop;
      const listening: Response[] = [];
      const rejected: Response[] = [];
      for (let number = 0; number < 40; number += 1) {
        const answer = await greedy(service)(path, { signal });
        (answer.status === 200 ? listening : rejected).push(answer);
      }
      assert.equal(listening.length, 10);
      assert.deepEqual(
        new Set(
          await Promise.all(
            rejected.map(
              async (answer) =>
                `${answer.status} ${((await answer.json()) as { code: string }).code} ${answer.headers.get('retry-after')}`,
            ),
          ),
        ),
        new Set(['429 rate_limited 5']),
      );

      const theirs = await other(service)(path, { signal });
      assert.equal(theirs.headers.get('content-type'), 'text/event-stream');
      const chunk = await theirs.body?.getReader().read();
      assert.match(new TextDecoder().decode(chunk?.value), /event: ready/);
      assert.equal((await other(service)(`${list}${people.otherPatient.email}`)).status, 200);

      // Closed pages make room again.
      stop.abort();
      await waitUntil(async () => {
        const again = new AbortController();
        const { status } = await greedy(service)(path, { signal: again.signal });
        again.abort();
        assert.equal(status, 200);
      });
    },
  );
}
