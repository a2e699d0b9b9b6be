import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import { startReplicatedClinic, type ReplicatedClinic } from '../restarts/replicated-clinic.ts';
import { people } from '../support/three-services.ts';
import { openLine, type LiveEvent } from './live-events.ts';

let clinic: ReplicatedClinic;
before(async () => {
  clinic = await startReplicatedClinic();
});
after(() => clinic.close());

const isChange = ({ event, data }: LiveEvent): boolean =>
  event === 'change' && (data.lists ?? []).includes('listMedicines');

test(
  'a line outlives kill -9 of each replica of a service, one after the other, and misses no change',
  { timeout: 480_000 },
  async (t) => {
    const staff = await clinic.signIn(people.pharmacist.email);
    const [medicine] = (await (await staff('/medicine?limit=1')).json()) as Medicine[];
    const line = await openLine(staff);
    t.after(() => line.stop());
    await line.next(({ event, data }) => event === 'live' && data.streams?.includes('watchPharmacy') === true);
    const restock = async (): Promise<void> => {
      for (;;) {
        const answer = await staff(`/medicine/${medicine?._id.$oid}`, { method: 'PATCH', json: { restock: 1 } });
        if (answer.status === 200) return;
        // A change in flight during the crash: the gateway doesn't retry it.
        assert.equal(answer.status, 503);
      }
    };
    for (const replica of clinic.replicas.filter(({ service }) => service === 'pharmacy')) {
      const change = line.next(isChange);
      await clinic.kill(replica);
      await restock();
      await change;
      await clinic.startAgain(replica);
    }
    const change = line.next(isChange);
    await restock();
    await change;
  },
);
