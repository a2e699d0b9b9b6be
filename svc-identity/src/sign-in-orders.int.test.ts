import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isErasedEmail } from '@clinic/contracts/erased-person';
import { nextSecond, untilServed } from '@clinic/service-kit/testing/wait-until';
import { openBrowser, type Browser } from './testing/browser.ts';
import { startIdentityStack } from './testing/identity-stack.ts';
import { codeOf } from './testing/authenticator.ts';
import { putSecondFactor } from './testing/unconfirmed-people.ts';

// Every order of what a stranger and the owner of an address can do, compared with a model of who gets in and what survives.

const stack = await startIdentityStack();
after(() => stack.close());

/** Percentage of the orders that are tried: all in a long run. */
const share = Number(process.env['SIGN_IN_ORDERS_PERCENT'] ?? '5');
/** Orders tried at once, each with addresses of its own: most of their time is waiting for the next second. */
const lanes = 16;

const steps = ['register', 'secondFactor', 'google', 'reset', 'password', 'move'] as const;
type Step = (typeof steps)[number];

/** What should be the case. The stranger registers with the owner's address, and can move to one of their own. */
interface Model {
  /** Whose account has the owner's address. */
  holder: 'nobody' | 'stranger' | 'owner';
  /** Where the stranger's account is. */
  stranger: 'nowhere' | 'at the owner’s address' | 'at their own';
  strangerHasFactor: boolean;
}

/** The outcome that a step should have, and its effect on the model. */
const expected: Readonly<Record<Step, (model: Model) => string>> = {
  register(model) {
    if (model.holder !== 'nobody') return 'no Firebase account';
    Object.assign(model, { holder: 'stranger', stranger: 'at the owner’s address' });
    return '200';
  },
  // On an account that isn't confirmed it is refused; then one of an earlier release is put there.
  secondFactor(model) {
    if (model.stranger === 'nowhere') return '401';
    model.strangerHasFactor = true;
    return model.stranger === 'at their own' ? '200' : '403';
  },
  google: (model) => ownerArrives(model),
  reset: (model) => (model.holder === 'nobody' ? 'no Firebase account' : ownerArrives(model)),
  password(model) {
    if (model.stranger === 'nowhere') return 'no Firebase account';
    return model.strangerHasFactor ? '401' : '200';
  },
  // Their address is proved in the browser of the registration, which voids a second factor from before.
  move(model) {
    if (model.stranger !== 'at the owner’s address') return 'no Firebase account';
    Object.assign(model, { holder: 'nobody', stranger: 'at their own', strangerHasFactor: false });
    return '200';
  },
};

function ownerArrives(model: Model): string {
  if (model.holder === 'stranger') Object.assign(model, { stranger: 'nowhere', strangerHasFactor: false });
  model.holder = 'owner';
  return '200';
}

/** The two people of one order. */
interface People {
  readonly email: string;
  readonly strangers: string;
  readonly stranger: Browser;
  readonly owner: Browser;
}

const ownersPassword = 'A-new-Secret-77';

/** A step's status, or that Firebase already refused. */
const does: Readonly<Record<Step, (people: People) => Promise<string>>> = {
  async register({ email, stranger }) {
    const idToken = await stack.signUp(email);
    const registered = await served(() => stranger.register(email, { idToken, firstName: 'Squatter' }));
    assert.equal(registered.status, 200);
    return statusOf(() => stranger.startSession(email, idToken));
  },
  async secondFactor({ email, strangers, stranger }) {
    const [at, path] = (await stack.users.countDocuments({ email: strangers }))
      ? [strangers, `/users/${strangers}/second-factor`]
      : [email, `/users/${email}/second-factor`];
    const started = await stranger.fetch(path, { method: 'POST' });
    if (started.status === 403) await putSecondFactor(stack, at);
    if (started.status !== 200) return String(started.status);
    const { secret } = (await started.json()) as { secret: string };
    const json = { code: codeOf(secret) };
    return String((await stranger.fetch(`${path}/confirm`, { method: 'POST', json })).status);
  },
  async google({ email, owner }) {
    const who = { sub: email, email, name: 'Vera Owner' };
    return statusOf(async () => owner.startSession(email, await stack.signInWithGoogle(who)));
  },
  async reset({ email, owner }) {
    await stack.resetPassword(email, ownersPassword);
    return statusOf(async () => owner.startSession(email, await stack.signInWithPassword(email, ownersPassword)));
  },
  async password({ email, strangers }) {
    for (const at of [strangers, email]) {
      const idToken = await stack.signInWithPassword(at).catch(() => undefined);
      if (idToken !== undefined) return statusOf(() => openBrowser(stack.url).startSession(at, idToken));
    }
    return 'no Firebase account';
  },
  async move({ email, strangers, stranger }) {
    await stack.changeEmail(email, strangers);
    await nextSecond();
    return statusOf(async () => stranger.startSession(strangers, await stack.signInWithPassword(strangers)));
  },
};

