import type { PersonalDataCall } from './route.ts';

/** Where the gateway lists the services' calls about a person: what they keep, and which staff looked at it. */
export const personalDataPath = '/personal-data.json';

/** One such call, as a service publishes it. */
export interface ServiceDataCall {
  /** Name of the service, e.g. `billing`. */
  readonly service: string;
  /** Name of the call in the service's code, unique among all services. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly personalData: PersonalDataCall;
}

/** A call that lists which staff viewed a person's records (`?email=`), as a service publishes it. */
export type ServiceLooksCall = Omit<ServiceDataCall, 'personalData'>;

/** Response of `GET /personal-data.json`. */
export interface PersonalDataCalls {
  readonly calls: readonly ServiceDataCall[];
  /** Absent from gateways of earlier releases. */
  readonly looks?: readonly ServiceLooksCall[];
  /** Services that haven't published their calls yet, so that what they keep is unknown. */
  readonly unknown: readonly string[];
}
