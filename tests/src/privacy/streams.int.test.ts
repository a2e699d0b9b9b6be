import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';

let services: ThreeServices;
before(async () => {
  services = await startThreeServices();
});
after(() => services.close());

for (const [service, path] of [['clinic', '/appoinments/changes'], ['pharmacy', '/orderMedi/changes']] as const) {
  test(`somebody who listens without end at the ${service} gets a few lines, and others get theirs`, { timeout: 60_000 }, async () => {
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
    assert.deepEqual(new Set(await Promise.all(refused.map(async (answer) => `${answer.status} ${((await answer.json()) as { code: string }).code} ${answer.headers.get('retry-after')}`))), new Set(['429 rate_limited 5']));

    const theirs = await other(service)(path, { signal });
    assert.equal(theirs.headers.get('content-type'), 'text/event-stream');
    const chunk = await theirs.body?.getReader().read();
    assert.match(new TextDecoder().decode(chunk?.value), /event: ready/);
    const list = service === 'clinic' ? '/appoinments' : '/orderMedi';
    assert.equal((await other(service)(`${list}?email=${people.otherPatient.email}`)).status, 200);

    // Pages that are closed make room again.
    stop.abort();
    for (;;) {
      const again = new AbortController();
      const { status } = await greedy(service)(path, { signal: again.signal });
      again.abort();
      if (status === 200) return;
      assert.equal(status, 429);
    }
  });
}