/**
 * Repeats a request that waited too long for its turn, as registrations of one network wait for each other; with a new proof
 * each time, because one ends after five minutes.
 */
async function served(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await untilServed(send);
    if (answer.status !== 429) return answer;
    await answer.body?.cancel();
  }
}

const statusOf = async (send: () => Promise<Response>): Promise<string> => String((await served(send)).status);

/** Takes a step. What Firebase refuses never reaches the clinic. */
async function take(step: Step, people: People): Promise<string> {
  try {
    return await does[step](people);
  } catch (error) {
    if (error instanceof Error && /the emulator answered 4|no \w+ mail went to/.test(error.message))
      return 'no Firebase account';
    throw error;
  }
}

/** Compares accounts and sessions with the model. @returns the accounts' ids by person, to be the same ever after */
async function compare({ email, strangers, stranger, owner }: People, model: Model): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const held = await stack.users.find({ email }).toArray();
  assert.equal(held.length, model.holder === 'nobody' ? 0 : 1);
  const [account] = held;
  if (model.holder === 'owner' && account) {
    ids['owner'] = account._id.toHexString();
    const { emailVerified, secondFactor, secondFactorDraft, phone, role, disabled } = account;
    assert.deepEqual(
      [emailVerified, secondFactor, secondFactorDraft, phone, role, disabled],
      [true, undefined, undefined, '', 'patient', undefined],
    );
    assert.ok(!JSON.stringify(account).includes('Squatter'));
    assert.equal((await owner.fetch('/jwt/session')).status, 200);
  }
  const at = model.stranger === 'at their own' ? strangers : email;
  const theirs = model.stranger === 'nowhere' ? undefined : await stack.user(at);
  if (theirs) {
    ids['stranger'] = theirs._id.toHexString();
    assert.equal(theirs.firstName, 'Squatter');
    assert.equal(theirs.secondFactor !== undefined, model.strangerHasFactor);
    assert.equal((await stranger.fetch('/jwt/refresh', { method: 'POST' })).status, 200);
    assert.equal((await stranger.read<{ user: { email: string } }>('/jwt/session')).user.email, at);
  } else assert.equal((await stranger.fetch('/jwt/refresh', { method: 'POST' })).status, 401);
  return ids;
}

async function live(order: readonly Step[], number: number): Promise<void> {
  const people: People = {
    email: `owner${number}@mail.example`,
    strangers: `stranger${number}@mail.example`,
    stranger: openBrowser(stack.url),
    owner: openBrowser(stack.url),
  };
  const model: Model = { holder: 'nobody', stranger: 'nowhere', strangerHasFactor: false };
  const known: Record<string, string> = {};
  for (const [at, step] of order.entries()) {
    await nextSecond();
    const should = expected[step](model);
    assert.equal(await take(step, people), should, `${order.slice(0, at + 1).join(', ')}`);
    const ids = await compare(people, model).catch((error: unknown) => {
      throw new Error(`after ${order.slice(0, at + 1).join(', ')}`, { cause: error });
    });
    for (const [who, id] of Object.entries(ids)) assert.equal((known[who] ??= id), id, `${who} after ${order.join()}`);
  }
  assert.notEqual(known['owner'], known['stranger'] ?? '');
  for (const left of await stack.users.find({ erasingSince: { $exists: true } }).toArray())
    assert.ok(isErasedEmail(left.email) && left.disabled && left.uid === undefined);
}

function ordersOf(rest: readonly Step[]): Step[][] {
  if (rest.length === 0) return [[]];
  return rest.flatMap((step) => ordersOf(rest.filter((other) => other !== step)).map((order) => [step, ...order]));
}

test('in every order of registering, confirming, moving and second factors, each person has what is theirs', async (t) => {
  const orders = ordersOf(steps).filter((_, at) => (at * share) % 100 < share);
  t.diagnostic(`${orders.length} orders`);
  const waiting = orders.entries();
  const lane = async (): Promise<void> => {
    for (const [number, order] of waiting) await live(order, number);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
});
