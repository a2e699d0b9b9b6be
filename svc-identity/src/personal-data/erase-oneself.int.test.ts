import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { erasedEmail } from '@clinic/contracts/erased-person';
import { openBrowser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import {
  ageProof,
  changeRights,
  changeRole,
  refresh,
  confirmedPerson,
  verdict,
  type Person,
} from '../testing/people.ts';
import { currentCode, setUpApp } from '../testing/authenticator.ts';

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await confirmedPerson(stack, 'ada@clinic.example', 'admin');

const erase = (by: Person, email: string): Promise<Response> => by.fetch(`/users/${email}`, { method: 'DELETE' });
const everything = async (): Promise<string> => {
  const { db } = stack.replica.context;
  const collections = await db.listCollections().toArray();
  const dumps = await Promise.all(
    collections.filter(({ name }) => name !== 'sessions').map(({ name }) => db.collection(name).find().toArray()),
  );
  return JSON.stringify(dumps);
};

test('people delete themselves with a fresh proof: user, Firebase account, sessions and every trace', async () => {
  const zeb = await confirmedPerson(stack, 'zebediah@mail.example');
  await zeb.fetch(`/users/${zeb.email}`, {
    method: 'PATCH',
    json: { lastName: 'Quillfeather', phone: '+880 1777 654321', address: '9 Heron Street' },
  });
  const { secret } = await setUpApp(zeb);
  await admin.fetch(`/users/${zeb.email}`);
  const phone = openBrowser(stack.url, zeb.cookies);
  const idToken = await zeb.prove();

  await ageProof(stack, zeb);
  assert.deepEqual(await verdict(erase(zeb, zeb.email)), [403, 'proof_needed']);
  assert.equal((await stack.user(zeb.email)).erasingSince, undefined);
  const code = await currentCode(stack, zeb.email, secret);
  assert.equal((await zeb.fetch('/jwt/proof', { method: 'POST', json: { code } })).status, 200);
  const answer = await erase(zeb, zeb.email);
  assert.deepEqual(
    [answer.status, await answer.json()],
    [200, { userId: zeb.id, signInAccount: 'deleted', finished: true }],
  );

  // A random id that leads to nobody any more.
  assert.deepEqual([...zeb.cookies.keys()], ['clinic_known_device']);
  assert.equal((await phone.fetch('/jwt/session')).status, 401);
  assert.equal((await phone.fetch('/jwt/refresh', { method: 'POST' })).status, 401);
  // An earlier ID token opens no session and creates no new user.
  assert.equal((await openBrowser(stack.url).startSession(zeb.email, idToken)).status, 401);
  assert.equal(await stack.users.countDocuments({ email: zeb.email }), 0);
  const left = (await everything()).toLowerCase();
  for (const trace of [zeb.email, 'quillfeather', '654321', 'heron'])
    assert.ok(!left.includes(trace), `${trace} is still kept`);
  const events = await stack.events({ 'record.id': zeb.id });
  assert.deepEqual(
    events.slice(-2).map(({ action, actor, subject }) => [action, actor?.id, actor?.email, subject]),
    [
      ['deletion started', zeb.id, erasedEmail(zeb.id), erasedEmail(zeb.id)],
      ['deleted', zeb.id, erasedEmail(zeb.id), erasedEmail(zeb.id)],
    ],
  );
});

test('staff can’t delete themselves, by role or by right, and nobody can delete somebody else', async () => {
  const doctor = await confirmedPerson(stack, 'doctor@clinic.example', 'doctor');
  const stranger = await confirmedPerson(stack, 'stranger@mail.example');
  const receptionist = await confirmedPerson(stack, 'receptionist@clinic.example');
  assert.equal((await changeRights(admin, receptionist.email, 'reception')).status, 200);
  await refresh(receptionist);
  for (const staff of [doctor, admin, receptionist])
    assert.deepEqual(await verdict(erase(staff, staff.email)), [409, 'staff_account']);
  assert.deepEqual(await verdict(erase(stranger, doctor.email)), [403, 'forbidden']);
  const start = (by: Person) => by.fetch(`/users/${by.email}/erasure`, { method: 'POST' });
  assert.deepEqual(await verdict(start(stranger)), [403, 'forbidden']);
  assert.deepEqual(await verdict(start(admin)), [409, 'own_account']);
  for (const { email } of [doctor, admin, receptionist, stranger]) {
    const { erasingSince, disabled } = await stack.user(email);
    assert.deepEqual([erasingSince, disabled], [undefined, undefined]);
  }
  assert.equal((await doctor.fetch('/jwt/session')).status, 200);
});

test('a deletion that races a new role happens completely or not at all', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = await confirmedPerson(stack, `promoted${round}@mail.example`);
    const [given, erased] = await Promise.all([
      changeRole(stack, admin, person.email, 'doctor'),
      erase(person, person.email),
    ]);
    const left = await stack.users.findOne({ email: person.email });
    if (erased.status === 200) assert.equal(left, null);
    else
      assert.deepEqual(
        [given.status, left?.role, left?.erasingSince],
        [200, 'doctor', undefined],
        `the deletion answered ${erased.status}`,
      );
  }
});

test('concurrent repeats take effect once', async () => {
  const person = await confirmedPerson(stack, 'twice@mail.example');
  const answers = await Promise.all([1, 2, 3].map(() => erase(person, person.email)));
  assert.ok(answers.some(({ status }) => status === 200));
  assert.ok(
    answers.every(({ status }) => [200, 401, 404].includes(status)),
    answers.map(({ status }) => status).join(),
  );
  assert.equal((await stack.events({ 'record.id': person.id, action: 'deleted' })).length, 1);
});
