import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addDays, clinicInstant, type CallResponse } from '@clinic/contracts';
import type { FreeTimes } from '../contract/schemas.ts';
import { SettingsError } from '@clinic/service-kit';
import { drGrey } from '../testing/people.ts';
import { sharedClinic, startTestClinic, verdict } from '../testing/test-clinic.ts';
import { checkSchedulingLinks } from './scheduling-link-handlers.ts';

// The published rules of SMART Scheduling Links (the first specification and HL7's 1.0.0), as far as they apply to a
// publisher of free slots. Every requirement is asserted of every resource.

const publicUrl = 'https://clinic.example';
const timeZone = 'Europe/London';
const days = 10;

/** FHIR's `instant`: to the second at least, with an offset. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const id = /^[A-Za-z0-9.-]{1,64}$/;

interface Coding {
  readonly system: string;
  readonly code: string;
}
interface Resource {
  readonly resourceType: string;
  readonly id: string;
  readonly name: string;
  readonly telecom: readonly { readonly system: string; readonly value: string }[];
  readonly address: {
    readonly line: readonly string[];
    readonly city: string;
    readonly state: string;
    readonly postalCode: string;
  };
  readonly identifier: readonly { readonly system: string; readonly value: string }[];
  readonly serviceType: readonly { readonly coding: readonly Coding[] }[];
  readonly actor: readonly { readonly reference: string; readonly display: string }[];
  readonly practitioner: { readonly display: string };
  readonly schedule: { readonly reference: string };
  readonly status: string;
  readonly start: string;
  readonly end: string;
  readonly extension: readonly { readonly url: string; readonly valueUrl?: string; readonly valueInteger?: number }[];
}

const clinic = await sharedClinic({
  CLINIC_TZ: timeZone,
  CLINIC_PUBLISH_SLOTS: 'true',
  CLINIC_PUBLISH_SLOTS_DAYS: String(days),
  PUBLIC_URL: publicUrl,
});
await clinic.addDoctor();
const listedTimes = ['17:00', '17:20', '17:40'];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
await clinic.addDoctor({
  email: 'branch@clinic.example',
  name: 'Dr. Bran Ch',
  specialization: 'Family Medicine',
  availableTimes: listedTimes,
  hours: {
    periods: [
      {
        slotMinutes: 20,
        bufferMinutes: 0,
        hours: weekdays.map((day) => ({ day, from: '17:00', until: '18:00', place: 'North branch' })),
      },
    ],
    exceptions: [],
    listedTimes,
  },
});
await clinic.addDoctor({ email: 'any@clinic.example', name: 'Dr. Any Time', availableTimes: [] });
await clinic.addDoctor({ email: 'leave@clinic.example', name: 'Dr. Lee Ve', isAvailable: false });
await clinic.addDoctor({ email: 'gone@clinic.example', name: 'Dr. Gone', suspended: true });
await clinic.book({ time: '09:30' });

const read = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${clinic.url}${path}`, { headers });
const manifest = async () =>
  (await (await read('/scheduling-links/$bulk-publish')).json()) as CallResponse<'getSchedulingManifest'>;
async function linesOf(url: string): Promise<Resource[]> {
  assert.ok(url.startsWith(`${publicUrl}/`), url);
  const text = await (await read(url.slice(publicUrl.length))).text();
  assert.ok(text === '' || text.endsWith('}\n'));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Resource);
}
const resources = Object.fromEntries(
  await Promise.all((await manifest()).output.map(async ({ type, url }) => [type, await linesOf(url)] as const)),
);
const all = (type: string): readonly Resource[] => {
  const found = resources[type] ?? [];
  assert.ok(found.length > 0, `no ${type}`);
  return found;
};
const referenced = (type: string, reference: string): Resource =>
  all(type).find((resource) => `${type}/${resource.id}` === reference) ?? assert.fail(`${reference} is nowhere`);

describe('the manifest', () => {
  test('names itself, its time and its files by full URLs', async () => {
    const { transactionTime, request, output, error } = await manifest();
    assert.match(transactionTime, instant);
    assert.equal(request, `${publicUrl}/scheduling-links/$bulk-publish`);
    assert.deepEqual(error, []);
    assert.deepEqual(
      output.map(({ type }) => type),
      ['Location', 'PractitionerRole', 'Schedule', 'Slot'],
    );
  });

  test('is the same with and without an Accept header, with _since, and with the sign encoded', async () => {
    for (const [path, headers] of [
      ['/scheduling-links/$bulk-publish', {}],
      ['/scheduling-links/$bulk-publish', { accept: 'application/json' }],
      ['/scheduling-links/%24bulk-publish', {}],
      ['/scheduling-links/$bulk-publish?_since=2026-01-01T00:00:00Z', {}],
    ] as const) {
      const answer = await read(path, headers);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/json; charset=utf-8']);
      assert.equal(
        ((await answer.json()) as { request: string }).request,
        `${publicUrl}/scheduling-links/$bulk-publish`,
      );
    }
    assert.equal(await verdict(read('/scheduling-links/other')), '400 validation_failed');
  });
});

describe('the files', () => {
  test('are lines of FHIR resources that may be kept for a minute, and are sent again only after a change', async () => {
    for (const { url } of (await manifest()).output) {
      const path = url.slice(publicUrl.length);
      const answer = await read(path, { accept: 'application/fhir+ndjson' });
      assert.deepEqual(
        [answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')],
        [200, 'application/fhir+ndjson; charset=utf-8', 'public, max-age=60'],
      );
      const etag = answer.headers.get('etag') ?? assert.fail('no ETag');
      assert.equal((await read(path, { 'if-none-match': etag })).status, 304);
    }
    assert.equal(await verdict(read('/scheduling-links/files/patients.ndjson')), '400 validation_failed');
  });

  test('have resources of their type, with ids that are valid and used once', () => {
    for (const [type, found] of Object.entries(resources)) {
      for (const resource of found) {
        assert.equal(resource.resourceType, type);
        assert.match(resource.id, id);
      }
      assert.equal(new Set(found.map((resource) => resource.id)).size, found.length);
    }
  });

  test('have locations with name, contact, address and identifier', () => {
    assert.deepEqual(
      all('Location').map(({ name }) => name),
      ['Waterlily Clinic, North branch', 'Waterlily Clinic, Level 3'],
    );
    for (const { telecom, address, identifier } of all('Location')) {
      assert.deepEqual(
        telecom.map(({ system }) => system),
        ['phone', 'url'],
      );
      for (const text of [...address.line, address.city, address.state, address.postalCode])
        assert.ok(typeof text === 'string' && text !== '');
      for (const { system, value } of identifier) assert.ok(URL.canParse(system) && value !== '');
    }
  });

  test('have schedules with a service, at a published place, of a published doctor', () => {
    for (const { serviceType, actor } of all('Schedule')) {
      for (const { coding } of serviceType)
        for (const { system, code } of coding) assert.ok(URL.canParse(system) && /^[a-z\d-]+$/.test(code));
      const [place, role, ...others] = actor;
      assert.ok(place && role && others.length === 0);
      referenced('Location', place.reference);
      assert.equal(referenced('PractitionerRole', role.reference).practitioner.display, role.display);
    }
    assert.deepEqual(
      all('PractitionerRole').map(({ practitioner }) => practitioner.display),
      ['Dr. Bran Ch', 'Dr. Meredith Grey'],
    );
  });

  test('have slots with schedule, status, start before end, and a link', () => {
    for (const { schedule, status, start, end, extension } of all('Slot')) {
      referenced('Schedule', schedule.reference);
      assert.equal(status, 'free');
      assert.match(start, instant);
      assert.match(end, instant);
      assert.ok(Date.parse(start) < Date.parse(end));
      const links = extension.filter(({ url }) => url.endsWith('/booking-deep-link'));
      assert.equal(links.length, 2);
      for (const { valueUrl } of links)
        assert.match(
          valueUrl ?? '',
          /^https:\/\/clinic\.example\/appoinment\/[\da-f]{24}\?date=[\d-]{10}&time=\d\d:\d\d$/,
        );
      assert.equal(new Set(links.map(({ valueUrl }) => valueUrl)).size, 1);
      assert.equal(extension.find(({ url }) => url.endsWith('/slot-capacity'))?.valueInteger, 1);
    }
  });

  test('have exactly the bookable times of the requested days, with their lengths', async () => {
    const doctors = await clinic.doctors.find({ availableTimes: { $ne: [] } }).toArray();
    const expected: string[] = [];
    for (const doctor of doctors) {
      for (let day = 0; day < days; day += 1) {
        const date = addDays(clinic.today, day);
        const path = `/doctors/${doctor._id.toHexString()}/free-times?date=${date}`;
        const { times } = (await (await clinic.anonymous(path)).json()) as FreeTimes;
        const minutes = doctor.email === drGrey.email ? 30 : 20;
        for (const time of times) {
          const start = clinicInstant({ date, time }, timeZone).getTime();
          const [from, until] = [start, start + minutes * 60_000].map((at) => new Date(at).toISOString());
          expected.push(`${doctor._id.toHexString()} ${date} ${time} ${from} ${until}`);
        }
      }
    }
    const link = /appoinment\/(?<doctor>\w+)\?date=(?<date>[\d-]+)&time=(?<time>[\d:]+)$/;
    const published = all('Slot').map(({ start, end, extension }) => {
      const { doctor, date, time } = link.exec(extension[0]?.valueUrl ?? '')?.groups ?? {};
      return `${doctor} ${date} ${time} ${start} ${end}`;
    });
    assert.deepEqual(published.toSorted(), expected.toSorted());
    assert.ok(!published.some((line) => line.includes(`${clinic.soon} 09:30`)));
  });

  test('contain nothing about patients', async () => {
    for (const { url } of (await manifest()).output)
      assert.doesNotMatch(await (await read(url.slice(publicUrl.length))).text(), /Ann Lee|mail\.example|010999/);
  });
});

test('nothing is published unless the setting is on, and not without a public address', async (t) => {
  const quiet = await startTestClinic({ PUBLIC_URL: publicUrl });
  t.after(() => quiet.close());
  for (const path of ['$bulk-publish', 'files/slots.ndjson'])
    assert.equal(await verdict(fetch(`${quiet.url}/scheduling-links/${path}`)), '404 not_found');
  assert.throws(() => checkSchedulingLinks({ CLINIC_PUBLISH_SLOTS: true, PUBLIC_URL: undefined }), SettingsError);
  checkSchedulingLinks({ CLINIC_PUBLISH_SLOTS: false, PUBLIC_URL: undefined });
});
