import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { CallId } from '@clinic/contracts';
import { untilServed, waitUntil } from '@clinic/service-kit/testing/wait-until';
import { everyRoute, type TestedService } from '../support/every-call.ts';
import { people } from '../support/three-services.ts';
import { callOf, requestMakerForFile, send } from './requests.ts';

// Every call that changes something, sent twice at once, as by two presses, and once more, as after a lost response: it has
// one entry in the history, by its key or by what it says. What has more says why; what has none here, where that is shown.

/** Calls of which each request counts. */
const eachCounts: Partial<Record<CallId, string>> = {
  endSessions: 'ends the sessions that were opened since',
  replaceCalendarFeed: 'a secret is shown once: whoever missed it needs a new one, and the last one counts',
  replaceWaitingScreen: 'likewise',
  rotateWebhookSecret: 'likewise',
};

const storesNothing = 'stores nothing';
const saysHowFar = 'only says how far a deletion is';
const setsWhatItSays = 'sets what it says: the same again is no change';

/** Of calls that the request of these tests leads to no change: the test that sends them twice, as file and name, or a reason. */
const shownElsewhere: Partial<Record<CallId, string | readonly [file: string, test: string]>> = {
  startSession: [
    'svc-identity/src/second-factor/second-factor.int.test.ts',
    'one code sent five times at once opens one session, over all replicas',
  ],
  proveIdentity: 'says again when somebody proved who they are',
  refreshSession: [
    'svc-identity/src/sessions.int.test.ts',
    'refreshes with the refresh cookie alone, several tabs at once',
  ],
  registerUser: [
    'svc-identity/src/sign-in-order.int.test.ts',
    'proofs, sign-ins and registrations at the same moment leave one account, the owner’s',
  ],
  endOneSession: [
    'svc-identity/src/sessions/list-sessions.int.test.ts',
    'a session ended five times at once ends once; ending the current one clears its cookies',
  ],
  startSecondFactor: 'makes a secret that counts only once it is confirmed',
  confirmSecondFactor: [
    'svc-identity/src/second-factor/second-factor.int.test.ts',
    'two concurrent confirmations set it up once, and the returned recovery codes work',
  ],
  renewRecoveryCodes: 'codes are shown once: whoever missed them needs new ones, and the last ones count',
  removeSecondFactor: [
    'svc-identity/src/second-factor/second-factor.int.test.ts',
    'people remove their own; an admin resets that of somebody who lost it, which ends their sessions',
  ],
  readInvitation: storesNothing,
  acceptInvitation: [
    'svc-identity/src/invitations/invitations.int.test.ts',
    'an invitation accepted five times at once takes effect once; a repeat returns the same result',
  ],
  changeDeployment: [
    'svc-identity/src/deployments/deployments.int.test.ts',
    'a decision that is sent again is made once, unless it says something else or another was made since',
  ],
  changeAvailability: setsWhatItSays,
  previewSchedule: storesNothing,
  changeSchedule: [
    'svc-clinic/src/schedule/schedule.int.test.ts',
    'of two editors who save at once, one gets a conflict, and nothing of the other’s work is lost',
  ],
  changePharmacist: setsWhatItSays,
  proposeMoves: storesNothing,
  settleOutside: [
    'svc-clinic/src/schedule/settle-outside.int.test.ts',
    'a cancellation that is sent again is made once; another person’s, or another one, isn’t taken for it',
  ],
  previewSeries: storesNothing,
  changeSeries: 'names the time on screen, which it changes, or ends in a final status',
  planDay: storesNothing,
  previewFollowing: storesNothing,
  closeDay: setsWhatItSays,
  undoStatusChanges: [
    'svc-clinic/src/appointments/undo-status-changes.int.test.ts',
    'an undo that is sent again, at once or later, changes nothing more; a change after it is not taken for one',
  ],
  undoMoves: [
    'svc-clinic/src/appointments/undo-moves.int.test.ts',
    'an undo that is sent again, at once or later, changes nothing more; a move after it is not taken for one',
  ],
  changeAttendance: [
    'svc-clinic/src/attendance/change-attendance.int.test.ts',
    'of two who note the same at once one has done it, and of two different ones one is refused',
  ],
  arriveByCode: [
    'svc-clinic/src/attendance/arrival-codes.int.test.ts',
    'whoever says the visit’s code has arrived, however it was typed, once',
  ],
  changeQuestionForm: setsWhatItSays,
  acceptOffer: [
    'svc-clinic/src/waitlist/waitlist.int.test.ts',
    'a cancelled time is offered to the person who joined first, held for them, and accepted',
  ],
  declineOffer: [
    'svc-clinic/src/waitlist/waitlist.int.test.ts',
    'a declined time goes to the next person at once, and is free when nobody is left',
  ],
  eraseClinicData: saysHowFar,
  erasePharmacyData: saysHowFar,
  eraseMessagesData: saysHowFar,
  checkMedicineImport: storesNothing,
  askAboutStock: [
    'svc-pharmacy/src/back-in-stock/back-in-stock.int.test.ts',
    'two concurrent requests for a medicine are one, and a patient’s requests are limited',
  ],
  stopAskingAboutStock: setsWhatItSays,
  resendMessage: [
    'svc-messages/src/messages.int.test.ts',
    'fails at once on a 5xx and after the last attempt on a 4xx, and resends once',
  ],
  acceptMessageAddress: [
    'svc-messages/src/bounces/note-bounce.int.test.ts',
    'an admin sends to a bounced address again, once, and the history says so',
  ],
  acceptOwnMessageAddress: [
    'svc-messages/src/bounces/note-bounce.int.test.ts',
    'a person makes their own bounced address deliverable, once for two clicks, and the history says so',
  ],
  changeMessagePreferences: setsWhatItSays,
  changeMessageKind: setsWhatItSays,
  takeMessageAction: [
    'system-tests/src/messages/visit-links.int.test.ts',
    'five clicks at once cancel once, in history and mails, too',
  ],
  unsubscribe: setsWhatItSays,
  replayWebhookDelivery: [
    'svc-messages/src/webhooks/webhooks.int.test.ts',
    'a failed attempt is retried with the same id; after the last one the delivery fails, and can be replayed',
  ],
  noteBounce: [
    'svc-messages/src/bounces/note-bounce.int.test.ts',
    'a signed report of a bounce or complaint marks the address, once',
  ],
};

