import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc (Linux on every platform that Node supports). */
const ticks = 100;

/** A process and all that it started. */
export function familyOf(pid: number): number[] {
  const tasks = ifThere(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const children = tasks
    .flatMap((task) => read(`${pid}/task/${task}/children`).trim().split(' '))
    .filter((child) => child !== '');
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
}

/** User and system time of processes, in seconds (proc(5), fields 14 and 15 of /proc/pid/stat). */
export function cpuSecondsOf(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const stat = read(`${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticks;
  });
}

/** Most resident memory of a process so far, in bytes (proc(5), /proc/pid/status). */
export function peakMemoryOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(`${pid}/status`))?.[1] ?? 0) * 1024;
}

/** A file in /proc; empty if the process has exited. */
const read = (file: string): string => ifThere(() => readFileSync(`/proc/${file}`, 'utf8')) ?? '';

/** `undefined` if the process has exited. */
function ifThere<T>(readEntry: () => T): T | undefined {
  try {
    return readEntry();
  } catch {
    return undefined;
  }
}

const sum = (pids: readonly number[], figure: (pid: number) => number): number =>
  pids.reduce((total, pid) => total + figure(pid), 0);
