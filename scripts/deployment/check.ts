import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { findBreaks } from '../release/find-breaks.ts';
import { UserError } from '../log.ts';
import { root } from '../stack/settings.ts';
import { type Answer, exitCodeOf, linesOf } from './answers.ts';
import { checkRemote } from './check-remote.ts';
import { checkService, publicationFrom, type ServiceDefinition } from './check-service.ts';
import { readRemoteBuild } from './remote-build.ts';
import { readRunning, shellSizes, usesOf } from './running.ts';

/** The result of a check. */
interface Result {
  readonly lines: readonly string[];
  /** See `exitCodes`. */
  readonly exitCode: number;
}

/** Where `npm start` serves the clinic. */
const ownClinic = `http://localhost:${process.env['PORT'] || '8080'}`;

/**
 * Whether a remote's build may be deployed: `mf-clinic [folder] [--clinic URL]`.
 *
 * @throws UserError if that can't be checked
 */
export async function remoteMayDeploy(args: readonly string[]): Promise<Result> {
  const { name, folder, clinic } = read(args);
  const build = readRemoteBuild(name, resolve(folder ?? join(root, name, 'dist')));
  const running = await readRunning(clinic);
  return resultOf(
    `${name} ${build.descriptor.version}`,
    clinic,
    checkRemote(build, running, await shellSizes(running)),
  );
}

/**
 * Whether a service may be deployed as it is in its folder: `svc-clinic [folder] [--clinic URL]`.
 *
 * @throws UserError if that can't be checked
 */
export async function serviceMayDeploy(args: readonly string[]): Promise<Result> {
  const { name, folder, clinic } = read(args);
  const { definition, version } = await definitionIn(resolve(folder ?? join(root, name)));
  const next = publicationFrom(definition, version);
  const running = await readRunning(clinic);
  const remotes = await Promise.all(
    running.registry.remotes.map(async (remote) => ({ remote, uses: await usesOf(running, remote) })),
  );
  const own = new Set(next.calls.map(({ id }) => id));
  const offered = running.deployed.services.find((service) => service.name === next.name)?.calls ?? [];
  for (const { id } of offered) own.add(id);
  const breaks = findBreaks().broken.filter((line) => own.has(line.split(' · ')[1]?.split(':')[0] ?? ''));
  return resultOf(`${name} ${version}`, clinic, checkService(next, running, remotes, breaks));
}

function read(args: readonly string[]): { readonly name: string; readonly folder?: string; readonly clinic: string } {
  const { positionals, values } = parse(args);
  const [name, folder, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UserError('check needs a name, and may have a folder.');
  const { clinic = ownClinic } = values;
  if (!URL.canParse(clinic)) throw new UserError(`--clinic is '${clinic}', but must be an address, e.g. ${ownClinic}.`);
  return { name, ...(folder !== undefined && { folder }), clinic };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { clinic: { type: 'string' } } });
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}

/** The definition that a service's `src/service.ts` exports as `…Service`. */
async function definitionIn(
  folder: string,
): Promise<{ readonly definition: ServiceDefinition; readonly version: string }> {
  const file = join(folder, 'src/service.ts');
  if (!existsSync(file)) throw new UserError(`${file} doesn't exist: check the service's name, or name its folder.`);
  const exported = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new UserError(`${file} can't be read: ${(error as Error).message}`);
  });
  const definition = Object.entries(exported as Record<string, unknown>)
    .filter(([name]) => name.endsWith('Service'))
    .map(([, value]) => value)
    .find(isDefinition);
  if (!definition) throw new UserError(`${file} exports no service (defineService).`);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { definition, version };
}

const isDefinition = (value: unknown): value is ServiceDefinition =>
  typeof value === 'object' && value !== null && 'name' in value && 'handlers' in value;

const resultOf = (name: string, clinic: string, answers: readonly Answer[]): Result => ({
  lines: linesOf(name, clinic, answers),
  exitCode: exitCodeOf(answers),
});
