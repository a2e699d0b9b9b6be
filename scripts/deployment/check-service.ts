import type { CallTable } from '@clinic/contracts/calls';
import { publicationOf, type ServicePublication } from '@clinic/contracts/publication';
import type { RegisteredRemote } from '@clinic/contracts/remotes';
import type { RemoteUses } from '@clinic/contracts/uses';
import type { Answer } from './answers.ts';
import type { Running } from './running.ts';

/** The published part of a service's definition. */
export interface ServiceDefinition {
  readonly name: string;
  readonly calls: CallTable;
}

/** A deployed remote, and what it needs if its build recorded that. */
export interface DeployedRemote {
  readonly remote: RegisteredRemote;
  readonly uses: RemoteUses | undefined;
}

/** @returns what the service will publish. @param version - of its package */
export function publicationFrom({ name, calls }: ServiceDefinition, version: string): ServicePublication {
  return publicationOf(name, version, Object.entries(calls));
}

/**
 * Whether a service's next version fits what runs.
 *
 * @param breaks - changes of its calls that break front-ends of kept releases, from `npm run release:check`
 */
export function checkService(
  next: ServicePublication,
  running: Running,
  remotes: readonly DeployedRemote[],
  breaks: readonly string[],
): Answer[] {
  return [
    contract(next, running),
    usedCalls(next, remotes),
    { about: 'schemas', faults: breaks, fine: `its ${next.calls.length} calls keep what earlier releases promised` },
    segments(next, running),
  ];
}

function contract({ contractVersion }: ServicePublication, { deployed }: Running): Answer {
  const { newest, oldest } = deployed.contracts;
  const accepted = newest === oldest ? String(newest) : `${oldest} and ${newest}`;
  const faults =
    contractVersion > newest
      ? [`it speaks contract ${contractVersion}, and the gateway accepts ${accepted}: deploy the gateway first`]
      : contractVersion < oldest
        ? [`it speaks contract ${contractVersion}, and the gateway accepts ${accepted}: build it against today's kit`]
        : [];
  return { about: 'contract', faults, fine: `version ${contractVersion}; the gateway accepts ${accepted}` };
}

/** Whether it still offers each call that deployed remotes make. */
function usedCalls({ name, calls }: ServicePublication, remotes: readonly DeployedRemote[]): Answer {
  const offered = new Set(calls.map(({ method, path }) => `${method} ${path}`));
  const used = remotes.flatMap(({ remote, uses }) =>
    (uses?.calls ?? []).filter(({ service }) => service === name).map((call) => ({ remote: remote.name, ...call })),
  );
  return {
    about: 'calls',
    faults: used
      .filter(({ method, path }) => !offered.has(`${method} ${path}`))
      .map(({ remote, id, method, path }) => `${remote}, which is deployed, makes ${id} (${method} ${path})`),
    unknown: remotes
      .filter(({ uses }) => uses === undefined)
      .map(({ remote }) => `${remote.name} ${remote.version} doesn't say which calls it makes`),
    fine: `it offers all ${new Set(used.map(({ id }) => id)).size} calls that deployed remotes make`,
  };
}

/** Whether others own a first segment of its paths: the first to claim it keeps it. */
function segments({ name, segments: wanted }: ServicePublication, { deployed, registry }: Running): Answer {
  const faults = wanted.flatMap((segment) => {
    const service = deployed.services.find((other) => other.name !== name && other.segments.includes(segment));
    if (service) return [`/${segment} belongs to ${service.name}`];
    const page = registry.remotes.find(({ pages }) => pages.some(({ path }) => path.split('/')[1] === segment));
    return page ? [`/${segment} belongs to a page of ${page.name}`] : [];
  });
  return { about: 'addresses', faults, fine: `nobody else has any of its ${wanted.length} first segments` };
}
