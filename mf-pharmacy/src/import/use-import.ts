import { ApiProblem, useQueryClient } from '@clinic/app-kit';
import { useEffect, useRef, useState } from 'react';
import type { BadField, ImportLine } from '../csv/lines.ts';
import { storedAttempts } from '../stored-attempts.ts';
import { checkPart, importPart, partsOf, withoutBad, type Part } from './send-lines.ts';

/** The same file after a reload continues with the same keys. */
const runs = storedAttempts('pharmacy-import');

/** Larger files are rejected unread. */
const mostBytes = 10 * 1_024 * 1_024;

/** State of an import. */
export type ImportState =
  | { readonly step: 'idle'; readonly problem?: string }
  | { readonly step: 'checking' | 'importing'; readonly done: number; readonly total: number }
  /** `guessed`: the file isn't Unicode and was read as Windows-1252. */
  | {
      readonly step: 'preview';
      readonly good: readonly ImportLine[];
      readonly bad: readonly BadField[];
      readonly guessed: boolean;
    }
  /** It is unknown whether the next part was stored; continuing finds out. */
  | {
      readonly step: 'stopped';
      readonly added: number;
      readonly done: number;
      readonly total: number;
      readonly problem: string;
    }
  | { readonly step: 'done'; readonly added: number; readonly bad: readonly BadField[] };

interface Import {
  readonly runId: string;
  readonly parts: readonly Part[];
  readonly bad: BadField[];
  /** Parts sent. */
  next: number;
  added: number;
}

/** Imports medicines from a CSV file: read, checked in full by the server, shown, and only then stored, part by part. */
export function useImport() {
  const client = useQueryClient();
  const [state, setState] = useState<ImportState>({ step: 'idle' });
  const current = useRef<Import>(undefined);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const left = new AbortController();
    leaving.current = left;
    return () => left.abort();
  }, []);

  async function choose(file: File): Promise<void> {
    const { signal } = leaving.current;
    setState({ step: 'checking', done: 0, total: 0 });
    try {
      const { text, guessed, lines, parts, found } = await check(file, signal, setState);
      current.current = { runId: runs.attemptFor(text).key, parts, bad: found, next: 0, added: 0 };
      setState({ step: 'preview', good: withoutBad(lines, found), bad: found, guessed });
    } catch (error) {
      if (signal.aborted) return;
      console.warn('The file could not be checked', error);
      setState({ step: 'idle', problem: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Stores the valid lines; after an interruption it continues where it was. */
  async function store(): Promise<void> {
    const run = current.current;
    if (!run) return;
    const { signal } = leaving.current;
    const goods = run.parts.map((part) => withoutBad(part, run.bad));
    const total = goods.reduce((sum, { length }) => sum + length, 0);
    const sent = () => goods.slice(0, run.next).reduce((sum, { length }) => sum + length, 0);
    try {
      for (; run.next < goods.length; run.next += 1) {
        setState({ step: 'importing', done: sent(), total });
        const good = goods[run.next] ?? [];
        if (good.length === 0) continue;
        const { added, bad } = await importPart(good, `import-${run.runId}-${run.next}`, signal);
        run.added += added;
        run.bad.push(...bad);
      }
    } catch (error) {
      if (signal.aborted) return;
      console.error('The import was interrupted', error);
      setState({
        step: 'stopped',
        added: run.added,
        done: sent(),
        total,
        problem: error instanceof ApiProblem ? error.message : String(error),
      });
      return;
    } finally {
      void client.invalidateQueries({ queryKey: ['listMedicines'] });
    }
    runs.forget();
    current.current = undefined;
    setState({ step: 'done', added: run.added, bad: run.bad.toSorted((a, b) => a.line - b.line) });
  }

  return { state, choose, store, restart: () => setState({ step: 'idle' }) };
}

/** Reads a file and has the server check its lines, part by part. @throws Error if it can't be read */
async function check(file: File, signal: AbortSignal, report: (state: ImportState) => void) {
  if (file.size > mostBytes) throw new Error('The file is larger than 10 MB.');
  const [bytes, { readFile }] = await Promise.all([
    file.arrayBuffer(),
    import(/* webpackChunkName: "csv" */ '../csv/read-lines.ts'),
  ]);
  const { text, guessed, lines, bad } = readFile(new Uint8Array(bytes));
  const parts = partsOf(lines);
  const found = [...bad];
  let done = 0;
  for (const part of parts) {
    report({ step: 'checking', done, total: lines.length });
    found.push(...(await checkPart(part, signal)));
    done += part.length;
  }
  found.sort((a, b) => a.line - b.line);
  return { text, guessed, lines, parts, found };
}
