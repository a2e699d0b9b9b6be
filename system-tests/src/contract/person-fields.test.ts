import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { CallTable } from '@clinic/contracts/calls';
import { email, phone } from '@clinic/contracts/schemas/fields';
import { accountDetails, professionalDetails } from '@clinic/contracts/schemas/person';
import { patientDetails, visitPatient } from '../../../svc-clinic/src/contract/patient.ts';
import { everyCall } from '../support/every-call.ts';

/** A person's fields under all their names on the wire, each with the one definition it must agree with. */
const definitions: Readonly<Record<string, z.ZodType>> = {
  ...patientDetails,
  ...accountDetails,
  qualification: professionalDetails.qualification,
  specialization: professionalDetails.specialization,
  experience: professionalDetails.experience,
  reason: visitPatient.reason,
  phone,
  number: phone,
  customerPhone: phone,
  email,
  patientemail: email,
  doctoremail: email,
  customeremail: email,
};

/**
 * Others of the same name: the address of a profile may be emptied, an adjustment of the stock has a reason of its own, and
 * what a correction's user saw is only compared, also if it is of a time with other rules.
 */
const others = new Set([
  'changeOwnProfile address',
  'adjustStock reason',
  ...Object.keys(patientDetails).map((name) => `correctAppointment seen.${name}`),
]);

/** Fields that may be emptied. */
const emptied = new Set(['changePharmacist phone']);

const blank = '\u200b';
const wrong: readonly unknown[] = [
  null,
  blank,
  '\u0000',
  'x',
  'x'.repeat(301),
  '()-',
  '12',
  '1'.repeat(40),
  'a@',
  '1899-01-01',
  0,
  -1,
  1.5,
  151,
  Number.NaN,
  true,
  {},
  [],
];

/** The first message for each value; `undefined` if it is accepted. */
const messagesOf = (schema: z.ZodType, values: readonly unknown[]): unknown[] =>
  values.map((value) => schema.safeParse(value).error?.issues[0]?.message);

/** The fields of a body, also nested ones, without their wrappers; the path of `number` in `seen` is `seen.number`. */
function* fieldsOf(schema: z.ZodType, within = ''): Generator<readonly [name: string, field: z.ZodType, path: string]> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    yield* fieldsOf(schema.unwrap() as z.ZodType, within);
  else if (schema instanceof z.ZodArray) yield* fieldsOf(schema.element as z.ZodType, within);
  else if (schema instanceof z.ZodDiscriminatedUnion || schema instanceof z.ZodUnion)
    for (const option of schema.options) yield* fieldsOf(option as z.ZodType, within);
  else if (schema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(schema.shape)) {
      // Staff may book without it, and say so by null.
      const inner = field instanceof z.ZodOptional || field instanceof z.ZodNullable ? field.unwrap() : field;
      yield [name, inner as z.ZodType, `${within}${name}`];
      yield* fieldsOf(inner as z.ZodType, `${within}${name}.`);
    }
}

test('a person’s field has the same message for the same bad value in every call', () => {
  const seen = new Map<string, number>();
  for (const { id, body } of Object.values<CallTable[string]>(everyCall))
    for (const [name, field, path] of body ? fieldsOf(body) : []) {
      const definition = definitions[name];
      if (!definition || others.has(`${id} ${path}`)) continue;
      const values = emptied.has(`${id} ${name}`) ? wrong.filter((value) => value !== blank) : wrong;
      assert.deepEqual(messagesOf(field, values), messagesOf(unwrapped(definition), values), `${id}: ${name}`);
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
  for (const name of Object.keys(definitions)) assert.ok((seen.get(name) ?? 0) > 0, `no call has ${name}`);
  for (const shared of ['age', 'number', 'patientname', 'phone', 'experience'])
    assert.ok((seen.get(shared) ?? 0) > 1, shared);
});

const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;

test('joining the waitlist without an appointment asks for the same details as a booking', () => {
  const body = everyCall.joinWaitlist.body.safeParse({
    patientemail: 'ann@mail.example',
    specialty: 'Cardiologist',
    from: '2027-01-01',
    until: '2027-01-02',
    parts: ['morning'],
  });
  assert.deepEqual(
    body.error?.issues.map(({ path, message }) => [path.join('.'), message]),
    [
      ['patientname', 'Patient name is required'],
      ['age', 'Age is required'],
      ['address', 'Address is required'],
      ['number', 'Phone number is required'],
    ],
  );
});
