import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { TryLimits } from './try-limits.ts';

describe('limits on attempts', () => {
  let now: number;
  let limits: TryLimits;
  beforeEach(() => {
    now = 0;
    limits = new TryLimits({ perAddress: 20, wrongPasswords: 3 }, () => now);
  });

  const signIn = (email: string, address = '10.0.0.1') => ({ operation: 'signInWithPassword', email, address });
  const times = (count: number, one: () => number | undefined): (number | undefined)[] =>
    Array.from({ length: count }, one);

  it('block an address that tries wrong passwords for an account, until a minute after the first', () => {
    assert.deepEqual(
      times(3, () => limits.begin(signIn('ann@mail.example'))),
      [undefined, undefined, undefined],
    );
    now += 20_000;
    assert.equal(limits.begin(signIn(' Ann@Mail.example')), 40);
    assert.equal(limits.begin(signIn('bo@mail.example')), undefined);
    assert.equal(limits.begin(signIn('ann@mail.example', '10.0.0.2')), undefined);
    now += 40_000;
    assert.equal(limits.begin(signIn('ann@mail.example')), undefined);
  });

  it('don’t count right passwords', () => {
    for (let time = 0; time < 10; time += 1) {
      assert.equal(limits.begin(signIn('ann@mail.example')), undefined);
      limits.succeeded(signIn('ann@mail.example'));
    }
  });

  it('block unknown devices from an account that is attacked from everywhere', () => {
    for (let address = 0; address < 10; address += 1)
      times(3, () => limits.begin(signIn('ann@mail.example', `10.0.1.${address}`)));
    assert.equal(limits.begin(signIn('ann@mail.example', '10.0.2.1')), 60);
    assert.equal(limits.begin(signIn('bo@mail.example', '10.0.2.1')), undefined);
  });

  it('never block a known device because of attempts from elsewhere or from the same address', () => {
    for (let address = 0; address < 10; address += 1)
      times(3, () => limits.begin(signIn('ann@mail.example', `10.0.1.${address}`)));
    times(20, () => limits.begin(signIn('bo@mail.example', '10.0.2.1')));
    const known = { ...signIn('ann@mail.example', '10.0.2.1'), device: 'd1' };
    for (let time = 0; time < 10; time += 1) {
      assert.equal(limits.begin(known), undefined);
      limits.succeeded(known);
    }
    // A thief gets no extra guesses.
    assert.deepEqual(
      times(4, () => limits.begin(known)),
      [undefined, undefined, undefined, 60],
    );
    assert.equal(limits.begin({ ...known, device: 'd2' }), undefined);
  });

  it('count an IPv6 network as one address', () => {
    for (let one = 0; one < 3; one += 1)
      assert.equal(limits.begin(signIn('ann@mail.example', `2001:db8::${one}`)), undefined);
    assert.equal(limits.begin(signIn('ann@mail.example', '2001:db8::ffff')), 60);
    assert.equal(limits.begin(signIn('ann@mail.example', '2001:db8:0:1::1')), undefined);
  });

  it('block an address that tries many accounts', () => {
    const operations = ['signUp', 'signInWithIdp', 'createAuthUri', 'sendOobCode', 'resetPassword'];
    for (let one = 0; one < 20; one += 1)
      assert.equal(
        limits.begin({ operation: operations[one % 5] ?? '', email: `${one}@mail.example`, address: '10.0.0.1' }),
        undefined,
      );
    assert.equal(limits.begin(signIn('ann@mail.example')), 60);
    assert.equal(limits.begin({ operation: 'lookup', email: undefined, address: '10.0.0.1' }), undefined);
    assert.equal(limits.begin(signIn('ann@mail.example', '10.0.0.2')), undefined);
  });

  it('don’t count rejected attempts', () => {
    times(3, () => limits.begin(signIn('ann@mail.example')));
    times(30, () => limits.begin(signIn('ann@mail.example')));
    assert.equal(limits.begin(signIn('bo@mail.example')), undefined);
  });
});
