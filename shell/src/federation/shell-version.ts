import { isMissingFile, RemoteError, type Concerned } from './remote-error.ts';

let shell: Concerned | undefined;

/** The shell as the owner of a page; its version is the name of its main script. */
export function ownShell(): Concerned {
  shell ??= {
    name: 'shell',
    title: 'This page',
    version: document.querySelector<HTMLScriptElement>('script[src*="/shell/main."]')?.src.split('/').at(-1),
  };
  return shell;
}

/** Whether another shell is deployed than the one running in this page. */
async function isShellRenewed(): Promise<boolean> {
  const { version } = ownShell();
  try {
    const answer = await fetch('/login', { headers: { accept: 'text/html' }, cache: 'no-cache' });
    return answer.ok && version !== undefined && !(await answer.text()).includes(version);
  } catch (error) {
    console.warn('The page could not be fetched', error);
    return false;
  }
}

/** @returns why a part of the shell can't be loaded: a {@link RemoteError} if a file is missing, otherwise the error itself */
export async function shellTrouble(error: unknown): Promise<unknown> {
  return isMissingFile(error)
    ? new RemoteError(ownShell(), (await isShellRenewed()) ? 'outdated' : 'away', error)
    : error;
}
