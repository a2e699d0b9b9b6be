import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { openLoadRequests } from './load-requests.ts';
import { describeFailure, startLoad, type LoadRequest } from './load.ts';
import { startReplicatedClinic, type ReplicatedClinic } from './replicated-clinic.ts';

/** Minimum duration in seconds. The short run restarts one process of each service; a long one keeps cycling. */
const seconds = Number(process.env['RESTARTS_FOR_SECONDS'] ?? 0);

describe('while a service’s processes come and go', { timeout: 300_000 + seconds * 2_000 }, () => {
  let clinic: ReplicatedClinic;
  let requests: readonly LoadRequest[];
  before(async () => {
    clinic = await startReplicatedClinic();
    ({ requests } = await openLoadRequests((email) => clinic.signIn(email)));
  });
  after(() => clinic.close());

  test('a rolling restart loses no request', async (t) => {
    await using load = startLoad(requests);
    const began = Date.now();
    const firsts = clinic.replicas.filter(
      ({ service }, index, all) => all.findIndex((other) => other.service === service) === index,
    );
    let restarts = 0;
    do {
      for (const replica of seconds > 0 ? clinic.replicas : firsts) {
        assert.equal(await replica.running.stop(), 0, replica.running.errors());
        const before = clinic.requestsTo(replica);
        await clinic.startAgain(replica);
        restarts += 1;
        // The restarted process gets its share of the load again.
        await waitUntil(() => clinic.requestsTo(replica) > before || load.failures.length > 0);
      }
    } while (Date.now() - began < seconds * 1_000);
    await load.end();
    assert.deepEqual(load.failures.map(describeFailure), []);
    for (const { name } of requests) assert.ok((load.answered.get(name) ?? 0) > 0, `no request succeeded: ${name}`);
    t.diagnostic(
      `${[...load.answered.values()].reduce((sum, count) => sum + count, 0)} requests during ${restarts} restarts, none failed`,
    );
  });

  test('killing a process loses at most the change in flight in it', async (t) => {
    await using load = startLoad(requests);
    const victims = clinic.replicas.filter((_replica, index) => index % 2 === 1);
    for (const replica of victims) {
      const before = clinic.requestsTo(replica);
      await waitUntil(() => clinic.requestsTo(replica) >= before + 20);
      await clinic.kill(replica);
      await clinic.startAgain(replica);
    }
    await load.end();
    const lost = load.failures.map(describeFailure);
    assert.deepEqual(
      load.failures.filter(({ request }) => request.safe),
      [],
      lost.join('\n'),
    );
    // One visitor makes all changes of a service, and each service lost one process.
    for (const { name, safe } of requests)
      if (!safe) assert.ok(load.failures.filter(({ request }) => request.name === name).length <= 1, lost.join('\n'));
    for (const { what } of load.failures) assert.match(what, /^503 .*"code":"unavailable"/);
    t.diagnostic(`${lost.length} changes lost with ${victims.length} killed processes`);
  });
});
