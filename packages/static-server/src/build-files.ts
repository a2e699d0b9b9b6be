import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

export type Encoding = 'br' | 'gzip' | 'identity';

/** One representation of a file, ready to send. */
export interface Representation {
  readonly body: Buffer;
  readonly etag: string;
  /** Headers, computed once when the build is read. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface BuildFile {
  readonly representations: Readonly<Partial<Record<Encoding, Representation>>>;
  /** The name holds a digest of the content: the file never changes. */
  readonly hashed: boolean;
}

/** The files of a build by URL path, e.g. `/assets/logo.2f1c….svg`. */
export type Build = ReadonlyMap<string, BuildFile>;

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const suffixes: readonly (readonly [string, Encoding])[] = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
];

const oneYear = 31_536_000;

/**
 * Combines the names, sizes and times of a build's files into a string that changes when the build does.
 *
 * @returns an empty string if the directory is missing or empty
 */
export async function signatureOf(directory: string): Promise<string> {
  const lines = await Promise.all(
    (await listFiles(directory)).map(async (name) => {
      const { size, mtimeMs } = await stat(path.join(directory, name));
      return `${name} ${size} ${mtimeMs}`;
    }),
  );
  return lines.sort().join('\n');
}

/**
 * Reads a whole build into memory, with the compressed files (`x.js.br`, `x.js.gz`) as representations of `x.js`.
 *
 * @param directory the build's directory
 */
export async function readBuild(directory: string): Promise<Build> {
  const names = new Set(await listFiles(directory));
  const build = new Map<string, BuildFile>();
  for (const name of names) {
    const compressed = suffixes.find(([suffix]) => name.endsWith(suffix));
    if (compressed && names.has(name.slice(0, -compressed[0].length))) continue;
    const body = await readFile(path.join(directory, name));
    const hashed = /\.[0-9a-f]{16,}\./.test(name);
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    const present = suffixes.filter(([suffix]) => names.has(name + suffix));
    const headers: Record<string, string> = {
      'Content-Type': contentTypes[path.extname(name).toLowerCase()] ?? 'application/octet-stream',
      'Cache-Control': hashed ? `public, max-age=${oneYear}, immutable` : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      // The files are public, and a developer's shell may load them from another origin.
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...(present.length > 0 && { Vary: 'Accept-Encoding' }),
    };
    const representations: Partial<Record<Encoding, Representation>> = {
      identity: represent(body, `"${digest}"`, headers),
    };
    for (const [suffix, encoding] of present) {
      const encoded = await readFile(path.join(directory, name + suffix));
      // A strong validator differs between representations (RFC 9110, section 8.8.3).
      representations[encoding] = represent(encoded, `"${digest}-${encoding}"`, {
        ...headers,
        'Content-Encoding': encoding,
      });
    }
    build.set(`/${name.split(path.sep).join('/')}`, { representations, hashed });
  }
  return build;
}

/** Digest of all files of a build: equal digests mean equal builds. */
export function digestOf(build: Build): string {
  const hash = createHash('sha256');
  for (const [name, { representations }] of [...build].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(name).update(representations.identity?.etag ?? '');
  return hash.digest('hex').slice(0, 12);
}

/** A build's version from its `remote.json`, or its digest if it has none. */
export function versionOf(build: Build): string {
  const text = build.get('/remote.json')?.representations.identity?.body.toString();
  const { version } = text === undefined ? {} : (JSON.parse(text) as { version?: unknown });
  return typeof version === 'string' ? version : digestOf(build);
}

function represent(body: Buffer, etag: string, headers: Record<string, string>): Representation {
  return { body, etag, headers: { ...headers, ETag: etag, 'Content-Length': String(body.length) } };
}

async function listFiles(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
