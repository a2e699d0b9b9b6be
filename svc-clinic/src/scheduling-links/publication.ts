import { createHash } from 'node:crypto';
import { addDays, brand, clinicInstant } from '@clinic/contracts';
import { brandFacts, brandRegion } from '@clinic/contracts/brand';
import type { SchedulingFile } from '../contract/scheduling-link-calls.ts';
import { searchKey } from '@clinic/contracts/search-key';
import { freeSlotsOfDay } from '../appointments/free-times.ts';
import { takenTimes } from '../appointments/taken-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import type { WorkingSlot } from '../schedule/working-times.ts';

/** The files of a publication, and the time at which their data were read. */
export interface Publication {
  readonly at: Date;
  readonly files: Readonly<Record<SchedulingFile, string>>;
}

export interface PublicationOptions {
  /** The clinic's public address, without a slash at the end. */
  readonly publicUrl: string;
  /** Days of free times, today included. */
  readonly days: number;
}

/** Most doctors in a publication; a clinic with more should publish by site. */
const mostDoctors = 500;

/** Extensions by their two addresses: of the first specification, which most clients know, and of HL7's version. */
const registry = 'http://fhir-registry.smarthealthit.org/StructureDefinition';
const hl7 = 'http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition';

const projection = {
  name: 1,
  email: 1,
  specialization: 1,
  location: 1,
  isAvailable: 1,
  suspended: 1,
  availableTimes: 1,
  hours: 1,
  daysOff: 1,
} as const satisfies Partial<Record<keyof DoctorRecord, 1>>;

type Published = Pick<DoctorRecord, '_id' | keyof typeof projection>;

/**
 * Everything that SMART Scheduling Links publishes: the places, doctors, schedules and free slots of the next days.
 * Only what the directory shows everybody, and never who has a slot that is taken.
 *
 * @param clock - with the clinic's holidays
 */
export async function makePublication(
  { doctors, appointments }: Pick<ClinicCollections, 'doctors' | 'appointments'>,
  clock: ClinicClock,
  { publicUrl, days }: PublicationOptions,
): Promise<Publication> {
  const found = await doctors
    .find({ isAvailable: true, suspended: { $ne: true } })
    .sort({ nameKey: 1, _id: 1 })
    .limit(mostDoctors)
    .project<Published>(projection)
    .toArray();
  const until = addDays(clock.today, days - 1);
  const taken = await takenTimes(
    appointments,
    found.map(({ email }) => email),
    { from: clock.today, until },
    clock.timeZone,
  );
  const lines = new Lines(publicUrl);
  for (const doctor of found) {
    for (let date = clock.today; date <= until; date = addDays(date, 1)) {
      const slots = freeSlotsOfDay(doctor, date, taken(doctor.email), clock);
      for (const slot of slots) lines.addSlot(doctor, date, slot, clock.timeZone);
    }
  }
  return { at: clock.now, files: lines.files() };
}

/** The lines of the files: places, roles and schedules once, with the first slot that needs them. */
class Lines {
  readonly #publicUrl: string;
  readonly #locations = new Map<string, string>();
  readonly #roles = new Map<string, string>();
  readonly #schedules = new Map<string, string>();
  readonly #slots: string[] = [];
  readonly #instants = new Map<string, string>();

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  addSlot(doctor: Published, date: string, { time, minutes, place }: WorkingSlot, timeZone: string): void {
    const schedule = this.#scheduleOf(doctor, place || doctor.location);
    const link = `${this.#publicUrl}/appoinment/${doctor._id.toHexString()}?date=${date}&time=${time}`;
    this.#slots.push(
      JSON.stringify({
        resourceType: 'Slot',
        id: `${doctor._id.toHexString()}.${date}.${time.replace(':', '')}`,
        schedule: { reference: `Schedule/${schedule}` },
        status: 'free',
        start: this.#instant(date, time, 0, timeZone),
        end: this.#instant(date, time, minutes, timeZone),
        extension: [
          { url: `${registry}/booking-deep-link`, valueUrl: link },
          { url: `${hl7}/booking-deep-link`, valueUrl: link },
          { url: `${registry}/slot-capacity`, valueInteger: 1 },
        ],
      }),
    );
  }

  files(): Publication['files'] {
    const text = (lines: Iterable<string>): string => [...lines].map((line) => `${line}\n`).join('');
    return {
      'locations.ndjson': text(this.#locations.values()),
      'practitioner-roles.ndjson': text(this.#roles.values()),
      'schedules.ndjson': text(this.#schedules.values()),
      'slots.ndjson': text(this.#slots),
    };
  }

  /** In UTC; memoised, as doctors share the same few times. */
  #instant(date: string, time: string, minutes: number, timeZone: string): string {
    const key = `${date} ${time} ${minutes}`;
    const known = this.#instants.get(key);
    if (known !== undefined) return known;
    const instant = new Date(clinicInstant({ date, time }, timeZone).getTime() + minutes * 60_000).toISOString();
    this.#instants.set(key, instant);
    return instant;
  }

  #locationOf(place: string): string {
    const id = `place-${digest(place)}`;
    if (this.#locations.has(id)) return id;
    const { streetAddress, addressLocality, postalCode } = brandFacts.address;
    this.#locations.set(
      id,
      JSON.stringify({
        resourceType: 'Location',
        id,
        identifier: [{ system: `${this.#publicUrl}/scheduling-links/places`, value: id }],
        status: 'active',
        name: place === '' ? brand.brandName : `${brand.brandName}, ${place}`,
        telecom: [
          { system: 'phone', value: brand.phone },
          { system: 'url', value: this.#publicUrl },
        ],
        address: {
          line: [streetAddress],
          city: addressLocality,
          state: brandRegion,
          postalCode,
          country: brandFacts.address.addressCountry,
        },
      }),
    );
    return id;
  }

  #roleOf(doctor: Published): string {
    const id = doctor._id.toHexString();
    this.#roles.set(
      id,
      this.#roles.get(id) ??
        JSON.stringify({
          resourceType: 'PractitionerRole',
          id,
          active: true,
          practitioner: { display: doctor.name },
          organization: { display: brand.brandName },
          specialty: [this.#specialty(doctor)],
        }),
    );
    return id;
  }

  #scheduleOf(doctor: Published, place: string): string {
    const location = this.#locationOf(place);
    const id = `${doctor._id.toHexString()}-${digest(place)}`;
    if (this.#schedules.has(id)) return id;
    this.#schedules.set(
      id,
      JSON.stringify({
        resourceType: 'Schedule',
        id,
        active: true,
        serviceType: [this.#specialty(doctor)],
        // Clients of the first specification expect one actor, the place.
        actor: [
          { reference: `Location/${location}`, display: place || brand.brandName },
          { reference: `PractitionerRole/${this.#roleOf(doctor)}`, display: doctor.name },
        ],
      }),
    );
    return id;
  }

  /** Our own codes, as the directory's specialties are the clinic's words. */
  #specialty({ specialization }: Published) {
    return {
      coding: [
        {
          system: `${this.#publicUrl}/scheduling-links/specialties`,
          code: searchKey(specialization.replaceAll(/\p{Pd}/gu, ' ')).replaceAll(/[^a-z\d]+/g, '-') || 'other',
          display: specialization,
        },
      ],
      text: specialization,
    };
  }
}

/** An id for a name; ids consist of letters, digits, hyphens and dots. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 12);
}
