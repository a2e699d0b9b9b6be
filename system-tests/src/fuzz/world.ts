import fc from 'fast-check';
import { addDays, clinicMoment, type Route, type User } from '@clinic/contracts';
import type { Appointment, Doctor, Pharmacist } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { testFetch } from '@clinic/service-kit/testing';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { bystanders, people } from '../support/three-services.ts';
import type { WholeClinic } from '../support/whole-clinic.ts';
import type { KnownFields } from './arbitraries.ts';
import { ownCalls, type OwnCallId } from '../support/every-call.ts';

/** Who makes the requests: `nobody` has no session. */
export type Persona = 'nobody' | 'patient' | 'doctor' | 'pharmacist' | 'admin';

/** Records in the clinic that requests can be about. */
export interface World {
  readonly cookies: Readonly<Record<Persona, string>>;
  /** Meaningful values for a call's fields when this person makes it. */
  knownFields(call: OwnCallId, persona: Persona): KnownFields;
}

const timeZone = 'Asia/Dhaka';

/**
 * Calls that may remove somebody's rights, made about bystanders only: a persona without rights would test nothing any
 * more.
 */
export function concernsBystanders({ method, access }: Route): boolean {
  return method !== 'GET' && access.kind === 'restricted' && access.self?.in !== 'body' && !access.owners;
}

/** Signs everybody in. @returns their `Cookie` headers; throws if somebody has lost their account */
export async function signInAll({ services }: WholeClinic): Promise<Readonly<Record<Persona, string>>> {
  const cookieOf = (persona: Exclude<Persona, 'nobody'>) => services.signIn(people[persona].email);
  return {
    nobody: '',
    patient: await cookieOf('patient'),
    doctor: await cookieOf('doctor'),
    pharmacist: await cookieOf('pharmacist'),
    admin: await cookieOf('admin'),
  };
}

const absent = 'f'.repeat(24);
const today = clinicMoment(new Date(), timeZone).date;
const date = fc.integer({ min: -2, max: 60 }).map((days) => addDays(today, days));
const instant = date.map((day) => `${day}T00:00:00Z`);
const everybody = fc.constantFrom(...Object.values(people).map(({ email }) => email), ...bystanders);

/** Values of fields that mean the same in every call. */
function sharedFields(doctors: readonly Doctor[], medicines: readonly Medicine[]): KnownFields {
  const doctorEmail = fc.constantFrom(...doctors.map(({ email }) => email));
  const phone = fc.constantFrom('+880 1555 010400', '01555-010400', '(02) 9876.5432');
  return {
    email: everybody,
    doctoremail: doctorEmail,
    person: everybody,
    phone,
    number: phone,
    customerPhone: phone,
    date,
    expiryDate: date.map((day) => addDays(day, 400)),
    addedDate: date,
    dateOfBirth: fc.constantFrom('1991-06-22', '1950-01-01'),
    daysOff: fc.array(date, { maxLength: 4 }),
    availableTimes: fc.subarray(['09:00', '10:30', '14:00', '16:30']),
    time: fc.constantFrom(...new Set(doctors.flatMap(({ availableTimes }) => availableTimes))),
    medicineId: fc.constantFrom(...medicines.slice(0, 20).map(({ medicine }) => medicine.medicineId), 'none'),
    quantity: fc.integer({ min: 1, max: 4 }),
    medicineIds: fc.constantFrom(
      medicines
        .slice(0, 3)
        .map(({ medicine }) => medicine.medicineId)
        .join(),
    ),
    from: date.map((day) => addDays(day, -30)),
    until: date,
    sort: fc.constantFrom('name', '-name', 'date', 'newest', 'x'),
    cursor: fc.constantFrom('', 'x'),
    q: fc.constantFrom('a', 'am kh', 'para'),
  };
}

/** Signs everybody in and reads the existing records. */
export async function openWorld(clinic: WholeClinic): Promise<World> {
  const cookies = await signInAll(clinic);
  const asAdmin = testFetch(clinic.url, { Cookie: cookies.admin });
  const read = <T>(path: string): Promise<T> => readJson(asAdmin(path));
  const [users, doctors, pharmacists, appointments, medicines, orders] = await Promise.all([
    read<User[]>('/users'),
    read<Doctor[]>('/doctors'),
    read<Pharmacist[]>('/pharmacists'),
    read<Appointment[]>('/appoinments'),
    read<Medicine[]>('/medicine'),
    read<Order[]>('/orderMedi'),
  ]);
  const idsOf: Readonly<Record<string, readonly string[]>> = {
    'update-role': users.filter(({ email }) => bystanders.includes(email)).map(({ _id }) => _id),
    doctors: doctors.map(({ _id }) => _id),
    pharmacists: pharmacists.map(({ _id }) => _id),
    appoinments: appointments.map(({ _id }) => _id),
    'update-appoinment': appointments.map(({ _id }) => _id),
    medicine: medicines.map(({ _id }) => _id.$oid),
    orderMedi: orders.map(({ _id }) => _id),
  };
  const shared = sharedFields(doctors, medicines);
  return {
    cookies,
    knownFields(call, persona) {
      const route: Route = ownCalls[call];
      const { path, access } = route;
      const id = fc.constantFrom(...(idsOf[path.split('/')[1] ?? ''] ?? []), absent);
      const own = persona === 'nobody' ? everybody : fc.constant(people[persona].email);
      // Mostly their own: for other people's records, the access rule rejects the call before anything else runs.
      const whose = fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: everybody });
      const self = access.kind === 'restricted' && access.self ? { [access.self.field]: whose } : {};
      const concerned = concernsBystanders(route) ? { email: fc.constantFrom(...bystanders) } : self;
      return {
        ...shared,
        id,
        _id: id,
        patientemail: whose,
        customeremail: whose,
        ...concerned,
        ...(call.endsWith('Events') && { from: instant, until: instant }),
      };
    },
  };
}
