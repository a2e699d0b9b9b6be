import { isErasedEmail } from '@clinic/contracts/erased-person';
import type { User } from '@clinic/contracts';
import type { Appointment, Doctor, Pharmacist } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import type { CallSchemas } from '@clinic/contracts/calls';
import { testFetch } from '@clinic/service-kit/testing';
import { people } from '../support/three-services.ts';
import type { WholeClinic } from '../support/whole-clinic.ts';
import { ownCalls, type OwnCallId } from '../support/every-call.ts';
import type { ServiceName } from '../support/every-call.ts';

/** Characters that no stored text may have: control characters other than line ends, and unpaired surrogates. */
const unprintable = /[^\P{Cc}\n]|[\p{Cs}\ufffd]/u;

const databases: readonly ServiceName[] = ['identity', 'clinic', 'pharmacy'];

/** Describes what is wrong with the records in the services now. */
export async function storedFaults(clinic: WholeClinic): Promise<string[]> {
  return [...(await faultsOfLists(clinic)), ...(await faultsOfDocuments(clinic))];
}

/** Every record, sent again as input, must pass the contract's own schema, except those of deleted people. */
async function faultsOfLists({ url, services }: WholeClinic): Promise<string[]> {
  const asAdmin = testFetch(url, { Cookie: await services.signIn(people.admin.email) });
  const list = async <T>(path: string): Promise<T[]> => (await (await asAdmin(path)).json()) as T[];
  const faults: string[] = [];
  const check = (call: OwnCallId, record: unknown, input: unknown): void => {
    const schemas: CallSchemas = ownCalls[call];
    const checked = schemas.body?.safeParse(input);
    if (checked?.success === false)
      faults.push(`${call} would not take ${JSON.stringify(record)}: ${checked.error.message}`);
  };
  for (const user of await list<User>('/users')) if (!user.erasing) check('registerUser', user, user);
  for (const doctor of await list<Doctor>('/doctors')) {
    check('changeDoctor', doctor, doctor);
    check('changeAvailability', doctor, doctor);
  }
  for (const pharmacist of await list<Pharmacist>('/pharmacists')) check('changePharmacist', pharmacist, pharmacist);
  for (const appointment of await list<Appointment>('/appoinments'))
    if (!isErasedEmail(appointment.patientemail)) check('bookAppointment', appointment, asRequested(appointment));
  for (const medicine of await list<Medicine>('/medicine')) check('addMedicine', medicine, medicine);
  for (const order of await list<Order>('/orderMedi'))
    if (!isErasedEmail(order.customeremail)) check('placeOrder', order, order);
  return faults;
}

/** Staff may book without these. */
const asRequested = ({ age, address, number, ...rest }: Appointment) => ({
  ...rest,
  age: age || null,
  address: address || null,
  number: number || null,
});

/** Every document of every collection: keys are names, texts are valid text. */
async function faultsOfDocuments({ services }: WholeClinic): Promise<string[]> {
  const faults: string[] = [];
  for (const name of databases) {
    for (const collection of await services.databases[name].collections()) {
      for await (const document of collection.find()) {
        const fault = faultOfValue(document, '');
        if (fault !== undefined) faults.push(`${name}.${collection.collectionName} ${String(document._id)}: ${fault}`);
      }
    }
  }
  return faults;
}

function faultOfValue(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return unprintable.test(value) ? `${path} is ${JSON.stringify(value)}` : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (
    typeof value !== 'object' ||
    value === null ||
    '_bsontype' in value ||
    value instanceof Date ||
    value instanceof Uint8Array
  )
    return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (/^\$|\.|^__proto__$|^constructor$|^prototype$/.test(key)) return `${path} has a key ${key}`;
    const fault = faultOfValue(inner, `${path}.${key}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
