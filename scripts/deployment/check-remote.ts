import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { kilobyte, otherScriptBudget, scriptBudgets, styleBudget } from '@clinic/contracts/budgets';
import type { RemoteUses } from '@clinic/contracts/uses';
import { satisfies } from 'semver';
import type { Answer } from './answers.ts';
import { integrityFaults, type RemoteBuild } from './remote-build.ts';
import type { Running } from './running.ts';

/**
 * Whether a remote's build fits what runs.
 *
 * @param shell - bytes after gzip that the running shell adds to each first visit
 */
export function checkRemote(
  build: RemoteBuild,
  running: Running,
  shell: { readonly scripts: number; readonly styles: number },
): Answer[] {
  const { uses } = build;
  return [
    contract(build, running),
    ...(uses ? [surface(uses, running), libraries(uses, running), calls(uses, running)] : [notRecorded]),
    addresses(build, running),
    budgets(build, shell),
    {
      about: 'integrity',
      faults: integrityFaults(build),
      fine: `${Object.keys(build.descriptor.integrity ?? {}).length} files are as they were built`,
    },
  ];
}

const notRecorded: Answer = {
  about: 'uses',
  faults: [
    'uses.json is missing, so nobody can tell what the remote needs: build it with clinic-webpack, or write one',
  ],
  fine: '',
};

function contract({ descriptor: { contractVersion } }: RemoteBuild, { provides }: Running): Answer {
  const { newest, oldest } = provides.contracts;
  const accepted = newest === oldest ? String(newest) : `${oldest} and ${newest}`;
  const faults =
    contractVersion > newest
      ? [`it was built for contract ${contractVersion}, and the shell runs ${accepted}: deploy the shell first`]
      : contractVersion < oldest
        ? [`it was built for contract ${contractVersion}, and the shell runs ${accepted}: build it against today's kit`]
        : [];
  return { about: 'contract', faults, fine: `version ${contractVersion}; the shell runs ${accepted}` };
}

/** Whether the shell has each name that the remote imports. */
function surface({ libraries: used }: RemoteUses, { provides }: Running): Answer {
  const faults = Object.entries(used).flatMap(([library, { names }]) => {
    const provided = provides.libraries[library];
    const missing = names.filter((name) => name !== '*' && provided?.names?.includes(name) === false);
    return missing.map((name) => `the shell's ${library} has no ${name}`);
  });
  const count = Object.values(used).reduce((sum, { names }) => sum + names.length, 0);
  return { about: 'surface', faults, fine: `the shell has all ${count} names that it imports` };
}

/** Whether the shell has each library, in a version that the remote accepts. */
function libraries({ libraries: used }: RemoteUses, { provides }: Running): Answer {
  const faults = Object.entries(used).flatMap(([library, { range }]) => {
    const provided = provides.libraries[library];
    if (!provided) return [`the shell doesn't share ${library}`];
    if (range === undefined || satisfies(provided.version, range)) return [];
    return [`the shell shares ${library} ${provided.version}, and it accepts ${range}`];
  });
  return { about: 'libraries', faults, fine: `${Object.keys(used).length} shared libraries fit` };
}

/** Whether a service offers each call that the remote makes. */
function calls({ calls: used }: RemoteUses, { deployed }: Running): Answer {
  const offered = new Set(
    deployed.services.flatMap(({ name, calls: own }) => own.map(({ method, path }) => `${name} ${method} ${path}`)),
  );
  const missing = used.filter(({ service, method, path }) => !offered.has(`${service} ${method} ${path}`));
  const silent = missing.filter(({ service }) => deployed.unknown.includes(service));
  return {
    about: 'calls',
    faults: missing
      .filter((call) => !silent.includes(call))
      .map(({ id, service, method, path }) =>
        deployed.services.some(({ name }) => name === service)
          ? `${service} doesn't offer ${id} (${method} ${path}): deploy the service first`
          : `${id} (${method} ${path}) is a call of ${service}, which isn't deployed`,
      ),
    unknown: [...new Set(silent.map(({ service }) => service))].map(
      (service) => `${service} hasn't answered the gateway yet`,
    ),
    fine: `the services offer all ${used.length} calls that it makes`,
  };
}

/** Whether another remote owns an address of its pages: the first to claim it keeps it. */
function addresses({ descriptor: { name, pages } }: RemoteBuild, { registry, deployed }: Running): Answer {
  const faults = pages.flatMap(({ path }) => {
    const remote = registry.remotes.find(
      (other) => other.name !== name && other.pages.some((page) => shapeOf(page.path) === shapeOf(path)),
    );
    if (remote) return [`${path} is a page of ${remote.name}`];
    const service = deployed.services.find(({ segments }) => segments.includes(path.split('/')[1] ?? ''));
    return service ? [`${path} belongs to the calls of ${service.name}`] : [];
  });
  return { about: 'addresses', faults, fine: `nobody else has any of its ${pages.length} pages` };
}

/** `/doctor/:_id` and `/doctor/:email` are the same address. */
const shapeOf = (path: string): string => path.replaceAll(/:\w+/g, ':');

function budgets(
  { folder, descriptor }: RemoteBuild,
  shell: { readonly scripts: number; readonly styles: number },
): Answer {
  const { pages, entry, preload, pagePreload = {}, styles } = descriptor;
  const size = (files: readonly string[]): number =>
    files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);
  const own = size(entry === undefined ? preload : [entry]);
  const sizes = pages.map(({ path }) => ({
    path,
    kilobytes: (shell.scripts + own + size(pagePreload[path] ?? [])) / kilobyte,
    limit: scriptBudgets[path] ?? otherScriptBudget,
  }));
  const css = (shell.styles + size(styles)) / kilobyte;
  const largest = Math.max(0, ...sizes.map(({ kilobytes }) => kilobytes));
  return {
    about: 'budgets',
    faults: [
      ...sizes
        .filter(({ kilobytes, limit }) => kilobytes > limit)
        .map(({ path, kilobytes, limit }) => `${path} loads ${kilobytes.toFixed(1)} kB of scripts, at most ${limit}`),
      ...(css > styleBudget ? [`its pages load ${css.toFixed(1)} kB of styles, at most ${styleBudget}`] : []),
    ],
    fine: `at most ${largest.toFixed(1)} kB of scripts and ${css.toFixed(1)} kB of styles, with the shell's`,
  };
}
