// Provides a kubectl that renders our overlays: the installed one, or else Debian's package.
import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mayInstall, withNextDebian } from '../../scripts/test/debian.ts';
import { exec } from '../../scripts/test/exec.ts';
import { log } from '../../scripts/log.ts';
import { root } from '../../scripts/stack/settings.ts';

/** A kubectl that renders, or a message for the terminal that explains why there is none. */
export type Kubectl = { readonly file: string } | { readonly missing: string };

/** The first kustomize that knows all fields of our files. */
const oldestKustomize = 5;

const unpackedTo = join(root, '.cache/kubectl/kubectl');

/** Finds kubectl. Unpacks Debian 13's into `.cache` if it must and can: on Debian, as root. */
export async function ensureKubectl(): Promise<Kubectl> {
  for (const file of ['kubectl', unpackedTo]) if (await rendersOurs(file)) return { file };
  const debian = mayInstall();
  const advice = `no kubectl with kustomize ${oldestKustomize} is installed (kubernetes.io/docs/tasks/tools)`;
  if (!debian) return { missing: advice };
  log('No recent kubectl found: unpacking the one from Debian 13 …');
  if ((await unpack()) && (await rendersOurs(unpackedTo))) return { file: unpackedTo };
  return { missing: `${advice}, and the one from Debian 13 could not be unpacked` };
}

async function rendersOurs(file: string): Promise<boolean> {
  const { ok, output } = await exec(file, ['version', '--client'], { quiet: true, hush: true }).catch(() => ({
    ok: false,
    output: '',
  }));
  return ok && Number(/Kustomize Version: v(\d+)/.exec(output)?.[1] ?? 0) >= oldestKustomize;
}

/** Debian 12's package is too old. */
function unpack(): Promise<boolean> {
  return withNextDebian(['kubectl'], async (folder) => {
    mkdirSync(dirname(unpackedTo), { recursive: true });
    // Copied beside its place and then moved, because another test may be starting it.
    const fresh = `${unpackedTo}~${process.pid}`;
    if (!(await exec('cp', [join(folder, 'usr/bin/kubectl'), fresh], { quiet: true })).ok) return false;
    renameSync(fresh, unpackedTo);
    return true;
  });
}
