import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonPasswordsFrom } from '../scripts/pick-common-passwords.ts';
import { commonPasswords } from './common-passwords.ts';
import { passwordFault, passwordRule } from './password-policy.ts';

const patient = { staff: false, email: 'amina.khatun@mail.example' };
const staff = { staff: true, email: 'amina.khatun@mail.example' };

test('patients need 6 characters and staff 12, as the rule says', async () => {
  assert.match(passwordRule({ staff: false }), /^Use at least 6 characters/);
  assert.match(passwordRule({ staff: true }), /^Use at least 12 characters/);
  assert.equal(await passwordFault('abcd9', patient), 'Password must be at least 6 characters');
  assert.equal(await passwordFault('lemon4', patient), undefined);
  assert.equal(await passwordFault('Correct-hor', staff), 'Password must be at least 12 characters');
  assert.equal(await passwordFault('Correct-horse', staff), undefined);
  // A character is what a person types, whatever its encoding.
  assert.equal(await passwordFault('🌷🌻🌼', patient), 'Password must be at least 6 characters');
});

test('rejects common passwords in any case of letters, and requires no character classes', async () => {
  for (const password of [
    '123456',
    'password',
    'Password',
    'QWERTY',
    'iloveyou',
    'football',
    '111111',
    'letmein',
    'ｐａｓｓｗｏｒｄ',
  ]) {
    assert.match((await passwordFault(password, patient)) ?? '', /^This password is common/, password);
  }
  for (const password of ['purple otter', 'лесная дорога', 'Demo-1234', 'aaaabbbbccccdddd'])
    assert.equal(await passwordFault(password, patient), undefined, password);
});

test('rejects the person’s email address and the clinic’s name', async () => {
  for (const [password, owner] of [
    ['Amina.Khatun@mail.example', staff],
    ['amina.khatun', staff],
    ['Waterlily Clinic', staff],
    ['waterlilyclinic', staff],
    ['Waterlily', patient],
    ['clinic', patient],
  ] as const) {
    assert.match(
      (await passwordFault(password, owner)) ?? '',
      /^Choose a password that isn’t your email address/,
      password,
    );
  }
});

test('the list matches the installed package', () => {
  assert.deepEqual([...commonPasswords], commonPasswordsFrom());
  assert.ok(commonPasswords.size > 10_000);
});
