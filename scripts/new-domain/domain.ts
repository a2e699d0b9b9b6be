import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { roles, type Role } from '@clinic/contracts/roles';
import { takenSegments } from './known.ts';
import { localRegistry } from '../kit/local-registry.ts';
import { UserError } from '../log.ts';

export const usage = `npm run new:domain -- <name> [--title "Title of its page"] [--roles admin,doctor] [--standalone FOLDER (--registry URL | --local)]

  npm run new:domain -- billing
  npm run new:domain -- lab-results --title "Lab results" --roles doctor,admin
  npm run new:domain -- dental --standalone ../dental --registry https://npm.example/
      in a repository of its own; the registry has the kit, and --local is the one of \`npm run release -- kit --local\``;

/** A repository of its own. */
export interface Standalone {
  /** Absolute path. */
  readonly folder: string;
  /** Address of the registry that has the kit, with a slash at its end. */
  readonly registry: string;
}

/** A domain to create. */
export interface Domain {
  /** In lower case, words joined by hyphens: `lab-results`. */
  readonly name: string;
  /** Display name, for example in its menu entry. */
  readonly title: string;
  /** Who may open its page and make its calls. */
  readonly roles: readonly Role[];
  /** Its repository, if it has one of its own. */
  readonly standalone?: Standalone;
}

/**
 * Parses the command line.
 *
 * @param args - arguments of the command
 * @param root - folder of the repository
 * @throws UserError that says what is wrong and what would be right
 */
export function readDomain(args: readonly string[], root: string): Domain {
  const { values, positionals } = parse(args);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UserError(usage);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 30) {
    throw new UserError(
      `'${name}' can't be a domain's name: it must be up to 30 lower-case letters and digits, words joined by hyphens, e.g. billing or lab-results.`,
    );
  }
  const standalone =
    values.standalone === undefined
      ? undefined
      : { folder: outside(values.standalone, root), registry: registryOf(values.registry, values.local) };
  if (standalone === undefined && (values.registry !== undefined || values.local !== undefined))
    throw new UserError('--registry and --local are for a repository of its own: add --standalone FOLDER.');
  for (const folder of [`mf-${name}`, `svc-${name}`]) {
    if (existsSync(join(root, folder)))
      throw new UserError(`The folder ${folder} already exists: choose another name, or remove it first.`);
  }
  if (takenSegments.has(name))
    throw new UserError(
      `'${name}' can't be a domain's name: /${name} or /dash/${name} is already an address of the product.`,
    );
  const requested = (values.roles ?? 'admin').split(',').map((role) => role.trim());
  const unknown = requested.find((role) => !roles.some((known) => known === role));
  if (unknown !== undefined) throw new UserError(`There is no role '${unknown}'; there are ${roles.join(', ')}.`);
  const title = values.title?.trim() ?? titleOf(name);
  if (!/^[\p{L}\p{N}][\p{L}\p{N} &,.-]{0,39}$/u.test(title))
    throw new UserError(
      `'${title}' can't be a title: it must be up to 40 letters, digits and spaces, e.g. --title "Lab results".`,
    );
  return {
    name,
    title,
    roles: roles.filter((role) => requested.includes(role)),
    ...(standalone !== undefined && { standalone }),
  };
}

/** The folder of a repository of its own. @throws UserError if it is in this one, or not empty */
function outside(folder: string, root: string): string {
  // npm starts us in the repository, wherever the command was given.
  const target = resolve(process.env['INIT_CWD'] ?? root, folder);
  if (!relative(root, target).startsWith('..'))
    throw new UserError(`${target} is inside this repository: choose a folder outside, or leave --standalone out.`);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new UserError(`${target} isn't empty: choose another folder.`);
  return target;
}

/**
 * The registry that the new repository takes the kit from. There is no default: a registry that anybody may publish to
 * would give `@clinic/…` of whoever took that name.
 *
 * @throws UserError
 */
function registryOf(url: string | undefined, local: boolean | undefined): string {
  if (url === undefined && local === true) return localRegistry();
  if (url === undefined || local === true)
    throw new UserError(
      'Say which registry has the kit: --registry https://npm.example/, or --local for the one that `npm run release -- kit --local` starts on this machine.',
    );
  const { protocol, hostname, username, href } = URL.canParse(url) ? new URL(url) : new URL('about:blank');
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  // The file is committed, and scripts of what is installed run on everybody's machine.
  if (username !== '' || !(protocol === 'https:' || (protocol === 'http:' && isLoopback)))
    throw new UserError(`'${url}' can't be the registry: it must be an https address without a password.`);
  return href.endsWith('/') ? href : `${href}/`;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        title: { type: 'string' },
        roles: { type: 'string' },
        standalone: { type: 'string' },
        registry: { type: 'string' },
        local: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UserError(`${(error as Error).message}\n\n${usage}`);
  }
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
