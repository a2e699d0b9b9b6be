import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallBody, CallId, CallQuery, CallTable } from '@clinic/contracts/calls';
import { problemKinds } from '@clinic/contracts/problems';
import { undeclaredAnswers, undeclaredFields } from '@clinic/contracts/testing/contract-fields';
import { everyCall } from '../support/every-call.ts';
import { remotes } from '../support/remotes.ts';

const calls: CallTable = everyCall;
const services = Map.groupBy(Object.values(calls), ({ service }) => service);
const segmentsOf = (service: string): string[] => [
  ...new Set(services.get(service)?.map(({ path }) => path.split('/')[1] ?? '')),
];

test('each call declares against what it checks the fields that take part in a decision', () => {
  assert.deepEqual(undeclaredFields(calls), []);
});

/** What a user saw, where a request may leave it out without the compiler's notice. */
type Unsaid<Input> = Input extends readonly (infer Element)[]
  ? Unsaid<Element>
  : Input extends object
    ? {
        [Name in keyof Input]-?: Name extends 'seen' | 'userId' ? LeftOut<Input, Name> : Unsaid<Input[Name]>;
      }[keyof Input]
    : never;
type LeftOut<Input, Name extends keyof Input> = object extends Pick<Input, Name> ? Name : Unsaid<Input[Name]>;
type Careless = { [Id in CallId]: [Unsaid<CallBody<Id> | CallQuery<Id>>] extends [never] ? never : Id }[CallId];

test('no front-end can leave out what its user saw of what a call acts on (`asSeen`)', () => {
  // The compiler looks at all calls: an optional field would be the name of its call here.
  const careless: [Careless] extends [never] ? readonly [] : Careless = [];
  assert.deepEqual(careless, []);
});

test('each call that answers personal data declares whose, or why nobody’s look is noted', () => {
  assert.deepEqual(undeclaredAnswers(calls), []);
});

test('whoever loads a domain’s calls knows their errors', () => {
  const unknown = Object.values(calls).flatMap(({ id, errors }) =>
    errors.filter((code) => !Object.hasOwn(problemKinds, code)).map((code) => `${id}: ${code}`),
  );
  assert.deepEqual(unknown, []);
});

test('a path segment belongs to one service only', () => {
  const owned = [...services.keys()].flatMap(segmentsOf);
  assert.equal(new Set(owned).size, owned.length);
});

test('no page and no redirect shares a path with a service', () => {
  const owned = new Set([...services.keys()].flatMap(segmentsOf));
  const paths = [
    ...remotes.flatMap(({ pages }) => pages.map(({ path }) => path)),
    ...remotes.flatMap(({ redirects }) => redirects.map(({ from }) => from)),
    '/login',
    '/register',
    '/dash',
  ];
  assert.deepEqual(
    paths.filter((path) => owned.has(path.split('/')[1] ?? '')),
    [],
  );
});

test('method and path identify one call', () => {
  const names = Object.values(calls).map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(names).size, names.length);
});

test('every call validates the parameters in its path', () => {
  for (const call of Object.values(calls)) assert.equal(/:/.test(call.path), 'params' in call, call.id);
});

test('every field that a rule reads is in the schema of that part', () => {
  for (const call of Object.values(calls)) {
    const { access } = call;
    if (access.kind !== 'restricted' || !access.self) continue;
    const part = (call as unknown as Record<string, { shape: Record<string, unknown> }>)[access.self.in];
    assert.ok(part && access.self.field in part.shape, `${call.id} has no ${access.self.in}.${access.self.field}`);
  }
});
