import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import { demoAccounts, demoPatients } from '@clinic/demo-data';
import { openLine } from '../../../system-tests/src/live/live-events.ts';
import { signIn } from '../../../system-tests/src/restarts/replicated-clinic.ts';
import type { Area } from '../support/area.ts';
import { sharedClinic } from '../support/clinic.ts';
import { limited } from '../support/results.ts';
import { percentile } from '../support/rounds.ts';

/** Milliseconds until others see a change, and until an ended session is over in an open page. */
const targets = { change: 500, session: 1_000 };

export const live: Area = {
  name: 'live',
  title: 'Until others see it',
  within: 300,
  async run({ effort, say, after }) {
    const { url } = await sharedClinic(say);
    const rounds = effort < 1 ? 5 : 40;
    const as = (email: string) => signIn(url, url, email);
    const [staff, admin] = [await as(demoAccounts.pharmacist), await as(demoAccounts.admin)];
    const [medicine] = (await (await staff('/medicine?limit=1')).json()) as Medicine[];
    const line = await openLine(staff);
    after(() => line.stop());
    await line.next(({ data }) => data.streams?.includes('watchPharmacy') === true);

    say('changes of stock …');
    const changes: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const shown = line.next(
        ({ event, data }) => event === 'change' && data.lists?.includes('listMedicines') === true,
      );
      await expectOk(staff(`/medicine/${medicine?._id.$oid}`, { method: 'PATCH', json: { restock: 1 } }));
      const done = performance.now();
      changes.push((await shown).at - done);
    }

    say('sessions that end …');
    const { email } = demoPatients.at(-1) ?? { email: demoAccounts.patient };
    const ends: number[] = [];
    for (let round = 0; round < Math.min(rounds, 10); round += 1) {
      const own = await openLine(await as(email));
      await own.next(({ data }) => data.streams?.includes('watchSession') === true);
      const over = own.next(({ event }) => event === 'session');
      await expectOk(admin(`/users/${email}/sessions`, { method: 'DELETE' }));
      const done = performance.now();
      ends.push((await over).at - done);
      own.stop();
      // A proof has whole seconds, and one from before a log-out everywhere opens no session.
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    return {
      how: `A pharmacist's stock changes ${rounds} times and a patient is logged out ${ends.length} times; the time from the response to the event on an open page's live line, through the gateway.`,
      rows: [
        limited('a change is on the line, 95th percentile', positive(percentile(changes, 0.95)), 'ms', targets.change),
        limited('the end of a session, slowest', positive(Math.max(...ends)), 'ms', targets.session),
      ],
    };
  },
};

/** An event may be there before the response. */
const positive = (ms: number): number => Math.max(0, ms);

async function expectOk(request: Promise<Response>): Promise<void> {
  const response = await request;
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
}
