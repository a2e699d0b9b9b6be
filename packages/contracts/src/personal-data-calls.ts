import type { PersonalDataCall } from './route.ts';

/** Where the gateway lists the calls that copy and erase what the services keep about a person. */
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

/** Response of `GET /personal-data.json`. */
export interface PersonalDataCalls {
  readonly calls: readonly ServiceDataCall[];
  /** Services that haven't published their calls yet, so that what they keep is unknown. */
  readonly unknown: readonly string[];
}
