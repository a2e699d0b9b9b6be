import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ReleaseSnapshot, snapshotOf } from './call-schemas.ts';
import { everyCall } from './every-call.ts';
import { additionsOf } from './additions.ts';
import type { JsonSchema } from './compatibility.ts';
import { additions, changesSince, refusedPublications, removedNames } from './changes.ts';

const now = snapshotOf(everyCall);
const before = (change: Partial<ReleaseSnapshot>): ReleaseSnapshot => ({ ...now, ...change });

test('a change of the contract since the last release is additive or breaking, and no break is undeclared', async () => {
  const { breaking } = await changesSince();
  assert.deepEqual(breaking, [], 'npm run release:check says what to do');
});

test('new calls, wider calls and new names are additive; a removed name is a break', () => {
  const { bookAppointment: call, ...others } = now.calls;
  assert.ok(call?.body);
  const { patientname: _name, ...fewer } = call.body.properties ?? {};
  const required = (call.body.required ?? []).filter((name) => name !== 'patientname');
  const optional = { ...call.body, properties: { ...fewer, patientname: { type: 'string' } }, required };
  const surfaces = { promised: { '@clinic/ui': ['Alert', 'Badge'] }, provided: { '@clinic/ui': ['Alert', 'Card'] } };
  assert.deepEqual(additions(before({ calls: others }), now, surfaces), [
    'bookAppointment: a new call',
    '@clinic/ui: Card is new',
  ]);
  const wider = before({ calls: { ...now.calls, bookAppointment: { ...call, body: optional } } });
  assert.deepEqual(additions(now, wider, { promised: {}, provided: {} }), [
    'bookAppointment: body.patientname may be missing',
  ]);
  assert.deepEqual(removedNames(surfaces), ['@clinic/ui: Badge was removed']);
});

test('a publication that gateways would reject is a break, unless the version was raised', () => {
  const { published } = now;
  assert.ok(published);
  const { commit: _commit, ...properties } = published.service.properties ?? {};
  const was = before({
    published: {
      ...published,
      service: { ...published.service, properties: { ...properties, owner: { type: 'string' } } },
    },
  });
  assert.deepEqual(refusedPublications(was, now), ['publication of a service.owner: was removed']);
  assert.deepEqual(refusedPublications({ ...was, serviceContractVersion: 0 }, now), []);
  assert.deepEqual(refusedPublications(now, now), []);
});

test('names each field and value that a call takes or sends since then', () => {
  const kind = (...values: readonly string[]) => ({ type: 'string', enum: values });
  const fields = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []) => ({
    type: 'object',
    properties,
    required,
  });
  const call = { method: 'POST', path: '/x', status: 200, paged: false, idempotent: false };
  const text = { type: 'string' };
  assert.deepEqual(
    additionsOf(
      {
        ...call,
        body: fields({ kind: kind('a'), name: text }, ['name']),
        response: { type: 'array', items: fields({}) },
      },
      {
        ...call,
        body: fields({ kind: kind('a', 'b'), name: text }),
        query: fields({ q: text }),
        response: { type: 'array', items: fields({ place: text }) },
      },
    ),
    ['query.q is new', 'body.kind may be "b"', 'body.name may be missing', 'response[].place is new'],
  );
});
