import { addCalls, api } from '@clinic/app-kit';
import type { CallResponse, Route } from '@clinic/contracts';
import { personalDataPath, type PersonalDataCalls } from '@clinic/contracts/personal-data-calls';

/** A service that keeps personal data besides the account. */
export interface DataHolder {
  readonly service: string;
  /** What it keeps, for people. */
  readonly name: string;
  /** Everything it keeps about a person. @throws ApiProblem */
  readonly copy: (email: string) => Promise<CallResponse<'exportClinicData'>>;
}

/** The holders, and services of which it isn't known yet what they keep. */
export interface DataHolders {
  readonly known: readonly DataHolder[];
  readonly unknown: readonly string[];
}

/** What the product's own services hold. */
const ownNames: Readonly<Record<string, string>> = { clinic: 'Appointments', pharmacy: 'Orders', messages: 'Messages' };

/** The product's own holders: they are listed even while none of their replicas has published anything. */
const own: readonly DataHolder[] = [
  {
    service: 'clinic',
    name: nameOf('clinic'),
    copy: (email) => api.call('exportClinicData', { query: { email } }),
  },
  {
    service: 'pharmacy',
    name: nameOf('pharmacy'),
    copy: (email) => api.call('exportPharmacyData', { query: { email } }),
  },
];

/** Calls of other domains, which this remote doesn't know at build time. They have the same form in all services. */
const callOthers = <Answer>(id: string, input?: object): Promise<Answer> =>
  (api as unknown as { call(id: string, input?: object): Promise<Answer> }).call(id, input);

const listing: Route = {
  service: 'gateway',
  method: 'GET',
  path: personalDataPath,
  access: { kind: 'everyone' },
  status: 200,
  errors: [],
  summary: 'List the calls that copy and erase personal data',
};

/**
 * Asks the gateway which services keep personal data, those of other domains included.
 *
 * @throws ApiProblem if it can't be reached
 */
export async function findDataHolders(): Promise<DataHolders> {
  addCalls({ listPersonalDataCalls: listing });
  const { calls, unknown } = await callOthers<PersonalDataCalls>('listPersonalDataCalls');
  const ours = new Set(['identity', ...own.map(({ service }) => service)]);
  const others = calls.filter(({ service }) => !ours.has(service));
  for (const { id, service, method, path } of others)
    addCalls({ [id]: { ...listing, service, method: method as Route['method'], path } });
  const services = [...new Set(others.map(({ service }) => service))].toSorted();
  return {
    known: [...own, ...services.map((service) => holderOf(service, others))],
    unknown: unknown.filter((service) => !ours.has(service)),
  };
}

function holderOf(service: string, calls: PersonalDataCalls['calls']): DataHolder {
  const call = calls.find((one) => one.service === service && one.personalData === 'copy');
  if (!call) throw new Error(`The service ${service} has no call for a copy of personal data`);
  const { id } = call;
  return {
    service,
    name: nameOf(service),
    copy: async (email) => callOthers(id, { query: { email } }),
  };
}

/** What a service holds: `lab-results` holds lab results, `billing` billing records. */
export function nameOf(service: string): string {
  const own = Object.hasOwn(ownNames, service) ? ownNames[service] : undefined;
  if (own !== undefined) return own;
  return service.endsWith('s') ? titleOf(service) : `${titleOf(service)} records`;
}

/** `home-visits` is `Home visits`. */
export function titleOf(service: string): string {
  const words = service.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