/** Calls that end the session they are made with. */
const endsSession: readonly CallId[] = ['endSession', 'endSessions', 'finishErasure', 'refreshSession'];

const { services, maker } = await requestMakerForFile();

const writing = (): string[] => Object.keys(maker.requests).filter((name) => callOf(name).route.method !== 'GET');
const roles = ['admin', 'patient', 'doctor', 'pharmacist', 'otherPatient'] as const;

/** How many of these requests are in the history. */
async function effects(service: TestedService, requestIds: readonly string[]): Promise<number> {
  const events = services.databases[service].collection('events');
  return (await events.distinct('requestId', { requestId: { $in: [...requestIds] } })).length;
}

test('each call that changes something is sent twice at once and again, and counts once', async (t) => {
  const unshown = new Set<CallId>();
  const sessions = new Map<string, string>();
  let signedInAt = performance.now();
  for (const name of writing()) {
    const { id, route } = callOf(name);
    const request = (await waitUntil(async () => maker.requests[name]?.())) ?? assert.fail(name);
    let times = 0;
    // Access tokens live five minutes.
    if (performance.now() - signedInAt > 120_000) {
      sessions.clear();
      signedInAt = performance.now();
    }
    for (const role of roles) {
      const cookie = sessions.get(role) ?? (await waitUntil(() => services.signIn(people[role].email)));
      sessions.set(role, cookie);
      const key = randomUUID();
      const requestIds: string[] = [];
      const sendIt = async (): Promise<number> => {
        const requestId = randomUUID();
        requestIds.push(requestId);
        const headers = { 'X-Request-Id': requestId, ...(route.idempotent && { 'Idempotency-Key': key }) };
        const answer = await untilServed(() => send(services.from(cookie)(route.service), route, request, headers));
        await answer.arrayBuffer();
        return answer.status;
      };
      const statuses = await Promise.all([sendIt(), sendIt()]);
      if (statuses.every((status) => status === 401 || status === 403)) continue;
      if (endsSession.includes(id)) sessions.clear();
      else statuses.push(await sendIt());
      times = await effects(route.service, requestIds);
      t.diagnostic(`${name} by ${role}: ${statuses.join(', ')}; ${times} entries`);
      assert.ok(
        statuses.every((status) => status < 500),
        `${name}: ${statuses.join()}`,
      );
      assert.ok(times <= 1 || eachCounts[id] !== undefined, `${name} by ${role} counts ${times} times`);
      break;
    }
    if (times === 0 && shownElsewhere[id] === undefined) unshown.add(id);
  }
  assert.deepEqual([...unshown], []);
});

test('what is shown elsewhere is there', () => {
  const root = new URL('../../../', import.meta.url);
  for (const [id, place] of Object.entries(shownElsewhere)) {
    if (typeof place === 'string') continue;
    const [file, name] = place;
    assert.ok(readFileSync(new URL(file, root), 'utf8').includes(`'${name}'`), `${id}: ${file} has no test '${name}'`);
  }
  assert.ok(Object.keys(eachCounts).every((id) => everyRoute[id as CallId].idempotent === undefined));
});
