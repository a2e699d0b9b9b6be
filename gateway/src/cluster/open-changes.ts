import type { ToWorker } from './messages.ts';

/** A worker, as far as changes concern it. */
export interface Listener {
  readonly id: number;
  readonly send: (message: ToWorker) => void;
}

interface OpenChange {
  readonly owner: Listener;
  /** Its number in its worker. */
  readonly change: number;
  readonly service: string;
  /** Those who have not heard of it yet. */
  readonly waitingFor: Set<number>;
}

/**
 * The changes that are under way in the workers. A worker sends a change on only when all others have dropped their lists
 * and keep none until it is over: who has the answer to a change must find it in every list, whoever answers.
 */
export class OpenChanges {
  readonly #open = new Map<string, OpenChange>();
  readonly #listeners = new Map<number, Listener>();

  /** A worker has come: it hears of what is under way before it answers anybody. */
  join(listener: Listener): void {
    this.#listeners.set(listener.id, listener);
    for (const [id, { service }] of this.#open) listener.send({ kind: 'change', change: id, service });
  }

  /** A worker has gone: its changes are over, and nobody waits for it. */
  leave(worker: number): void {
    this.#listeners.delete(worker);
    for (const { owner, change } of this.#open.values()) if (owner.id === worker) this.end(worker, change);
    for (const id of this.#open.keys()) this.heard(id, worker);
  }

  begin(worker: number, change: number, service: string): void {
    const owner = this.#listeners.get(worker);
    if (!owner) return;
    const others = [...this.#listeners.values()].filter(({ id }) => id !== worker);
    if (others.length === 0) owner.send({ kind: 'all have heard', change });
    const id = idOf(worker, change);
    this.#open.set(id, { owner, change, service, waitingFor: new Set(others.map((other) => other.id)) });
    for (const other of others) other.send({ kind: 'change', change: id, service });
  }

  heard(id: string, worker: number): void {
    const open = this.#open.get(id);
    if (open?.waitingFor.delete(worker) && open.waitingFor.size === 0) open.owner.send({ kind: 'all have heard', change: open.change });
  }

  end(worker: number, change: number): void {
    const id = idOf(worker, change);
    if (!this.#open.delete(id)) return;
    for (const other of this.#listeners.values()) if (other.id !== worker) other.send({ kind: 'change over', change: id });
  }
}

function idOf(worker: number, change: number): string {
  return `${worker}-${change}`;
}
