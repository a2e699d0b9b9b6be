import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bystanders, people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { register } from './newcomer.ts';

let services: ThreeServices;
before(async () => {
  services = await startThreeServices();
});
after(() => services.close());

for (const [service, path] of [
  ['clinic', '/appoinments/changes'],
  ['pharmacy', '/orderMedi/changes'],
] as const) {
  test(
    `somebody who opens endless streams at the ${service} gets a few, and others get theirs`,
    { timeout: 60_000 },
    async () => {
      const greedy = services.from(await services.signIn(people.patient.email));
      const other = services.from(await services.signIn(people.otherPatient.email));
      const stop = new AbortController();
      const { signal } = stop;
      const listening: Response[] = [];
      const refused: Response[] = [];
      for (let number = 0; number < 40; number += 1) {
        const answer = await greedy(service)(path, { signal });
        (answer.status === 200 ? listening : refused).push(answer);
      }
      assert.equal(listening.length, 10);
      assert.deepEqual(
        new Set(
          await Promise.all(
            refused.map(
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
      const list = service === 'clinic' ? '/appoinments' : '/orderMedi';
      assert.equal((await other(service)(`${list}?email=${people.otherPatient.email}`)).status, 200);

      // Closed pages make room again.
      stop.abort();
      for (;;) {
        const again = new AbortController();
        const { status } = await greedy(service)(path, { signal: again.signal });
        again.abort();
        if (status === 200) return;
        assert.equal(status, 429);
      }
    },
  );
}

for (const [service, path, staff] of [
  ['clinic', '/appoinments/changes', [people.doctor, people.admin]],
  ['pharmacy', '/orderMedi/changes', [people.pharmacist, people.admin]],
] as const) {
  test(
    `throw-away accounts that open streams at the ${service} leave places for confirmed patients, and patients leave those of staff`,
    { timeout: 120_000 },
    async () => {
      const stop = new AbortController();
      const { signal } = stop;
      // Keep each response: an unreferenced one is garbage-collected, and its stream ends.
      const held: Response[] = [];
      const open = async (cookie: string): Promise<number> => {
        const answer = await services.from(cookie)(service)(path, { signal });
        held.push(answer);
        if (answer.status === 200) assert.equal(answer.headers.get('content-type'), 'text/event-stream');
        return answer.status;
      };
      const strangers: string[] = [];
      for (let number = 0; number < 12; number += 1) strangers.push((await register(services)).cookie);
      const statuses = await Promise.all(strangers.flatMap((cookie) => Array.from({ length: 12 }, () => open(cookie))));
      assert.deepEqual(new Set(statuses), new Set([200, 429, 503]));
      assert.equal(statuses.filter((status) => status === 200).length, 50);

      const confirmed: number[] = [];
      for (const email of [people.patient.email, people.otherPatient.email, ...bystanders].slice(0, 6)) {
        const cookie = await services.signIn(email);
        confirmed.push(...(await Promise.all(Array.from({ length: 10 }, () => open(cookie)))));
      }
      assert.deepEqual(
        confirmed.toSorted((a, b) => a - b),
        [...Array.from({ length: 50 }, () => 200), ...Array.from({ length: 10 }, () => 503)],
      );
      for (const { email } of staff) {
        const cookie = await services.signIn(email);
        assert.deepEqual(
          await Promise.all(Array.from({ length: 10 }, () => open(cookie))),
          Array.from({ length: 10 }, () => 200),
          email,
        );
      }
      assert.equal(held.filter(({ status }) => status === 200).length, 50 + 50 + 10 * staff.length);
      stop.abort();
    },
  );
}
