import { api } from '@clinic/app-kit';
import type { CallQuery, CallResponse } from '@clinic/contracts';
import type { PersonalDataCalls } from '@clinic/contracts/personal-data-calls';
import { findOtherCalls, otherCalls } from '../other-domains.ts';

/** A service that keeps personal data besides the account. */
interface DataHolder {
  readonly service: string;
  /** What it keeps, for people. */
  readonly name: string;
  /** Everything it keeps about a person. @param query - the address, and whose it was on screen @throws ApiProblem */
  readonly copy: (query: CallQuery<'exportClinicData'>) => Promise<CallResponse<'exportClinicData'>>;
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
    copy: (query) => api.call('exportClinicData', { query }),
  },
  {
    service: 'pharmacy',
    name: nameOf('pharmacy'),
    copy: (query) => api.call('exportPharmacyData', { query }),
  },
];

/**
 * Asks the gateway which services keep personal data, those of other domains included.
 *
 * @throws ApiProblem if it can't be reached
 */
export async function findDataHolders(): Promise<DataHolders> {
  const { calls, unknown } = await findOtherCalls(new Set(['identity', ...own.map(({ service }) => service)]));
  const services = [...new Set(calls.map(({ service }) => service))].toSorted();
  return { known: [...own, ...services.map((service) => holderOf(service, calls))], unknown };
}

function holderOf(service: string, calls: PersonalDataCalls['calls']): DataHolder {
  const call = calls.find((one) => one.service === service && one.personalData === 'copy');
  if (!call) throw new Error(`The service ${service} has no call for a copy of personal data`);
  const { id } = call;
  return {
    service,
    name: nameOf(service),
    copy: (query) => otherCalls.call(id, { query }),
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
