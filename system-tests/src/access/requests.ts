import { after } from 'node:test';
import type { CallId, Route } from '@clinic/contracts';
import type { TestFetch } from '@clinic/service-kit/testing';
import { everyRoute, type OwnCallId, type TestedService } from '../support/every-call.ts';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { appointmentRequests } from './appointment-requests.ts';
import { attemptsWithoutRights } from './attempts.ts';
import { openRecords } from './clinic-records.ts';
import { doctorRequests } from './doctor-requests.ts';
import { identityRequests } from './identity-requests.ts';
import { messagesRequests } from './messages-requests.ts';
import { pharmacyRequests } from './pharmacy-requests.ts';
import type { Request, Requests, RequestsOf } from './request.ts';
import { waitlistRequests } from './waitlist-requests.ts';
import { followData, type FollowedData } from './watched.ts';

/** Makes valid requests for each call; one that changes something gets a fresh target each time. */
export interface RequestMaker {
  readonly requests: Requests;
  /** Calls on records under the addresses of {@link withoutRights}, which have to be made before. */
  readonly attempts: Requests;
}

/** The call of an entry in {@link RequestMaker.requests}. */
export function callOf(name: string): {
  readonly id: CallId;
  readonly route: Route & { readonly service: TestedService };
} {
  const id = name.split(' ')[0] as CallId;
  return { id, route: everyRoute[id] };
}

/** Sends a request. */
export function send(
  fetchFrom: TestFetch,
  { method, path }: Route,
  { params = {}, query = {}, body }: Request,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return fetchFrom(search === '' ? address : `${address}?${search}`, {
    method,
    headers,
    ...(body !== undefined && { json: body }),
  });
}

/** Prepares the requests: reads the records they are about from the running services. */
export async function openRequestMaker(services: ThreeServices): Promise<RequestMaker> {
  const records = await openRecords(services);
  const { user, deleted } = records;
  // A call without an entry is a type error that names it.
  const requests: RequestsOf<OwnCallId> = {
    ...identityRequests(records),
    ...doctorRequests(records),
    ...appointmentRequests(records),
    ...waitlistRequests(records),
    ...(await pharmacyRequests(records)),
  };
  return {
    requests: {
      ...requests,
      ...(services.urls.messages !== undefined &&
        messagesRequests(services, (await user(people.patient.email))._id, deleted)),
    },
    attempts: attemptsWithoutRights(records),
  };
}

/** The services for all tests of a file, without sending messages, valid requests for every call, and what changes. */
export async function requestMakerForFile(): Promise<{
  services: ThreeServices;
  maker: RequestMaker;
  data: FollowedData;
}> {
  // Calls of one service go on for minutes before the changes in another are read.
  const services = await startThreeServices({ messages: 'idle', keepAnswersMs: 3_600_000 });
  const data = followData(services);
  after(async () => {
    await data.close();
    await services.close();
  });
  return { services, maker: await openRequestMaker(services), data };
}
