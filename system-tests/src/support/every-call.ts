import type { CallId, Route } from '@clinic/contracts';
import { clinicCalls } from '../../../svc-clinic/src/contract/calls.ts';
import { identityCalls } from '../../../svc-identity/src/contract/calls.ts';
import { messagesCalls } from '../../../svc-messages/src/contract/calls.ts';
import { pharmacyCalls } from '../../../svc-pharmacy/src/contract/calls.ts';

/** Every call of the three services. */
export const ownCalls = { ...identityCalls, ...clinicCalls, ...pharmacyCalls };

/** Calls of the three services. */
export type OwnCallId = keyof typeof ownCalls;

/** Services by the name their address is configured under (`IDENTITY_URL`, …). */
export type ServiceName = 'identity' | 'clinic' | 'pharmacy';

/** A service that tests call: one of the three, or svc-messages if the test has started it. */
export type TestedService = ServiceName | 'messages';

/** The calls of the three services and of svc-messages. */
export const everyCall = { ...ownCalls, ...messagesCalls };

/** The same without their schemas. */
export const everyRoute: Readonly<Record<CallId, Route & { readonly service: TestedService }>> = everyCall;
