import assert from 'node:assert/strict';
import type { CallResponse } from '@clinic/contracts';
import type { GatewayReport } from '@clinic/service-kit/deployments/gateway-report';
import type { Deployment } from '../contract/deployment-calls.ts';
import { runCommand } from '../deployments/release-commands.ts';
import { takeReport } from '../deployments/take-report.ts';
import { startIdentityStack } from './identity-stack.ts';
import { confirmedPerson, type Person } from './people.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

type Reported = GatewayReport['frontEnds'][string];
const today = new Date().toISOString().slice(0, 10);

/** A release deployed in that minute of an hour. */
export const at = (version: string, minute: number) => ({ version, at: `2026-01-01T00:0${minute}:00.000Z` });
export const three = [at('1.3.0+3', 3), at('1.2.0+2', 2), at('1.1.0+1', 1)];
export const kept = { deployed: at('1.3.0+3', 3), releases: three };
/** Of a canary. */
export const rules = { share: 0.05, errorRate: 0.1, minVisits: 20, quietMinutes: 10 };

/** A gateway's figures of today, from one network. */
export const counted = (version: string, canary: number, visits: number, errors: number) => ({
  version,
  canary,
  day: today,
  visits,
  errors,
  otherVisits: 0,
  otherErrors: 0,
  networks: 1,
});

/** svc-identity with two admins, and what they and gateways do with the releases of one front-end after the other. */
export async function openReleases() {
  const stack = await startIdentityStack();
  const ada = await confirmedPerson(stack, 'ada@clinic.example', 'admin');
  const ben = await confirmedPerson(stack, 'ben@clinic.example', 'admin');
  let round = 0;
  let name = '';
  const report = (front: Partial<Reported>, gateway = 'one', now?: number) =>
    takeReport(
      stack.replica.context,
      { gateway, frontEnds: { [name]: { serves: '1.3.0+3', kept, figures: [], ...front } } },
      now,
    );
  const current = async (): Promise<Deployment> => {
    const { frontEnds } = await ada.read<CallResponse<'listDeployments'>>('/deployments');
    return frontEnds.find((one) => one.name === name) ?? assert.fail(`${name} isn’t listed`);
  };
  const send = (by: Person, body: object): Promise<Response> =>
    by.fetch(`/deployments/${name}`, { method: 'POST', json: body });
  return {
    stack,
    ada,
    ben,
    report,
    current,
    send,
    /** Goes on with another front-end: three releases, the last one served. @returns its name */
    nextFrontEnd: async (): Promise<string> => {
      round += 1;
      name = `mf-test${round}`;
      await report({});
      return name;
    },
    change: async (by: Person, body: object): Promise<Deployment> => {
      return readJson<Deployment>(send(by, { revision: (await current()).revision, ...body }), 200);
    },
    operate: (...args: string[]) => runCommand(stack.replica.context, args, { withinMs: 0, everyMs: 1 }),
    events: () => stack.events({ 'record.id': name }),
  };
}
